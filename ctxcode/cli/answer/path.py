"""The command that tells how one name reaches another."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.cli.answer.absence import ABSENT_EXIT_CODE, say_absent
from ctxcode.cli.answer.readiness import ready
from ctxcode.cli.answer.words import place_text, print_respelling, print_rest, title_text
from ctxcode.cli.arguments import Arguments
from ctxcode.llm.navigator.edges.relation import VERBS
from ctxcode.llm.navigator.lookup import Found, find_end
from ctxcode.model.naming.number import counted
from ctxcode.model.symbol import UNSURE, EdgeKind, Symbol
from ctxcode.session.look.graph import Chain, Step, chain
from ctxcode.session.look.report import chain_object
from ctxcode.tui.clean import clean_name

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck


def path(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print how one name reaches another; 1 when one does not exist or nothing leads there."""
    application, report = ready(arguments, environment, check)
    adapters = application.adapters
    graph = adapters.graph
    start, end = find_end(graph, arguments.query), find_end(graph, arguments.other)
    absent = [found for found in (start, end) if not found.symbols]
    if absent:
        return say_absent(absent, adapters, report, arguments)
    made = chain(graph, start.ends, end.ends)
    if arguments.format == "json":
        told = {"from": start.name, "to": end.name, "looked_at": [_counts(start), _counts(end)]}
        print(json.dumps({**told, **chain_object(made)}))
    else:
        print_respelling(start)
        print_respelling(end)
        _print_chain(made, (_end_text(start, made, made.start), _end_text(end, made, made.end)), arguments.limit)
        if made.steps:
            _print_namesakes(start, made.start)
            _print_namesakes(end, made.end)
    return 0 if made.steps or made.start == made.end else ABSENT_EXIT_CODE


def _counts(found: Found) -> dict[str, int]:
    """Return how many definitions a name means, and for how many of them a chain was looked for."""
    return {"definitions": len(found.meant), "tried": len(found.ends)}


def _end_text(found: Found, made: Chain, chosen: Symbol) -> str:
    if found.is_folder:
        return f"{clean_name(found.name)} ({counted(len(found.symbols), 'file')})"
    if made.steps or made.start == made.end or not found.looked_at:
        return title_text(chosen)
    name = clean_name(found.respelled or found.name)
    return f"any of {found.looked_at} of {name!r} (first {title_text(chosen)} at {place_text(chosen)})"


def _print_chain(made: Chain, ends: tuple[str, str], limit: int) -> None:
    start, end = ends
    if made.start == made.end:
        print(f"Both names mean {start} at {place_text(made.start)}.")
        return
    if not made.steps:
        print(f"The graph holds no chain of calls, imports, references or inheritance between {start} and {end}.")
        return
    if made.is_reversed:
        print(f"Nothing leads from {start} to {end}; the other way round:")
    steps = made.steps
    perhaps = "perhaps " if made.is_doubtful else ""
    print(f"{perhaps}{counted(len(steps), 'step')} from {title_text(steps[0].source)}, {place_text(steps[0].source)}")
    first, last = (
        (steps, ()) if len(steps) <= limit else (steps[: limit - limit // 2], steps[len(steps) - limit // 2 :])
    )
    print("\n".join(map(_step_line, first)))
    print_rest(len(steps) - len(first) - len(last), "step", indent="  ")
    print("\n".join(map(_step_line, last)), end="\n" if last else "")
    _print_marks((*first, *last))


def _print_marks(steps: Sequence[Step]) -> None:
    """Print what the marks behind some steps mean."""
    guessed = {step.edge.kind for step in steps if step.is_guess}
    if any(step.edge.resolution in UNSURE for step in steps):
        print("? found by name alone")
    if EdgeKind.CONTAINS in guessed:
        print("~ what uses a type need not use this part of it")
    if EdgeKind.OVERRIDDEN in guessed:
        print("~ what overrides it runs in its place only on objects of that type")
    if any(step.is_value for step in steps):
        print("& named as a value, not called here")


def _step_line(step: Step) -> str:
    path, line = step.place
    doubt = " ?" if step.edge.resolution in UNSURE else " ~" if step.is_guess else " &" if step.is_value else ""
    verb = VERBS.get(step.edge.kind, step.edge.kind.value)
    return f"  {verb} {title_text(step.target)}{doubt}  at {clean_name(path)}:{line}"


def _print_namesakes(found: Found, chosen: Symbol) -> None:
    """Print that a name means other definitions, too."""
    others = len(found.meant) - 1
    if others and not found.is_folder:
        name = clean_name(found.respelled or found.name)
        print(f"{name!r} is {title_text(chosen)} at {place_text(chosen)} here; {counted(others, 'other')} of that name")
