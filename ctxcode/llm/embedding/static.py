"""Vectors of texts without a model to run: the mean of what a table says of their words.

The table (32,000 pieces of words, 256 numbers each) and its tokenizer come with wordllama's wheel. They are read as
they lie there: importing wordllama takes a second and 120 MB. All sums are of whole numbers, so that a text has the
same vector on every machine.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.model.engine.vector import Vector
from ctxcode.model.errors import ModelError, ModelUnknownError
from ctxcode.model.naming.telling import is_telling
from ctxcode.model.naming.words import words_in

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

    Table = npt.NDArray[np.float16]
    Words = npt.NDArray[np.int32]

_PACKAGE = "wordllama"
_TABLE = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_LONGEST_HEAD_BYTES = 10_000
_READ_CHARS = 8_000
"""Of each text: what it is about stands in its beginning, and a text may be a file."""
_WORD = re.compile(r"[a-z]{2,30}")
_FINENESS = 2_048
"""Parts of one that the numbers of the table are taken in."""
_FINEST_WEIGHT = 8
_MOST_WORDS = 30_000
"""Words whose sums are kept: 1 KB each."""
_MISSING_HINT = "It has no wheel for this machine or this Python; all else works without it."
_HINT = 'Install ctxcode again, or set semantic = "off".'


class StaticEmbedder:
    """Embeds texts from wordllama's table. Any thread may call; nothing is read before the first text."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use the installed package, or another folder laid out like it."""
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @cached_property
    def id(self) -> str:
        """What makes the vectors: those of another id can't be compared with them."""
        try:
            return f"{_PACKAGE} {version(_PACKAGE)}"
        except PackageNotFoundError:
            return _PACKAGE

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text, empty for one without words. Raises ModelError: the table can't be read."""
        with self._lock:
            if self._loaded is None:
                self._loaded = _opened(self._folder or _installed())
            return self._loaded.vectors(texts)


class _Loaded:
    """The table and what it gave of single words."""

    def __init__(self, table: "Table", tokenizer: "Tokenizer") -> None:
        self._table = table
        self._tokenizer = tokenizer
        self._numbers: dict[str, int] = {}
        self._words: Words = table[:0].astype("int32")

    def vectors(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        counted = [_weights(text) for text in texts]
        self._learn(dict.fromkeys(word for words in counted for word in words))
        return tuple(map(self._vector, counted))

    def _vector(self, words: dict[str, int]) -> Vector:
        import numpy as np  # noqa: PLC0415 - loaded with the table

        if not words:
            return b""
        rows = self._words[[self._numbers[word] for word in words]]
        summed = (np.array(list(words.values()), dtype=np.int64)[:, None] * rows).sum(axis=0)
        largest = np.abs(summed).max()
        return np.rint(summed * (127.0 / largest)).astype(np.int8).tobytes() if largest else b""

    def _learn(self, words: dict[str, None]) -> None:
        """Look up the words that are new: the mean of their pieces."""
        import numpy as np  # noqa: PLC0415 - loaded with the table

        new = [word for word in words if word not in self._numbers]
        if not new:
            return
        if len(self._numbers) + len(new) > _MOST_WORDS:
            self._numbers.clear()
            self._words, new = self._words[:0], list(words)
        pieces = self._tokenizer.encode_batch_fast(new, add_special_tokens=False)
        rows = np.zeros((len(new), self._table.shape[1]), dtype=np.int32)
        for row, piece in zip(rows, pieces, strict=True):
            if piece.ids:
                found = np.rint(self._table[piece.ids].astype(np.float64) * _FINENESS).sum(axis=0)
                row[:] = np.rint(found / len(piece.ids))
        first = len(self._numbers)
        self._numbers.update((word, first + place) for place, word in enumerate(new))
        self._words = np.concatenate([self._words, rows])


def _weights(text: str) -> dict[str, int]:
    """Return the words of a text with whole weights: said often they count more, and ever less so."""
    counts = Counter(word for word in words_in(text[:_READ_CHARS]) if _WORD.fullmatch(word) and is_telling(word))
    return {word: round(_FINEST_WEIGHT * (1.0 + log(count))) for word, count in counts.items()}


def _installed() -> Path:
    found = find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelUnknownError(f"{_PACKAGE} is not installed.", _MISSING_HINT)
    return Path(found.submodule_search_locations[0])


def _opened(folder: Path) -> _Loaded:
    """Return the table, mapped into memory, and its tokenizer (0.2 s, once)."""
    import numpy as np  # noqa: PLC0415 - most questions do without
    from tokenizers import Tokenizer  # noqa: PLC0415 - as above

    try:
        offset, shape = _layout(folder / _TABLE)
        table = np.memmap(folder / _TABLE, dtype="<f2", mode="r", offset=offset, shape=shape)
        tokenizer = Tokenizer.from_str((folder / _TOKENIZER).read_text(encoding="utf-8"))
    except OSError as error:
        reason = f"the word vectors can't be read: {error.strerror or error}."
        raise ModelError(reason, _HINT) from error
    except (ValueError, LookupError, TypeError) as error:
        raise ModelError(f"the word vectors can't be read: {type(error).__name__}.", _HINT) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return _Loaded(table, tokenizer)


def _layout(path: Path) -> tuple[int, tuple[int, int]]:
    """Return where the one table of a safetensors file begins, and its rows and columns. Raises ValueError."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if not 0 < size <= _LONGEST_HEAD_BYTES:
            raise ValueError("no table")
        head = json.loads(file.read(size))
    tables = [row for name, row in head.items() if name != "__metadata__"]
    if len(tables) != 1 or tables[0]["dtype"] != "F16" or len(tables[0]["shape"]) != 2:
        raise ValueError("another kind of table")
    rows, columns = tables[0]["shape"]
    return 8 + size + tables[0]["data_offsets"][0], (rows, columns)
