"""A question brought into the words of the code."""
