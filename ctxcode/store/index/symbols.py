"""Symbols by number and by name, and what their values mean to the rest of the product."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.qualified import skipped_parts
from ctxcode.model.symbol import OtherName, Symbol, SymbolKind
from ctxcode.store.index.documents import FILE_SHIFT, MOST_SYMBOLS, Listings, SymbolValues, forget_oldest
from ctxcode.store.index.graph import PublishedFile

_AT_ONCE = 500
_MOST_KEPT = 1_500
"""Symbols, about three questions' worth."""
_QUALNAME = "coalesce(outer || name, '')"
_ADD = "INSERT INTO symbol VALUES (?, ?, ?, ?, ?)"
_FORGET = "DELETE FROM symbol WHERE id >= ? AND id < ?"
# Made once all rows of the first index are there: sorting them is quicker than finding each its place.
_INDEX_NAMES = "CREATE INDEX symbol_name ON symbol (name)"
_ARE_INDEXED = "SELECT 1 FROM sqlite_schema WHERE name = 'symbol_name'"
_KINDS_NAMED = "SELECT id, kind FROM symbol WHERE name = ? ORDER BY id"
_KINDS_BETWEEN = "SELECT id - ?1, name, kind FROM symbol WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id"
_NAMED = f"SELECT id, {_QUALNAME}, namesake FROM symbol WHERE name = ?"  # noqa: S608 - constants only
_QUALIFIED = f"""
SELECT id FROM symbol WHERE id >= ? AND id < ? AND {_QUALNAME} = ? AND namesake = ?
"""  # noqa: S608 - constants only
_NAMED_AND_QUALIFIED = f"{_QUALIFIED} AND name = ?"
_MOST_ENDINGS = 20
_LIKE = rf"""
SELECT id, name FROM (SELECT id, name, {_QUALNAME} AS qualname FROM symbol)
WHERE qualname LIKE ? ESCAPE '\' ORDER BY name LIKE ? ESCAPE '\' DESC,
name LIKE ? ESCAPE '\' DESC, qualname LIKE ? ESCAPE '\' DESC, length(qualname), id LIMIT ?
"""  # noqa: S608 - constants only
RenamedRow = tuple[str, int, str, str]
"""(name, line, module, target) of another name that a file gives to something, as in ``OtherName``."""
_ADD_RENAMED = "INSERT INTO renamed VALUES (?, ?, ?, ?, ?)"
_ADD_IMPORTED = "INSERT INTO imported VALUES (?, ?)"
_FORGET_IMPORTED = "DELETE FROM imported WHERE file = ?"
_IMPORTED = "SELECT file, names FROM imported WHERE instr(names, ?)"
_FORGET_RENAMED = "DELETE FROM renamed WHERE file = ?"
_INDEX_RENAMED = "CREATE INDEX renamed_name ON renamed (name)"
_RENAMED = "SELECT file, name, line, module, target FROM renamed WHERE"
_KINDS = {kind.value: kind for kind in SymbolKind}
_NUMBER_OF_KIND = {kind.value: number for number, kind in enumerate(SymbolKind)}
_KIND_OF_NUMBER = {number: kind for kind, number in _NUMBER_OF_KIND.items()}


class MadeSymbols:
    """The symbols of an index as the rest of the product knows them, and where they are.

    Those made lately are kept: most questions ask for many of the symbols of the one before, and after a change the
    same one asks for nearly all of them. A row never holds another symbol; only its module's name may change.
    """

    def __init__(self, listings: Listings) -> None:
        self._listings = listings
        self._made: dict[int, Symbol] = {}
        self._rows: dict[tuple[int, str, int], int | None] = {}

    def symbols(self, connection: sqlite3.Connection, files: Mapping[int, PublishedFile]) -> dict[int, Symbol]:
        """Return the symbols with these row numbers, by row, in order; each is given with its file."""
        made, found = self._made, dict[int, Symbol]()
        for row, file in files.items():
            symbol = made.pop(row, None)
            if symbol is not None and symbol.module == file.module:
                found[row] = symbol
        missing = files.keys() - found.keys()
        if missing:
            found.update(
                (row, to_symbol(values, files[row])) for row, values in self._listings.symbols(connection, missing)
            )
        made.update(found)
        forget_oldest(made, _MOST_KEPT)
        return dict(sorted(found.items()))

    def row(self, connection: sqlite3.Connection, place: tuple[int, str, int]) -> int | None:
        """Return the row of (file row, qualified name, number among namesakes); None when there is none."""
        if place not in self._rows:
            if len(self._rows) >= _MOST_KEPT:
                self._rows.clear()
            self._rows[place] = row_number(connection, *place)
        return self._rows[place]


