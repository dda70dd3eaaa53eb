"""Where a project is entered: commands it installs, functions called ``main``, routes, what a package offers."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.commands.gem import gem_commands
from ctxcode.session.look.commands.listed import binaries, composer_commands, go_commands, package_commands
from ctxcode.session.look.commands.packages import packages
from ctxcode.session.look.commands.python import python_commands
from ctxcode.session.look.commands.reading import package
from ctxcode.session.look.fronts import fronts
from ctxcode.session.look.mains import is_for_workers, mains
from ctxcode.session.look.offer import crates, entered, exports, offered
from ctxcode.session.look.routes.known import routes
from ctxcode.session.ports import CodeGraph, FileTexts

_PLAIN = frozenset({SymbolKind.FUNCTION})
_MOST_OFFERING = 4
"""Packages of one repository whose offer is told."""
_MOST_COMMANDS = 50
"""Of one kind and package that are looked for; a file is looked for under many names."""


def entry_points(graph: CodeGraph, workspace: FileTexts, central: Sequence[SymbolId]) -> Iterator[tuple[Symbol, str]]:
    """Yield (definition, why), each once: what starts the product, answers requests or is offered, best first.

    Of what starts it one comes before the first route, the others behind it: few are told. Of much that is offered,
    what is among the ``central`` ones comes first, then types before functions.
    """
    known = set[SymbolId]()
    for one, why in _every(graph, workspace, central):
        if one.id not in known:
            known.add(one.id)
            yield one, why


def _every(graph: CodeGraph, workspace: FileTexts, central: Sequence[SymbolId]) -> Iterator[tuple[Symbol, str]]:
    starts = _starts(graph, workspace)
    first = next(starts, None)
    if first is not None:
        yield first
    answers = ((one, "a route") for one in routes(graph, workspace) if first is None or one.id != first[0].id)
    yield from islice(answers, 1)
    yield from starts
    yield from answers
    places = {id_: place for place, id_ in enumerate(central)}
    for folder in ("", *packages(graph)[:_MOST_OFFERING]):
        manifest = package(workspace, f"{folder}package.json")
        for path in (*exports(manifest), *crates(workspace, folder)):
            found = offered(graph, (folder, path))
            found.sort(key=lambda one: (places.get(one.id, len(places)), one.kind in _PLAIN))
            yield from ((symbol, "what the package offers") for symbol in found[:2])


def _starts(graph: CodeGraph, workspace: FileTexts) -> Iterator[tuple[Symbol, str]]:
    """Yield the commands that a project installs, then those of the packages in it, then ``main`` functions.

    Where something is installed, what helps those who work on it is no way in.
    """
    is_installed = False
    for one in _commands(graph, workspace):
        is_installed = True
        yield one
    others = (*mains(graph, workspace), *fronts(graph))
    yield from ((one, "entry point") for one in others if not (is_installed and is_for_workers(one)))


def _commands(graph: CodeGraph, workspace: FileTexts) -> Iterator[tuple[Symbol, str]]:
    yield from _installed(graph, workspace, "")
    for name, path in (*gem_commands(graph, workspace), *composer_commands(workspace)[:_MOST_COMMANDS]):
        yield from ((symbol, f"runs as {name}") for symbol in graph.symbols_in(path)[:1])
    for folder in packages(graph):
        yield from _installed(graph, workspace, folder)


def _installed(graph: CodeGraph, workspace: FileTexts, folder: str) -> Iterator[tuple[Symbol, str]]:
    """Yield what the package in a folder installs as commands."""
    for name, target in python_commands(workspace, folder)[:_MOST_COMMANDS]:
        named = [one for one in graph.symbols_named(target.replace(":", ".")) if one.path.startswith(folder)]
        yield from ((symbol, f"runs as {name}") for symbol in named[:1])
    for name, path in package_commands(package(workspace, f"{folder}package.json"))[:_MOST_COMMANDS]:
        yield from ((symbol, f"runs as {name}") for symbol in entered(graph, (folder, path), name))
    for name, path in (*binaries(workspace, folder)[:_MOST_COMMANDS], *go_commands(workspace, folder)):
        yield from _main_of(graph, path, name)


def _main_of(graph: CodeGraph, path: str, name: str) -> Iterator[tuple[Symbol, str]]:
    yield from ((one, f"runs as {name}") for one in graph.symbols_in(path) if one.qualname == "main")
