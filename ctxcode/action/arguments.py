"""The arguments of each tool, as types: what the model may send, to the letter."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Path = Annotated[str, Meta(min_length=1, max_length=1_000, description="relative to the repository")]
Line = Annotated[int, Meta(ge=1, le=100_000_000)]
Words = Annotated[str, Meta(min_length=1, max_length=500)]
Name = Annotated[
    str, Meta(min_length=1, max_length=500, description="name, Class.method, dotted name or path::Class.method")
]


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all tools' arguments are."""


class RequestCodeContext(Arguments, frozen=True):
    """One of ``symbol`` and ``query``."""

    symbol: Name | None = None
    query: Annotated[str, Meta(min_length=1, max_length=500, description="words or a question")] | None = None
    detail: Literal["signature", "card", "body"] | None = None
    budget_tokens: Annotated[int, Meta(ge=50, le=1_000_000)] | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless exactly one thing is asked for."""
        if (self.symbol is None) == (self.query is None):
            raise ValueError("give either symbol or query")


class FindReferences(Arguments, frozen=True):
    """A definition's name."""

    symbol: Name


class SearchCode(Arguments, frozen=True):
    """An exact text, and where."""

    query: Annotated[str, Meta(min_length=1, max_length=500, description="exact text on one line, no pattern")]
    path: Annotated[str, Meta(min_length=1, max_length=1_000, description="folder or file")] | None = None


class ReadFile(Arguments, frozen=True):
    """A file, and which lines of it."""

    path: Path
    start_line: Line | None = None
    end_line: Line | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a span that ends before it begins."""
        if self.end_line is not None and self.end_line < (self.start_line or 1):
            raise ValueError("end_line is before start_line")


class RunCommand(Arguments, frozen=True):
    """A command line, run in the repository's folder."""

    command: Annotated[str, Meta(min_length=1, max_length=4_000, description="one command; plain words are best")]


class ListFiles(Arguments, frozen=True):
    """A folder, and which names."""

    path: Annotated[str, Meta(max_length=1_000, description="folder; the repository itself without it")] | None = None
    pattern: Annotated[str, Meta(min_length=1, max_length=200, description="such as *.py or test_*")] | None = None


class PinWish(Arguments, frozen=True, kw_only=True):
    """A definition or a file, and why it should stay."""

    symbol: Words | None = None
    path: Annotated[str, Meta(min_length=1, max_length=1_000, description="file, or file:10-20")] | None = None
    why: Annotated[str, Meta(min_length=1, max_length=300)]

    def __post_init__(self) -> None:
        """Raise ValueError unless exactly one thing is named."""
        if (self.symbol is None) == (self.path is None):
            raise ValueError("give either symbol or path")


class SuggestPins(Arguments, frozen=True):
    """What should stay in the context."""

    items: Annotated[list[PinWish], Meta(min_length=1, max_length=5)]


class UpdateNotes(Arguments, frozen=True):
    """The whole of the notes, which replaces what they were."""

    text: Annotated[str, Meta(min_length=1, max_length=8_000, description="Goal, Context, Resolved, Technical Anchors")]


class ProposeEdit(Arguments, frozen=True, kw_only=True):
    """A passage and what takes its place; ``old``, ``symbol`` or both, then ``old`` is looked for inside ``symbol``."""

    path: Path
    old: Annotated[str, Meta(max_length=200_000, description="exact text, found once in the file")] | None = None
    new: Annotated[str, Meta(max_length=200_000, description="what takes its place")]
    symbol: (
        Annotated[
            str, Meta(min_length=1, max_length=500, description="definition in the file, replaced whole without old")
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        """Raise ValueError when nothing says what is replaced."""
        if self.old is None and self.symbol is None:
            raise ValueError("give old, or symbol, or both")


class CreateFile(Arguments, frozen=True):
    """A file that is not there yet."""

    path: Path
    content: Annotated[str, Meta(max_length=1_000_000)]


class DeleteFile(Arguments, frozen=True):
    """A file."""

    path: Path


class RenameFile(Arguments, frozen=True):
    """A file and where it is to be."""

    path: Path
    new_path: Path
