"""What header, status line and footer say of a session: pure functions of what is known."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextMode
from ctxcode.session.door import Door
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import turn_cost, used_tokens
from ctxcode.tui.glyphs import Glyphs, meter
from ctxcode.tui.number import elapsed, thousands
from ctxcode.tui.prompt.hints import Hints
from ctxcode.tui.screens.overlay.pane import plan_cost
from ctxcode.tui.state.view import ScreenState
from ctxcode.tui.waiting import waiting_words
from ctxcode.tui.widgets.bars import FooterView, HeaderView
from ctxcode.tui.widgets.overlay.meter import plan_parts, planned_parts

_INDEX_CELLS = 10
_QUIET_SECONDS = 0.3
_LONG_SECONDS = 5.0
"""From then on it is said how to stop it."""
_QUEUE_LINES = 3


@dataclass(frozen=True, slots=True)
class Elapsed:
    """For how long what is going on has been."""

    answering_seconds: float | None = None
    """None when no turn runs."""
    waiting_seconds: float = 0.0
    """Since it was told what the turn waits for."""
    indexing_seconds: float = 0.0


def header_view(door: Door, state: ScreenState) -> HeaderView:
    """Return what the header says."""
    repository = door.repository
    model = "offline navigator" if door.model.is_offline else door.model.name
    changed = state.changed_files
    return HeaderView(repository.name, repository.branch, changed, state.title, model, door.mode)


def footer_view(
    door: Door, state: ScreenState, *, is_choosing: bool, prices: tuple[tuple[ContextMode, int], ...]
) -> FooterView:
    """Return what the footer says: the last request's figures, before the first one the next one's."""
    last = next((turn for turn in reversed(state.turns) if turn.plan is not None), None)
    pins = door.pins()
    used, is_actual, cost = 0, False, None
    planned = last.plan if last is not None else None
    parts = planned_parts(planned) if planned is not None else plan_parts(state.preview) if state.preview else {}
    if last is not None:
        (used, is_actual), cost = used_tokens(last), turn_cost(last)
    elif state.preview is not None:
        used, cost = state.preview.active_tokens, plan_cost(state.preview, door.model)
    return FooterView(
        mode=door.mode,
        request=f"turn {last.number}" if last is not None else "next" if state.preview is not None else "",
        used=used,
        limit=planned.budget_tokens if planned is not None else door.budget_tokens,
        parts=tuple(parts.items()),
        is_actual=is_actual,
        cost=cost,
        pins=len(pins),
        expiring=sum(pin.turns_left == 1 for pin in pins),
        suggested=len(door.suggested_pins()),
        prices=prices,
        is_choosing=is_choosing,
    )


def queue_lines(queue: Sequence[str], glyphs: Glyphs) -> Content:
    """Return the messages that wait for the answer to end, one line each."""
    shown = queue if len(queue) <= _QUEUE_LINES else queue[: _QUEUE_LINES - 1]
    lines = [f"{glyphs.history} {clean_line(text, 200)}" for text in shown]
    if len(shown) < len(queue):
        lines.append(f"{glyphs.ellipsis} {len(queue) - len(shown)} more")
    return Content.styled("\n".join(lines), "$muted")


def queued_words(count: int, glyphs: Glyphs, *, has_key: bool) -> str:
    """Return how many messages wait, and the key that takes one back where it does so now; empty for none."""
    if not count:
        return ""
    back = f" {glyphs.dot} {glyphs.arrows[0]} takes {'it' if count == 1 else 'the newest'} back" if has_key else ""
    return f"{counted(count, 'message')} queued{back}"


def status_line(
    state: ScreenState,
    notice: tuple[str, bool],
    since: Elapsed,
    *,
    queued: str,
    glyphs: Glyphs,
) -> Content:
    """Return one line for what is going on; empty when nothing is."""
    parts: list[Content] = []
    words, is_error = notice
    said_words = Content.styled(words, "" if is_error else "$muted")
    if is_error:
        parts.append(Content.styled(f"{glyphs.failed} ", "$error") + said_words)
    if since.answering_seconds is not None and since.answering_seconds >= _QUIET_SECONDS:
        doing = f"{_doing(state)} {elapsed(max(1.0, since.answering_seconds))}"
        if state.waiting is not None:
            doing = waiting_words(state.waiting, since.waiting_seconds, since.answering_seconds)
        parts.append(Content.styled(f"{doing} {glyphs.dot} Esc interrupts", "$muted"))
    if queued:
        parts.append(Content.styled(queued, "$primary"))
    if state.indexing is not None:
        parts.append(_indexing(state, since.indexing_seconds, glyphs))
    # What is going on is shown for as long as it goes on; what there is to say besides comes after it.
    if words and not is_error:
        parts.append(said_words)
    return Content.styled(f"  {glyphs.dot}  ", "$faint").join(parts)


def hint_line(hints: Hints, glyphs: Glyphs) -> Content:
    """Return the hint for a newcomer; empty for none."""
    words = hints.words(glyphs)
    sign = Content.styled(f"{glyphs.suggested} ", "$ctx-suggested") if words else Content("")
    return sign + Content.styled(words, "$muted")


def _doing(state: ScreenState) -> str:
    last = state.last_turn
    if state.review is not None:
        return "waiting for your answer"
    if state.approval is not None:
        return "waiting for your answer"
    if last is not None and last.prompt.startswith("!"):
        return "running"
    if last is not None and last.reply:
        return "answering"
    if last is not None and last.rounds and len(last.rounds[-1].results) < len(last.rounds[-1].calls):
        return "looking things up"
    is_planned = last is not None and last.plan is not None
    return "waiting for the index" if state.indexing is not None and not is_planned else "thinking"


def _indexing(state: ScreenState, seconds: float, glyphs: Glyphs) -> Content:
    progress = state.indexing
    if progress is None or not progress.total_files:
        return Content.styled("looking for changed files", "$muted")
    done, total = progress.done_files, progress.total_files
    since = f" {elapsed(max(1.0, seconds))}"
    match progress.phase:
        case "resolving":
            return Content.styled(f"resolving names in {thousands(done)} files{since}", "$muted")
        case "storing":
            return Content.styled(f"storing the index{since}", "$muted")
        case "elsewhere":
            words = f"another ctxcode is indexing {thousands(done)} / {thousands(total)} files{since}"
            return Content.styled(words, "$muted")
    bar = meter(done, total, _INDEX_CELLS, glyphs)
    filled = bar.count(glyphs.used)
    return Content.assemble(
        (f"indexing {thousands(done)} / {thousands(total)} files ", "$muted"),
        (bar[:filled], "$primary"),
        (bar[filled:], "$meter-free"),
        (since, "$muted"),
        (f" {glyphs.dot} /index pause stops it" if seconds >= _LONG_SECONDS else "", "$muted"),
    )
