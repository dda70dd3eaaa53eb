"""The labels of Java's switches, which name an enum's values without the enum: ``case PAID``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.facts import READ
from ctxcode.codegraph.syntax.java.elements import expression

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND = 4
"""How far above a label its switch stands."""


def add_labels(findings: Findings, labels: Iterable["Node"], page: Page) -> None:
    """Add what labels name as calls of names that no method has, on what their switch asks."""
    asked = dict[int, str]()
    for node in labels:
        around = node.parent
        for _ in range(_AROUND):
            if around is None or around.type == "switch_expression":
                break
            around = around.parent
        condition = around.child_by_field_name("condition") if around is not None else None
        if condition is None or condition.named_child_count != 1:
            continue
        if condition.start_byte not in asked:
            asked[condition.start_byte] = expression(condition.named_children[0], page)
        if asked[condition.start_byte]:
            findings.calls.append((node.start_byte, f"{READ}{page.of(node)}", asked[condition.start_byte]))


def take_labels(findings: Findings) -> None:
    """Make uses of them."""
    labels = [(at, f"{READ}{receiver}.{name[1:]}") for at, name, receiver in findings.calls if name.startswith(READ)]
    if labels:
        findings.calls = [call for call in findings.calls if not call[1].startswith(READ)]
        findings.uses += labels
