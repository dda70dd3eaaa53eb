"""Commands that look into the graph: map, symbol, refs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ctxcode.cli.answer.absence import print_part, say_absent
from ctxcode.cli.answer.readiness import ready
from ctxcode.cli.answer.words import (
    name_text,
    place_text,
    print_lines,
    print_respelling,
    print_rest,
    shortened,
    title_text,
)
from ctxcode.cli.arguments import Arguments
from ctxcode.llm.navigator.absence import meaning, written_anywhere
from ctxcode.llm.navigator.edges.relation import VERBS
from ctxcode.llm.navigator.imports import Importing, importing
from ctxcode.llm.navigator.lookup import Found, find, members
from ctxcode.model.naming.number import counted
from ctxcode.model.symbol import MEMBER_KINDS, UNSURE, IndexStats, Symbol
from ctxcode.session.adapters import Adapters
from ctxcode.session.look.graph import Reference, is_followed, references, scaffold_map
from ctxcode.session.look.report import map_object, reference_object, symbol_object
from ctxcode.session.ports import CodeGraph
from ctxcode.tui.clean import clean, clean_name

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck

_LONGEST_DECORATOR = 300
"""Characters that are printed; JSON has all."""


def show_map(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print the scaffold as the model sees it."""
    application, _ = ready(arguments, environment, check)
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
    application, report = ready(arguments, environment, check)
    adapters = application.adapters
    graph, found = adapters.graph, find(adapters.graph, arguments.query)
    if not found.symbols:
        return say_absent([found], adapters, report, arguments)
    if arguments.format == "json":
        rows = [_definition_object(graph, one) for one in found.symbols]
        print(json.dumps({**_head(found), "definitions": rows}))
        return 0
    print_respelling(found)
    for one in found.symbols[: arguments.limit]:
        print("\n".join(_definition_lines(graph, one)))
    print_rest(len(found.symbols) - arguments.limit, "definition")
    return 0


def refs(arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None") -> int:
    """Print who refers to a name, definition by definition; 1 when there is no such name."""
    application, report = ready(arguments, environment, check)
    adapters = application.adapters
    graph, found = adapters.graph, find(adapters.graph, arguments.query)
    imports = importing(graph, arguments.query, found)
    if not (found.symbols or imports):
        return say_absent([found], adapters, report, arguments)
    listed = [(one, references(graph, one)) for one in found.symbols]
    if arguments.format == "json":
        known = [
            {**symbol_object(one), "references": list(map(reference_object, made)), "followed": is_followed(one)}
            for one, made in listed
        ]
        print(json.dumps({**_head(found), "definitions": known, "imported": [one._asdict() for one in imports]}))
        return 0
    if found.symbols:
        print_respelling(found)
    for one, made in listed:
        if made or one is found.best:
            rows = _reference_lines(made)
            print(f"{counted(len(rows), 'reference')} to {title_text(one)}")
            _print_rows(rows, arguments.limit)
            if not (rows or is_followed(one)):
                _print_written(one, adapters)
    unused = sum(not made for one, made in listed if one is not found.best)
    if unused:
        print(f"{counted(unused, 'other definition')} of that name without a reference")
    if any(row.edge.resolution in UNSURE for _, made in listed for row in made):
        print("? found by name alone")
    _print_imports(found, imports, graph.stats(), arguments.limit)
    if not (imports or any(made for _, made in listed)):
        print_part(adapters)
    return 0


def _head(found: Found) -> dict[str, object]:
    head: dict[str, object] = {"name": found.name, "exists": bool(found.symbols)}
    head |= {"respelled": found.respelled} if found.respelled else {}
    return head | {"because": meaning(found.standing, str)} if found.standing else head


def _print_written(one: Symbol, adapters: Adapters) -> None:
    """Print where the name of a definition stands whose uses the graph does not hold."""
    others = written_anywhere(adapters.graph, adapters.workspace.read_text, one.name, besides=one)
    unseen = f"What uses it is not followed in {one.language}"
    if one.kind in MEMBER_KINDS:
        unseen = f"What uses a {one.kind} without the name of its type is not followed"
    print(f"{unseen}{'; its name stands here:' if others else '.'}")
    print_lines(others)


def _definition_object(graph: CodeGraph, one: Symbol) -> dict[str, object]:
    """Return a definition with how much it is used and what it holds."""
    inner = [{"kind": part.kind.value, "symbol": part.dotted, "line": part.header_line} for part in members(graph, one)]
    return {**symbol_object(one), "references": len(references(graph, one)), "members": inner}


def _definition_lines(graph: CodeGraph, one: Symbol) -> Iterable[str]:
    yield f"{place_text(one)}  {one.kind.value} {title_text(one)}"
    decorators = [shortened(text, _LONGEST_DECORATOR) for text in one.decorators[:4]]
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
    return f"  {clean_name(source.path)}:{rows[0].line}  {title_text(source)} {verbs} it{doubt}"


def _print_imports(found: Found, imports: Sequence[Importing], stats: IndexStats, limit: int) -> None:
    """Print which files import what a name means, where that leads to nothing here."""
    if not imports:
        return
    name, files = clean_name(found.name), counted(len({one.path for one in imports}), "file")
    searched = f"the {counted(stats.symbols, 'symbol')} in {counted(stats.files, 'indexed file')}"
    unknown = "" if found.symbols else f"No definition is called {name!r} among {searched}. "
    print(f"{unknown}Imports that lead to no definition here, in {files}:")
    _print_rows([f"  {clean_name(one.path)}:{one.line}  {name_text(one.text)}" for one in imports], limit)


def _print_rows(rows: list[str], limit: int) -> None:
    print("\n".join(rows[:limit]), end="\n" if rows else "")
    print_rest(len(rows) - limit, "row", indent="  ")
