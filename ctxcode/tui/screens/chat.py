"""The main screen: what the user does in a session."""

import time
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from ctxcode.model.engine.capsule import CapsuleRow
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.ids import ItemId, SessionId
from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextMode
from ctxcode.session.door import Door
from ctxcode.tui import commands
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.keys import CHAT_KEYS, bindings
from ctxcode.tui.prompt.completing import image_refusal
from ctxcode.tui.prompt.hints import Hints
from ctxcode.tui.screens.capsule.commands import CapsuleCommands
from ctxcode.tui.screens.capsule.dialog import CapsuleDialog
from ctxcode.tui.screens.command_runner import CommandRunner
from ctxcode.tui.screens.dialog.picker import Choice, PickerDialog
from ctxcode.tui.screens.edit.dialog import DiffDialog
from ctxcode.tui.screens.memory.commands import Answer, MemoryCommands
from ctxcode.tui.screens.memory.conversation_commands import ConversationCommands
from ctxcode.tui.screens.memory.dialog import EditDialog, TextDialog
from ctxcode.tui.screens.memory.model_commands import ModelCommands
from ctxcode.tui.screens.memory.strategy_commands import StrategyCommands
from ctxcode.tui.screens.pages.commands import PageCommands
from ctxcode.tui.screens.pages.instructions import InstructionCommands
from ctxcode.tui.screens.prompt.screen import PromptScreen
from ctxcode.tui.screens.prompt.twice import TWICE_SECONDS
from ctxcode.tui.terminal.complaint import sentence
from ctxcode.tui.terminal.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.worker import Worker

    from ctxcode.tui.screens.palette import Offer

_QUIT_SECONDS = 2.0
_ASKING_SECONDS = 120.0
"""How long the status line says that a model is asked; its answer replaces that."""
_ASKING = "asking"
"""The worker group of commands that ask a model: Esc stops them."""
_ASKING_COMMANDS = frozenset({"capsule", "capsules", "compact", "context rebuild"})
_LONG_SECONDS = 0.3
"""From then on it is said that something goes on."""
_FOLDING = "the conversation is being folded into a summary"


