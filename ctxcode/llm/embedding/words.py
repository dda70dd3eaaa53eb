"""What wordllama's table says of whole words, in a form that is ready at once.

The table (32,000 pieces of words, 256 numbers each) and the list of its pieces come with wordllama's wheel. They are
read as they lie there, once; what is kept of them loads in 2 ms, needs no library and is the same on every machine.
"""

import json
import marshal
import re
import struct
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path

from ctxcode.llm.cache_file import keep
from ctxcode.model.errors import ModelError, ModelUnknownError
from ctxcode.model.naming.telling import is_telling

DIMENSIONS = 128
"""Of the 256 numbers of a word the first say most: the table was trained to be cut."""
ZERO = 128
"""The byte that stands for 0."""

_PACKAGE = "wordllama"
_TABLE = "weights/l2_supercat_256.safetensors"
_PIECES = "tokenizers/l2_supercat_tokenizer_config.json"
_READER = f"{marshal.version}-{sys.version_info.minor}"
"""What can read a kept table: Pythons of other versions keep one beside it."""
_LONGEST_HEAD_BYTES = 10_000
_FINENESS = 15.8
"""Parts of one that the numbers of the table, at most 8.02, are taken in."""
_LARGEST = 127
_INFINITE, _MINUS = 0x7C00, 0x8000
"""The two bytes of what is beyond all numbers, and of a number's sign."""
_WHOLE_WORD = re.compile(r"▁([a-z]{2,30})")
_MISSING_HINT = "It has no wheel for this machine or this Python; all else works without it."
_HINT = "Install ctxcode again, or set semantic = false."


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words that are whole pieces, and a row of bytes for each."""

    places: dict[str, int]
    rows: bytes

    def row(self, word: str) -> bytes | None:
        """Return a word's numbers, each a byte, ``ZERO`` more than it is; None for a word that is not there."""
        place = self.places.get(word)
        return None if place is None else self.rows[place * DIMENSIONS : (place + 1) * DIMENSIONS]


def table_id() -> str:
    """Return what the table is: vectors from another one can't be compared with those from it."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 10 ms that no question waits for

    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:
        return _PACKAGE


def word_table(folder: Path | None, kept: Path | None) -> WordTable:
    """Return the table of the installed package or of a ``folder`` laid out like it.

    With ``kept``, a folder of the user's, it is made once (0.2 s). Raises ModelError when it can't be read.
    """
    source = folder or _installed()
    if kept is None:
        return _made(source)
    path = kept / _kept_name(source)
    found = _loaded(path)
    if found is None:
        found = _made(source)
        keep(path, marshal.dumps((found.places, found.rows)), outdated=f"{_PACKAGE}-*-{_READER}")
    return found


def _kept_name(source: Path) -> str:
    """Return the name of what is made of a folder's files: other files are of other sizes."""
    try:
        sizes = [(source / part).stat().st_size for part in (_TABLE, _PIECES)]
    except OSError as error:
        raise _unreadable(error) from error
    return "-".join(map(str, (_PACKAGE, *sizes, DIMENSIONS, _READER)))


def _unreadable(error: OSError) -> ModelError:
    return ModelError(f"the word vectors can't be read: {error.strerror or error}.", _HINT)


def _installed() -> Path:
    found = find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelUnknownError(f"{_PACKAGE} is not installed.", _MISSING_HINT)
    return Path(found.submodule_search_locations[0])


def _loaded(path: Path) -> WordTable | None:
    try:
        places, rows = marshal.loads(path.read_bytes())  # noqa: S302 - the user's own cache
        is_whole = isinstance(places, dict) and isinstance(rows, bytes) and len(rows) == len(places) * DIMENSIONS
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return WordTable(places, rows) if is_whole else None


def _made(folder: Path) -> WordTable:
    try:
        pieces = json.loads((folder / _PIECES).read_bytes())["model"]["vocab"]
        words = [(match[1], number) for piece, number in pieces.items() if (match := _WHOLE_WORD.fullmatch(piece))]
        telling = sorted((word, number) for word, number in words if is_telling(word))
        with (folder / _TABLE).open("rb") as file:
            begin, columns = _layout(file.read(8 + _LONGEST_HEAD_BYTES))
            file.seek(0)
            table = file.read()
        row, bytes_of = struct.Struct(f"<{DIMENSIONS}H"), _bytes_of_halves()
        # An item getter takes all of a row in one step.
        rows = b"".join(
            bytes(itemgetter(*row.unpack_from(table, begin + 2 * columns * at))(bytes_of)) for _, at in telling
        )
    except OSError as error:
        raise _unreadable(error) from error
    except (ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(f"the word vectors can't be read: {type(error).__name__}.", _HINT) from error
    return WordTable({word: place for place, (word, _) in enumerate(telling)}, rows)


def _bytes_of_halves() -> list[int | None]:
    """Return the byte that stands for a number of the table, by the number's own two bytes; None for no number."""
    numbers = struct.unpack(f"<{_INFINITE}e", struct.pack(f"<{_INFINITE}H", *range(_INFINITE)))
    positive = [ZERO + min(_LARGEST, round(number * _FINENESS)) for number in numbers]
    none = [None] * (_MINUS - _INFINITE)
    return [*positive, *none, *(2 * ZERO - byte for byte in positive), *none]


def _layout(beginning: bytes) -> tuple[int, int]:
    """Return where the one table of a safetensors file begins, and its columns. Raises ValueError."""
    size = int.from_bytes(beginning[:8], "little")
    if not 0 < size <= _LONGEST_HEAD_BYTES:
        raise ValueError("no table")
    head = json.loads(beginning[8 : 8 + size])
    tables = [row for name, row in head.items() if name != "__metadata__"]
    if len(tables) != 1 or tables[0]["dtype"] != "F16" or len(tables[0]["shape"]) != 2:
        raise ValueError("another kind of table")
    columns = tables[0]["shape"][1]
    if not isinstance(columns, int) or columns < DIMENSIONS:
        raise ValueError("another kind of table")
    return 8 + size + tables[0]["data_offsets"][0], columns
