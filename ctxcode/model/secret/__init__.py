"""What is kept from models: which files are never read, and which pieces of a text are withheld. Pure.

Entry points: ``path.is_secret`` for names, ``text.withheld`` for texts.
"""
