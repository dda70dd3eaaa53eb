"""What Java files say: types and their members, calls with the form of their arguments, local types block by block.

Entry point: ``extraction.extract``.
"""