def to_symbol(values: SymbolValues, file: PublishedFile) -> Symbol:
    """Return the symbol some values describe."""
    name, qualname, namesake, kind = values[:4]
    signature, doc, decorators, visibility, parent = values[8:]
    path = file.path
    # By position: so many keywords take as long as all the rest, and a question makes hundreds.
    return Symbol(
        _symbol_id(path, qualname, namesake),
        name,
        qualname,
        _KINDS[kind],
        path,
        file.language,
        file.module,
        *values[4:8],
        signature,
        doc,
        tuple(decorators.split("\n")) if decorators else (),
        visibility,
        None if parent is None else SymbolId(f"{path}::{parent}" if parent else path),
    )


def _symbol_id(path: str, qualname: str, namesake: int) -> SymbolId:
    if not qualname and namesake == 1:
        return SymbolId(path)
    return SymbolId(f"{path}::{qualname}" if namesake == 1 else f"{path}::{qualname}~{namesake}")


def split_id(symbol: SymbolId) -> tuple[str, str, int]:
    """Return an id's path, qualified name and number among namesakes; the path may hold ``::`` itself."""
    path, mark, local = symbol.rpartition("::")
    if not mark:
        return symbol, "", 1
    qualname, tilde, number = local.rpartition("~")
    if tilde and number.isascii() and number.isdigit():
        return path, qualname, int(number)
    return path, local, 1


