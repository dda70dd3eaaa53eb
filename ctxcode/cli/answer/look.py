"""Commands that look into the graph: map, symbol, refs, path."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Application, Use
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.opening import opened
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.llm.navigator.absence import Written, gaps, grounds, meaning, written, written_anywhere
from ctxcode.llm.navigator.lookup import Found, find, members
from ctxcode.llm.navigator.relation import VERBS
from ctxcode.model.naming.number import counted
from ctxcode.model.source import IndexReport
from ctxcode.model.symbol import MEMBER_KINDS, UNSURE, Symbol, SymbolKind
from ctxcode.session.adapters import Adapters
from ctxcode.session.look.graph import Chain, Reference, Step, chain, is_followed, references, scaffold_map
from ctxcode.session.look.report import absence_object, chain_object, map_object, reference_object, symbol_object
from ctxcode.session.ports import CodeGraph
from ctxcode.tui.clean import clean, clean_name
from ctxcode.tui.number import thousands
from ctxcode.workspace.git import find_work_tree

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck

ABSENT_EXIT_CODE = 1
_MOST_NAMESAKES = 10
"""Told of what is called like the last part of a name that is not there."""
_LONGEST_NAME = 200
_LONGEST_DECORATOR = 300
"""Characters that are printed; JSON has all."""


def show_map(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print the scaffold as the model sees it."""
    application, _ = _ready(arguments, environment, check)
    adapters, settings = application.adapters, application.settings
    counter = adapters.counter_for(application.models.info(settings.model).tokenizer)
    made = scaffold_map(
        adapters.graph,
        adapters.workspace,
        counter,
        mode=settings.mode,
        budget_tokens=settings.budget_tokens,
        capsules=adapters.journal.capsules(),
    )
    if arguments.format == "json":
        print(json.dumps(map_object(made, counter.id)))
    elif not made.rows:
        print("Nothing is indexed here, or the mode shows no map: try --mode heavy.")
    else:
        print(clean(made.text), end="")
    return 0


