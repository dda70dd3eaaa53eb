"""Languages by file name, and their grammars: the one place that loads the official grammar wheels."""

import os
import re
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.codegraph.outline.known import BY_NAME, BY_SUFFIX, INFRASTRUCTURE, rows
from ctxcode.model.naming.folder import is_infrastructure_path

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

    Captures = dict[str, list[Node]]


_PLACE = attrgetter("byte_range")
FACTS_VERSION = 88
"""Raise it when facts change shape, or extractors or the resolver find other things: all is then made again."""


class _Grammar(NamedTuple):
    """Where a language's grammar and query come from."""

    distribution: str
    module: str
    factory: str
    queries: tuple[str, ...]
    """Files of ``queries/``; together they are the language's one query."""


class LoadedGrammar(NamedTuple):
    """A grammar and its compiled query; kept for the life of the process."""

    language: "Language"
    query: "Query"
    """The captures its extractor asks for."""


_GRAMMARS = {
    "python": _Grammar("tree-sitter-python", "tree_sitter_python", "language", ("python",)),
    "javascript": _Grammar(
        "tree-sitter-javascript", "tree_sitter_javascript", "language", ("ecmascript", "javascript", "jsx")
    ),
    "typescript": _Grammar(
        "tree-sitter-typescript", "tree_sitter_typescript", "language_typescript", ("ecmascript", "typescript")
    ),
    "tsx": _Grammar(
        "tree-sitter-typescript", "tree_sitter_typescript", "language_tsx", ("ecmascript", "typescript", "jsx")
    ),
    "rust": _Grammar("tree-sitter-rust", "tree_sitter_rust", "language", ("rust", "names_rust")),
    "go": _Grammar("tree-sitter-go", "tree_sitter_go", "language", ("go", "names_go")),
    "java": _Grammar("tree-sitter-java", "tree_sitter_java", "language", ("java",)),
    "c": _Grammar("tree-sitter-c", "tree_sitter_c", "language", ("c_family", "c", "names_c")),
    "cpp": _Grammar("tree-sitter-cpp", "tree_sitter_cpp", "language", ("c_family", "cpp", "names_cpp")),
    "csharp": _Grammar("tree-sitter-c-sharp", "tree_sitter_c_sharp", "language", ("csharp",)),
    "ruby": _Grammar("tree-sitter-ruby", "tree_sitter_ruby", "language", ("ruby",)),
    "php": _Grammar("tree-sitter-php", "tree_sitter_php", "language_php", ("php",)),
    "kotlin": _Grammar("tree-sitter-kotlin", "tree_sitter_kotlin", "language", ("kotlin",)),
    "swift": _Grammar("tree-sitter-swift", "tree_sitter_swift", "language", ("swift",)),
    "scala": _Grammar("tree-sitter-scala", "tree_sitter_scala", "language", ("scala",)),
    "bash": _Grammar("tree-sitter-bash", "tree_sitter_bash", "language", ("bash",)),
    "lua": _Grammar("tree-sitter-lua", "tree_sitter_lua", "language", ("lua",)),
}

LANGUAGES = tuple(_GRAMMARS)
_NAMES = rows("""
python      .py .pyi .pyw .ipynb .bzl .star .wsgi .gyp .gypi .smk SConstruct SConscript wscript Snakefile Tiltfile
javascript  .js .jsx .mjs .cjs .es6 Jakefile
typescript  .ts .mts .cts .vue .svelte .astro
tsx         .tsx
rust        .rs
go          .go
java        .java
c           .c
cpp         .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .txx .tcc .inl .cppm .ixx .cu .cuh .hip .ino .pde
csharp      .cs .csx .cake
ruby        .rb .rake .gemspec .podspec .ru .rbi .thor .jbuilder .rabl /.irbrc /.pryrc Rakefile Gemfile Vagrantfile
ruby        Podfile Fastfile Appfile Brewfile Guardfile Capfile Dangerfile Thorfile Berksfile Puppetfile Appraisals
php         .php .phtml .php5 .phpt
kotlin      .kt .kts
swift       .swift
scala       .scala .sc .sbt
bash        .sh .bash .zsh .ksh .bats .ebuild .eclass .zsh-theme PKGBUILD APKBUILD /.bashrc /.bash_profile /.bash_login
bash        /.bash_logout /.bash_aliases /.kshrc /.profile /.zshrc /.zshenv /.zprofile /.zlogin /.zlogout
lua         .lua .rockspec .nse
""")
"""Endings, and whole names; behind a slash those that begin with a dot."""
_BY_SUFFIX = {**BY_SUFFIX, **{name: language for name, language in _NAMES if name.startswith(".")}}
_BY_NAME = {**BY_NAME, **{name.lstrip("/"): language for name, language in _NAMES if not name.startswith(".")}}


def language_of(path: str) -> str | None:
    """Return the language a file name speaks of, or None; ``path`` uses forward slashes.

    YAML, JSON and plain text below the folders at the top are data, no settings, but for files of known names.
    """
    name = path.rpartition("/")[2]
    language = _language_of_name(name)
    if language == "yaml" and is_infrastructure_path(path):
        return INFRASTRUCTURE
    if name in _LOCKS or (language in _DATA and _is_data(path, name)):
        return None
    return language


