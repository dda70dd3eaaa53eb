"""Sources in the midst of being typed: finds what a half-typed line hides, and masks it so that the rest can be read.

Knows no facts. Entry point: ``pieces.mended``.
"""
