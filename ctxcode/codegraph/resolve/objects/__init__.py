"""Classes and their objects: what inherits from what, and which class an expression's object is of.

Owns the order of ancestors (``ancestry``) and what bindings tell (``values``). Must not know call sites or edges.
"""
