"""What the word at the cursor may become: a command, a command's argument, or a file or symbol behind an @."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.model.source import is_image
from ctxcode.model.symbol import Symbol
from ctxcode.tui import commands
from ctxcode.tui.clean import clean_line
from ctxcode.tui.commands import Command

_MENTION = re.compile(r"(?<![\w@/.])@(?:\"([^\"\n]{0,120})|([\w$./\\:~+#-]{0,120}))$")
_ARGUMENT = re.compile(r"^/(\S+) +(.*)$")
_WORD = re.compile(r"@?\"[^\"\n]+\"|@?'[^'\n]+'|(?:\\.|\S)+")
"""What a dropped file's name is: in quotation marks, or with each space behind a backslash."""
_ESCAPED = re.compile(r"\\(\W)")
_FOLDERS = 4
_PLAIN_WORD = re.compile(r"[\w$./\\:~+#-]+")


@dataclass(frozen=True, slots=True)
class CommandSought:
    """The whole text is a slash and the beginning of a name."""

    choices: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class ArgumentSought:
    """A command is named; what follows it is being typed."""

    command: Command
    typed: str

    @property
    def choices(self) -> tuple[str, ...]:
        """The fixed arguments that begin so."""
        typed = self.typed.casefold()
        return tuple(choice for choice, _ in self.command.choices if choice and choice.startswith(typed))

    @property
    def wants_name(self) -> bool:
        """The argument is a file or symbol, and not yet behind it."""
        return self.command.takes_code and not (self.command.takes_folders and " " in self.typed)

    @property
    def is_looked_up(self) -> bool:
        """What it may become is asked of the session."""
        return self.wants_name or bool(self.command.names)


@dataclass(frozen=True, slots=True)
class MentionSought:
    """An @ and the beginning of a file or symbol stand before the cursor."""

    typed: str
    length: int
    """Characters from the @ to the cursor."""


Sought = CommandSought | ArgumentSought | MentionSought


def sought(text: str, before_cursor: str) -> Sought | None:
    """Return what is being typed; None for plain words. ``before_cursor`` is the cursor's line up to it."""
    if choices := commands.completions(text):
        return CommandSought(choices)
    if "\n" not in text and (match := _ARGUMENT.match(text)) and (command := commands.named(match[1])):
        return ArgumentSought(command, match[2].strip())
    if match := _MENTION.search(before_cursor):
        return MentionSought(match[1] if match[1] is not None else match[2], len(match[0]))
    return None


def image_in(text: str) -> str:
    """Return the first image a text names behind an @ or by a path, as when its file was dropped; empty for none."""
    for found in _WORD.finditer(text):
        word = found[0]
        name = word.removeprefix("@").strip("\"'").removeprefix("file://").rstrip(",;:?!")
        name = _ESCAPED.sub(r"\1", name)
        if is_image(name) and (word.startswith("@") or "/" in name):
            return name
    return ""


def image_refusal(text: str) -> str:
    """Return what to say of the image a text names; empty when it names none."""
    if not (image := image_in(text)):
        return ""
    name = clean_line(image.rpartition("/")[2], 60)
    return f"{name} is an image, which is not sent: models get text only; put what it shows into words"


def code_name(symbol: Symbol, among: Sequence[Symbol]) -> str:
    """Return the shortest name that tells a file or symbol from the others offered with it."""
    if not symbol.qualname:
        return symbol.path
    namesakes = Counter(other.qualname for other in among)
    return symbol.qualname if namesakes[symbol.qualname] <= 1 else symbol.dotted


def folders_in(typed: str, found: Sequence[Symbol]) -> tuple[str, ...]:
    """Return the folders of these files that typed letters may become, each with a slash at its end."""
    wanted = typed.lower().removeprefix("./")
    folders: dict[str, None] = {}
    for path in (symbol.path for symbol in found):
        at = path.lower().find(wanted)
        end = path.find("/", max(at, 0) + max(len(wanted) - 1, 0)) if wanted and at >= 0 else -1
        if end >= 0:
            folders[path[: end + 1]] = None
    return tuple(sorted(folders, key=lambda folder: (folder.count("/"), folder))[:_FOLDERS])


def mention_of(name: str) -> str:
    """Return a name as it is mentioned, in quotation marks where it would end too early."""
    return f"@{name}" if _PLAIN_WORD.fullmatch(name) else f'@"{name}"'
