"""What Python reads of objects without calling it: ``order.total``, a property or a method that is handed on.

They go with the calls through all that is found out of what names mean, and become uses where something is known of
what stands before the dot.
"""

import re
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.objects.own import OWN
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import READ

if TYPE_CHECKING:
    from tree_sitter import Node

_CHAIN = re.compile(rb"(?<![\w.)\]\"'])(?!import\b|from\b)[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+){1,5}+", re.ASCII)
_NOT_READ = re.compile(rb"\s*(?:\(|=[^=])")
"""What stands behind what is called or given something."""
_KEPT = re.compile(rb"\b(?:self|cls)\.(\w++)\s*(?::[^:\n]+)?=[^=]")
_SELVES = frozenset({"self", "cls"})
_MOST = 20_000


def add_reads(findings: Findings, page: Page) -> None:
    """Add what is read as calls of names that no function has."""
    calls = list[tuple[int, str, str]]()
    for match in islice(_CHAIN.finditer(page.source), _MOST):
        first, *parts = match[0].decode().split(".")
        receiver, at = first, match.start() + len(first) - 1
        if _NOT_READ.match(page.source, match.end()):
            parts.pop()
        for part in parts:
            at += len(part) + 1
            calls.append((at, f"{READ}{part}", receiver))
            receiver = f"{receiver}.{part}"
    findings.calls += calls


def take_reads(findings: Findings, page: Page, root: "Node", owner_of: Callable[[int], int]) -> None:
    """Make uses of what is read of what something is known of, the first in each definition; nothing of all else."""
    reads = [call for call in findings.calls if call[1].startswith(READ)]
    if not reads:
        return
    findings.calls = [call for call in findings.calls if not call[1].startswith(READ)]
    rows = (*findings.bindings, *findings.parameters, *findings.attributes)
    known = {name.removeprefix("self.") for _, name, _ in rows}
    # Methods of the file that an object names of its own are found otherwise.
    own = {found.name for found in findings.definitions if found.kind == "function"}
    own.update([match[1].decode() for match in _KEPT.finditer(page.source)])
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
    return (
        node is not None and node.type == "identifier" and node.parent is not None and node.parent.type == "attribute"
    )
