"""A terminal companion for a repository that shows and explains what the model sees."""
