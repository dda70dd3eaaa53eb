"""Pins and the code behind them: what a name stands for, and where the code of a pin is now."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ctxcode.model.engine.event import PinBroken, PinFollowed
from ctxcode.model.engine.item import LineRange, file_of, line_range, path_of, symbol_of
from ctxcode.model.errors import RepositoryError, UsageError
from ctxcode.model.ids import ItemId, SymbolId, file_item, symbol_item
from ctxcode.model.pin import Pin
from ctxcode.model.source import is_image
from ctxcode.model.symbol import Symbol
from ctxcode.reflection.fingerprint import (
    OTHER_NAME_FROM,
    SAME_NAME_FROM,
    Fingerprint,
    best_place,
    fingerprint,
    likeness,
)
from ctxcode.session.ports import CodeGraph, Workspace

_SHOWN = 4
_MOST_LOOKED_AT = 60
"""Definitions or files that are compared with a pin whose code is gone."""
_PLACE = re.compile(r"(.+?):(\d{1,7})(?:-(\d{1,7}))?")


@dataclass(slots=True)
class Sources:
    """Source lines by path, each file read at most once."""

    workspace: Workspace
    read: dict[str, Sequence[str] | None]

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines; None when it can't be read."""
        if path not in self.read:
            try:
                self.read[path] = self.workspace.read_text(path).split("\n")
            except RepositoryError:
                self.read[path] = None
        return self.read[path]

    def of(self, symbol: Symbol) -> Fingerprint:
        """Return the fingerprint of a definition; empty when its file can't be read."""
        lines = self.lines(symbol.path)
        return fingerprint(lines[symbol.start_line - 1 : symbol.end_line]) if lines and symbol.start_line else ()


def named_item(
    name: str,
    named: Sequence[Symbol],
    near: Sequence[Symbol] = (),
    shown: Callable[[], Collection[ItemId]] = tuple,
) -> ItemId:
    """Return the item a name stands for among what is ``named`` so: a symbol, or a file when it is a path.

    What is only ``near`` is offered, never taken. Of namesakes the only one that the user was ``shown`` last is meant.
    Raises UsageError when nothing or several things are called so.
    """
    if not name:
        raise UsageError("Which one?", "Give a name: /pin Query.join")
    exact = [symbol for symbol in named if name in {symbol.id, symbol.dotted, symbol.qualname, symbol.path}]
    matching = exact or named
    if not matching:
        if is_image(name):
            raise UsageError(f"{name!r} is an image, and models are sent text only.", "Put what it shows into words.")
        hint = f"Near it: {_names(near)}." if near else "Give a whole name such as Query.join, or a path."
        raise UsageError(f"Nothing here is called {name!r}.", hint)
    if len(matching) > 1:
        at_hand = shown()
        seen = [symbol for symbol in matching if symbol_item(symbol.id) in at_hand]
        matching = seen if len(seen) == 1 else matching
    if len(matching) > 1:
        more = f" and {len(matching) - _SHOWN} more" if len(matching) > _SHOWN else ""
        raise UsageError(f"{name!r} could be {_names(matching)}{more}.", "Give the one you mean in full.")
    only = matching[0]
    return symbol_item(only.id) if only.qualname else file_item(only.path)


def symbols_called(graph: CodeGraph, name: str, limit: int) -> tuple[Symbol, ...]:
    """Return the symbols of a whole name: simple, qualified, dotted, an id, or ``path`` and ``path::name``.

    A path may lack its first folders.
    """
    rows = {symbol.id: symbol for symbol in graph.symbols_named(name, limit)}
    path, colons, qualname = name.partition("::")
    paths = [known for known in graph.paths_like(path, limit) if f"/{known}".endswith(f"/{path}")]
    return tuple((rows | graph.symbols(SymbolId(f"{known}{colons}{qualname}") for known in paths)).values())[:limit]


def placed_item(name: str, workspace: Workspace) -> ItemId | None:
    """Return the item of ``path`` or ``path:10-20``; None when there is no such file.

    Raises UsageError for lines the file does not have.
    """
    place = _PLACE.fullmatch(name)
    try:
        workspace.read_text(name)
    except RepositoryError:
        if place is None:
            return None
    else:
        return file_item(name)
    path, start = place[1], int(place[2])
    end = int(place[3] or start)
    try:
        lines = workspace.read_text(path).split("\n")
    except RepositoryError:
        return None
    last = len(lines) - (lines[-1] == "")
    if not 1 <= start <= end <= last:
        raise UsageError(f"{path!r} has lines 1 to {last:,}, not {start}-{end}.", f"/pin {path}:1-{min(20, last)}")
    return LineRange(path, start, end).item


