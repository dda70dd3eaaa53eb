"""The answer about what is defined elsewhere: which files import it."""

from ctxcode.llm.navigator.edges.relation import MAX_ROWS
from ctxcode.llm.navigator.graph_port import NavigableGraph
from ctxcode.llm.navigator.imports import importing
from ctxcode.llm.navigator.lookup import Found
from ctxcode.llm.navigator.markdown import bounded, code
from ctxcode.model.naming.number import counted


def importers(graph: NavigableGraph, name: str, found: Found) -> list[str]:
    """Return who imports what a name means elsewhere; nothing where nobody does.

    ``name`` is as it was asked for, and ``found`` what it means here.
    """
    made, stats = importing(graph, name, found), graph.stats()
    if not made:
        return []
    files = counted(len({one.path for one in made}), "file")
    searched = f"{counted(stats.symbols, 'symbol')} in {counted(stats.files, 'indexed file')}"
    unknown = "" if found.symbols else f"No definition is called {code(name)} among the {searched}. "
    rows = [f"- {code(f'{one.path}:{one.line}')} {code(one.text)}" for one in made]
    return [f"{unknown}Imports that lead to no definition here, in {files}:", "", *bounded(rows, MAX_ROWS)]
