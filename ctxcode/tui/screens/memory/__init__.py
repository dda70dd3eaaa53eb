"""The commands about what a conversation remembers, their words and the dialog that shows long answers."""
