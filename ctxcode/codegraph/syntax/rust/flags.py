"""Sets of flags that ``bitflags!`` makes structs with constants of: ``struct Access: u32 { const READ = 1; }``.

No grammar reads that. As an enum it can be read, and every byte keeps its place.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcode.codegraph.extract.findings import Definition

_HEAD = re.compile(rb"\bstruct(\s+[A-Za-z_]\w*\s*)(:\s*[A-Za-z_][\w:]*)(\s*\{)")
_BODY = re.compile(
    rb"""(?:[^{}"'/]++|"(?:[^"\\]|\\(?s:.))*+"?|'(?:[^'\\\n]|\\[^\n])[^'\n]{0,10}'|'|//[^\n]*+"""
    rb"|/\*(?s:.*?)(?:\*/|\Z)|/)*+"
)
_FLAG = re.compile(rb"\bconst(?=\s+[A-Za-z]\w*\s*=)")
_MOST_ABOVE = 2_000
"""Bytes of documentation and attributes that are read."""
_LONGEST = 100
"""Bytes that are looked at before a name."""
_WRITTEN = {"enum": (b"struct", "struct"), "variant": (b"const", "constant")}
"""Kinds to the word before a name of a set of flags, and to what it is."""


def with_enums(text: bytes) -> bytes:
    """Return a text in which sets of flags stand as enums."""
    parts, end = list[bytes](), 0
    for head in _HEAD.finditer(text):
        if head.start() < end:
            continue
        parts += [text[end : head.start()], b"enum  ", head[1], re.sub(rb"[^\n]", b" ", head[2]), head[3]]
        body = _BODY.match(text, head.end())
        end = body.end() if body else head.end()
        parts.append(_FLAG.sub(b"     ", text[head.end() : end]).replace(b";", b","))
    return b"".join([*parts, text[end:]])


def name_flags(definitions: "Iterable[Definition]", source: bytes) -> None:
    """Give back to sets of flags, which were read as enums, what they are: structs with constants."""
    for found in definitions if _HEAD.search(source) else ():
        word, kind = _WRITTEN.get(found.kind, (b"", ""))
        before = source[max(0, found.header - _LONGEST) : found.header].split()
        if word and before[-1:] == [word]:
            found.kind = kind
            found.doc = found.doc or _doc_above(source, found.header)
            found.signature = found.signature if kind == "struct" else f"const {found.signature}"


def _doc_above(source: bytes, header: int) -> str:
    """Return the documentation on the lines above a constant, with attributes between it and that."""
    said = list[str]()
    for line in reversed(source[max(0, header - _MOST_ABOVE) : header].splitlines()[:-1]):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("///"):
            said.append(text.removeprefix("///").strip())
        elif not text.startswith("#["):
            break
    return "\n".join(reversed(said))
