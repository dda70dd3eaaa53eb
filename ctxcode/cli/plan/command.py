"""``ctxcode plan list|show|diff|replay|export``."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing, closing

from ctxcode.bootstrap.application import Application
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain
from ctxcode.cli.export.place import save
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.cli.opening import opened
from ctxcode.cli.plan.markdown import plan_markdown
from ctxcode.cli.waiting import WaitingLine
from ctxcode.context.difference import difference
from ctxcode.model.chat import ReplyEnd, RetryPause, TextChunk
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.model.naming.number import counted
from ctxcode.model.passing.event import ReplyDelayed
from ctxcode.model.plan import ContextPlan
from ctxcode.session.plans.replay import FileState, Replay, address_of, replayed
from ctxcode.session.plans.report import difference_object, export_object, replay_object
from ctxcode.session.report import plan_object
from ctxcode.tui.bill.difference import difference_lines
from ctxcode.tui.clean import clean
from ctxcode.tui.format import plan_lines
from ctxcode.tui.number import thousands, when

_SHOWN_FILES = 8


def plan(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """List the stored plans, or do something with one."""
    application = opened(arguments, environment)
    wanted = 2 if arguments.plan_action == "diff" else 0 if arguments.plan_action == "list" else 1
    if arguments.plan_ids and len(arguments.plan_ids) != wanted:
        raise UsageError(
            f"plan {arguments.plan_action} takes {wanted or 'no'} ids, not {len(arguments.plan_ids)}.",
            "See: ctxcode plan --help",
        )
    if arguments.plan_action == "list":
        return _list(arguments, application)
    plans = _named(arguments.plan_ids, wanted, application)
    match arguments.plan_action:
        case "diff":
            return _diff(plans[0], plans[1], arguments)
        case "replay":
            return _replay(plans[0], arguments, application)
        case "export":
            return _export(plans[0], arguments, application)
    return _show(plans[0], arguments, application)


def _named(ids: Sequence[str], wanted: int, application: Application) -> list[ContextPlan]:
    """Return the plans that were asked for; without ids the newest, oldest first."""
    if not ids:
        newest = [made for made, _ in application.adapters.journal.plans(wanted)]
        if len(newest) < wanted:
            what = "No plan is stored here yet." if not newest else "Only one plan is stored here."
            raise UsageError(what, 'Make one: ctxcode context "…"')
        return newest[::-1]
    found = []
    for plan_id in ids:
        made = application.adapters.journal.plan(plan_id)
        if made is None:
            raise UsageError(f"There is no plan {plan_id!r}.", "See: ctxcode plan list")
        found.append(made)
    return found


def _list(arguments: Arguments, application: Application) -> int:
    rows = application.adapters.journal.plans(arguments.limit)
    if arguments.format == "json":
        print(json.dumps([{**plan_object(made), "stored_at": at, "prompt": made.prompt} for made, at in rows]))
        return 0
    for made, at in rows:
        prompt = clean(" ".join(made.prompt.split()))[:70]
        print(f"{made.id[:8]}  {when(at):>12}  {made.mode.value:<5}  {thousands(made.tokens):>7} tok  {prompt}")
    if not rows:
        print('No plan is stored here yet. Make one: ctxcode context "…"')
    return 0


def _show(made: ContextPlan, arguments: Arguments, application: Application) -> int:
    if arguments.format == "json":
        print(json.dumps({**plan_object(made), "prompt": made.prompt}))
    elif arguments.format == "markdown":
        print(plan_markdown(made, _texts(made, application)), end="")
    else:
        print("\n".join(plan_lines(made)))
    return 0


def _texts(made: ContextPlan, application: Application) -> dict[str, str]:
    journal = application.adapters.journal
    return {str(item.text): journal.text(item.text) or "" for item in made.included if item.text is not None}


def _diff(before: ContextPlan, after: ContextPlan, arguments: Arguments) -> int:
    made = difference(before, after)
    if arguments.format == "json":
        print(json.dumps(difference_object(made)))
    else:
        print("\n".join(difference_lines(made)))
    return 0


def _replay(made: ContextPlan, arguments: Arguments, application: Application) -> int:
    """Print the exact payload, or with ``--send`` what the model answers to it now; 1 when it can't be verified."""
    adapters = application.adapters
    replay = replayed(made, adapters.journal, adapters.workspace)
    shown = replay_object(replay)
    if arguments.sends:
        if not replay.is_intact:
            _verify(replay)
            return 1
        leave_to_event_loop()
        text, end = asyncio.run(_sent(replay, arguments, application))
        shown |= {
            "reply": text,
            "usage": {"estimated": made.tokens, "prompt": end.prompt_tokens, "completion": end.completion_tokens},
        }
    if arguments.format == "json":
        print(json.dumps(shown))
    elif not arguments.sends:
        for message in replay.payload.messages:
            calls = "".join(f"\n{call.name} {call.arguments}" for call in message.calls)
            print(f"── {message.role} ──\n{clean(message.content + calls)}")
    if arguments.format != "json":
        _verify(replay)
    return 0 if replay.is_intact else 1


