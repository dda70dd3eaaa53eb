"""Token counts offline: tiktoken's engine on the vocabulary files inside litellm's wheel.

The encoding is built here from the file itself, so the code path in which tiktoken downloads one is never entered.
"""

import re
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ctxcode.llm.counting.line_counts import LONGEST_RUN, LineCounts
from ctxcode.model.errors import CtxcodeError

if TYPE_CHECKING:
    from tiktoken import Encoding

DEFAULT_TOKENIZER = "o200k_base"
FALLBACK_TOKENIZER = "bytes/3"

_LONG_RUN = re.compile(rf"\S{{{LONGEST_RUN + 1},}}|\s{{{LONGEST_RUN + 1},}}")
_CL100K_MODEL = re.compile(
    r"(?:^|/)(?:ft:)?(?:gpt-4(?![o.\d])|gpt-3\.5|gpt-35|text-embedding-(?:3|ada-002))", re.IGNORECASE
)

# The split rules that define the two encodings, in parts. A contraction is what may follow a word after an apostrophe.
_CONTRACTION = "(?:'(?i:[sdmt]|ll|ve|re))?"


def _o200k_split(upper: str, lower: str, letter: str, digit: str) -> str:
    before_word = rf"[^\r\n{letter}{digit}]?"
    return "|".join(
        (
            f"{before_word}[{upper}]*[{lower}]+{_CONTRACTION}",
            f"{before_word}[{upper}]+[{lower}]*{_CONTRACTION}",
            f"[{digit}]{{1,3}}",
            rf" ?[^\s{letter}{digit}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    )


def _cl100k_split(_upper: str, _lower: str, letter: str, digit: str) -> str:
    return "|".join(
        (
            r"'(?i:[sdmt]|ll|ve|re)",
            rf"[^\r\n{letter}{digit}]?+[{letter}]++",
            f"[{digit}]{{1,3}}+",
            rf" ?[^\s{letter}{digit}]++[\r\n]*+",
            r"\s++$",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s",
        )
    )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Where an encoding's file lies in litellm's wheel, and what must be in it."""

    file_name: str
    sha256: str
    size: int
    """How many tokens it has."""
    split_with: Callable[[str, str, str, str], str]
    """The split rule, from the character classes of capitals, small letters, letters and digits."""

    @property
    def split(self) -> str:
        """The rule in the notation of ``regex`` and tiktoken's engine."""
        return self.split_with(r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}", r"\p{L}", r"\p{N}")

    @property
    def plain_split(self) -> str:
        """The rule for texts without letters, digits and spaces beyond ASCII, in the notation of ``re``."""
        return self.split_with("A-Z", "a-z", "A-Za-z", "0-9")


VOCABULARIES = {
    "o200k_base": Vocabulary(
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        199_998,
        _o200k_split,
    ),
    "cl100k_base": Vocabulary(
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        100_256,
        _cl100k_split,
    ),
}


def tokenizer_for(model: str | None) -> str:
    """Return the tokenizer to count a model's tokens with; for models that publish none it is an estimate."""
    return "cl100k_base" if model and _CL100K_MODEL.search(model) else DEFAULT_TOKENIZER


def vocabulary_folder() -> Path | None:
    """Return the folder of vocabulary files in litellm's wheel, found without importing litellm."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


class TiktokenCounter:
    """Counts with a published tokenizer; loads it on first use, from any thread."""

    def __init__(self, tokenizer: str = DEFAULT_TOKENIZER, *, folder: Path | None = None) -> None:
        """Count with ``o200k_base`` or ``cl100k_base``; ``folder`` holds other vocabulary files than the wheel's."""
        if tokenizer not in VOCABULARIES:
            known = ", ".join(VOCABULARIES)
            raise CtxcodeError(f"There is no tokenizer {tokenizer!r}.", f"Use one of: {known}.")
        self._tokenizer = tokenizer
        self._folder = folder
        self._lock = Lock()
        self._encoding: Encoding | None = None
        self._lines = LineCounts(self._counted)

    @property
    def id(self) -> str:
        """The tokenizer's name."""
        return self._tokenizer

    def count(self, text: str) -> int:
        """Return the number of tokens; special tokens count as plain text.

        Runs of more than 1,000 characters with or without white space are cut, so the count of such a text is an
        upper bound. The first call loads the tokenizer (about 0.2 s of CPU). Raises CtxcodeError when its file is
        missing or damaged.
        """
        return self._lines.of(text)

    def _counted(self, text: str) -> int:
        encoding = self._encoding or self._loaded()
        if len(text) <= LONGEST_RUN:
            return len(encoding.encode_ordinary(text))
        return sum(len(encoding.encode_ordinary(piece)) for piece in bounded_pieces(text))

    def _loaded(self) -> "Encoding":
        if self._encoding is None:
            with self._lock:
                if self._encoding is None:
                    self._encoding = self._load()
        return self._encoding

    def _load(self) -> "Encoding":
        from tiktoken import Encoding  # noqa: PLC0415 - a compiled module the first paint must not wait for

        split, ranks = VOCABULARIES[self._tokenizer].split, read_ranks(self)
        encoding = Encoding(self._tokenizer, pat_str=split, mergeable_ranks=ranks, special_tokens={})
        # Counting asks the compiled part, which has its own copy; this one is 27 MB that nobody reads again.
        ranks.clear()
        return encoding

    @property
    def folder(self) -> Path | None:
        """Where its vocabulary file lies; None when litellm is not installed."""
        return self._folder or vocabulary_folder()


class ByteCounter:
    """The fallback without vocabulary files: a third of the bytes, rounded up, which over-counts most code."""

    @property
    def id(self) -> str:
        """The name plans record: ``bytes/3``."""
        return FALLBACK_TOKENIZER

    def count(self, text: str) -> int:
        """Return an estimate that errs on the safe side."""
        return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


def open_counter(tokenizer: str, *, folder: Path | None = None) -> TiktokenCounter | ByteCounter:
    """Return a counter whose file exists, else the fallback; reads no file. A damaged file raises on first use."""
    vocabulary = VOCABULARIES.get(tokenizer)
    place = folder or vocabulary_folder()
    if vocabulary is None or place is None or not (place / vocabulary.file_name).is_file():
        return ByteCounter()
    return TiktokenCounter(tokenizer, folder=place)


def read_ranks(counter: TiktokenCounter) -> dict[bytes, int]:
    """Return a counter's vocabulary, token to rank. Raises CtxcodeError when the file is missing or damaged."""
    tokenizer, folder = counter.id, counter.folder
    vocabulary = VOCABULARIES[tokenizer]
    hint = "Install ctxcode again; it counts tokens with files that come with its dependency litellm."
    if folder is None:
        raise CtxcodeError(f"The tokenizer {tokenizer!r} is not installed.", hint)
    path = folder / vocabulary.file_name
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CtxcodeError(f"The tokenizer file {str(path)!r} can't be read: {reason}.", hint) from error
    if sha256(data).hexdigest() != vocabulary.sha256:
        raise CtxcodeError(f"The tokenizer file {str(path)!r} is damaged.", hint)
    # One base64 word and its rank a line.
    words = data.split()
    return dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))


def bounded_pieces(text: str) -> Iterator[str]:
    """Yield a text in order with over-long runs cut: their cost in the tokenizer grows faster than their length."""
    position = 0
    for run in _LONG_RUN.finditer(text):
        if run.start() > position:
            yield text[position : run.start()]
        for start in range(run.start(), run.end(), LONGEST_RUN):
            yield text[start : min(start + LONGEST_RUN, run.end())]
        position = run.end()
    if position < len(text):
        yield text[position:]
