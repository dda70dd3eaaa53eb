"""The conversation as plain text, line by line: for screen readers, terminals that can't be drawn on, and pipes."""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Use
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain
from ctxcode.cli.converse import session_for
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.cli.opening import opened
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.cli.screen.app import settings_page
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.model.event import ReplyFinished
from ctxcode.model.naming.number import counted
from ctxcode.model.passing.event import ReplyChunked, ReplyDelayed
from ctxcode.tui import commands
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.format import forecast, plan_lines, turn_meter
from ctxcode.tui.glyphs import ASCII
from ctxcode.tui.number import mode_label, when
from ctxcode.tui.prompt import editor
from ctxcode.tui.screens.capsule.commands import CapsuleCommands
from ctxcode.tui.screens.command_runner import CommandRunner
from ctxcode.tui.screens.memory.commands import Answer, MemoryCommands
from ctxcode.tui.screens.memory.conversation_commands import ConversationCommands
from ctxcode.tui.screens.memory.model_commands import ModelCommands
from ctxcode.tui.screens.memory.strategy_commands import StrategyCommands
from ctxcode.tui.screens.pages.commands import PageCommands
from ctxcode.tui.screens.pages.instructions import InstructionCommands
from ctxcode.tui.state.fold import apply, folded
from ctxcode.tui.terminal.setup import SettingsPage
from ctxcode.tui.waiting import waiting_words
from ctxcode.tui.widgets.turn.tool_lines import WHOLE, tool_lines

if TYPE_CHECKING:
    from ctxcode.session.session import Session
    from ctxcode.tui.state.view import ScreenState

_ON_SCREEN_ONLY = frozenset({"theme", "copy", "messages", "permissions"})
_INSTEAD = {"permissions": "In a shell, ctxcode trust --show tells what commands may do here."}
_WIDTH = 100


