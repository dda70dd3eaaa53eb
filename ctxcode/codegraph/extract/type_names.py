"""Type names out of annotations and type expressions: dotted, without arguments."""

import re
from functools import lru_cache

_DOTTED = re.compile(r"(?:[^\W\d]|\$)[\w$]*(?:\.(?:[^\W\d]|\$)[\w$]*)*", re.UNICODE)
_NOTHING = frozenset({"None", "null", "undefined", "void", "any", "unknown", "never"})
_CLASS_ITSELF = re.compile(r"(?:typing\.|t\.)?[Tt]ype\[(.*)\]", re.DOTALL)
_UNION = re.compile(r"(?:typing\.|t\.)?Union\[(.*)\]", re.DOTALL)
_SELF = re.compile(r"(?:[\w.]+\.)?Self")
_OPTIONAL = re.compile(r"(?:typing\.|t\.)?(?:Optional|Annotated|ClassVar|Final)\[(.*)\]", re.DOTALL)
_RUST_WRAPPER = re.compile(r"(?:std::\w+::)?(?:Box|Rc|Arc)<(.*)>", re.DOTALL)
_RUST_PREFIX = re.compile(r"&\s*|'\w+\s+|\b(?:mut|dyn|impl|const)\b\s*|\*\s*")
_JAVA_NOISE = re.compile(r"/\*.*?\*/|//[^\n]*|@[\w.]+\s*(?:\([^()]*\))?|\bfinal\b|\s+", re.DOTALL)
_JAVA_ARGUMENTS = re.compile(r"<[^<>]*>")
_LONGEST = 300


def is_bare_name(text: str) -> bool:
    """Whether a text is one plain name, as most are: a quick look that spares the others."""
    return len(text) <= _LONGEST and text.isascii() and text.isidentifier()


def dotted_name(text: str) -> str:
    """Return a dotted name cut off its type arguments, or an empty text where there is no single name."""
    if is_bare_name(text):
        return text
    name = text[:_LONGEST].partition("[")[0].partition("<")[0].replace("::", ".").strip().removeprefix(".")
    name = "".join(name.split()) if " " in name or "\n" in name else name
    return name if _DOTTED.fullmatch(name) else ""


def python_type(text: str) -> str:
    """Return the class an annotation names: quotes, ``Optional`` and ``| None`` taken away.

    ``type[C]`` is ``=C``: the class itself; ``typing.Self`` is ``Self``.
    """
    text = text.strip().strip("\"'")
    if is_bare_name(text):
        return text
    itself = _CLASS_ITSELF.fullmatch(text)
    if itself:
        name = _single(itself[1].strip("\"'"))
        return f"={name}" if name else ""
    if _SELF.fullmatch(text):
        return "Self"
    united = _UNION.fullmatch(text)
    if united and united[1].count("[") == 0:
        text = united[1].replace(",", "|")
    wrapped = _OPTIONAL.fullmatch(text)
    if wrapped:
        text = wrapped[1].partition(",")[0] if "[" not in wrapped[1] else wrapped[1]
    return _single(text)


def typescript_type(text: str) -> str:
    """Return the type an annotation names: the colon and ``| null | undefined`` taken away."""
    return _single(text.strip().removeprefix(":"))


def rust_type(text: str) -> str:
    """Return the type a Rust type expression dereferences to: references, ``Box``, ``Rc`` and ``Arc`` taken away."""
    text = _RUST_PREFIX.sub("", text[:_LONGEST]).strip()
    for _ in range(3):
        wrapped = _RUST_WRAPPER.fullmatch(text)
        if wrapped is None:
            break
        text = wrapped[1].strip()
    return dotted_name(text.partition(" + ")[0])


def go_type(text: str) -> str:
    """Return the named type behind a Go type expression's pointers."""
    return dotted_name(text.lstrip("*& "))


def java_type(text: str) -> str:
    """Return the type a Java type expression names, without type arguments: ``Map``, ``int[]``."""
    if is_bare_name(text):
        return text
    name = dotted_name(text)
    return name + "[]" * text.count("[", text.rfind(">") + 1) if name else ""


@lru_cache(maxsize=10_000)
def java_parameters(text: str) -> str:
    """Return the types of the parameters of ``(final int a, Map<K, V> b, T... c)``: ``int,Map,T...``."""
    text = _JAVA_NOISE.sub(" ", text)
    while "<" in text:
        shorter = _JAVA_ARGUMENTS.sub("", text)
        if shorter == text:
            break
        text = shorter
    types = []
    for parameter in text.strip("() \n").split(","):
        written, _, name = parameter.replace("...", " ... ").strip().rpartition(" ")
        if name == "this":
            continue
        if "." in written and "..." not in written:
            written = written.replace(" ", "")
        types.append("".join(written.split()) + "[]" * name.count("["))
    return ",".join(types)


def is_capitalised(name: str) -> bool:
    """Whether the last part of a dotted name looks like a type."""
    return name.rpartition(".")[2].lstrip("_")[:1].isupper()


def _single(text: str) -> str:
    if "|" not in text:
        return dotted_name(text)
    depth, parts = 0, list[str]()
    current: list[str] = []
    for character in text[:_LONGEST]:
        depth += (character in "[<({") - (character in "]>)}")
        if character == "|" and depth == 0:
            parts.append("".join(current))
            current = []
        else:
            current.append(character)
    parts.append("".join(current))
    named = [part.strip() for part in parts if part.strip() and part.strip() not in _NOTHING]
    return dotted_name(named[0]) if len(named) == 1 else ""
