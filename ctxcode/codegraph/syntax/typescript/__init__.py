"""What only TypeScript says: the arguments of its generic types.

Knows no resolution. Entry point: ``generics.Generics``.
"""
