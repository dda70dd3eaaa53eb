"""Where a project is entered: commands it installs, functions called ``main``, routes, what a package offers."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from posixpath import basename, normpath

from ctxcode.model.errors import RepositoryError
from ctxcode.model.ids import SymbolId
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind
from ctxcode.session.look.mains import below, mains
from ctxcode.session.look.routes.known import routes
from ctxcode.session.ports import CodeGraph, Workspace

_PYTHON_TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))
_SCRIPTS_OPTION = "console_scripts"
_EXE, _BIN, _GEM = "exe", "bin", ".gemspec"
_BINDIR = re.compile(r"\.bindir\s*+=\s*+[\"']([\w./-]++)[\"']")
_EXECUTABLES = re.compile(
    r"\.executables\s*+(?:=|<<)\s*+(\[[^\]\n]{0,500}\]|%w[\[({][^\])}\n]{0,500}|[\"'][\w.-]++[\"'])"
)
_COMMAND = re.compile(r"[\w.-]++")
_BUILT = re.compile(r"^(?:dist|build|lib|out|es|esm|cjs)/")
_ENDINGS = ("", ".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js")
_API_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.TRAIT})
_PLAIN = frozenset({SymbolKind.FUNCTION})
_OFFERED = frozenset({EdgeKind.RE_EXPORTS, EdgeKind.IMPORTS})
_MOST_EXPORTS = 8
_RUN = frozenset({"cli", "main", "run", "start"})
"""What is called so in a command's file is what it runs."""
_GO_MODULE = re.compile(r"^module[ \t]+(?:\S*/)?(?!v\d+\b)([\w.-]++)(?:/v\d+)?[ \t]*(?://.*)?\r?$", re.MULTILINE)


def entry_points(graph: CodeGraph, workspace: Workspace, central: Sequence[SymbolId]) -> Iterator[tuple[Symbol, str]]:
    """Yield (definition, why): what starts the product, what answers requests, what is offered, best first.

    Of what starts it one comes before the first route, the others behind it: few are told. Of much that is offered,
    what is among the ``central`` ones comes first, then types before functions.
    """
    manifest = _package(workspace)
    starts = _starts(graph, workspace, manifest)
    first = next(starts, None)
    if first is not None:
        yield first
    answers = ((one, "a route") for one in routes(graph, workspace) if first is None or one.id != first[0].id)
    yield from islice(answers, 1)
    yield from starts
    yield from answers
    places = {id_: place for place, id_ in enumerate(central)}
    for path in (*_exports(manifest), *_crates(workspace)):
        offered = sorted(_offered(graph, path), key=lambda one: (places.get(one.id, len(places)), one.kind in _PLAIN))
        yield from ((symbol, "what the package offers") for symbol in offered[:2])


def _starts(graph: CodeGraph, workspace: Workspace, manifest: dict[str, object]) -> Iterator[tuple[Symbol, str]]:
    """Yield the commands that a project installs, then ``main`` functions."""
    for name, target in _scripts(workspace):
        for symbol in graph.symbols_named(target.replace(":", "."))[:1]:
            yield symbol, f"runs as {name}"
    for name, path in _commands(manifest):
        yield from ((symbol, f"runs as {name}") for symbol in _entered(graph, path, name))
    for name, path in (*_binaries(workspace), *_go_commands(workspace)):
        yield from ((one, f"runs as {name}") for one in graph.symbols_in(path) if one.qualname == "main")
    for name, path in (*_gem_commands(graph, workspace), *_composer_commands(workspace)):
        yield from ((symbol, f"runs as {name}") for symbol in graph.symbols_in(path)[:1])
    yield from ((symbol, "entry point") for symbol in mains(graph))


def _scripts(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, ``module:function``) pairs that a Python project installs as commands, by name."""
    found: dict[str, str] = {}
    manifest = _toml(workspace, "pyproject.toml")
    for place in _PYTHON_TABLES:
        found.update(_pairs(manifest, place))
    lines = _set_up(workspace).splitlines()
    found.update((name.strip(), target.strip()) for name, sign, target in (row.partition("=") for row in lines) if sign)
    return sorted(found.items())


def _toml(workspace: Workspace, path: str) -> object:
    """Return what a TOML file says; None when there is none that makes sense."""
    try:
        text = workspace.read_text(path)
    except RepositoryError:
        return None
    return _read_toml(text)


@lru_cache(maxsize=4)
def _read_toml(text: str) -> object:
    """Return what a text says, the same object for the same text: every plan asks."""
    # Few repositories have both kinds of manifest, and each parser takes as long to load as a file to read.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _set_up(workspace: Workspace) -> str:
    """Return the commands ``setup.cfg`` lists, a line each."""
    try:
        text = workspace.read_text("setup.cfg")
    except RepositoryError:
        return ""
    if _SCRIPTS_OPTION not in text.lower():
        return ""
    import configparser  # noqa: PLC0415 - see _read_toml

    written = configparser.ConfigParser(interpolation=None)
    try:
        written.read_string(text)
        return written.get("options.entry_points", _SCRIPTS_OPTION, fallback="")
    except configparser.Error:
        return ""


def _pairs(manifest: object, place: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in place:
        manifest = manifest.get(key) if isinstance(manifest, dict) else None
    for name, target in manifest.items() if isinstance(manifest, dict) else ():
        if isinstance(target, str):
            yield str(name), target.partition("[")[0].strip()


def _package(workspace: Workspace, path: str = "package.json") -> dict[str, object]:
    """Return what ``package.json``, or a file like it, says; empty when there is none that makes sense."""
    try:
        found: object = json.loads(workspace.read_text(path))
    except (RepositoryError, ValueError, RecursionError):
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


def _commands(manifest: dict[str, object]) -> list[tuple[str, str]]:
    """Return the (name, path) pairs that a package installs as commands, by name."""
    commands, name = manifest.get("bin"), manifest.get("name")
    if isinstance(commands, str):
        return [(str(name or "a command"), commands)]
    found = commands.items() if isinstance(commands, dict) else ()
    return sorted((str(key), path) for key, path in found if isinstance(path, str))


def _binaries(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the programs a crate lists, the one called like the crate first.

    A program without a path has several, where it may be.
    """
    manifest = _toml(workspace, "Cargo.toml")
    said = manifest if isinstance(manifest, dict) else {}
    listed, crate = said.get("bin"), said.get("package")
    names = [crate.get(key) for key in ("default-run", "name")] if isinstance(crate, dict) else [None]
    found: list[tuple[str, str]] = []
    for one in listed if isinstance(listed, list) else ():
        name, path = (one.get("name"), one.get("path")) if isinstance(one, dict) else (None, None)
        if isinstance(name, str):
            usual = [f"src/bin/{name}.rs", f"src/bin/{name}/main.rs", *(["src/main.rs"] if name == names[-1] else [])]
            found += [(name, where) for where in ([normpath(path)] if isinstance(path, str) else usual)]
    return sorted(found, key=lambda each: each[0] not in names)


