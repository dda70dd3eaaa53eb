"""Carries out the commands about the files in which a repository's people instruct assistants."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.errors import UsageError
from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextMode, ContextPlan, PlanItem
from ctxcode.model.symbol import Symbol
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.format import reasons_words
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import thousands
from ctxcode.tui.screens.memory.commands import Answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

AGENTS_FILE = "AGENTS.md"
_KIND = "instructions"
_CENTRAL = 8


class InstructionCommands:
    """``/memory`` and ``/init``. They raise UsageError for words that are off."""

    def __init__(self, door: Door, glyphs: Glyphs) -> None:
        self._door = door
        self._glyphs = glyphs
        self._runs: dict[str, Callable[[str], Awaitable[Answer]]] = {"memory": self._memory, "init": self._init}

    @property
    def names(self) -> frozenset[str]:
        """The commands that are carried out here."""
        return frozenset(self._runs)

    async def run(self, name: str, argument: str) -> Answer:
        """Carry out a command."""
        return await self._runs[name](argument)

    async def _memory(self, argument: str) -> Answer:
        files = _files(await self._door.preview(""))
        word, _, name = argument.partition(" ")
        if word == "edit":
            return await self._edit(name.strip(), files)
        if argument:
            raise UsageError(f"/memory knows no {clean_line(argument, 40)!r}.", "/memory, /memory edit AGENTS.md")
        return Answer(title="Instruction files", text=memory_text(files, self._door.conversation.anchor, self._glyphs))

    async def _edit(self, name: str, files: Sequence[PlanItem]) -> Answer:
        known = [item.path for item in files]
        wanted = name or (known[0] if known else "")
        if wanted not in known:
            hint = f"There is {', '.join(known)}." if known else "/init writes an AGENTS.md."
            raise UsageError(
                f"There is no instruction file {clean_line(wanted, 80)!r}." if wanted else "None yet.", hint
            )
        return Answer(edit=Path(self._door.repository.root) / wanted)

    async def _init(self, argument: str) -> Answer:
        if argument:
            raise UsageError(f"/init takes no {clean_line(argument, 40)!r}.", "/init")
        path = Path(self._door.repository.root) / AGENTS_FILE
        if await asyncio.to_thread(path.exists):
            raise UsageError(f"There is an {AGENTS_FILE} already.", f"/memory edit {AGENTS_FILE} opens it.")
        plan = await self._door.preview("", ContextMode.LIGHT)
        tree = next((item for item in plan.included if item.kind == "tree"), None)
        layout = await self._door.item_text(tree) if tree is not None else ""
        central = await self._door.find("", _CENTRAL)
        text = drafted(self._door.repository.name, layout, central)
        return Answer(title=f"{AGENTS_FILE}, a draft", text=text, save=self._write)

    async def _write(self, text: str) -> Answer:
        path = Path(self._door.repository.root) / AGENTS_FILE
        try:
            await asyncio.to_thread(_write_new, path, text)
        except OSError as error:
            raise UsageError(
                f"{AGENTS_FILE} can't be written: {error.strerror or error}.", "It is not there."
            ) from error
        return Answer(f"{AGENTS_FILE} is written; it is sent with every message from now on")


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.write(text.rstrip("\n") + "\n")


def _files(plan: ContextPlan) -> list[PlanItem]:
    return [item for item in plan.items if item.kind == _KIND]


def memory_text(files: Sequence[PlanItem], anchor: str, glyphs: Glyphs) -> str:
    """Return the instruction files with what they cost and whether they are sent, and what else is remembered."""
    lines = []
    width = max((len(item.path) for item in files), default=0)
    for item in files:
        shown = item.lines[-1][1] if item.lines else 0
        part = f", its first {shown} of {counted(item.end_line, 'line')}" if shown < item.end_line else ""
        state = f"sent{part}" if item.included else f"not sent: {reasons_words(item, glyphs)}"
        lines.append(f"{clean_line(item.path, 80):<{width}}  {thousands(item.tokens):>6} tok  {state}")
    if not files:
        lines.append("This repository has no AGENTS.md, CLAUDE.md or the like. /init drafts one from the code graph.")
    else:
        lines += ["", "/drop FILE keeps one out, /add FILE pins it whole, /memory edit FILE opens it in your editor."]
    noted = "" if anchor else " It has noted nothing yet."
    lines += ["", f"Of this conversation the model keeps notes: /state shows them.{noted}"]
    return "\n".join(lines)


def drafted(name: str, layout: str, central: Sequence[Symbol]) -> str:
    """Return the draft of an instruction file; what the graph can't know is left to the user."""
    tree = [line for line in clean(layout).split("\n") if line.startswith(("  ", "- ")) or "/" in line]
    rows = [f"# {clean_line(name, 80)}", "", "What it is, in two sentences.", "", "## Commands", ""]
    rows += ["- build:", "- test:", "- lint:", "", "## Layout", "", "```", *tree[:40], "```", "", "## Central code", ""]
    for symbol in central:
        doc = clean_line(symbol.doc, 100)
        title = symbol.qualname or symbol.module
        rows.append(f"- `{clean_line(title, 80)}` in {clean_line(symbol.path, 120)}{f': {doc}' if doc else ''}")
    return "\n".join([*rows, "", "## Conventions", "", "- how code should look, what to leave alone", ""])
