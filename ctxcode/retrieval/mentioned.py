"""Mentions resolved against the graph: names, paths and lines the user wrote become symbols."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.folder import is_foreign_path, is_side_path
from ctxcode.model.naming.forms import DECLARATIONS
from ctxcode.model.retrieval import Mention, MentionKind, Query
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.place.file import indexed_paths
from ctxcode.retrieval.place.folder import MOST_OF_FOLDER, NamedFolder, central_in
from ctxcode.retrieval.place.name import MOST_NAMESAKES, OF_PLATFORMS, definitions_named, members_like_files, respelled
from ctxcode.retrieval.place.project import project_places

FIRST_TIER = 5.1
"""The mention part of an explicitly mentioned symbol: more than all other parts together."""

_CENTRAL_BONUS = 0.15
"""What the most central definition of a folder has more than the others."""

_STEP = 0.01
"""Keeps explicit mentions in the order they were written."""
_NAME_BONUS = 1.0
_PATH_BONUS = 0.2
_MOST_OF_FILE = 60
_MOST_RESPELLED = 3
"""Looking for what is like a name reads all names: so many mentions of one prompt are worth it."""
_SHORTEST_MISSPELT = 4
_FEW_TERMS = 1
"""Beside a name: so much may be said of the name itself."""
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.TRAIT, SymbolKind.ENUM})
_ASIDE = 0.3
"""What is left of the share of a plain word that only tests define."""
_GUESS = 0.9
"""The share of what a misspelt name may mean: not the first tier, as the name of what is yet to be is like others."""

_GUESS_ELSEWHERE = 0.45
"""The same where the type that is said to have the name is there, and has nothing like it."""

_DECLARED_OPTION = 0.45
"""The share of a field of which code has declarations only."""

_OF_NAMED_FILE = 0.35
"""The share of what stands in a file called like a name that is marked as code: it may be all that is meant."""
_MOST_NAMED_FILES = 3


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A symbol a mention points at."""

    symbol: Symbol
    value: float
    """Its ``mention`` score part."""
    texts: tuple[str, ...]
    """The mentions as written."""
    is_first: bool
    """In the first tier."""
    place: int | None = None
    """Of the first mention that is a place in a trace or file, among all."""
    lines: tuple[int, ...] = ()
    """Its lines that mentions point at, the first one first."""
    is_guess: bool = False
    """No mention is its name; it is the nearest to one."""
    tells: str = ""
    """What it tells of the project, where that is asked; no mention points at it."""


_DECLARING = (*DECLARATIONS, ".pyi")
_SCHEMAS = frozenset({"graphql", "proto"})
"""Languages of which code is made that has the same names."""


def pointed(
    query: Query, graph: SearchableGraph, folders: Sequence[NamedFolder], hits: Mapping[int, Symbol]
) -> dict[int, Mentioned]:
    """Return what a query's mentions point at by node, of full-text ``hits`` those in a named folder."""
    found = {
        node: _in_folder(folder, symbol) for node, symbol in hits.items() for folder in folders if folder.holds(symbol)
    }
    named = mentioned(query, graph, folders)
    nodes = graph.nodes_of(named.keys())
    found.update((nodes[symbol_id], mention) for symbol_id, mention in named.items() if symbol_id in nodes)
    return found


def _in_folder(folder: NamedFolder, symbol: Symbol, more: float = 0.0) -> Mentioned:
    return Mentioned(symbol, folder.value * (1.0 + more), (folder.text,), is_first=False)


