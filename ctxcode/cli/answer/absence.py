"""The proof that a name does not exist, or where it may stand, as the commands print it."""

import json
from dataclasses import replace
from pathlib import Path

from ctxcode.cli.answer.words import name_text, place_text, print_lines, print_rest, title_text
from ctxcode.cli.arguments import Arguments
from ctxcode.llm.navigator.absence import gaps, grounds, written
from ctxcode.llm.navigator.lookup import Found
from ctxcode.model.naming.number import counted
from ctxcode.model.source import IndexReport
from ctxcode.session.adapters import Adapters
from ctxcode.session.look.report import absence_object
from ctxcode.tui.clean import clean, clean_name
from ctxcode.workspace.git import find_work_tree

ABSENT_EXIT_CODE = 1
_MOST_NAMESAKES = 10
"""Told of what is called like the last part of a name that is not there."""


def say_absent(absent: list[Found], adapters: Adapters, report: IndexReport, arguments: Arguments) -> int:
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
        said = "".join(f" {sentence}" for sentence in (*grounds(found, name_text, lines), *gaps(stats, str)))
        name = repr(clean_name(found.name))
        if found.namesakes:
            unproved = f"No definition is called {name} in full, which does not prove that there is none."
            start = (
                unproved if lines or not stats.is_whole or not found.is_proved_absent else f"There is no {name} here."
            )
            print(f"{start}{said}")
            print_lines(lines if found.is_no_member else [])
            print(f"{clean_name(found.namesakes[0].name)!r} by itself is:")
            for one in found.namesakes[:most]:
                print(f"  {place_text(one)}  {one.kind.value} {title_text(one)}")
            print_rest(len(found.namesakes) - most, "definition", indent="  ")
            continue
        if lines:
            start = f"No definition is called {name} among the {searched}"
            print(f"{start}.{said} It is written here:" if said else f"{start}, but it is written here:")
            print_lines(lines)
        elif not stats.is_whole:
            print(f"No definition is called {name} among the {searched}.{said}")
        else:
            print(f"There is no {name} here: it is not among the {searched}.{said}")
        if found.nearest:
            print(f"  nearest: {', '.join(map(name_text, found.nearest))}")
    print_part(adapters)
    return ABSENT_EXIT_CODE


def print_part(adapters: Adapters) -> None:
    """Print that there is more of a repository than the folder that was looked at."""
    root = adapters.workspace.info.root
    tree = find_work_tree(root)
    if tree is not None and tree.top.resolve() != Path(root).resolve():
        print(f"Only this folder was looked at; the rest of the repository is in {clean(str(tree.top))}.")
