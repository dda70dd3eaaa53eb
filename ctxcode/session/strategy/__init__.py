"""Strategies at work: which there are, run apart from the loop, remembered per branch. See ``strategies.py``."""