def mentioned(query: Query, graph: SearchableGraph, folders: Sequence[NamedFolder] = ()) -> dict[SymbolId, Mentioned]:
    """Return the symbols a query's mentions point at, each with its largest value and all texts.

    Of the named ``folders`` these are the central definitions.
    """
    found = _central(folders, graph)
    guesses_left = _MOST_RESPELLED
    for place, mention in enumerate(query.mentions):
        targets = _targets(mention, query, graph)
        is_place = mention.kind is MentionKind.LINE or bool(mention.name)
        is_guess = not targets and guesses_left > 0 and _may_be_misspelt(mention)
        if is_guess:
            guesses_left -= 1
            targets = [(one, _GUESS * share) for one, share in _likely(respelled(mention.text, graph), mention, query)]
        lacking = _lacking(mention, targets, query, graph)
        if is_guess and lacking:
            targets = [(symbol, share * _GUESS_ELSEWHERE / _GUESS) for symbol, share in targets]
        for number, (symbol, share) in enumerate((*lacking, *targets)):
            is_first = mention.is_explicit and share >= 1.0
            value = FIRST_TIER - _STEP * place if is_first else share * _bonus(mention)
            known, is_like = found.get(symbol.id), is_guess and number >= len(lacking)
            found[symbol.id] = Mentioned(
                symbol,
                max(value, known.value if known else 0.0),
                _with_text(known, mention.text, is_guess=is_like),
                is_first or (known is not None and known.is_first),
                known.place if known and known.place is not None else place if is_place else None,
                _with_line(known.lines if known else (), mention.line, symbol),
                is_like and (known is None or known.is_guess),
            )
    _add_told(found, query, graph)
    return found


def _lacking(
    mention: Mention, targets: Sequence[tuple[Symbol, float]], query: Query, graph: SearchableGraph
) -> list[tuple[Symbol, float]]:
    """Return the types that a member is said to be of and that have none of its name: it is to be, or was once."""
    owners = mention.text.split(".")[:-1]
    if mention.kind is not MentionKind.IDENTIFIER or not owners or not owners[-1][:1].isupper():
        return []
    if any(owners[-1] in symbol.dotted.split(".") for symbol, _ in targets):
        return []
    named = graph.symbols_named(".".join(owners))
    types = [one for one in named if one.kind in _TYPES and not is_foreign_path(one.path)][:MOST_NAMESAKES]
    having = set(graph.nodes_of([symbol.parent for symbol, _ in targets if symbol.parent is not None]).values())
    return _likely(tuple([one for one in types if having.isdisjoint(_beside(one, graph))]), mention, query)


def _beside(symbol: Symbol, graph: SearchableGraph) -> set[int]:
    """Return the nodes of the types that one inherits from or that inherit from it."""
    nodes = graph.nodes_of([symbol.id]).values()
    return {other for node in nodes for other, *_ in graph.links(node, among=frozenset())}


def _central(folders: Sequence[NamedFolder], graph: SearchableGraph) -> dict[SymbolId, Mentioned]:
    """Return what is central in folders, the most central with a little more."""
    found: dict[SymbolId, Mentioned] = {}
    for folder in folders:
        for place, symbol in enumerate(central_in(folder.path, graph)):
            more = _CENTRAL_BONUS * (1.0 - place / MOST_OF_FOLDER)
            found.setdefault(symbol.id, _in_folder(folder, symbol, more))
    return found


def _add_told(found: dict[SymbolId, Mentioned], query: Query, graph: SearchableGraph) -> None:
    """Add what tells of the project, where a question is about that, in its order behind what is pointed at."""
    if query.project is None:
        return
    for place, symbol in enumerate(project_places(query.project, graph), len(query.mentions)):
        told = Mentioned(symbol, FIRST_TIER - _STEP * place, (), is_first=True, place=place, tells=query.project)
        found.setdefault(symbol.id, told)


def _with_text(known: Mentioned | None, text: str, *, is_guess: bool) -> tuple[str, ...]:
    """Return what a symbol is mentioned by with one more; what is only like its name counts where nothing else does."""
    if known is None or (known.is_guess and not is_guess):
        return (text,)
    return known.texts if text in known.texts or is_guess > known.is_guess else (*known.texts, text)


def _with_line(known: tuple[int, ...], line: int, symbol: Symbol) -> tuple[int, ...]:
    """Return the lines of a symbol that are pointed at with one more, which may be none of its own."""
    return known if line in known or not symbol.start_line <= line <= symbol.end_line else (*known, line)


def _bonus(mention: Mention) -> float:
    return _NAME_BONUS if mention.kind is MentionKind.IDENTIFIER else _PATH_BONUS


