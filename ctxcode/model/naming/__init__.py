"""What names and paths say: their words, and what kind of code a folder holds. Pure, standard library only."""
