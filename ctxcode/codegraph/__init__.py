"""Files become symbols and edges, with tree-sitter.

Owns grammars, queries, worker processes and name resolution. Must not know SQL or the planner. Entry points:
``parse.parse_source``, ``pool.ParsePool`` and ``resolve.resolve``.
"""
