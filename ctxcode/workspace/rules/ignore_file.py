"""What a whole ignore file says of a path: the last of its lines that is about it decides."""

import re
from collections.abc import Callable

from ctxcode.workspace.rules.pattern import Rule, rule_of

_MARK = b"\xef\xbb\xbf"

_Matcher = tuple[Callable[[bytes], object], bool, bool]
"""What matches, whether it is asked about names, and what is said of those that match."""


class Rules:
    """The rules of one ignore file."""

    def __init__(self, text: bytes) -> None:
        """Take what the file says; lines that make no sense are about nothing."""
        lines = [line.removesuffix(b"\r") for line in text.removeprefix(_MARK).split(b"\n")]
        rules = [rule for rule in map(rule_of, reversed(lines)) if rule is not None]
        self._of_folders = [_matcher(rule) for rule in rules]
        self._of_files = [_matcher(rule) for rule in rules if not rule.is_for_folders]

    def ignores(self, path: bytes, *, is_folder: bool) -> bool | None:
        """Return whether a path below the file's folder is ignored; None when no line is about it.

        What is in an ignored folder is ignored, too: that is for the caller to know.
        """
        name = path.rpartition(b"/")[2]
        for matches, is_of_names, ignores in self._of_folders if is_folder else self._of_files:
            if matches(name if is_of_names else path):
                return ignores
        return None


def _matcher(rule: Rule) -> _Matcher:
    return re.compile(rule.expression, re.DOTALL).fullmatch, rule.is_of_names, rule.ignores