class ChatScreen(PromptScreen):
    """Messages, commands and keys of one session."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(CHAT_KEYS)

    class TurnEnded(Message):
        """The worker of a turn is over, however it ended."""

        def __init__(self, failure: CtxcodeError | None, seconds: float, unkept: str = "") -> None:
            super().__init__()
            self.failure = failure
            self.seconds = seconds
            self.unkept = unkept
            """The prompt, when it could not even be journalled."""

    class SessionWanted(Message):
        """The user asked for another session; None for a new one."""

        def __init__(self, session: SessionId | None) -> None:
            super().__init__()
            self.session = session

    class SessionsWanted(Message):
        """The user asked for the list of sessions, those with some words in their titles first of all."""

        def __init__(self, words: str = "") -> None:
            super().__init__()
            self.words = words

    def __init__(self, door: Door, glyphs: Glyphs, setup: Setup) -> None:
        super().__init__(door, glyphs, setup.drafts)
        self.hints = Hints(setup.hints_seen)
        self._runner = CommandRunner(door)
        self._memory = MemoryCommands(door, glyphs)
        self._conversation = ConversationCommands(door)
        self._strategies = StrategyCommands(door, glyphs)
        self._models = ModelCommands(door, partial(self.say, seconds=_ASKING_SECONDS))
        self._capsules = CapsuleCommands(door, glyphs, partial(self.say, seconds=_ASKING_SECONDS), previews=True)
        self._instructions = InstructionCommands(door, glyphs)
        self._pages = PageCommands(door, lambda: self.state, lambda: self.said, setup.settings, glyphs)
        self._quit_until = 0.0

    # Sending

    def submit(self, text: str) -> None:
        """Send a message, queue it while another is being answered, or run the command it is."""
        self.completer.close()
        self.say("")
        if commands.is_command(text):
            self._run_command(text)
            return
        if refusal := image_refusal(text):
            self.say(refusal, is_error=True)
        if self.turn is not None:
            self.queue.append(text)
            self.show()
        else:
            self._send(text)

    def carry_out(self, offer: "Offer") -> None:
        """Run a command of the palette, or put it into the prompt when something has to follow it."""
        if offer.argument:
            self.fill_prompt(f"{offer.command} ")
        else:
            self.submit(offer.command)

    def _send(self, prompt: str) -> None:
        self.started_at = time.monotonic()
        self.unsay()
        self.prompt.examples = 0
        self.forget_forecast()
        self.turn = self.run_worker(partial(self._run_turn, prompt), group="turn", exclusive=True, exit_on_error=False)
        self.show()

    async def _run_turn(self, prompt: str) -> None:
        failure: CtxcodeError | None = None
        unkept = prompt
        try:
            typed = commands.typed_command(prompt)
            turn = self.door.commands.run(typed) if typed else self.door.turn(prompt)
            async with aclosing(turn) as events:
                async for event in events:
                    unkept = ""
                    self.post_message(self.Happened(event))
        except CtxcodeError as error:
            failure = error
        finally:
            seconds = time.monotonic() - self.started_at
            self.post_message(self.TurnEnded(failure, seconds, unkept if failure is not None else ""))

    def on_chat_screen_turn_ended(self, message: TurnEnded) -> None:
        """Settle on what the journal holds now, then send what was queued."""
        self.turn = None
        self.settle_state("" if message.failure is None else sentence(message.failure))
        if message.failure is not None:
            self.say(sentence(message.failure), is_error=True)
        if message.unkept:
            self.prompt.fill("\n".join([message.unkept, *self.queue, self.prompt.text]).rstrip())
            self.queue.clear()
        self.prompt.set_history(self.state.prompts)
        self.work(self.load_plans, "plans")
        if self.drawer.display:
            self.work(self.pane.follow, "overlay")
        self.show()
        self.work(self._settle, "settle", exclusive=False)
        if self.queue:
            self._send(self.queue.pop(0))

    async def _settle(self) -> None:
        """Let the strategy remember the turn, beside whatever comes next."""
        async with aclosing(self.door.strategies.settle()) as events:
            async for event in events:
                self.post_message(self.Happened(event))

    def interrupt(self) -> bool:
        """Stop the running turn and take back what was queued, else a command that asks; False when nothing runs."""
        if self.turn is None:
            asking = [one for one in self.workers if one.group == _ASKING and one.node is self and not one.is_finished]
            for worker in asking:
                worker.cancel()
            if asking:
                self.say("stopped")
            return bool(asking)
        if self.queue:
            self.prompt.fill("\n".join([*self.queue, self.prompt.text]).rstrip())
            self.queue.clear()
        self.turn.cancel()
        return True

    def cancel(self) -> bool:
        """Interrupt, else clear the prompt, else arm; return True when it was armed already: quit."""
        if self.interrupt():
            return False
        if self.prompt.clear_cancelled():
            return False
        if time.monotonic() < self._quit_until:
            return True
        self._quit_until = time.monotonic() + _QUIT_SECONDS
        self.say("Ctrl+C again quits; the session is kept", seconds=_QUIT_SECONDS)
        return False

    # Commands

    def _run_command(self, text: str) -> None:
        asked = commands.parsed(text)
        if isinstance(asked, commands.UnknownCommand):
            nearest = f"Did you mean /{asked.nearest}?" if asked.nearest else "/help lists the commands."
            self.say(f"There is no command /{clean_line(asked.name, 40)}. {nearest}", is_error=True)
            return
        name, argument = asked.command.name, asked.argument
        if name == "context" and argument:
            first, _, argument = argument.partition(" ")
            name, argument = f"context {first}", argument.strip()
        if name == "capsules" and not argument:
            self.work(self._list_capsules, "command", exclusive=False)
            return
        doers = (self._memory, self._conversation, self._strategies, self._models, self._instructions, self._capsules)
        for some in (*doers, self._pages):
            if name in some.names:
                carry_out = partial(self._carry_out, partial(some.run, name, argument))
                group = _ASKING if name in _ASKING_COMMANDS else "command"
                running = self.work(carry_out, group, exclusive=False)
                if name == "compact":
                    self.set_timer(_LONG_SECONDS, partial(self._say_meanwhile, running, _FOLDING))
                return
        here: dict[str, Callable[[], object]] = {
            "preview": lambda: self._preview(argument),
            "context": self.open_context,
            "sessions": lambda: self.post_message(self.SessionsWanted(argument)),
            "new": lambda: self.post_message(self.SessionWanted(None)),
            "copy": self._copy_answer,
            "permissions": lambda: self.show_permissions(argument),
            "index": lambda: self.control_index(argument),
            "theme": lambda: self._app_action(f"theme({argument!r})"),
            "help": lambda: self._app_action(f"help({argument!r})"),
            "exit": lambda: self._app_action("quit"),
        }
        if name in here:
            here[name]()
        else:
            self.work(partial(self._change, name, argument), "command", exclusive=False)

    def _say_meanwhile(self, running: "Worker[None]", words: str) -> None:
        if not running.is_finished:
            self.say(words)

    def _preview(self, argument: str) -> None:
        first, _, rest = argument.partition(" ")
        mode = ContextMode(first) if first in set(ContextMode) and rest.strip() else None
        self.show_context()
        self.work(partial(self.pane.show_for, rest.strip() if mode else argument, mode), "overlay")

    def _app_action(self, action: str) -> None:
        self.app.call_later(self.app.run_action, action)

    async def _change(self, name: str, argument: str) -> None:
        event, said = await self._runner.run(name, argument)
        self.fold(event)
        if said:
            self.say(said)
        self.update_start(model=self.door.model)
        if self.drawer.display:
            await self.pane.show_next()
        self.ask_forecast(has_changed=True)

    async def _carry_out(self, run: "Callable[[], Awaitable[Answer]]") -> None:
        await self._show_answer(await run())

    async def _show_answer(self, answer: Answer) -> None:
        for event in answer.events:
            self.fold(event)
        if answer.edit is not None:
            await self.edit_file(answer.edit)
        if answer.said:
            self.say(answer.said)
        if answer.save is not None:
            self.app.push_screen(EditDialog(answer.title, answer.text), partial(self._save, answer.save))
        elif answer.changes:
            self.app.push_screen(DiffDialog(answer.title, answer.changes, self.glyphs))
        elif answer.text:
            self.app.push_screen(TextDialog(answer.title, answer.text, glyphs=self.glyphs))
        if answer.events:
            self.update_start(model=self.door.model)
            self.prompt.set_history(self.state.prompts)
            self.work(self.load_plans, "plans")
            if self.drawer.display:
                await self.pane.show_next()
            self.ask_forecast(has_changed=True)

    def _save(self, save: "Callable[[str], Awaitable[Answer]]", text: str | None) -> None:
        async def run() -> None:
            if text is not None:
                await self._show_answer(await save(text))

        self.work(run, "command", exclusive=False)

    async def _list_capsules(self) -> None:
        def renew(row: CapsuleRow | None) -> None:
            if row is not None:
                run = partial(self._capsules.renew, row)
                self.work(partial(self._carry_out, run), _ASKING, exclusive=False)

        rows = await self.door.capsules.rows()
        self.app.push_screen(CapsuleDialog(rows, self._without_capsule, self.glyphs), renew)

    async def _without_capsule(self, item: ItemId) -> tuple[CapsuleRow, ...]:
        await self.door.capsules.remove(item)
        if self.drawer.display:
            await self.pane.show_next()
        return await self.door.capsules.rows()

    def _copy_answer(self) -> None:
        answer = next((turn.reply for turn in reversed(self.state.turns) if turn.reply), "")
        if answer:
            self.app.copy_to_clipboard(answer)
        self.say("the last answer is on the clipboard" if answer else "there is no answer yet")

    # Keys

    def action_copy_text(self) -> None:
        """Copy the selection and say so; it is gone then, so that the same key interrupts again."""
        text = self.get_selected_text()
        super().action_copy_text()
        self.clear_selection()
        self.say(f"{counted(len(text or ''), 'character')} copied to the clipboard")

    def on_prompt_quit_requested(self) -> None:
        """Quit."""
        self._app_action("quit")

    def action_cycle_mode(self) -> None:
        """Switch to the next context mode."""
        self.work(partial(self._change, "mode", self.door.mode.following.value), "mode", exclusive=False)

    def action_mark(self, mark: str) -> None:
        """Mark the last answer."""
        self._run_command(f"/{mark}")

    def action_open_sessions(self) -> None:
        """Offer the sessions of this repository."""
        self.post_message(self.SessionsWanted())

    def action_toggle_details(self) -> None:
        """Show or hide what tools answered."""
        is_open = self.transcript.toggle_details()
        self.say(f"tool calls are shown {'with what they answered' if is_open else 'in one line each'}")

    def action_scroll_chat(self, pages: int) -> None:
        """Scroll the conversation by pages; before the first message, the start page."""
        if self.transcript.display:
            self.transcript.page(pages)
        else:
            start = self.query_one("#start", VerticalScroll)
            start.scroll_relative(y=pages * max(1, start.size.height - 2), animate=False)

    def action_step_back(self) -> None:
        """Close the menu, else interrupt the answer, else close the overlay."""
        if self.completer.is_open:
            self.completer.close()
        elif self.drawer.display and not self.prompt.has_focus:
            self.close_context()
        elif self.interrupt():
            return
        elif self.drawer.display:
            self.close_context()
        elif self.prompt.text or self.hide_hints():
            return
        elif self.state.turns:
            self._step_back_further()

    def _step_back_further(self) -> None:
        """Offer the turns to go back before, when Esc comes twice."""
        if not self.twice.is_second(time.monotonic()):
            self.say("Esc again goes back to an earlier message", seconds=TWICE_SECONDS)
            return
        turns = reversed(self.state.turns)
        rows = tuple(Choice(str(turn.number), turn.prompt, f"turn {turn.number}") for turn in turns)
        self.app.push_screen(
            PickerDialog("Go back before which message?", rows, "Nothing was asked yet.", glyphs=self.glyphs),
            self._rewind,
        )

    def _rewind(self, chosen: str | None) -> None:
        turn = next((turn for turn in self.state.turns if str(turn.number) == chosen), None)
        if turn is None:
            return

        async def rewind() -> None:
            earlier = [other.number for other in self.state.turns if other.number < turn.number]
            event = await self.door.conversation.rewind(earlier[-1] if earlier else 0)
            await self._show_answer(Answer(f"before turn {turn.number}; its message is in the prompt again", (event,)))
            self.fill_prompt(turn.prompt)

        self.work(rewind, "command", exclusive=False)

    def action_quit_on_empty(self) -> None:
        """Quit when nothing is typed."""
        if not self.prompt.text:
            self._app_action("quit")
