"""Names become edges: facts of many files are joined by imports, scopes, inheritance and the types the syntax tells.

Owns module naming, name look-up and the tiers of confidence. Knows no parser and no store. Entry
point: ``graph.resolve``.
"""
