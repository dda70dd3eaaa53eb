"""One command from the wish to its result: judged, asked about, run, told."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from ctxcode.action.command_policy import Judgement, Places, judged
from ctxcode.model.command.approval import (
    CONFIRMATION,
    Answer,
    AnswerKind,
    Approval,
    CommandResult,
    Grant,
    Permissions,
    Trust,
    trust_of,
)
from ctxcode.model.command.shape import MOST_CHARS
from ctxcode.model.conversation import ToolStatus, TouchedFile
from ctxcode.session.command.port import CommandShell, PermissionStore
from ctxcode.session.command.questions import Questions
from ctxcode.session.command.touched import MOST_KEPT, Stamps, touched_files, touched_line
from ctxcode.session.command.trusted import difference_of, kept_texts
from ctxcode.session.threads import interruptible

TIMEOUT_SECONDS = 120
_HEADLESS_HINT = (
    "Commands are refused without the app unless they were allowed: `ctxcode trust` once, then "
    '`ctxcode ask --allow-command "python -m pytest" …`.'
)
_ENDED = {
    "timeout": "ended after {seconds:.0f} s, its time limit",
    "interrupted": "interrupted after {seconds:.1f} s",
    "output": "ended: it printed too much",
    "start": "not started",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a command: to the model, or to the user who typed it."""

    status: ToolStatus
    text: str
    exit_code: int | None = None
    touched: tuple[TouchedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Commands:
    """What running commands works through; one for all sessions of a repository."""

    shell: CommandShell
    permissions: PermissionStore
    deciding: Callable[[], tuple[tuple[str, str], ...]]
    """Looks for the files that decide what commands do: path and digest. Blocks."""
    texts: Callable[[Iterable[str]], Mapping[str, str]]
    """Reads such files by path; long ones are left out. Blocks."""
    places: Places
    stamps: Callable[[], Stamps]
    """Looks at all files, ignored ones and secrets left out. Blocks."""
    timeout_seconds: int = TIMEOUT_SECONDS
    flags: tuple[Grant, ...] = ()
    """What the command line allowed."""

    def trust(self) -> Trust:
        """Return whether what decides here is what the user trusted, and how it differs; blocks."""
        permissions = self.permissions.load()
        found = trust_of(permissions, self.deciding())
        if not found.was_trusted:
            return found
        before, now = dict(permissions.texts), self.texts(found.changed)
        return replace(found, difference=difference_of(before, now, found.changed))

    def trust_now(self, trust: Trust) -> None:
        """Remember that the user trusts what decides now. Raises StoreError."""
        permissions = replace_files(self.permissions.load(), trust)
        texts = self.texts([path for path, _ in trust.files])
        self.permissions.save(replace(permissions, texts=kept_texts(texts)))


def replace_files(permissions: Permissions, trust: Trust) -> Permissions:
    """Return permissions with other files trusted; what was granted before the change is no longer."""
    kept = permissions.grants if trust.is_trusted else ()
    return replace(permissions, files=trust.files, grants=kept)


@dataclass(slots=True)
class CommandDesk:
    """Runs the commands of one session, one after the other."""

    commands: Commands
    questions: Questions
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, text: str, *, by_user: bool = False) -> Told:
        """Return what came of a command. Cancelling ends it and all it started."""
        async with self._turn:
            return await self._run(text.strip(), by_user=by_user)

    async def _run(self, text: str, *, by_user: bool) -> Told:
        commands = self.commands
        if not text or len(text) > MOST_CHARS or "\x00" in text:
            return Told(ToolStatus.REFUSED, f"Refused: a command has 1 to {MOST_CHARS:,} characters.\n")
        parsed = await asyncio.to_thread(commands.shell.parse, text)
        trust = await asyncio.to_thread(commands.trust)
        permissions = await asyncio.to_thread(commands.permissions.load)
        judgement = judged(parsed, (*commands.flags, *permissions.grants), commands.places)
        sandbox = await asyncio.to_thread(lambda: commands.shell.sandbox)
        is_flagged = judged(parsed, commands.flags, commands.places).is_allowed
        is_free = (by_user and not judgement.dangers) or is_flagged or (judgement.is_allowed and sandbox.is_there)
        has_network = False
        if not (is_free and trust.is_trusted):
            if not self.questions.is_attended:
                return Told(ToolStatus.REFUSED, f"Refused: nobody is there to approve it. {_HEADLESS_HINT}\n")
            approval = Approval(
                id=0,
                command=text,
                directory=commands.places.root,
                sandbox=sandbox,
                timeout_seconds=commands.timeout_seconds,
                by_user=by_user,
                doubts=judgement.doubts,
                dangers=judgement.dangers,
                exact=judgement.exact if sandbox.is_there and not by_user else None,
                pattern=judgement.pattern if sandbox.is_there and not by_user else None,
                trust=trust,
            )
            answer = await self.questions.ask(approval)
            refusal = _refusal(answer, judgement, by_user=by_user)
            if refusal is not None:
                return refusal
            has_network = answer.has_network
            await asyncio.to_thread(self._remember, answer, approval)
        before = await asyncio.to_thread(commands.stamps)
        run = partial(
            self.commands.shell.run,
            parsed,
            timeout_seconds=self.commands.timeout_seconds,
            has_network=has_network,
        )
        result = await interruptible(lambda is_cancelled: run(is_cancelled=is_cancelled))
        return _told(result, touched_files(before, await asyncio.to_thread(commands.stamps)))

    def _remember(self, answer: Answer, approval: Approval) -> None:
        """Keep what the answer allows beyond this once."""
        if not approval.trust.is_trusted:
            self.commands.trust_now(approval.trust)
        grant = {AnswerKind.EXACT: approval.exact, AnswerKind.PATTERN: approval.pattern}.get(answer.kind)
        if grant is not None:
            permissions = self.commands.permissions.load()
            grants = tuple(dict.fromkeys((*permissions.grants, grant)))
            self.commands.permissions.save(replace(permissions, grants=grants))


