"""One headless turn."""

import asyncio
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain, interrupted
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.cli.waiting import WaitingLine
from ctxcode.model.conversation import StoppedBy
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.errors import SessionInUseError, UsageError
from ctxcode.model.event import DurableEvent, Event, ReplyFinished, ToolsCalled, TurnCompleted
from ctxcode.model.passing.event import ReplyChunked, StrategyFailed
from ctxcode.session.told import answer_object, event_object
from ctxcode.tui.clean import clean

if TYPE_CHECKING:
    from ctxcode.bootstrap.application import Application
    from ctxcode.session.session import Session

_ENDING_SIGNALS = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)


def ask(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Run one headless turn and print the answer."""
    from ctxcode.bootstrap.application import Use
    from ctxcode.cli.opening import opened
    from ctxcode.cli.progress import refresh_with_progress

    policy = EditPolicy.ALLOW if arguments.allows_edits else EditPolicy.DENY
    application = replace(opened(arguments, environment, Use.ANSWER), edits=policy)
    session = session_for(application, arguments, resumes=arguments.is_continued)
    refresh_with_progress(application.adapters.indexer)
    known, printed = len(session.history()), list[DurableEvent]()
    leave_to_event_loop()
    try:
        is_whole = asyncio.run(_turn(session, arguments, printed))
    except KeyboardInterrupt:
        is_whole = False
    events = session.history()[known:]
    _print_end(session, arguments.format, events, printed)
    if not is_whole:
        return interrupted()
    return _exit_code(events)


def session_for(
    application: "Application", arguments: Arguments, *, resumes: bool, is_attended: bool = False, writes: bool = True
) -> "Session":
    """Return the session that was asked for: a named one, the last one, or a new one.

    ``is_attended`` when somebody is there to answer questions. Raises SessionInUseError for one to be written that
    another process has open; a new one takes the place of the last one where that was not asked for in words.
    """
    from ctxcode.session.ledger import claim

    journal = application.adapters.journal
    if arguments.session is not None:
        if not arguments.session:
            raise UsageError("Which session?", "See: ctxcode sessions")
        known = [row.id for row in journal.sessions() if row.id.startswith(arguments.session)]
        if len(known) != 1:
            what = "There is no session" if not known else "Several sessions begin with"
            raise UsageError(f"{what} {arguments.session!r}.", "See: ctxcode sessions")
        if writes:
            claim(journal, known[0])
        return application.session(known[0], is_attended=is_attended)
    if resumes:
        newest = journal.sessions(1)
        if newest:
            try:
                if writes:
                    claim(journal, newest[0].id)
                return application.session(newest[0].id, is_attended=is_attended)
            except SessionInUseError as error:
                if arguments.is_continued:
                    raise
                application = application.saying(f"{error} This is a new one.")
    return application.session(None, is_attended=is_attended)


async def _turn(session: "Session", arguments: Arguments, printed: list[DurableEvent]) -> bool:
    """Run the turn, printing as the format asks; False when the process was asked to end, which counts as Ctrl+C.

    ``printed`` gets the durable events that were shown.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    waiting = WaitingLine(prints_text=arguments.format == "text")
    asked: list[int] = []

    def stop(number: int) -> None:
        asked.append(number)
        if task is not None:
            task.cancel()

    for number in _ENDING_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        await _warn(session, arguments)
        async with aclosing(session.turn(arguments.query)) as events:
            async for event in events:
                waiting.tell(event)
                if isinstance(event, DurableEvent):
                    printed.append(event)
                _print_event(event, arguments.format)
        async with aclosing(session.strategies.settle()) as made:
            async for event in made:
                if isinstance(event, StrategyFailed):
                    complain(f"{event.strategy}: {event.error}", "What it remembered before stays.")
                elif arguments.format == "stream-json":
                    _print_event(event, arguments.format)
    except asyncio.CancelledError:
        if not asked:
            raise
    finally:
        waiting.close()
        for number in _ENDING_SIGNALS:
            loop.remove_signal_handler(number)
    return not asked


async def _warn(session: "Session", arguments: Arguments) -> None:
    """Say what was asked for and has no effect."""
    if session.unkept_cap:
        complain(session.unkept_cap, "Cap the turns with --max-turns, or choose a model whose price is known.")
    if arguments.allowed_commands and not (await session.commands.trust()).is_trusted:
        hint = "ctxcode trust --show tells what that means, ctxcode trust does it."
        complain("--allow-command allows nothing until this repository is trusted.", hint)


def _print_end(
    session: "Session", chosen: str, events: Sequence[DurableEvent], printed: Sequence[DurableEvent]
) -> None:
    """Print what a format owes at the end, also of an interrupted turn: the object, the last events, a line break."""
    if chosen == "json":
        print(
            json.dumps(answer_object(session.id, session.model.name, session.conversation.branch, events)), flush=True
        )
    elif chosen == "text":
        if any(event.text for event in events if isinstance(event, ReplyFinished)):
            print(flush=True)
    else:
        for event in events:
            if isinstance(event, ReplyFinished | TurnCompleted) and event not in printed:
                _print_event(event, chosen)


def _print_event(event: Event, chosen: str) -> None:
    if chosen == "stream-json":
        print(json.dumps(event_object(event)), flush=True)
    elif chosen == "text" and isinstance(event, ReplyChunked):
        print(clean(event.text), end="", flush=True)
    elif chosen == "text" and isinstance(event, ToolsCalled) and (said := event.said.rstrip()):
        # What is said before and after a look at something are two paragraphs.
        print("\n" * max(0, 2 - (len(event.said) - len(said))), end="", flush=True)


def _exit_code(events: Sequence[DurableEvent]) -> int:
    """Return 0 for an answer; else say what happened and return 1."""
    for event in events:
        if isinstance(event, TurnCompleted):
            if event.error:
                complain(event.error, event.hint)
            return 0 if event.stopped_by is StoppedBy.ANSWER else 1
    return 1