_DATA = frozenset({"yaml", "json", "xml", "rst", "text"})
_DATA_ENDINGS = (".yaml", ".yml", ".json", ".jsonc", ".xml", ".txt", ".in", ".example", ".sample", ".template")
_SETTINGS = frozenset({
    *("package.json", "tsconfig.json", "jsconfig.json", "composer.json", "Chart.yaml", "values.yaml"),
    *("pom.xml", "AndroidManifest.xml", "CMakeLists.txt"),
})  # fmt: skip
_READ = re.compile(r"(?:^|/)(?:docs?|res/(?:layout|menu|navigation|values|xml)[\w-]*)/", re.IGNORECASE)
"""Folders of documents, and of what an application of Android shows."""
_LOCKS = frozenset({"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "composer.lock"})
"""Settings that programs write."""


def _is_data(path: str, name: str) -> bool:
    is_low = path.count("/") > 1 and not path.startswith(".")
    if not is_low or name in _SETTINGS or not name.endswith(_DATA_ENDINGS):
        return False
    return not (name.endswith((".xml", ".txt")) and _READ.search(path))


@lru_cache(maxsize=20_000)
def _language_of_name(name: str) -> str | None:
    """Tell by the name alone; a repository has far fewer names than files."""
    stem, dot, suffix = name.rpartition(".")
    by_suffix = _BY_SUFFIX.get(f".{suffix.lower()}") if dot and stem else None
    return _BY_NAME.get(name) or by_suffix


@cache
def load_grammar(language: str) -> LoadedGrammar:
    """Return a language's grammar with its compiled query.

    Raises KeyError for a language that is not known, ImportError, OSError or ValueError for a broken installation.
    """
    from tree_sitter import Query  # noqa: PLC0415 - only workers and the doctor pay for the grammars

    loaded = open_grammar(language)
    return LoadedGrammar(loaded, Query(loaded, _query_text(_GRAMMARS[language].queries)))


def open_grammar(language: str) -> "Language":
    """Return a language's grammar alone, which is a hundred times quicker. Raises as ``load_grammar`` does."""
    from tree_sitter import Language  # noqa: PLC0415 - see load_grammar

    grammar = _GRAMMARS[language]
    return Language(getattr(import_module(grammar.module), grammar.factory)())


def errors_in(root: "Node") -> "list[Node]":
    """Return what a parser could not make sense of below a node, ERROR and MISSING, in source order."""
    found, waiting = list["Node"](), [root] if root.has_error else []
    # A query would go through all of the tree, which takes a fifth of the time it takes to parse.
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        # Of a sign that no token begins with a node does not say that it has an error.
        waiting += [child for child in reversed(node.children) if child.has_error or child.is_error or child.is_missing]
    found.sort(key=_PLACE)
    return found


def query_of(language: "Language", name: str) -> "Query":
    """Return one of the other queries, by its file's name, compiled for a grammar."""
    from tree_sitter import Query  # noqa: PLC0415 - see load_grammar

    return Query(language, _query_text((name,)))


def captured(query: "Query", root: "Node") -> "Captures":
    """Return what a query finds below a node: names to their nodes, in source order.

    The library returns them in the order of their addresses in memory, which is another one in every process.
    """
    from tree_sitter import QueryCursor  # noqa: PLC0415 - see load_grammar

    captures: Captures = QueryCursor(query).captures(root)
    for nodes in captures.values():
        if len(nodes) > 1:
            nodes.sort(key=_PLACE)
    return captures


def _query_text(names: tuple[str, ...]) -> str:
    folder = Path(__file__).parent / "queries"
    return "\n".join((folder / f"{name}.scm").read_text("utf-8") for name in names)


def grammar_versions() -> dict[str, str]:
    """Return each language's grammar version, and the parser's own under ``tree-sitter``; ``missing`` if not there."""
    wanted = {name: (grammar.distribution, grammar.module) for name, grammar in _GRAMMARS.items()}
    wanted["tree-sitter"] = ("tree-sitter", "tree_sitter")
    return {name: _version(*places) for name, places in wanted.items()}


@cache
def _version(distribution: str, module: str) -> str:
    """Return a distribution's version by the name of its folder beside the module; ``importlib.metadata`` is slow."""
    spec = find_spec(module)
    if spec is None:
        return "missing"
    start = f"{module}-"
    for place in spec.submodule_search_locations or ():
        found = [name for name in _names_in(str(Path(place).parent)) if name.startswith(start)]
        if len(found) == 1:
            return found[0].removeprefix(start).removesuffix(_METADATA_ENDING)
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - for unusual installations only

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "missing"


_METADATA_ENDING = ".dist-info"


@cache
def _names_in(folder: str) -> tuple[str, ...]:
    """Return the names of the metadata folders in a folder."""
    try:
        with os.scandir(folder) as entries:
            return tuple(entry.name for entry in entries if entry.name.endswith(_METADATA_ENDING))
    except OSError:
        return ()