def shortened(text: str, limit_chars: int) -> str:
    """Return a text's first 20 % and last 80 % in about so many characters, with how much is left out between."""
    if len(text) <= limit_chars:
        return text
    head, tail = int(limit_chars * 0.2), int(limit_chars * 0.8)
    left_out = len(text) - head - tail
    return f"{text[:head]}\n⋯ {left_out:,} characters left out; a narrower command shows them ⋯\n{text[-tail:]}"


def _refusal(answer: Answer, judgement: Judgement, *, by_user: bool) -> Told | None:
    if answer.kind is AnswerKind.NO and by_user:
        # They read it themselves, and know why.
        return Told(ToolStatus.REFUSED, "You refused it; nothing was run.\n")
    if answer.kind is AnswerKind.NO:
        why = f" They say: {answer.why}" if answer.why else " Ask what they want, or go another way."
        return Told(ToolStatus.REFUSED, f"The user did not allow it; nothing was run.{why}\n")
    if judgement.dangers and answer.confirmation.strip().lower() != CONFIRMATION:
        return Told(ToolStatus.REFUSED, f"{'You' if by_user else 'The user'} did not confirm it; nothing was run.\n")
    return None


def _told(result: CommandResult, touched: tuple[TouchedFile, ...]) -> Told:
    """Return a result's first line, which files are not as they were, and its output."""
    if result.ended_by:
        head = _ENDED[result.ended_by].format(seconds=result.seconds)
    else:
        head = f"exit code {result.exit_code} after {result.seconds:.1f} s"
    size = f", {result.total_bytes:,} bytes of output" if result.total_bytes else ", no output"
    status = ToolStatus.OK if result.exit_code is not None else ToolStatus.FAILED
    output = result.output if not result.output or result.output.endswith("\n") else result.output + "\n"
    text = f"{head}{size}\n{touched_line(touched)}{output}"
    return Told(status, text, result.exit_code, touched[:MOST_KEPT])