def _verify(replay: Replay) -> None:
    """Say on standard error whether this is what was sent, and what has changed in the repository since."""
    if not replay.is_intact:
        complain(
            f"{counted(len(replay.broken), 'stored text')} of plan {replay.plan.id[:8]} do not have their digest.",
            "`ctxcode doctor` says whether the file is sound.",
        )
        return
    tail = "no file it shows has changed since"
    if replay.changed:
        names = [f"{s.path} ({'gone' if s.state is FileState.GONE else 'changed'})" for s in replay.changed]
        more = f" and {len(names) - _SHOWN_FILES} more" if len(names) > _SHOWN_FILES else ""
        tail = f"changed since: {', '.join(names[:_SHOWN_FILES])}{more}"
    complain(f"plan {replay.plan.id[:8]}, payload {replay.plan.payload_hash} verified; {tail}.")


async def _sent(replay: Replay, arguments: Arguments, application: Application) -> tuple[str, ReplyEnd]:
    """Send a payload again and return the reply; with the text format it is printed as it comes."""
    wanted = arguments.model or replay.plan.model
    address = address_of(replay.plan, application.adapters.journal) if wanted == replay.plan.model else None
    model = application.models.open(wanted, address)
    parts: list[str] = []
    waiting = WaitingLine(prints_text=False)
    with closing(waiting):
        async with aclosing(model.stream(replay.request)) as stream:
            async for chunk in stream:
                waiting.close()
                match chunk:
                    case RetryPause():
                        waiting.tell(ReplyDelayed.of(0, chunk))
                    case ReplyEnd():
                        if arguments.format != "json":
                            print(flush=True)
                        return "".join(parts), chunk
                    case TextChunk():
                        parts.append(chunk.text)
                        if arguments.format != "json":
                            print(clean(chunk.text), end="", flush=True)
    raise CtxcodeError("The model's stream ended without an end.", "Try it again.")


def _export(made: ContextPlan, arguments: Arguments, application: Application) -> int:
    """Print or write everything that is known of a plan: JSON unless Markdown is asked for."""
    adapters = application.adapters
    if arguments.format == "markdown":
        text = plan_markdown(made, _texts(made, application))
    else:
        replay = None if made.payload_hash is None else replayed(made, adapters.journal, adapters.workspace)
        events = adapters.journal.request_events(made.id)
        text = json.dumps(export_object(made, replay, adapters.journal.retrieval(made.id), events), indent=1) + "\n"
    if arguments.output is None:
        print(text, end="")
    else:
        suffix = ".md" if arguments.format == "markdown" else ".json"
        kept = save(arguments.output, text, f"ctxcode-plan-{made.id[:8]}{suffix}")
        print(f"plan {made.id[:8]} written to {str(kept)!r}")
    return 0
