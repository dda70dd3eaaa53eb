"""The landmarks of a repository: where it is entered, and the definitions most else rests on."""

import tomllib
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError

from ctxcode.model.errors import RepositoryError
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.plan import Reason, ReasonType
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.ports import CodeGraph, Workspace

_CENTRAL_CANDIDATES = 24
_ENTRY_SHARE = 3
"""One in so many landmarks may be an entry point."""
_PYTHON_TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))


def landmarks(graph: CodeGraph, workspace: Workspace, limit: int) -> tuple[tuple[Symbol, Reason], ...]:
    """Return entry points, then central definitions, best first: more than ``limit``, as not all may fit.

    Both are of the product's own code, where there is any, and of namesakes only the first is taken.
    """
    found = list(_entry_points(graph, workspace))[: max(limit // _ENTRY_SHARE, 1)] if limit > 0 else []
    central = graph.central(_CENTRAL_CANDIDATES) if limit > 0 else ()
    own = [pair for pair in central if _is_own(pair[0])] or central
    found += [(symbol, Reason(ReasonType.CENTRAL, rank)) for symbol, rank in own]
    first: dict[str, tuple[Symbol, Reason]] = {}
    for symbol, reason in found:
        first.setdefault(symbol.name, (symbol, reason))
    return tuple(first.values())


def _entry_points(graph: CodeGraph, workspace: Workspace) -> Iterator[tuple[Symbol, Reason]]:
    """Yield what installed scripts run, then functions called ``main``, outer ones first."""
    for name, target in _scripts(workspace):
        for symbol in graph.symbols_named(target.replace(":", "."))[:1]:
            yield symbol, Reason(ReasonType.CENTRAL, subject=f"runs as {name}")
    mains = [one for one in graph.symbols_named("main") if _is_callable(one) and _is_own(one)]
    for symbol in sorted(mains, key=lambda one: (one.path.count("/"), one.qualname.count("."), one.id)):
        yield symbol, Reason(ReasonType.CENTRAL, subject="entry point")


def _is_callable(symbol: Symbol) -> bool:
    return symbol.kind in {SymbolKind.FUNCTION, SymbolKind.METHOD} and symbol.qualname.count(".") < 2


def _is_own(symbol: Symbol) -> bool:
    return not is_side_path(symbol.path) and not is_foreign_path(symbol.path)


def _scripts(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, ``module:function``) pairs that a Python project installs as commands, by name."""
    found: dict[str, str] = {}
    try:
        manifest: object = tomllib.loads(workspace.read_text("pyproject.toml"))
        for place in _PYTHON_TABLES:
            found.update(_pairs(manifest, place))
    except (RepositoryError, tomllib.TOMLDecodeError, RecursionError):
        found = {}
    try:
        written = ConfigParser(interpolation=None)
        written.read_string(workspace.read_text("setup.cfg"))
        lines = written.get("options.entry_points", "console_scripts", fallback="").splitlines()
        found.update(
            (name.strip(), target.strip()) for name, sign, target in (row.partition("=") for row in lines) if sign
        )
    except (RepositoryError, ConfigError):
        pass
    return sorted(found.items())


def _pairs(manifest: object, place: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in place:
        manifest = manifest.get(key) if isinstance(manifest, dict) else None
    for name, target in manifest.items() if isinstance(manifest, dict) else ():
        if isinstance(target, str):
            yield str(name), target.partition("[")[0].strip()
