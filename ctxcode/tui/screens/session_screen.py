"""A session on screen: what happens in it is folded into one state, and every widget shows that state."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from ctxcode.model.errors import CtxcodeError
from ctxcode.model.event import ContextPlanned, Event, ModeChanged
from ctxcode.model.passing.event import IndexProgressed, PlanPreviewed, ReplyChunked, StrategyFailed
from ctxcode.session.door import Door
from ctxcode.tui import commands
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import forecast
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.prompt.hints import ALL_SEEN, Hints
from ctxcode.tui.screens.edit.pane import ReviewPane
from ctxcode.tui.screens.overlay.pane import ContextPane, plan_cost
from ctxcode.tui.screens.pages.words import Said
from ctxcode.tui.screens.status import (
    Elapsed,
    footer_view,
    header_view,
    hint_line,
    queue_lines,
    queued_words,
    status_line,
)
from ctxcode.tui.state.fold import apply, folded, refolded
from ctxcode.tui.terminal.backdrop import Across, Backdrop, Down
from ctxcode.tui.terminal.complaint import sentence
from ctxcode.tui.terminal.portioned import PortionedScreen
from ctxcode.tui.widgets import markdown
from ctxcode.tui.widgets.bars import Footer, Header, StatusLine
from ctxcode.tui.widgets.drawer import Drawer
from ctxcode.tui.widgets.menu import Menu
from ctxcode.tui.widgets.prompt import PLACEHOLDER, Prompt
from ctxcode.tui.widgets.start import StartPage, StartView
from ctxcode.tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from ctxcode.model.plan import ContextMode, ContextPlan

log = logging.getLogger(__name__)

_FLUSH_SECONDS, _LATEST_FLUSH_SECONDS = 0.08, 0.4
"""How long a chunk of an answer waits for others, and for what a key on a row does."""
_DEBOUNCE_SECONDS = 0.3
_NOTICE_SECONDS = 6.0
_CHOOSER_SECONDS = 1.0
_STOP_SECONDS = 3.0
_KEPT_PLANS = 64
_KEPT_MESSAGES = 200
ACTING = "context"
"""The group of the workers that carry out a key on a row of the overlay."""
BESIDE_CELLS = 110
"""From this width on the overlay stands beside the conversation; below, it covers it."""


class SessionScreen(PortionedScreen[None], Backdrop):
    """Holds the state, the widgets that show it and the workers that ask the door."""

    class Happened(Message):
        """The session reported an event."""

        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class HintsSeen(Message):
        """The user has come further, or wants no more hints."""

        def __init__(self, count: int) -> None:
            super().__init__()
            self.count = count

    def __init__(self, door: Door, glyphs: Glyphs) -> None:
        super().__init__()
        self.door = door
        history = door.history()
        self.state = folded(history)
        self._settled = len(history), self.state
        """How much of the journal was folded when the last turn ended, and to what."""
        self.glyphs = glyphs
        self.turn: Worker[None] | None = None
        """The running turn."""
        self.queue: list[str] = []
        """Messages to send after it."""
        self.started_at = 0.0
        self.index_started_at = self.waiting_since = 0.0
        self._plans: dict[str, ContextPlan] = {}
        self._prices: dict[ContextMode, int] = {}
        self._is_flush_due = False
        self._flush_by = 0.0
        self.hints = Hints()
        self.said: deque[Said] = deque(maxlen=_KEPT_MESSAGES)
        """What the status line said, oldest first."""
        self._notice: tuple[str, bool] = ("", False)
        self._notice_until = 0.0
        self._choosing_until = 0.0
        self._has_sandbox = True
        """Until it turns out that commands are not confined."""
        self.start_view = StartView(door.repository, door.model)
        self.transcript = Transcript(glyphs, id="transcript")
        self.prompt = Prompt(PLACEHOLDER, id="prompt")
        self.menu = Menu(glyphs)
        self.waiting = Static(markup=False, id="waiting")
        self.review = ReviewPane(glyphs)
        self.drawer = Drawer(glyphs, id="drawer")
        self.drawer.display = False
        self.pane = ContextPane(
            door, self.drawer, glyphs, state=lambda: self.state, prompt=lambda: self.prompt.unfolded
        )

    def compose(self) -> ComposeResult:
        """Header, conversation beside the overlay, prompt, status, footer."""
        yield Header(self.glyphs)
        with Across(id="body"), Down(id="talk"):
            with VerticalScroll(id="start", can_focus=False):
                yield StartPage(self.glyphs)
            yield self.transcript
            with Down(id="ask"):
                yield self.prompt
        yield StatusLine(self.glyphs)
        yield Footer(self.glyphs)

    def on_mount(self) -> None:
        """Show what the journal holds; everything slow starts after the first paint."""
        self.prompt.set_history(self.state.prompts)
        self.prompt.focus()
        self.show()
        self.set_interval(0.5, self._tick)
        self.call_after_refresh(self.begin)

    async def begin(self) -> None:
        """Mount what opens on demand, now that the first picture is out, and start what is slow."""
        await self.query_one("#ask").mount(self.waiting, self.menu, before=self.prompt)
        await self.query_one("#talk").mount(self.review, before="#ask")
        await self.query_one("#body").mount(self.drawer)
        self.work(self._warm_up, "warm-up")
        self.work(self.load_plans, "plans")

    def work(self, work: Callable[[], Awaitable[None]], group: str, *, exclusive: bool = True) -> Worker[None]:
        """Start a worker; what it fails with becomes a notice."""
        return self.run_worker(partial(self._guarded, work), group=group, exclusive=exclusive, exit_on_error=False)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except CtxcodeError as error:
            self.say(sentence(error), is_error=True)

    async def _warm_up(self) -> None:
        sessions = await self.door.archive.sessions()
        self.update_start(sessions=tuple(session for session in sessions if session.id != self.door.id))
        await asyncio.to_thread(markdown.load)
        notices = await self.door.warm_up()
        self.update_start(notices=notices, model=self.door.model)
        if notices and self.state.turns:
            # What went wrong is read first.
            wait = self._notice_until - time.monotonic() if self._notice[1] else 0.0
            self.set_timer(max(0.01, wait), partial(self.say, notices[0]))
        self._has_sandbox = (await self.door.commands.sandbox()).is_there
        self.show()

    async def load_plans(self) -> None:
        """Fetch the plans of the newest turns, so that their meter lines can tell cards from signatures."""
        plans = dict(self._plans)
        for turn in self.state.turns[-_KEPT_PLANS // 2 :]:
            if turn.plan is not None and turn.plan.plan_id not in plans:
                plan = await self.door.plan(turn.plan.plan_id)
                if plan is not None:
                    plans[plan.id] = plan
        self._plans = dict(list(plans.items())[-_KEPT_PLANS:])
        self.show()

    async def _forecast(self) -> None:
        await asyncio.sleep(_DEBOUNCE_SECONDS)
        plan = await self.door.preview(self._message)
        self.post_message(self.Happened(PlanPreviewed(plan)))

    def ask_forecast(self, *, has_changed: bool = False) -> None:
        """Ask, a moment after the last key, what sending would come to; until the first plan the footer tells it."""
        is_first = all(turn.plan is None for turn in self.state.turns)
        is_told = is_first and (has_changed or self.state.preview is not None)
        if not self._message:
            self.prompt.border_subtitle = Content("")
        if self._message or is_told:
            self.work(self._forecast, "forecast")

    @property
    def _message(self) -> str:
        """What would be sent: no command."""
        text = self.prompt.unfolded.strip()
        return "" if commands.is_command(text) or text == "/" else text

    def forget_forecast(self) -> None:
        """Drop what was known of a prompt that is being sent."""
        self._prices = {}
        self.prompt.border_subtitle = Content("")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say so when a worker failed in a way nobody foresaw; the session goes on."""
        if event.state is WorkerState.ERROR:
            log.error("worker %s failed", event.worker.group, exc_info=event.worker.error)
            self.say(f"Something went wrong inside ctxcode: {event.worker.error!r}", is_error=True)

    def on_session_screen_happened(self, message: Happened) -> None:
        """Fold an event and show the outcome."""
        message.stop()
        self.fold(message.event)

    def fold(self, event: Event) -> None:
        """Bring the state up to an event; chunks are gathered before they are shown."""
        self.state = apply(self.state, event)
        match event:
            case ReplyChunked():
                if not self._is_flush_due:
                    self._is_flush_due = True
                    self._flush_by = time.monotonic() + _LATEST_FLUSH_SECONDS
                    self.set_timer(_FLUSH_SECONDS, self._flush)
                return
            case IndexProgressed():
                self._show_status()
                return
            case PlanPreviewed():
                self._prices[event.plan.mode] = event.plan.active_tokens
                if self.drawer.display and self.pane.follows and self.prompt.text:
                    self.pane.show_preview(event.plan)
            case ModeChanged():
                self._choosing_until = time.monotonic() + _CHOOSER_SECONDS
                self.set_timer(_CHOOSER_SECONDS + 0.05, self.show)
            case ContextPlanned() if event.is_shrunk:
                self.say("The request was too long for the model: sent again with less.")
            case ContextPlanned() if event.notice:
                self.say(f"{event.notice} The window was used.", is_error=True)
            case ContextPlanned() if event.search_notice:
                self.say(event.search_notice)
            case StrategyFailed():
                self.say(f"{event.strategy}: {event.error}", is_error=True)
        if isinstance(event, ContextPlanned) and self.drawer.display:
            self.work(self.pane.follow, "overlay")
        self.show()

    def settle_state(self, unkept: str = "") -> None:
        """Fold what the journal has gained since the last turn ended, unless an error has kept the last one out."""
        history, (count, before) = self.door.history(), self._settled
        self.state = refolded(history[count:], self.state, before, unkept=unkept)
        self._settled = len(history), self.state

    def _flush(self) -> None:
        # What a key on a row does comes before more of an answer.
        if self._is_acting and time.monotonic() < self._flush_by:
            self.set_timer(_FLUSH_SECONDS, self._flush)
            return
        self._is_flush_due = False
        self._show_turns()

    @property
    def _is_acting(self) -> bool:
        return any(worker.group == ACTING and not worker.is_finished for worker in self.workers)

    def say(self, words: str, *, is_error: bool = False, seconds: float = _NOTICE_SECONDS) -> None:
        """Put a sentence into the status line for a while."""
        self._notice = (clean_line(words, 400), is_error)
        if words:
            self.said.append(Said(time.strftime("%H:%M:%S"), self._notice[0], is_error))
        self._notice_until = time.monotonic() + seconds if words else 0.0
        self._show_status()

    def unsay(self) -> None:
        """Take a message away that has had its time; what went wrong stays, and what tells of something going on."""
        goes_on = self._notice_until > time.monotonic() + _NOTICE_SECONDS
        if self._notice[0] and not self._notice[1] and not goes_on:
            self.say("")

    def update_start(self, **changes: object) -> None:
        """Change fields of the start page's view."""
        self.start_view = replace(self.start_view, **changes)  # type: ignore[arg-type]  # StartView's own fields
        self.show()

    def show(self) -> None:
        """Bring every widget in step with the state."""
        if self.is_mounted:
            self.show_frame()
            self._show_turns()

    def show_frame(self) -> None:
        """Bring all that is around the conversation in step with the state."""
        has_turns = bool(self.state.turns) or self.turn is not None
        self.query_one("#start").display = not has_turns
        self.transcript.display = has_turns
        self.query_one(StartPage).view = replace(self.start_view, repository=self.door.repository)
        self.query_one(Header).view = header_view(self.door, self.state)
        is_choosing = time.monotonic() < self._choosing_until
        prices = tuple(self._prices.items())
        footer = footer_view(self.door, self.state, is_choosing=is_choosing, prices=prices)
        self.query_one(Footer).view = replace(footer, has_sandbox=self._has_sandbox)
        plan = self.state.preview
        if plan is not None and self.prompt.unfolded.strip() == plan.prompt.strip() != "":
            cost = plan_cost(plan, self.door.model)
            self.prompt.border_subtitle = Content(forecast(plan, cost, self.glyphs))
        self._show_review()
        self._show_waiting()
        self._show_status()

    def _show_review(self) -> None:
        """Put the diff that waits in the place of the prompt, and the prompt back afterwards."""
        if not self.review.is_mounted or not self.review.ask(self.state.review if self.turn is not None else None):
            return
        self.query_one("#ask").display = not self.review.display
        self.take_keys()

    def take_keys(self) -> None:
        """Give the keys to the prompt or what is asked in its place, unless the overlay covers it."""
        if self.query_one("#talk").display:
            self.asking.focus()

    @property
    def asking(self) -> Widget:
        """What takes the keys beside the overlay: the prompt, or what is asked in its place."""
        return self.review.diff if self.review.display else self.prompt

    def _show_waiting(self) -> None:
        self.waiting.update(queue_lines(self.queue, self.glyphs))
        self.waiting.display = self.prompt.has_waiting = bool(self.queue)

    def _show_turns(self) -> None:
        last = self.state.last_turn
        is_running = last is not None and self.turn is not None and last.stopped_by is None
        self.transcript.show(self.state.turns, last.number if last and is_running else None, self._plans)

    def _show_status(self) -> None:
        self._move_hints_on()
        now = time.monotonic()
        if now >= self._notice_until:
            self._notice, self._notice_until = ("", False), 0.0
        status = self.query_one(StatusLine)
        status.may_wrap = bool(self._notice[0]) or self.state.waiting is not None
        line = status_line(
            self.state,
            self._notice,
            Elapsed(
                answering_seconds=now - self.started_at if self.turn is not None else None,
                waiting_seconds=now - self.waiting_since,
                indexing_seconds=now - self.index_started_at,
            ),
            queued=queued_words(len(self.queue), self.glyphs, has_key=self.prompt.has_focus and not self.prompt.text),
            glyphs=self.glyphs,
        )
        # What happens comes before a hint.
        status.line = line if line.plain else hint_line(self.hints, self.glyphs)

    def _move_hints_on(self, **wanted: object) -> None:
        before = self.hints.seen
        self.hints = self.hints.moved_on(
            has_turns=bool(self.state.turns),
            is_answering=self.turn is not None,
            is_overlay_open=self.drawer.display,
            examples=self.prompt.examples,
            **wanted,
        )
        if self.hints.seen != before:
            self.post_message(self.HintsSeen(self.hints.seen))

    def hide_hints(self) -> bool:
        """Show no more hints; return False when none is shown."""
        if not self.hints.words(self.glyphs):
            return False
        self._move_hints_on(seen=ALL_SEEN)
        self._show_status()
        return True

    def _tick(self) -> None:
        if self.turn is not None or self.state.indexing is not None or self._notice_until:
            self._show_status()

    async def stop(self) -> None:
        """End the turn and every worker, giving the session time to record the interruption."""
        self.queue.clear()
        running = [worker for worker in self.workers if worker.node is self and not worker.is_finished]
        for worker in running:
            worker.cancel()
        ended = asyncio.gather(*(worker.wait() for worker in running), return_exceptions=True)
        await asyncio.wait([asyncio.ensure_future(ended)], timeout=_STOP_SECONDS)
