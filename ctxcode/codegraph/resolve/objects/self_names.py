"""What the languages call the object a method belongs to."""

SELF_NAMES = {
    "python": frozenset({"self", "cls"}),
    "ecmascript": frozenset({"this"}),
    "java": frozenset({"this"}),
    "rust": frozenset({"self", "Self"}),
    "go": frozenset[str](),
    "c": frozenset({"this"}),
    "csharp": frozenset({"this"}),
    "php": frozenset({"this", "self", "static"}),
    "ruby": frozenset({"self"}),
    "swift": frozenset({"self", "Self"}),
    "lua": frozenset({"self"}),
}
"""What a method calls the object it belongs to, or its class, by family."""
IMPLICIT_SELF = frozenset({"java", "csharp", "c", "ruby", "swift"})
"""Families in which a method may leave out what it calls its object."""
