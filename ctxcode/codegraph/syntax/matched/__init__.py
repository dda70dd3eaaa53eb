"""Languages whose query file says nearly all: patterns name definitions, callees, bases and local types.

Owns the reading of those patterns (``extraction``) and what is left of each language (its dialect). Must not know
nesting, files or processes. A pattern captures one whole definition under its kind, with ``name`` or ``declarator``,
and where there are ``body``, ``head`` (the last node of the signature) and ``container``; ``callee``, ``called`` with
``receiver``, ``made``; ``heir`` with ``base``; ``bound``, ``parameter`` or ``member`` with ``type``; ``import``.
Entry point: ``extraction.extract_matches``.
"""
