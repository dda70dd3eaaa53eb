"""What is exported of a conversation, and in which form."""

import json
import os
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.conversation import Turn
from ctxcode.model.errors import UsageError
from ctxcode.model.plan import ContextPlan
from ctxcode.session.report import plan_object
from ctxcode.tui.clean import clean_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcode.session.door import Door

_LONGEST_NAME = 60
_MOST_FILES = 1_000
_OTHER_FORMS = frozenset({"pdf", "docx", "doc", "odt", "rtf", "xml", "yaml", "toml", "csv", "png", "svg", "jpg"})
"""What would be a surprise to find Markdown in."""


class ExportFormat(StrEnum):
    """The forms a conversation can be written in."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"

    @property
    def suffix(self) -> str:
        """The end of the file's name."""
        return {ExportFormat.MARKDOWN: ".md", ExportFormat.JSON: ".json", ExportFormat.HTML: ".html"}[self]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn with the plan of its request."""

    turn: Turn
    plan: ContextPlan | None
    """None for a turn that was never planned, and for a plan that is not stored any more."""
    is_running: bool = False
    """The turn goes on: in this process or another one."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One branch of a session."""

    session: str
    title: str
    repository: str
    branch: str
    exchanges: tuple[Exchange, ...]


async def gathered(door: "Door") -> Conversation:
    """Return the branch that is open, with its plans, and what there is of a turn that goes on. Raises StoreError."""
    exchanges = []
    running = door.conversation.running()
    for turn in (*door.conversation.turns(), *([running] if running is not None else [])):
        plan = await door.plan(turn.plan_id) if turn.plan_id is not None else None
        exchanges.append(Exchange(turn, plan, is_running=turn is running))
    titles = [row.title for row in await door.archive.sessions() if row.id == door.id]
    title = titles[0] if titles else ""
    return Conversation(door.id, title, door.repository.name, door.conversation.branch, tuple(exchanges))


def written(conversation: Conversation, form: ExportFormat) -> str:
    """Return a conversation as a file's text."""
    # The page needs a Markdown parser, which nothing else here does.
    from ctxcode.tui.export.markdown import conversation_markdown  # noqa: PLC0415 - see above
    from ctxcode.tui.export.page import conversation_page  # noqa: PLC0415 - see above

    forms: dict[ExportFormat, Callable[[Conversation], str]] = {
        ExportFormat.MARKDOWN: conversation_markdown,
        ExportFormat.JSON: conversation_json,
        ExportFormat.HTML: conversation_page,
    }
    return forms[form](conversation)


def conversation_json(conversation: Conversation) -> str:
    """Return a conversation as one JSON object; plans as ``ctxcode context --format json`` prints them.

    Nothing has stopped a turn that is still going on.
    """
    turns = [
        {
            "turn": turn.number,
            "prompt": turn.prompt,
            "reply": turn.reply,
            "model": turn.model,
            "stopped_by": None if is_running else turn.stopped_by.value,
            "tool_calls": [
                {"name": call.name, "arguments": call.arguments, "status": result.status.value, "result": result.text}
                for made in turn.rounds
                for call, result in zip(made.calls, made.results, strict=False)
            ],
            "usage": asdict(turn.usage) if turn.usage is not None else None,
            "plan": plan_object(plan) if plan is not None else None,
        }
        for turn, plan, is_running in ((one.turn, one.plan, one.is_running) for one in conversation.exchanges)
    ]
    made = {name: getattr(conversation, name) for name in ("session", "title", "repository", "branch")}
    return json.dumps({**made, "turns": turns}, indent=1) + "\n"


def export_wanted(argument: str) -> tuple[ExportFormat, str]:
    """Return the form and the file that ``html``, ``notes.html`` or ``json notes`` ask for; an empty name for none.

    Raises UsageError for a form there is none of.
    """
    first, _, rest = argument.strip().partition(" ")
    named = [form for form in ExportFormat if first.casefold() in {form.value, form.suffix.removeprefix(".")}]
    if named:
        return named[0], rest.strip()
    name = argument.strip()
    if name.casefold().rpartition(".")[2] in _OTHER_FORMS:
        raise UsageError(f"Nothing is exported as {clean_line(name, 40)!r}.", "/export markdown, json or html [FILE]")
    ends = [form for form in ExportFormat if name.casefold().endswith(form.suffix)]
    return (ends[0] if ends else ExportFormat.MARKDOWN), name


def save_new(name: str, text: str, own_name: str, folder: Path) -> Path:
    """Write a file that is not there yet, numbered when it is, and return its whole path; blocks.

    In a folder, or in the user's own ``folder`` when no name is given, the file gets its ``own_name``. Raises
    UsageError when it can't be written.
    """
    # A name alone means a place beside where the user is; without one nothing new may turn up in the repository.
    path = Path(os.path.abspath(os.path.expanduser(name or folder)))  # noqa: PTH100, PTH111 - never raise
    if not name:
        _make_folder(path)
    if path.is_dir():
        path /= own_name
    for number in range(1, _MOST_FILES):
        try:
            fresh = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            with fresh.open("x", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except FileExistsError:
            continue
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(f"{str(fresh)!r} can't be written: {why}.", "Give another place: /export FILE") from error
        return fresh
    raise UsageError(f"There are {_MOST_FILES} files like {str(path)!r} already.", "Give another name: /export FILE")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"{str(folder)!r} can't be made: {why}.", "Give another place: /export FILE") from error


def file_name(conversation: Conversation, form: ExportFormat) -> str:
    """Return a name for the file: ``ctxcode-how-are-joins-decided.md``."""
    words = re.sub(r"[^a-z0-9]+", "-", conversation.title.casefold()).strip("-")
    return f"ctxcode-{words[:_LONGEST_NAME].strip('-') or 'conversation'}{form.suffix}"
