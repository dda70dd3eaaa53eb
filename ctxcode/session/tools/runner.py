"""Runs a turn's checked tool calls and remembers what they returned."""

import asyncio
from dataclasses import dataclass, field, replace

from ctxcode.action.arguments import (
    Arguments,
    FindReferences,
    ListFiles,
    ReadFile,
    RequestCodeContext,
    RunCommand,
    SearchCode,
    SuggestPins,
    UpdateNotes,
)
from ctxcode.context.turn.atom import NEWEST
from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import ToolCall, ToolResult, ToolStatus
from ctxcode.model.errors import CtxcodeError, RefusedPathError
from ctxcode.session.command.desk import CommandDesk, shortened
from ctxcode.session.threads import interruptible
from ctxcode.session.tools.desk import LIMIT_CHARS, LIMIT_TOKENS, Answer, Desk
from ctxcode.session.tools.files import list_files, read_file, search_code
from ctxcode.session.tools.graph import find_references, request_code_context
from ctxcode.session.tools.memory import Wishes

PARALLEL = 4
_LEAST_CHARS = 200


@dataclass(slots=True)
class ToolRunner:
    """The tools of one turn."""

    desk: Desk
    commands: CommandDesk | None = None
    """None where no command may run."""
    wishes: Wishes = field(default_factory=Wishes)
    """What the turn's calls want remembered."""
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(PARALLEL))
    _known: dict[str, tuple[int, Answer]] = field(default_factory=dict)
    """By name and arguments: the number of the first such call and its answer."""
    _calls: int = 0

    async def run(self, call: ToolCall, arguments: Arguments) -> ToolResult:
        """Return a call's result. Up to four run at once; cancelling ends the search under way."""
        if isinstance(arguments, RunCommand):
            return await self._command(arguments.command)
        if isinstance(arguments, UpdateNotes):
            return self.result(self.wishes.update_notes(arguments, self.desk))
        if isinstance(arguments, SuggestPins):
            return self.result(await asyncio.to_thread(self.wishes.suggest_pins, arguments, self.desk))
        key = f"{call.name} {canonical_json(_plain(arguments))}"
        self._calls += 1
        number = self._calls
        known = self._known.get(key)
        if known is not None:
            return self.result(self._again(known, number), ToolStatus.REPEATED)
        async with self._room:
            answer = await interruptible(
                lambda is_cancelled: _answer(arguments, replace(self.desk, is_cancelled=is_cancelled)),
                stop=self.desk.stop,
            )
        self._known.setdefault(key, (number, answer))
        return self.result(answer)

    def forget(self) -> None:
        """Forget what was answered: files have changed."""
        self._known.clear()

    async def _command(self, text: str) -> ToolResult:
        """Return what came of a command; what was looked up before may no longer hold after it."""
        if self.commands is None:
            return self.result(Answer(ToolStatus.REFUSED, "Refused: commands can't be run here.\n"))
        try:
            told = await self.commands.run(text)
        except CtxcodeError as error:
            return self.result(Answer(ToolStatus.FAILED, f"Failed: {error}. {error.hint}\n"))
        self._known.clear()
        limit, said = LIMIT_CHARS, told.text
        while len(said) > limit or (limit > _LEAST_CHARS and self.desk.count(said) > LIMIT_TOKENS):
            limit = int(limit * 0.8)
            said = shortened(told.text, limit - _LEAST_CHARS)
        result = self.result(Answer(told.status, said))
        return replace(result, exit_code=told.exit_code, touched=told.touched)

    def _again(self, known: tuple[int, Answer], number: int) -> Answer:
        """Return a first answer's text with a hint; only the hint while the text is still near."""
        first, answer = known
        hint = f"You asked exactly this before in this turn (call {first}); nothing has changed since."
        if number - first < NEWEST:
            return Answer(answer.status, f"{hint} The answer stands above. Ask something else, or answer.\n")
        return Answer(answer.status, f"{hint} The answer was:\n{answer.text}")

    def result(self, answer: Answer, status: ToolStatus | None = None) -> ToolResult:
        """Return an answer as the result of a call."""
        said = self.desk.secrets.cleared(answer.text)
        return ToolResult(status or answer.status, said.text, self.desk.count(said.text), said.kinds)


def _plain(arguments: Arguments) -> dict[str, object]:
    return {name: getattr(arguments, name) for name in arguments.__struct_fields__}


def _answer(arguments: Arguments, desk: Desk) -> Answer:
    """Return what a tool says; what it can't do is said to the model in one sentence."""
    try:
        return _ask(arguments, desk)
    except RefusedPathError as error:
        return Answer(ToolStatus.REFUSED, f"Refused: {error}. {error.hint}\n")
    except CtxcodeError as error:
        return Answer(ToolStatus.FAILED, f"Failed: {error}. {error.hint}\n")


def _ask(arguments: Arguments, desk: Desk) -> Answer:
    match arguments:
        case RequestCodeContext():
            return request_code_context(arguments, desk)
        case FindReferences():
            return find_references(arguments, desk)
        case SearchCode():
            return search_code(arguments, desk)
        case ReadFile():
            return read_file(arguments, desk)
        case ListFiles():
            return list_files(arguments, desk)
    raise AssertionError(type(arguments))