def item_fingerprint(item: ItemId, graph: CodeGraph, sources: Sources) -> Fingerprint:
    """Return the fingerprint of what an item shows now; empty for what is no code or is gone."""
    symbol_id, lines_of = symbol_of(item), line_range(item)
    if symbol_id is not None:
        symbol = graph.symbols([symbol_id]).get(symbol_id)
        return sources.of(symbol) if symbol is not None else ()
    path = lines_of.path if lines_of is not None else file_of(item)
    lines = sources.lines(path) if path else None
    if lines is None:
        return ()
    return fingerprint(lines[lines_of.start - 1 : lines_of.end] if lines_of is not None else lines)


def moves(pins: Sequence[Pin], graph: CodeGraph, workspace: Workspace) -> tuple[PinFollowed | PinBroken, ...]:
    """Return what became of the code of pins since it was last looked at; nothing for pins that are as they were."""
    sources = Sources(workspace, {})
    ids = [symbol for pin in pins if (symbol := symbol_of(pin.item)) is not None]
    known = graph.symbols(ids) if ids else {}
    found = (_move(pin, known, graph, sources) for pin in pins if path_of(pin.item))
    return tuple(move for move in found if move is not None)


def _move(
    pin: Pin, known: Mapping[SymbolId, Symbol], graph: CodeGraph, sources: Sources
) -> PinFollowed | PinBroken | None:
    lines_of, symbol_id, path = line_range(pin.item), symbol_of(pin.item), file_of(pin.item)
    place: tuple[ItemId, Fingerprint] | None
    if lines_of is not None:
        place = _lines_now(lines_of, pin.fingerprint, sources)
    elif symbol_id is not None and symbol_id in known:
        place = (pin.item, sources.of(known[symbol_id]))
    elif symbol_id is not None:
        place = _symbol_now(symbol_id, pin.fingerprint, graph, sources)
    else:
        place = _file_now(path, pin.fingerprint, graph, sources)
    if place is None:
        return None if pin.is_broken else PinBroken(pin.item)
    item, print_now = place
    if item == pin.item and not pin.is_broken and print_now == pin.fingerprint:
        return None
    return PinFollowed(pin.item, item, print_now)


def _lines_now(lines_of: LineRange, wanted: Fingerprint, sources: Sources) -> tuple[ItemId, Fingerprint] | None:
    lines = sources.lines(lines_of.path)
    if lines is None:
        return None
    here = fingerprint(lines[lines_of.start - 1 : lines_of.end])
    if here == wanted:
        return lines_of.item, here
    start, end, score = best_place(wanted, lines)
    if score < OTHER_NAME_FROM:
        return None
    return LineRange(lines_of.path, start, end).item, fingerprint(lines[start - 1 : end])


def _symbol_now(
    symbol_id: SymbolId, wanted: Fingerprint, graph: CodeGraph, sources: Sources
) -> tuple[ItemId, Fingerprint] | None:
    """Return where a definition that is gone may be now: under another name in its file, or elsewhere under its own."""
    path, _, qualname = symbol_id.partition("::")
    name = qualname.rpartition(".")[2].partition("~")[0]
    candidates = [*graph.symbols_in(path), *graph.symbols_named(name)][:_MOST_LOOKED_AT]
    scored = [
        (likeness(wanted, print_now), symbol.name == name, symbol.id, print_now)
        for symbol in candidates
        if symbol.qualname and (print_now := sources.of(symbol))
    ]
    fitting = [row for row in scored if row[0] >= (SAME_NAME_FROM if row[1] else OTHER_NAME_FROM)]
    if not fitting:
        return None
    best = min(fitting, key=lambda row: (-row[0], not row[1], row[2]))
    return symbol_item(best[2]), best[3]


def _file_now(path: str, wanted: Fingerprint, graph: CodeGraph, sources: Sources) -> tuple[ItemId, Fingerprint] | None:
    """Return where a file is now: under its name elsewhere, or under another name in its folder."""
    lines = sources.lines(path)
    if lines is not None:
        return file_item(path), fingerprint(lines)
    folder, _, name = path.rpartition("/")
    beside = [entry.path for entry in graph.modules() if entry.path.rpartition("/")[0] == folder]
    best: tuple[float, str, Fingerprint] | None = None
    for other in dict.fromkeys([*graph.paths_like(name), *beside][:_MOST_LOOKED_AT]):
        found = sources.lines(other)
        print_now = fingerprint(found) if found is not None else ()
        score = likeness(wanted, print_now)
        if score >= OTHER_NAME_FROM and (best is None or score > best[0]):
            best = (score, other, print_now)
    return (file_item(best[1]), best[2]) if best is not None else None


def _names(symbols: Sequence[Symbol]) -> str:
    """Return the shortest names that tell the first symbols apart."""
    forms = [(symbol.qualname or symbol.path, symbol.dotted or symbol.id) for symbol in symbols]
    short, dotted = Counter(name for name, _ in forms), Counter(name for _, name in forms)
    return ", ".join(
        name if short[name] == 1 else longer if dotted[longer] == 1 else symbol.id
        for symbol, (name, longer) in zip(symbols[:_SHOWN], forms, strict=False)
    )
