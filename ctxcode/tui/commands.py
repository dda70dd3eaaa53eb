"""The commands of the prompt, the palette and the help: one table."""

import difflib
from dataclasses import dataclass
from typing import Literal

from ctxcode.tui.terminal.keyboard import TABLE


@dataclass(frozen=True, slots=True)
class Command:
    """A command the user can give by name."""

    name: str
    summary: str
    argument: str = ""
    """What follows the name, as help shows it; empty for none."""
    aliases: tuple[str, ...] = ()
    key: str = ""
    """The id of the key that does the same."""
    choices: tuple[tuple[str, str], ...] = ()
    """The arguments the palette lists one by one, each with what it does; an empty one is the name alone."""

    takes_code: bool = False
    """The argument names a file or symbol."""
    takes_folders: bool = False
    """It may name a folder too, and more words may follow."""
    names: Literal["", "model", "pin", "branch", "strategy"] = ""
    """What the argument names, when that is no code and what there is can be listed."""

    @property
    def usage(self) -> str:
        """The command as it is typed: ``/pin NAME``."""
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        """The name alone does nothing."""
        return bool(self.argument) and not (self.argument.startswith("[") and self.argument.endswith("]"))


COMMANDS = (
    Command(
        "context",
        "Show what the model sees and why; set its limits",
        "[budget N|window N|show|rebuild]",
        key="chat.context",
    ),
    Command(
        "mode",
        "How much is retrieved by itself",
        "off|light|heavy",
        key="chat.mode",
        choices=(
            ("off", "Retrieve nothing: only pins and the conversation go"),
            ("light", "Retrieve a few cards and many signatures"),
            ("heavy", "Retrieve whole bodies and long excerpts"),
        ),
    ),
    Command("preview", "Show what a message would send, without sending it", "[MODE] TEXT"),
    Command("model", "Use another model from the next turn on; alone, what the model is like", "[NAME]", names="model"),
    Command(
        "pin",
        "Keep a symbol, file, lines or turn: N turns, the task, once or for good",
        "NAME [N|task|once|sticky]",
        takes_code=True,
    ),
    Command("unpin", "Take a pin away", "NAME", names="pin"),
    Command("pins", "List the pins and what is suggested"),
    Command("add", "Keep a whole file, or path:10-20, until it is dropped", "PATH", takes_code=True),
    Command("read-only", "Keep a file the model is told not to edit", "PATH", takes_code=True),
    Command("drop", "Take a pin away, else keep something out of the context", "NAME", takes_code=True),
    Command("note", "Keep a text of your own in every request", "TEXT"),
    Command("why", "All that speaks for an item: pin, last decision, activation", "NAME", takes_code=True),
    Command("task", "Mark a task; pins can be leased for it", "[start TITLE|done]"),
    Command("state", "The notes the model keeps on this conversation", "[edit|clear]"),
    Command(
        "capsule",
        "Let the model sum up a folder, a file or a named process; = writes it by hand",
        "NAME[: PARTS] [FOCUS]|NAME = [TEXT]",
        takes_code=True,
        takes_folders=True,
    ),
    Command("capsules", "Summaries and whether they are fresh; show, renew or remove one", "[show|renew|remove NAME]"),
    Command(
        "strategy",
        "How the conversation is chosen that is sent",
        "[NAME|preview NAME|memory|revert]",
        names="strategy",
    ),
    Command("message", "List, show or remove turns of this branch", "[list|show N|remove N]"),
    Command("undo", "Take back the last turn and its edits, or only the last edits", "[yes|files]"),
    Command("diff", "Show what this session has changed in files"),
    Command("rewind", "Make a turn the last one of this branch", "N"),
    Command("branch", "Try another way from here or from a turn", "NAME [TURN]"),
    Command("switch", "Open another branch", "NAME", names="branch"),
    Command("branches", "Show the branches of this session"),
    Command("memory", "The instruction files of this repository; edit opens one", "[edit [FILE]]"),
    Command("init", "Write an AGENTS.md from the code graph, to be completed by you"),
    Command("clear", "Begin the conversation anew on a branch; pins stay"),
    Command(
        "compact",
        "Fold all turns but the newest into a summary, now",
        "[FOCUS]",
        aliases=("summarize", "compress", "smol"),
    ),
    Command("cost", "Tokens and price of every turn", aliases=("tokens", "usage")),
    Command("stats", "What was sent, used, called, changed and marked; all: in every session here", "[all]"),
    Command("good", "Mark the last answer as a good one, or take the mark back", "[WHY]"),
    Command("bad", "Mark the last answer as a bad one, or take the mark back", "[WHY]"),
    Command("messages", "What was said in the status line"),
    Command("settings", "What is set, and where; edit opens the file", "[edit]", aliases=("config",)),
    Command("sessions", "Open another session of this repository", "[WORDS]", aliases=("resume",), key="chat.sessions"),
    Command("rename", "Give this session a title", "TITLE"),
    Command("export", "Write the conversation to a file", "[markdown|json|html] [FILE]"),
    Command(
        "index",
        "What the index holds; stop and go on following edits",
        "[pause|resume]",
        choices=(
            ("", "What the index holds"),
            ("pause", "Stop following edits"),
            ("resume", "Follow edits again, and index what was left"),
        ),
    ),
    Command("new", "Start a new session"),
    Command("theme", "Change the colours", "[NAME]", aliases=("themes",)),
    Command("permissions", "What commands may do here: sandbox, trust, what is always allowed", "[revoke]"),
    Command("copy", "Copy the last answer"),
    Command("help", "Keys and commands; with words, those about them", "[WORDS]", key="app.help"),
    Command("exit", "Quit; the session is kept", aliases=("quit", "q"), key="app.quit"),
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command with the words that followed it."""

    command: Command
    argument: str = ""


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """A slash and a word that is no command."""

    name: str
    nearest: str
    """The most similar command's name; empty when none is near."""


def named(name: str) -> Command | None:
    """Return the command with this name or alias."""
    wanted = name.casefold()
    return next((command for command in COMMANDS if wanted == command.name or wanted in command.aliases), None)


def is_command(text: str) -> bool:
    """Return whether a prompt is a command: one line, a slash, then a word; ``/usr/bin`` is a path."""
    first = text.strip().split(maxsplit=1)[:1]
    return "\n" not in text.strip() and bool(first) and first[0][0] == "/" and first[0][1:].replace("-", "").isalpha()


def typed_command(text: str) -> str:
    """Return the command behind an exclamation mark, which the user runs; empty for a prompt that is none."""
    return text.strip()[1:] if text.startswith("!") and len(text.strip()) > 1 else ""


def parsed(text: str) -> Invocation | UnknownCommand:
    """Return what a prompt for which ``is_command`` holds asks for."""
    name, _, argument = text.strip().removeprefix("/").partition(" ")
    command = named(name)
    if command is not None:
        return Invocation(command, argument.strip())
    names = [known for command in COMMANDS for known in (command.name, *command.aliases)]
    near = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.6)
    return UnknownCommand(name, near[0] if near else "")


def completions(text: str) -> tuple[Command, ...]:
    """Return the commands a prompt may become: those that begin like it, then those that contain it."""
    if not text.startswith("/") or any(character.isspace() for character in text):
        return ()
    typed = text[1:].casefold()
    begins = [command for command in COMMANDS if any(n.startswith(typed) for n in (command.name, *command.aliases))]
    contains = [command for command in COMMANDS if typed in command.name and command not in begins]
    return (*begins, *contains)


def commands_table() -> str:
    """Return the commands as a Markdown table, for the README."""
    lines = ["| command | does | key |", "|---|---|---|"]
    for command in COMMANDS:
        names = " ".join(f"`/{alias}`" for alias in command.aliases)
        usage = f"`{command.usage}`".replace("|", "\\|")
        shown = TABLE.shown(command.key) if command.key else ""
        lines.append(f"| {usage} {names}".rstrip() + f" | {command.summary} | {shown} |")
    return "\n".join(lines)
