"""What a question asks for, and the ordered candidates that answer it."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.ids import RetrievalId
from ctxcode.model.plan import Reason
from ctxcode.model.symbol import Symbol


class MentionKind(StrEnum):
    """How the user pointed at code."""

    PATH = "path"
    IDENTIFIER = "identifier"
    LINE = "line"
    """A path with a line: from a traceback or written ``path:12``."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place or name the user wrote."""

    kind: MentionKind
    text: str
    """The path or the identifier, as written, without ``@`` or back-ticks."""
    line: int = 0
    is_explicit: bool = False
    """Written with ``@`` or in back-ticks, or a traceback frame: comes first."""
    name: str = ""
    """Of a trace's frame: the function it is in; lines move, names stay."""


class ProjectTopic(StrEnum):
    """What may be asked of a project itself; each says what a file tells that answers."""

    TESTS = "says how tests are run"
    BUILD = "says how it is built"
    VERSIONS = "says which versions it needs"
    DEPENDENCIES = "says what it depends on"


@dataclass(frozen=True, slots=True)
class Query:
    """A question in the form retrieval takes."""

    text: str
    terms: tuple[tuple[str, float], ...] = ()
    """Lower-case words with weights, stop words left out, in order of first appearance."""
    mentions: tuple[Mention, ...] = ()
    prefixes: tuple[str, ...] = ()
    """What it says it is about before it says what: ``net/http`` of ``net/http: …``."""
    folders: tuple[str, ...] = ()
    """Words that may be paths of folders, besides its mentions."""
    wants_tests: bool = False
    """The question speaks of tests, docs or examples, so they are not weighted down."""
    project: ProjectTopic | None = None
    """It is about the project itself: what its manifests and its README say."""
    is_contentless: bool = False
    """"continue", "yes", "go on": no query at all."""
    readings: tuple[tuple[str, str], ...] = ()
    """The terms that are translations, each with the user's word it was read from."""
    said: str = ""
    """The question as it was read, where words of it were translated; empty for as it stands."""


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A symbol the full-text index found."""

    node: int
    """Dense number of the symbol in this index revision."""
    score: float
    """Higher is better; not comparable between queries."""
    path: str


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One named part of a score; the parts' sum is the score."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One candidate of a RetrievalSet."""

    symbol: Symbol
    score: float
    terms: tuple[ScoreTerm, ...]
    reasons: tuple[Reason, ...]
    lines: tuple[int, ...] = ()
    """Its lines that the question points at, in the order they are written there."""


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """The ordered, scored candidates one query produced, also those no plan includes."""

    id: RetrievalId
    query: str
    index_revision: str
    entries: tuple[Retrieved, ...]
    """Best first."""
    notice: str = ""
    """What the user should know of how it was found; empty for nothing."""
    is_compared: bool = True
    """False when it could not be compared by meaning, though it should have been: the next time it may be."""
