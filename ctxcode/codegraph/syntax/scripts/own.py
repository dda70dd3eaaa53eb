"""What names stand for in functions and blocks that have something of their own by them."""

from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Findings
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.syntax.ecmascript.objects import Captures
from ctxcode.codegraph.syntax.scripts.blocks import keep_in_blocks
from ctxcode.codegraph.syntax.scripts.given import tell_given

if TYPE_CHECKING:
    from tree_sitter import Node


def tell_own(findings: Findings, page: Page, root: "Node | None", captures: Captures) -> None:
    """Tell apart what functions give to a name, and what blocks define; nothing is done without a tree."""
    if root is not None:
        tell_given(findings, page, root, captures)
        keep_in_blocks(findings, page, root)
