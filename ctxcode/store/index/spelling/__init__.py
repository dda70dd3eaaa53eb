"""What was meant by words and names that are not there.

Owns comparing by letters: words of the full-text index, and names of definitions. Knows no graph and no question. Entry
points: ``words.nearest_word``, ``names.NearestNames``.
"""