def symbol(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print the definitions of a name, best first; 1 when there is none."""
    application, report = _ready(arguments, environment, check)
    adapters = application.adapters
    graph, found = adapters.graph, find(adapters.graph, arguments.query)
    if not found.symbols:
        return _say_absent([found], adapters, report, arguments)
    if arguments.format == "json":
        rows = [_definition_object(graph, one) for one in found.symbols]
        print(json.dumps({**_head(found), "definitions": rows}))
        return 0
    _print_respelling(found)
    for one in found.symbols[: arguments.limit]:
        print("\n".join(_definition_lines(graph, one)))
    _print_rest(len(found.symbols) - arguments.limit, "definition")
    return 0


def refs(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print who refers to a name, definition by definition; 1 when there is no such name."""
    application, report = _ready(arguments, environment, check)
    adapters = application.adapters
    graph, found = adapters.graph, find(adapters.graph, arguments.query)
    if not found.symbols:
        return _say_absent([found], adapters, report, arguments)
    listed = [(one, references(graph, one)) for one in found.symbols]
    if arguments.format == "json":
        known = [
            {**symbol_object(one), "references": list(map(reference_object, made)), "followed": is_followed(one)}
            for one, made in listed
        ]
        print(json.dumps({**_head(found), "definitions": known}))
        return 0
    _print_respelling(found)
    for one, made in listed:
        if made or one is found.best:
            rows = _reference_lines(made)
            print(f"{counted(len(rows), 'reference')} to {_title(one)}")
            _print_rows(rows, arguments.limit)
            if not (rows or is_followed(one)):
                _print_written(one, adapters)
    unused = sum(not made for one, made in listed if one is not found.best)
    if unused:
        print(f"{counted(unused, 'other definition')} of that name without a reference")
    if any(row.edge.resolution in UNSURE for _, made in listed for row in made):
        print("? found by name alone")
    if not any(made for _, made in listed):
        _print_part(adapters)
    return 0


def path(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print how one name reaches another; 1 when one does not exist or nothing leads there."""
    application, report = _ready(arguments, environment, check)
    adapters = application.adapters
    graph = adapters.graph
    start, end = find(graph, arguments.query), find(graph, arguments.other)
    absent = [found for found in (start, end) if not found.symbols]
    if absent:
        return _say_absent(absent, adapters, report, arguments)
    made = chain(graph, start.symbols, end.symbols)
    if arguments.format == "json":
        print(json.dumps({"from": start.name, "to": end.name, **chain_object(made)}))
    else:
        _print_respelling(start)
        _print_respelling(end)
        _print_chain(made, arguments.limit)
    return 0 if made.steps or made.start == made.end else ABSENT_EXIT_CODE


def _ready(
    arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None"
) -> tuple[Application, IndexReport]:
    application = opened(arguments, environment, Use.ANSWER, check)
    return application, refresh_with_progress(application.adapters.indexer)


def _head(found: Found) -> dict[str, object]:
    head: dict[str, object] = {"name": found.name, "exists": True}
    head |= {"respelled": found.respelled} if found.respelled else {}
    return head | {"because": meaning(found.standing, str)} if found.standing else head


def _say_absent(absent: list[Found], adapters: Adapters, report: IndexReport, arguments: Arguments) -> int:
    """Print the proof that names do not exist, or where they may stand, and what comes near."""
    graph = adapters.graph
    stats = replace(graph.stats(), unread=len(report.unread))
    there = [written(graph, adapters.workspace.read_text, found) for found in absent]
    if arguments.format == "json":
        rows = [absence_object(found, stats, lines) for found, lines in zip(absent, there, strict=True)]
        print(json.dumps(rows[0] if len(rows) == 1 else {"exists": False, "absent": rows}))
        return ABSENT_EXIT_CODE
    searched = f"{counted(stats.symbols, 'symbol')} in {counted(stats.files, 'indexed file')}"
    most = min(arguments.limit, _MOST_NAMESAKES)
    for found, lines in zip(absent, there, strict=True):
        said = "".join(f" {sentence}" for sentence in (*grounds(found, _name, lines), *gaps(stats, str)))
        name = repr(clean_name(found.name))
        if found.namesakes:
            unproved = f"No definition is called {name} in full, which does not prove that there is none."
            start = (
                unproved if lines or not stats.is_whole or not found.is_proved_absent else f"There is no {name} here."
            )
            print(f"{start}{said}")
            _print_lines(lines if found.is_no_member else [])
            print(f"{clean_name(found.namesakes[0].name)!r} by itself is:")
            for one in found.namesakes[:most]:
                print(f"  {_place(one)}  {one.kind.value} {_title(one)}")
            _print_rest(len(found.namesakes) - most, "definition", indent="  ")
            continue
        if lines:
            start = f"No definition is called {name} among the {searched}"
            print(f"{start}.{said} It is written here:" if said else f"{start}, but it is written here:")
            _print_lines(lines)
        elif not stats.is_whole:
            print(f"No definition is called {name} among the {searched}.{said}")
        else:
            print(f"There is no {name} here: it is not among the {searched}.{said}")
        if found.nearest:
            print(f"  nearest: {', '.join(map(_name, found.nearest))}")
    _print_part(adapters)
    return ABSENT_EXIT_CODE


def _print_part(adapters: Adapters) -> None:
    """Print that there is more of a repository than the folder that was looked at."""
    root = adapters.workspace.info.root
    tree = find_work_tree(root)
    if tree is not None and tree.top.resolve() != Path(root).resolve():
        print(f"Only this folder was looked at; the rest of the repository is in {clean(str(tree.top))}.")


def _print_written(one: Symbol, adapters: Adapters) -> None:
    """Print where the name of a definition stands whose uses the graph does not hold."""
    others = written_anywhere(adapters.graph, adapters.workspace.read_text, one.name, besides=one)
    unseen = f"What uses it is not followed in {one.language}"
    if one.kind in MEMBER_KINDS:
        unseen = f"What uses a {one.kind} without the name of its type is not followed"
    print(f"{unseen}{'; its name stands here:' if others else '.'}")
    _print_lines(others)


def _print_lines(lines: Iterable[Written]) -> None:
    print("".join(f"  {clean_name(one.path)}:{one.line}  {_name(one.text)}\n" for one in lines), end="")


def _print_respelling(found: Found) -> None:
    if found.standing is not None:
        print(f"{meaning(found.standing, _name)}, so {clean_name(found.name)!r} is {_name(found.respelled)!r}.")
    elif found.is_other_spelling:
        print(f"No definition is called {clean_name(found.name)!r}; this is {_name(found.respelled)!r}.")
    elif found.respelled:
        print(f"{clean_name(found.name)!r} means {_name(found.respelled)!r}.")


def _definition_object(graph: CodeGraph, one: Symbol) -> dict[str, object]:
    """Return a definition with how much it is used and what it holds."""
    inner = [{"kind": part.kind.value, "symbol": part.dotted, "line": part.header_line} for part in members(graph, one)]
    return {**symbol_object(one), "references": len(references(graph, one)), "members": inner}


def _definition_lines(graph: CodeGraph, one: Symbol) -> Iterable[str]:
    yield f"{_place(one)}  {one.kind.value} {_title(one)}"
    decorators = [_cut(text, _LONGEST_DECORATOR) for text in one.decorators[:4]]
    yield from (f"    {clean(text)}" for text in (*decorators, one.signature) if text)
    if one.doc:
        yield f"    {clean(' '.join(one.doc.split()))}"
    inner = members(graph, one)
    facts = [
        f"lines {one.start_line}-{one.end_line}" if one.start_line < one.end_line else f"line {one.start_line}",
        counted(len(_reference_lines(references(graph, one))), "reference"),
    ]
    yield "    " + ", ".join([*facts, *([counted(len(inner), "member")] if inner else [])])


def _reference_lines(made: Sequence[Reference]) -> list[str]:
    """Return a line per place; a test that calls what it tests does both in one place."""
    places: dict[tuple[str, int], list[Reference]] = {}
    for row in made:
        places.setdefault((row.source.id, row.line), []).append(row)
    return [_reference_line(rows) for rows in places.values()]


def _reference_line(rows: Sequence[Reference]) -> str:
    source = rows[0].source
    doubt = " ?" if all(row.edge.resolution in UNSURE for row in rows) else ""
    verbs = " and ".join(VERBS.get(row.edge.kind, row.edge.kind.value) for row in rows)
    return f"  {clean_name(source.path)}:{rows[0].line}  {_title(source)} {verbs} it{doubt}"


def _print_chain(made: Chain, limit: int) -> None:
    start, end = _title(made.start), _title(made.end)
    if made.start == made.end:
        print(f"Both names mean {start} at {_place(made.start)}.")
        return
    if not made.steps:
        print(f"The graph holds no chain of calls, imports, references or inheritance between {start} and {end}.")
        return
    if made.is_reversed:
        print(f"Nothing leads from {start} to {end}; the other way round:")
    steps = made.steps
    print(f"{counted(len(steps), 'step')} from {_title(steps[0].source)}, {_place(steps[0].source)}")
    first, last = (
        (steps, ()) if len(steps) <= limit else (steps[: limit - limit // 2], steps[len(steps) - limit // 2 :])
    )
    print("\n".join(map(_step_line, first)))
    _print_rest(len(steps) - len(first) - len(last), "step", indent="  ")
    print("\n".join(map(_step_line, last)), end="\n" if last else "")
    if any(step.edge.resolution in UNSURE for step in (*first, *last)):
        print("? found by name alone")


def _step_line(step: Step) -> str:
    line = step.edge.line or step.target.header_line
    doubt = " ?" if step.edge.resolution in UNSURE else ""
    verb = VERBS.get(step.edge.kind, step.edge.kind.value)
    return f"  {verb} {_title(step.target)}{doubt}  at {clean_name(step.source.path)}:{line}"


def _print_rows(rows: list[str], limit: int) -> None:
    print("\n".join(rows[:limit]), end="\n" if rows else "")
    _print_rest(len(rows) - limit, "row", indent="  ")


def _print_rest(count: int, noun: str, *, indent: str = "") -> None:
    if count > 0:
        print(
            f"{indent}… {thousands(count)} more {noun}{'s' if count > 1 else ''}; --limit shows more, --format json all"
        )


def _place(one: Symbol) -> str:
    return f"{clean_name(one.path)}:{one.header_line or one.start_line or 1}"


def _title(one: Symbol) -> str:
    return _name(one.module if one.kind is SymbolKind.MODULE else one.dotted)


def _name(text: str) -> str:
    return clean_name(_cut(text, _LONGEST_NAME))


def _cut(text: str, limit_chars: int) -> str:
    """Return a text without its middle when it is long: names differ in how they begin and end."""
    half = limit_chars // 2
    return text if len(text) <= limit_chars else f"{text[:half]}…{text[-half:]}"
