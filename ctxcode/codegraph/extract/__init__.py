"""From findings to facts, the same for every language.

Owns source positions, documentation, nesting and qualified names. Must not know any grammar, files or processes. Entry
point: ``assemble.assemble``.
"""
