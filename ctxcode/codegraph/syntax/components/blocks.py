"""Which bytes of a component are script, and which are markup.

The script is what is left when all else is blanked: the same bytes in number, so that everything stands where it does
in the file.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

SUFFIXES = (".vue", ".svelte", ".astro")
Span = tuple[int, int]

_ATTRIBUTES = rb"((?:[^<>\"']|\"[^\"]{0,1000}+\"|'[^']{0,1000}+'){0,2000}+)>"
_BLOCK = re.compile(rb"<(script|style|template)\b" + _ATTRIBUTES, re.IGNORECASE)
_ENDS = {
    name: re.compile(rb"</%s\s{0,20}>" % name, re.IGNORECASE) for name in (b"script", b"style", b"template")
}  # fmt: skip
_NESTED = re.compile(rb"<(/?)template\b" + _ATTRIBUTES, re.IGNORECASE)
_LANGUAGE = re.compile(rb"""\b(?:lang|type)\s{0,9}=\s{0,9}["']?([\w./+-]{1,50})""")
_SOURCE = re.compile(rb"""\bsrc\s{0,9}=\s{0,9}["']([^"'\n]{1,200})["']""")
_FENCE = re.compile(rb"\s{0,200}---[ \t]*\r?\n")
_END_FENCE = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_SCRIPTS = frozenset({
    b"babel", b"ecmascript", b"javascript", b"js", b"jsx", b"module", b"text/babel", b"text/ecmascript",
    b"text/javascript", b"text/typescript", b"application/javascript", b"ts", b"tsx", b"typescript",
})  # fmt: skip
_WITH_ELEMENTS = frozenset({b"jsx", b"tsx"})
"""What scripts are written in that hold elements themselves."""
_BLANKS = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))


class Component(NamedTuple):
    """A component's file, taken apart."""

    script: bytes
    """The file with all that is no script blanked."""
    markup: tuple[Span, ...]
    """Where its markup stands, the longest part first; none that is written in another language, such as Pug."""
    has_elements: bool
    """Whether its script holds elements: JSX."""
    sources: tuple[tuple[int, str], ...]
    """(byte, path) of scripts that stand in files of their own."""


def taken_apart(source: bytes, path: str) -> Component:
    """Return what a component's file is made of, which it is by the end of its path."""
    scripts, others, sources = list[Span](), list[Span](), list[tuple[int, str]]()
    languages = set[bytes]()
    start = 0
    fence = _FENCE.match(source) if path.endswith(".astro") else None
    if fence is not None:
        end = _END_FENCE.search(source, fence.end())
        start = end.end() if end is not None else len(source)
        scripts.append((fence.end(), end.start() if end is not None else len(source)))
        others.append((0, start))
    templates = list[Span]()
    for name, attributes, whole, inner in _blocks(source, start, has_templates=path.endswith(".vue")):
        said = _LANGUAGE.search(attributes)
        language = said[1].lower() if said is not None else b"js"
        if name == b"template":
            templates += [whole] if said is None or language == b"html" else []
            continue
        others.append(whole)
        if name == b"script" and language in _SCRIPTS:
            scripts.append(inner)
            languages.add(language)
            outside = _SOURCE.search(attributes)
            sources += [(whole[0], outside[1].decode("utf-8", "replace"))] if outside is not None else []
    markup = templates if path.endswith(".vue") else _between(source, others)
    return Component(
        script=_only(source, scripts),
        markup=tuple(sorted(markup, key=lambda span: (span[0] - span[1], span))),
        has_elements=not languages.isdisjoint(_WITH_ELEMENTS),
        sources=tuple(sources),
    )


def _blocks(source: bytes, start: int, *, has_templates: bool) -> Iterator[tuple[bytes, bytes, Span, Span]]:
    """Yield (name, attributes, bytes with tags, bytes without) of the blocks at the top of a file."""
    at = start
    while (opened := _BLOCK.search(source, at)) is not None:
        name = opened[1].lower()
        at = opened.end()
        if opened[2].endswith(b"/") or (name == b"template" and not has_templates):
            if name == b"script":
                yield name, opened[2], opened.span(), (at, at)
            continue
        inner_end, at = _end_of(source, name, at)
        yield name, opened[2], (opened.start(), at), (opened.end(), inner_end)


def _end_of(source: bytes, name: bytes, at: int) -> Span:
    """Return where a block's content ends and where the block does; templates may hold others."""
    if name != b"template":
        end = _ENDS[name].search(source, at)
        return end.span() if end is not None else (len(source), len(source))
    depth = 1
    for tag in _NESTED.finditer(source, at):
        if not tag[2].endswith(b"/"):
            depth += -1 if tag[1] else 1
        if not depth:
            return tag.span()
    return len(source), len(source)


def _between(source: bytes, spans: Iterable[Span]) -> list[Span]:
    """Return what stands between some parts of a file, without white space around it."""
    found, at = list[Span](), 0
    for start, end in (*sorted(spans), (len(source), len(source))):
        text = source[at:start]
        left = len(text) - len(text.lstrip())
        if left < len(text):
            found.append((at + left, at + len(text.rstrip())))
        at = max(at, end)
    return found


def _only(source: bytes, spans: Iterable[Span]) -> bytes:
    parts, at = list[bytes](), 0
    for start, end in sorted(spans):
        parts += [source[at:start].translate(_BLANKS), source[start:end]]
        at = end
    return b"".join([*parts, source[at:].translate(_BLANKS)])
