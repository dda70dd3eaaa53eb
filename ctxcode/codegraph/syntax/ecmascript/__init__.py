"""What JavaScript and TypeScript files say: declarations, members of objects, modules, local types, documentation.

Entry point: ``extraction.extract``.
"""
