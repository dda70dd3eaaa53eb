"""Classes and their objects: what inherits from what, and which class an expression's object is of.

Owns the order of ancestors (``ancestry``), what bindings tell (``values``), what Go writes where a value stands
(``asserted``) and which of the overloads of Java is called (``overloads``).
Must not know call sites; of edges their tiers only.
"""