def _go_commands(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, path) of the program that is called like the module: ``cmd/shop`` of ``host.org/shop``."""
    try:
        found = _GO_MODULE.search(workspace.read_text("go.mod"))
    except RepositoryError:
        return []
    return [(found[1], f"cmd/{found[1]}/main.go")] if found is not None else []


def _gem_commands(graph: CodeGraph, workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the commands that a gem installs, as it lists them.

    One that lists none by name installs all of the folder that it names, by custom ``exe``.
    """
    modules = graph.modules()
    manifest = next((entry.path for entry in modules if entry.path.endswith(_GEM) and "/" not in entry.path), "")
    try:
        said = workspace.read_text(manifest) if manifest else ""
    except RepositoryError:
        said = ""
    folder, listed = _BINDIR.search(said), _EXECUTABLES.search(said)
    names = _COMMAND.findall(listed[1].removeprefix("%w")) if listed is not None else []
    place = normpath(folder[1]) if folder is not None else _BIN if names else _EXE
    paths = [entry.path for entry in below(modules, f"{place}/") if entry.path.count("/") == place.count("/") + 1]
    found = {basename(path): path for path in paths} if manifest else {}
    return [(name, found[name]) for name in (names or found) if name in found]


def _composer_commands(workspace: Workspace) -> list[tuple[str, str]]:
    """Return the (name, path) pairs of the commands that a package of PHP installs."""
    said = _package(workspace, "composer.json").get("bin")
    paths = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    return [(basename(path), normpath(path)) for path in paths if isinstance(path, str)]


def _exports(manifest: dict[str, object]) -> list[str]:
    """Return the paths of what importing a package gives, the main one first."""
    found: list[str] = []
    pending = [manifest.get(key) for key in ("source", "main", "module", "exports")]
    while pending and len(found) < _MOST_EXPORTS:
        value = pending.pop(0)
        if isinstance(value, str) and "*" not in value:
            found.append(value)
        elif isinstance(value, dict):
            pending.extend(value.values())
    return list(dict.fromkeys(found)) or (["index.js"] if manifest else [])


def _crates(workspace: Workspace) -> list[str]:
    """Return the path of what using a crate gives."""
    manifest = _toml(workspace, "Cargo.toml")
    if manifest is None:
        return []
    library = manifest.get("lib") if isinstance(manifest, dict) else None
    path = library.get("path") if isinstance(library, dict) else None
    return [path if isinstance(path, str) else "src/lib.rs"]


def _entered(graph: CodeGraph, path: str, command: str) -> list[Symbol]:
    """Return what of the file of a command is run: the function that is called so, else all of the script."""
    symbols = _file(graph, path)
    public = _public(symbols)
    named = [one for one in public if one.name in {*_RUN, command}]
    return (named or (not public and _passed_on(graph, symbols[0])) or list(symbols))[:1] if symbols else []


def _offered(graph: CodeGraph, path: str) -> list[Symbol]:
    """Return the public functions and classes of the file a manifest names, or of the file that one passes on."""
    symbols = _file(graph, path)
    return (_public(symbols) or _passed_on(graph, symbols[0])) if symbols else []


def _file(graph: CodeGraph, path: str) -> tuple[Symbol, ...]:
    """Return the definitions of a file that a manifest names, the module first.

    What is built is looked for where its source would be.
    """
    plain = normpath(path.removeprefix("./"))
    stems = [plain, re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", plain)]
    stems += [_BUILT.sub("src/", stem) if _BUILT.match(stem) else f"src/{stem}" for stem in stems]
    found = (graph.symbols_in(f"{stem}{ending}") for stem in stems for ending in _ENDINGS)
    return next(filter(None, found), ())


def _passed_on(graph: CodeGraph, module: Symbol) -> list[Symbol]:
    """Return what a module takes from others to offer it, in the order it does so."""
    edges = [edge for edge in graph.edges_of(module.id) if edge.source == module.id and edge.kind in _OFFERED]
    targets = dict.fromkeys(edge.target for edge in sorted(edges, key=lambda edge: (edge.line, edge.target)))
    known = graph.symbols(targets)
    found = [known[id_] for id_ in targets if id_ in known]
    named = [one for one in found if one.kind in _API_KINDS]
    return named or [one for module in found for one in _public(graph.symbols_in(module.path))]


def _public(symbols: tuple[Symbol, ...]) -> list[Symbol]:
    return [one for one in symbols if one.kind in _API_KINDS and one.visibility == "public" and "." not in one.qualname]
