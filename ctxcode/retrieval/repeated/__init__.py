"""What several files of a repository say once more."""
