"""What an approval says: all of the command with nothing hidden, where and how it would run, why it is asked."""

import re

from ctxcode.model.command.approval import CONFIRMATION, Approval, Permissions, Sandbox, Trust
from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.format import quoted
from ctxcode.tui.glyphs import Glyphs

_MOST_FILES = 6
_BLANKS = re.compile(r"[ \t]{4,}")


def command_words(text: str) -> str:
    """Return a command as it is: control and invisible characters named, long gaps counted, line breaks marked."""
    shown = _BLANKS.sub(lambda match: f" ␣×{len(match.group())} ", text)
    named = "".join(_named(character) for character in shown)
    return clean(named.replace("\n", " ⏎\n"))


def _named(character: str) -> str:
    if character == "\n" or character.isprintable() or character == "\t":
        return character
    return (
        chr(0x2400 + ord(character))
        if ord(character) < 0x20
        else character.encode("ascii", "backslashreplace").decode()
    )


def difference_lines(trust: Trust) -> list[tuple[str, str]]:
    """Return how the repository differs from what was trusted, each line with the role it is drawn in."""
    roles = {"+": "$diff-add", "-": "$diff-remove", "@": "$muted"}
    lines = clean(trust.difference).split("\n") if trust.difference else []
    return [(line, roles.get(line[:1], "$text")) for line in lines]


def title(approval: Approval) -> str:
    """Return who asks."""
    if not approval.trust.is_trusted:
        return "Do you trust this repository?"
    return "You want to run" if approval.by_user else "run_command wants to run"


def setting_line(approval: Approval, glyphs: Glyphs) -> str:
    """Return where and how it would run, in one line."""
    sandbox = approval.sandbox
    fences: tuple[str, ...]
    if sandbox.is_there:
        fences = (f"sandbox: {sandbox.name}", "no network", "writes only here")
    else:
        fences = (f"no sandbox ({clean_line(sandbox.problem, 120)})", "it can do all you can")
    parts = (f"in {clean_line(approval.directory, 200)}", *fences, f"{approval.timeout_seconds} s")
    return f" {glyphs.dot} ".join(parts)


def why_lines(approval: Approval, glyphs: Glyphs) -> list[tuple[str, str]]:
    """Return what else has to be known, each with the role it is drawn in."""
    lines: list[tuple[str, str]] = []
    trust = approval.trust
    if not trust.is_trusted:
        if trust.was_trusted:
            head = "What decides what commands do has changed since you trusted it"
        else:
            head = "Commands do what the repository's own files say, and nothing of it has run so far"
        names = list(trust.changed or (path for path, _ in trust.files))
        shown = ", ".join(clean_line(name, 60) for name in names[:_MOST_FILES])
        more = f" and {counted(len(names) - _MOST_FILES, 'more file')}" if len(names) > _MOST_FILES else ""
        lines.append((f"{head}: {shown}{more}" if names else f"{head}.", "$warning"))
    if approval.dangers:
        taken = ", ".join(danger.value for danger in approval.dangers)
        lines.append(
            (
                f"{glyphs.stale} It can take away {taken}. Type {quoted([CONFIRMATION], glyphs)} and Enter, or Esc.",
                "$error",
            )
        )
    if approval.doubts:
        doubts = ", ".join(doubt.value for doubt in approval.doubts)
        lines.append((f"asked every time: {doubts}", "$muted"))
    elif not approval.sandbox.is_there and not approval.by_user:
        lines.append(("asked every time: there is no sandbox", "$muted"))
    return lines


def keys_line(approval: Approval, glyphs: Glyphs) -> str:
    """Return what may be answered."""
    if approval.dangers:
        return f"{quoted([CONFIRMATION], glyphs)} + Enter   Esc no"
    if not approval.trust.is_trusted:
        return "t trust it and run this   n no, say why"
    parts = ["y once"]
    if approval.exact is not None:
        parts.append("a always this")
    if approval.pattern is not None:
        parts.append(f"p always {quoted([approval.pattern.shown], glyphs)}")
    if approval.sandbox.is_there:
        parts.append("w with network")
    return "   ".join([*parts, "n no, say why"])


def permission_words(sandbox: Sandbox, trust: Trust, permissions: Permissions, glyphs: Glyphs) -> str:
    """Return what holds for commands here, in one line."""
    confined = f"sandbox: {sandbox.name}" if sandbox.is_there else f"no sandbox: {clean_line(sandbox.problem, 120)}"
    trusted = "trusted" if trust.is_trusted else "changed since it was trusted" if trust.was_trusted else "not trusted"
    grants = quoted((grant.shown for grant in permissions.grants), glyphs)
    allowed = f"always allowed: {grants}" if grants and trust.is_trusted else "nothing is always allowed"
    return f" {glyphs.dot} ".join((confined, trusted, allowed))