def content_hashes(connection: sqlite3.Connection, files: Sequence[int]) -> dict[str, str]:
    """Return the content hashes of the files with these row numbers, by path."""
    found: dict[str, str] = {}
    for start in range(0, len(files), _AT_ONCE):
        chunk = files[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT path, content_hash FROM file WHERE id IN ({marks})"  # noqa: S608 - marks only
        found.update(connection.execute(query, chunk).fetchall())
    return found


def add_names(connection: sqlite3.Connection, files: Iterable[tuple[int, Sequence[SymbolValues]]]) -> None:
    """Add the names of files' symbols, given by the files' row numbers."""
    rows = [
        (row, name, namesake, _NUMBER_OF_KIND[kind], qualname.removesuffix(name) if qualname else None)
        for file, symbols in files
        for row, (name, qualname, namesake, kind, *_) in enumerate(symbols[:MOST_SYMBOLS], file << FILE_SHIFT)
    ]
    connection.executemany(_ADD, rows)


def add_said(connection: sqlite3.Connection, files: Sequence[tuple[int, Sequence[RenamedRow], str]]) -> None:
    """Add the other names that files give and what they import, by the files' row numbers."""
    connection.executemany(_ADD_RENAMED, [(file, *row) for file, rows, _ in files for row in rows])
    connection.executemany(_ADD_IMPORTED, [(file, imported) for file, _, imported in files if imported])


def imported(
    connection: sqlite3.Connection, file_of: Callable[[int], PublishedFile | None], text: str
) -> list[tuple[str, int, str, str]]:
    """Return what files import in whose module or name a text stands, as (path, line, module, name), in this order."""
    found: list[tuple[str, int, str, str]] = []
    for row, said in connection.execute(_IMPORTED, (text,)):
        file = file_of(row << FILE_SHIFT)
        if file is not None:
            rows = (each.split("\t") for each in said.split("\n") if text in each)
            found += [(file.path, int(line), module, name) for line, module, name in rows]
    return sorted(found)


def renamed(
    connection: sqlite3.Connection, file_of: Callable[[int], PublishedFile | None], name: str, file: int | None
) -> list[OtherName]:
    """Return where a name is given to something, by name and path; in one file only, where any name may be asked for.

    ``file`` is its row number; an empty name is any.
    """
    said = [("name = ?", name)] * bool(name) + [("file = ?", file)] * (file is not None)
    found = connection.execute(f"{_RENAMED} {' AND '.join(test for test, _ in said)}", [value for _, value in said])
    placed = [(file_of(row[0] << FILE_SHIFT), row) for row in found.fetchall()]
    rows = ((one.path, row) for one, row in placed if one is not None)
    return sorted(OtherName(called, path, *rest) for path, (_, called, *rest) in rows)


def forget_names(connection: sqlite3.Connection, file: int) -> None:
    """Remove the names of a file's symbols, and those it gives."""
    connection.execute(_FORGET, _span(file))
    connection.execute(_FORGET_RENAMED, (file,))
    connection.execute(_FORGET_IMPORTED, (file,))


def are_indexed(connection: sqlite3.Connection) -> bool:
    """Return whether symbols can be found by their names."""
    return connection.execute(_ARE_INDEXED).fetchone() is not None


def index_names(connection: sqlite3.Connection) -> None:
    """Let symbols be found by their names; inside a write transaction."""
    connection.execute(_INDEX_NAMES)
    connection.execute(_INDEX_RENAMED)


def kinds_named(connection: sqlite3.Connection, name: str) -> list[tuple[int, str]]:
    """Return row and kind of all symbols of a simple name, by row."""
    return [(row, _KIND_OF_NUMBER[kind]) for row, kind in connection.execute(_KINDS_NAMED, (name,))]


def kinds_between(connection: sqlite3.Connection, first: int, count: int) -> list[tuple[int, str, str]]:
    """Return place, simple name and kind of the symbols of so many rows, by row."""
    found = connection.execute(_KINDS_BETWEEN, (first, count))
    return [(place, name, _KIND_OF_NUMBER[kind]) for place, name, kind in found]


def rows_named(
    connection: sqlite3.Connection, file_of: Callable[[int], PublishedFile | None], dotted: str, limit: int
) -> list[int]:
    """Return the rows of the published symbols a dotted name means, by symbol id.

    Those it is the whole path of, or an ending of that; else those of whose module it leaves out the fewest parts.
    Where only a file is called so, also what is defined in that file under its own name: a type of Java. ``file_of``
    gives a symbol row's file, None when that is not published.
    """
    found: dict[int, list[tuple[SymbolId, int]]] = {}
    namesakes: list[tuple[SymbolId, int]] = []
    only_files, last = True, dotted.rpartition(".")[2]
    for row, qualname, namesake in connection.execute(_NAMED, (last,)):
        file = file_of(row)
        skipped = skipped_parts(dotted, file.module, qualname) if file is not None else None
        if file is None or skipped is None:
            continue
        place = (_symbol_id(file.path, qualname, namesake), row)
        found.setdefault(skipped, []).append(place)
        if skipped == 0:
            only_files = only_files and not qualname
        elif qualname == last and f".{file.module}".endswith(f".{dotted}"):
            namesakes.append(place)
    if not found:
        return []
    fewest = min(found)
    return [row for _, row in sorted([*found[fewest], *(namesakes if fewest == 0 and only_files else [])])[:limit]]


def rows_like(connection: sqlite3.Connection, text: str, limit: int) -> list[tuple[int, str]]:
    """Return row and simple name of the symbols whose qualified name has these letters in this order.

    Equal names come first, then those that begin so, then those that hold the letters side by side, shorter ones first.
    """
    letters = [f"\\{letter}" if letter in "%_\\" else letter for letter in text]
    whole = "".join(letters)
    patterns = ("%" + "%".join(letters) + "%", whole, f"{whole}%", f"%{whole}%")
    return connection.execute(_LIKE, (*patterns, limit)).fetchall()


def row_number(connection: sqlite3.Connection, file: int, qualname: str, namesake: int) -> int | None:
    """Return the row of a qualified name within a file.

    Simple names are indexed, and a file may hold tens of thousands of symbols. A simple name may hold dots itself, as
    headings and keys do, so each ending of the qualified name is tried.
    """
    wanted = (*_span(file), qualname, namesake)
    parts = qualname.split(".")
    if len(parts) > _MOST_ENDINGS:
        found = connection.execute(_QUALIFIED, wanted).fetchone()
    else:
        endings = (".".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))
        asked = (connection.execute(_NAMED_AND_QUALIFIED, (*wanted, name)).fetchone() for name in endings)
        found = next(filter(None, asked), None)
    return None if found is None else int(found[0])


def _span(file: int) -> tuple[int, int]:
    """Return the row numbers a file's symbols have: from the first up to, not including, the last."""
    return file << FILE_SHIFT, (file + 1) << FILE_SHIFT