def _targets(mention: Mention, query: Query, graph: SearchableGraph) -> list[tuple[Symbol, float]]:
    """Return (symbol, share): 1 for what is meant, less for one of many."""
    match mention.kind:
        case MentionKind.IDENTIFIER:
            return _namesakes(mention, query, graph)
        case MentionKind.LINE:
            return _at_line(mention, graph)
        case MentionKind.PATH:
            return _in_file(mention, graph) or _likely(members_like_files(mention.text, graph), mention, query)


def _namesakes(mention: Mention, query: Query, graph: SearchableGraph) -> list[tuple[Symbol, float]]:
    found = _likely(definitions_named(mention.text, graph), mention, query)
    meant = {symbol.id: (symbol, share) for symbol, share in found}
    for symbol, share in found[:MOST_NAMESAKES]:
        if owner := _owner_of_member(symbol, graph):
            meant.setdefault(owner.id, (owner, min(_GUESS, share)))
    for symbol in _in_named_files(mention, found, graph):
        meant.setdefault(symbol.id, (symbol, _OF_NAMED_FILE))
    return list(meant.values())


def _in_named_files(mention: Mention, found: list[tuple[Symbol, float]], graph: SearchableGraph) -> list[Symbol]:
    """Return what stands in the files called like a name, outer definitions first."""
    if not mention.is_explicit:
        return []
    files = [symbol.path for symbol, share in found if symbol.kind is SymbolKind.MODULE and share >= 1.0]
    paths = files[:_MOST_NAMED_FILES]
    return [symbol for path in paths for symbol in _outer_first(path, graph)[: _MOST_OF_FILE // len(paths)]]


def _owner_of_member(symbol: Symbol, graph: SearchableGraph) -> Symbol | None:
    """Return the type a field or variant belongs to: its text says what the member is."""
    if not symbol.is_member or symbol.kind is SymbolKind.VARIABLE or symbol.parent is None:
        return None
    return next((one for one in graph.symbols_in(symbol.path) if one.id == symbol.parent), None)


def _likely(symbols: tuple[Symbol, ...], mention: Mention, query: Query) -> list[tuple[Symbol, float]]:
    """Return namesakes best first, in product code where there are any."""
    owners = tuple(symbol for symbol in symbols if not symbol.is_member)
    is_known = bool(owners) and (_is_plain(mention.text) or len(symbols) > MOST_NAMESAKES)
    if is_known or not (owners or mention.is_explicit or mention.text.isupper() or "." in mention.text):
        # A field is meant when it is asked for and nothing else is called so, or few things by a name that only code
        # has; else its owner's text holds it.
        symbols = owners
    own = [symbol for symbol in symbols if not is_foreign_path(symbol.path)]
    main = [symbol for symbol in own if query.wants_tests or not is_side_path(symbol.path)] or own or list(symbols)
    main.sort(key=lambda symbol: _likeliness(symbol, query))
    # A name that only many copies of somebody else's code have is rarely meant.
    is_rarely_meant = not own and len(main) > 1
    share_of = partial(_share_in_crowd, sum(symbol.kind is not SymbolKind.MODULE for symbol in main), len(main))
    if _is_said_beside(mention, query, main):
        return [(symbol, _ASIDE * share_of(symbol)) for symbol in main]
    if not mention.is_explicit or is_rarely_meant:
        return [(symbol, share_of(symbol)) for symbol in main]
    most = _most_of(main)
    return [
        (symbol, min(most[symbol.id], 1.0 if place < MOST_NAMESAKES else share_of(symbol)))
        for place, symbol in enumerate(main)
    ]


def _most_of(namesakes: Sequence[Symbol]) -> dict[SymbolId, float]:
    """Return the most that each can be worth: what tests and declarations call so stands behind what it is of.

    An option that is declared alone is a text or a key in the code that heeds it.
    """
    declared = {symbol.id for symbol in namesakes if symbol.path.endswith(_DECLARING)}
    behind = declared | {symbol.id for symbol in namesakes if is_side_path(symbol.path)}
    if len(behind) < len(namesakes):
        return {symbol.id: _GUESS if symbol.id in behind else 1.0 for symbol in namesakes}
    return {symbol.id: _DECLARED_OPTION if symbol.is_member and symbol.id in declared else 1.0 for symbol in namesakes}


def _is_said_beside(mention: Mention, query: Query, symbols: list[Symbol]) -> bool:
    """Tell whether a question says a plain word among others, ``len`` or ``Generator``, that stands in tests only."""
    if query.wants_tests or not _is_plain(mention.text) or not all(is_side_path(symbol.path) for symbol in symbols):
        return False
    return sum(term != mention.text.lower() for term, _ in query.terms) > _FEW_TERMS


def _is_plain(name: str) -> bool:
    return "_" not in name.strip("_") and (name.islower() or name.istitle())


def _share_in_crowd(definitions: int, namesakes: int, symbol: Symbol) -> float:
    """Return the share of one of so many: a file called like what it holds makes that name no less telling."""
    return 1.0 / sqrt(namesakes if symbol.kind is SymbolKind.MODULE else definitions)


def _likeliness(symbol: Symbol, query: Query) -> tuple[int, bool, int, str]:
    """Order namesakes: those whose path or owner the question speaks of, then code, then outer before inner ones."""
    place = f"{symbol.path} {symbol.qualname.rpartition('.')[0]}".lower()
    own = symbol.name.lower()
    spoken = sum(1 for term, _ in query.terms if len(term) > 2 and term not in own and term in place)
    return (-spoken, symbol.language in _SCHEMAS, symbol.qualname.count("."), symbol.id)


def _may_be_misspelt(mention: Mention) -> bool:
    """Tell whether a name that does not exist looks meant: marked as code, or written as only code is."""
    name = mention.text.rpartition(".")[2]
    if OF_PLATFORMS.match(mention.text):
        return False
    is_code = mention.is_explicit or not _is_plain(name)
    return mention.kind is MentionKind.IDENTIFIER and len(name) >= _SHORTEST_MISSPELT and is_code


def _at_line(mention: Mention, graph: SearchableGraph) -> list[tuple[Symbol, float]]:
    """Return the definition of the line's name, else the innermost one around the line."""
    found = []
    for path in indexed_paths(mention.text, graph)[:3]:
        symbols = [symbol for symbol in graph.symbols_in(path) if not symbol.is_member]
        named = [symbol for symbol in symbols if mention.name and symbol.name == mention.name]
        around = [symbol for symbol in symbols if symbol.start_line <= mention.line <= symbol.end_line]
        # A name stays when the file has changed since; of several the nearest to the line is meant.
        meant = min(named, key=lambda symbol: (_distance(symbol, mention.line), symbol.id), default=None)
        meant = meant or min(around, key=lambda symbol: (symbol.end_line - symbol.start_line, symbol.id), default=None)
        if meant is None and symbols:
            meant = symbols[0]
        if meant is not None:
            found.append((meant, 1.0))
    return found


def _distance(symbol: Symbol, line: int) -> int:
    return max(symbol.start_line - line, line - symbol.end_line, 0)


def _in_file(mention: Mention, graph: SearchableGraph) -> list[tuple[Symbol, float]]:
    """Return a file's symbols; in the first tier its module and its outer definitions before inner ones."""
    paths = indexed_paths(mention.text, graph)
    found: list[tuple[Symbol, float]] = []
    for path in paths[:3]:
        symbols = _outer_first(path, graph)
        room = _MOST_OF_FILE // min(len(paths), 3)
        found += [(symbol, 1.0 if place < room else 0.9) for place, symbol in enumerate(symbols[: 2 * room])]
    return found


def _outer_first(path: str, graph: SearchableGraph) -> list[Symbol]:
    """Return a file's module and its definitions, inner ones last."""
    return sorted(
        [symbol for symbol in graph.symbols_in(path) if not symbol.is_member],
        key=lambda symbol: (symbol.kind is not SymbolKind.MODULE, symbol.qualname.count("."), symbol.start_line),
    )
