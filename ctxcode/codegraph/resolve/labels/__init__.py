"""Which function of Swift a call means of those that share its name: by the labels of its arguments.

It knows facts and look-up tables, and nothing of how files are read.
"""
