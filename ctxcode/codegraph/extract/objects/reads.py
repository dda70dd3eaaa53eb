"""What Python reads of objects without calling it: ``order.total``, a property or a method that is handed on.

They go with the calls through all that is found out of what names mean, and become uses where something is known of
what stands before the dot.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.objects.own import OWN
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import READ

if TYPE_CHECKING:
    from tree_sitter import Node

# What a pattern begins with is looked for quickly, where nothing is repeated around it.
_PARTS = re.compile(rb"\.[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+){0,4}+", re.ASCII)
"""What stands behind a name, from the first dot on."""
_NOT_READ = re.compile(rb"\s*(?:\(|=[^=])")
"""What stands behind what is called or given something."""
_KEPT = [re.compile(name + rb"\.(\w++)\s*(?::[^:\n]+)?=[^=]") for name in (b"self", b"cls")]
"""What an object keeps; what they begin with is looked for quickly."""
_GIVEN_IN_LOOP = re.compile(rb"for\b(?<!\wfor)([\s\w,()*]{1,200}?)\bin\b", re.ASCII)
_WORD = re.compile(r"[^\W\d]\w*+")
_SELVES = frozenset({"self", "cls"})
_BEFORE = frozenset(b".)]\"'")
"""What stands before a name that is part of something else."""
_WORDS_ONLY = bytes([at if chr(at).isalnum() or chr(at) == "_" else ord(" ") for at in range(128)]).ljust(256)
_LONGEST_TEST = 200
_MOST = 20_000


def add_reads(findings: Findings, page: Page, tested: Iterable["Node"], *, is_any_told: bool) -> None:
    """Add what is read as calls of names that no function has, but for most of what nothing will be known of.

    ``tested`` are the tests that tell what a name is. ``is_any_told``: any name may be told of by what comes later.
    """
    told = _may_be_told(findings, page, tested)
    selves, own = _SELVES - told, _own(findings, page)
    source, words = page.source, page.source.translate(_WORDS_ONLY)
    calls = list[tuple[int, str, str]]()
    known = {name.encode() for name in told | _SELVES}
    for match in islice(_PARTS.finditer(source), _MOST):
        start = match.start()
        if source[start - 1] in _BEFORE and start:
            # No name stands before the dot: a quick look, as with half of them.
            continue
        begin = words.rfind(b" ", 0, start) + 1
        written = words[begin:start]
        if not (written in known or (is_any_told and written.decode().isidentifier())):
            continue
        if begin and source[begin - 1] in _BEFORE:
            continue
        first, parts = written.decode(), match[0][1:].decode().split(".")
        if _NOT_READ.match(source, match.end()):
            parts.pop()
        if first in selves and parts and (parts[0] in own or not findings.bases):
            # What this is of its own is found otherwise; what it has may be read.
            at, receiver = start + len(parts[0]), f"{first}.{parts[0]}"
            del parts[0]
        else:
            at, receiver = start - 1, first
        for part in parts:
            at += len(part) + 1
            calls.append((at, f"{READ}{part}", receiver))
            receiver = f"{receiver}.{part}"
    findings.calls += calls


def _own(findings: Findings, page: Page) -> frozenset[str]:
    """Return the functions of a file and what an object keeps in it."""
    return _kept(page).union([found.name for found in findings.definitions if found.kind == "function"])


@lru_cache(maxsize=1)
def _kept(page: Page) -> frozenset[str]:
    return frozenset([match[1].decode() for kept in _KEPT for match in kept.finditer(page.source)])


def _may_be_told(findings: Findings, page: Page, tested: Iterable["Node"]) -> set[str]:
    """Return names of which something is known, or may be: of what loops and tests say."""
    told = {name.removeprefix("self.") for name in _bound(findings)}
    for match in _GIVEN_IN_LOOP.finditer(page.source):
        told.update(_WORD.findall(match[1].decode()))
    for node in tested:
        told.update(_WORD.findall(page.text(node.start_byte, min(node.end_byte, node.start_byte + _LONGEST_TEST))))
    return told


def _bound(findings: Findings) -> Iterator[str]:
    return (name for _, name, _ in chain(findings.bindings, findings.parameters, findings.attributes))


def take_reads(findings: Findings, page: Page, root: "Node", owner_of: Callable[[int], int]) -> None:
    """Make uses of what is read of what something is known of, the first in each definition; nothing of all else."""
    reads = [call for call in findings.calls if call[1].startswith(READ)]
    if not reads:
        return
    findings.calls = [call for call in findings.calls if not call[1].startswith(READ)]
    known = {name.removeprefix("self.") for name in _bound(findings)}
    # Methods of the file that an object names of its own are found otherwise.
    own = _own(findings, page)
    seen = set[tuple[int, str]]()
    for at, name, receiver in sorted(reads):
        first, _, rest = receiver.partition(".")
        if first in _SELVES:
            # What the file does not say of an object its class may inherit.
            second = rest.partition(".")[0] or name[1:]
            is_meant = (bool(rest) and second in known) or (bool(findings.bases) and second not in own)
        else:
            is_meant = first in known
        chain = f"{OWN}.{name[1:]}" if receiver in _SELVES else f"{READ}{receiver}.{name[1:]}"
        key = owner_of(at), chain
        if is_meant and key not in seen and _is_read(root, at):
            seen.add(key)
            findings.uses.append((at, chain))


def _is_read(root: "Node", at: int) -> bool:
    """Whether a name that ends on a byte is that of an attribute: neither in a text nor in a comment."""
    node = root.descendant_for_byte_range(at, at + 1)
    parent = node.parent if node is not None and node.type == "identifier" else None
    return parent is not None and parent.type == "attribute"