def converse_plainly(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Read messages and commands from standard input until it ends; return the exit code."""
    application = opened(arguments, environment, Use.TALK)
    session = session_for(application, arguments, resumes=not arguments.is_new)
    refresh_with_progress(application.adapters.indexer)
    talk = PlainTalk(session, settings_page(arguments, environment))
    talk.greet()
    leave_to_event_loop()
    with asyncio.Runner() as runner:
        while (line := _asked()) is not None:
            try:
                if not runner.run(talk.take(line)):
                    break
            except CtxcodeError as error:
                complain(str(error), error.hint)
            except KeyboardInterrupt:
                print("\ninterrupted")
    return 0


def _asked() -> str | None:
    """Return what the user wrote, lines that end in a backslash joined with the next; None at the end of the input."""
    lines: list[str] = []
    prompt = "\nyou: "
    while True:
        if sys.stdin.isatty():
            print(prompt, end="", flush=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            return None
        except UnicodeDecodeError as error:
            complain(f"What was written is not {error.encoding}.", "Write it again.")
            continue
        if not line:
            return "\n".join(lines) if lines else None
        line = line.rstrip("\r\n")
        if not line.endswith("\\"):
            return "\n".join([*lines, line])
        lines.append(line[:-1])
        prompt = "...: "


class PlainTalk:
    """One conversation on standard output."""

    def __init__(self, session: "Session", settings: SettingsPage) -> None:
        self._settings = settings
        self._open(session)

    def _open(self, session: "Session") -> None:
        self._session = session
        self._state: ScreenState = folded(session.history())
        self._runner = CommandRunner(session)
        self._runners = (
            MemoryCommands(session, ASCII),
            ConversationCommands(session),
            StrategyCommands(session, ASCII),
            ModelCommands(session, print),
            InstructionCommands(session, ASCII),
            CapsuleCommands(session, ASCII, print, previews=False),
            PageCommands(session, lambda: self._state, tuple, self._settings, ASCII),
        )

    def greet(self) -> None:
        """Say what is open, and the end of the conversation so far."""
        session = self._session
        print(f"ctxcode, {clean_line(session.repository.name, 200)}, {session.model.name}, {mode_label(session.mode)}.")
        print("A message is answered; /context lists what the model sees; /help lists the commands; /exit ends.")
        last = self._state.last_turn
        if last is not None:
            print(f"\n{counted(len(self._state.turns), 'turn')} so far; the last one:\n")
            print(f"you: {clean(last.prompt)}\n\n{clean(last.reply) or '(no answer)'}")

    async def take(self, text: str) -> bool:
        """Answer a message or carry out a command; return False for the end. Raises CtxcodeError."""
        if not text.strip():
            return True
        if not commands.is_command(text):
            await self._turn(text)
            return True
        asked = commands.parsed(text)
        if isinstance(asked, commands.UnknownCommand):
            near = f"Did you mean /{asked.nearest}?" if asked.nearest else "/help lists the commands."
            raise UsageError(f"There is no command /{clean_line(asked.name, 40)}.", near)
        name, argument = asked.command.name, asked.argument
        if name == "exit":
            return False
        if name == "context" and argument:
            first, _, argument = argument.partition(" ")
            name, argument = f"context {first}", argument.strip()
        await self._carry_out(name, argument)
        return True

    async def _turn(self, prompt: str) -> None:
        print(flush=True)
        typed = commands.typed_command(prompt)
        async with aclosing(self._session.commands.run(typed) if typed else self._session.turn(prompt)) as events:
            async for event in events:
                self._state = apply(self._state, event)
                if isinstance(event, ReplyDelayed):
                    # Once: what counts down is read out again and again.
                    print(f"{waiting_words(event)}\n", flush=True)
                if isinstance(event, ReplyFinished if typed else ReplyChunked):
                    print(clean(event.text), end="", flush=True)
        self._state = folded(self._session.history())
        turn = self._state.last_turn
        if turn is None:
            return
        if turn.rounds or turn.notices:
            print(f"\n\n{tool_lines(turn.rounds, turn.notices, ASCII, width=WHOLE).plain}", end="")
        if turn.error:
            complain(turn.error, turn.hint)
        if typed:
            return
        plan = await self._session.plan(turn.plan.plan_id) if turn.plan is not None else None
        meter = turn_meter(turn, plan, ASCII).removesuffix(ASCII.keyboard.short("chat.context"))
        print(f"\n\n[{meter}/context]")

    async def _carry_out(self, name: str, argument: str) -> None:
        for some in self._runners:
            if name in some.names and name not in _ON_SCREEN_ONLY:
                await self._say(await some.run(name, argument))
                return
        match name:
            case "help":
                here = [command for command in commands.COMMANDS if command.name not in _ON_SCREEN_ONLY]
                told = [f"{command.usage}: {command.summary}" for command in here]
                words = argument.casefold().split()
                found = [line for line in told if all(word in line.casefold() for word in words)]
                print("\n".join(found) or "No command is about that; /help lists all of them.")
                print("A line that ends in a backslash goes on in the next one; !COMMAND runs a command you type.")
            case "index":
                stats = await self._session.stats()
                held = [counted(stats.files, "file"), counted(stats.symbols, "symbol"), counted(stats.edges, "edge")]
                print(f"{', '.join(held)}. Every question brings the index up to date first.")
            case "context":
                await self._list(argument)
            case "preview":
                print(forecast(await self._session.preview(argument), None, ASCII))
            case "sessions":
                rows = [row for row in await self._session.archive.sessions() if row.is_titled(argument)]
                print("\n".join(f"{row.id}  {when(row.updated_at)}  {clean_line(row.title, 80)}" for row in rows))
                print("ctxcode --plain --session ID opens one." if rows else "No session has these words.")
            case "new":
                self._open(self._session.open(None))
                print("a new session")
            case _ if name in _ON_SCREEN_ONLY:
                raise UsageError(f"/{name} is about the screen.", _INSTEAD.get(name, "Here everything is text."))
            case _:
                event, said = await self._runner.run(name, argument)
                self._state = apply(self._state, event)
                print(said or f"{mode_label(self._session.mode)} from the next message on")

    async def _list(self, prompt: str) -> None:
        """Print the plan of the last request, or of the one that would be sent."""
        plan_ids = await self._session.plan_ids()
        stored = await self._session.plan(plan_ids[-1]) if plan_ids and not prompt else None
        print("\n".join(plan_lines(stored or await self._session.preview(prompt), _WIDTH, ASCII)))

    async def _say(self, answer: Answer) -> None:
        for event in answer.events:
            self._state = apply(self._state, event)
        if answer.edit is not None:
            editor.run_editor(editor.command_at(editor.editor_words(os.environ), answer.edit, 0))
        if answer.save is not None:
            await self._say(await answer.save(editor.edited(answer.text, os.environ)))
        elif answer.text:
            print(f"{answer.title}\n\n{clean(answer.text)}")
        if answer.said:
            print(answer.said)
