"""The ports of the loop: what it needs from files, graph, stores and models.

Adapters satisfy them structurally and are named in ``bootstrap`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import threading
    from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Sequence

    from ctxcode.model.chat import ModelChunk, ModelRequest
    from ctxcode.model.conversation import ModelInfo, ModelOffer, SessionSummary
    from ctxcode.model.edit.change import FileImage, FileWrite
    from ctxcode.model.engine.capsule import Capsule
    from ctxcode.model.event import DurableEvent
    from ctxcode.model.ids import PlanId, SessionId, SymbolId, TextHash
    from ctxcode.model.plan import ContextPlan, Payload, PlannedRequest
    from ctxcode.model.retrieval import LexicalHit, RetrievalSet
    from ctxcode.model.source import FoundLine, IndexReport, RepositoryInfo, SourceText
    from ctxcode.model.symbol import Edge, ImportedName, IndexStats, ModuleEntry, OtherName, Symbol

IndexProgress = Callable[[int, int, str], None]
"""Called with (files done, files in all, phase); may be called from the refreshing thread."""


class FileTexts(Protocol):
    """The texts of the files of the user's repository."""

    def read_text(self, path: str) -> str:
        """Return a file's text, decoded; line ends as they are.

        Raises RepositoryError when it is outside the repository, secret, unreadable, binary or gone.
        """
        ...


class Workspace(FileTexts, Protocol):
    """The user's repository, read without running anything it contains."""

    @property
    def info(self) -> RepositoryInfo:
        """What is open."""
        ...

    def read_source(self, path: str) -> SourceText:
        """Return the same with the bytes it was decoded from."""
        ...

    def file_paths(self) -> tuple[str, ...]:
        """Return the paths of all files that are not ignored, in any language, sorted; no secrets."""
        ...

    def search(self, words: str, paths: Iterable[str], is_cancelled: Callable[[], bool]) -> tuple[FoundLine, ...]:
        """Return the lines of these files that hold a text, in the paths' order; at most 2,000.

        Case matters only when the text holds capitals. What can't be read is passed over.
        """
        ...

    def follow(self, stop: threading.Event) -> Iterator[None]:
        """Yield whenever something may have changed since the last scan, until ``stop`` is set; blocks meanwhile."""
        ...


class FileEditor(Protocol):
    """Changes files of the opened folder. Methods block; they raise EditError or RefusedPathError."""

    def image(self, path: str) -> FileImage:
        """Return a file as it is, or that it is not there. Raises for one that is never or can't be edited."""
        ...

    def kept(self, digest: str) -> bytes | None:
        """Return bytes that a file had before an edit; None when they are no longer kept."""
        ...

    def write(self, writes: Sequence[FileWrite]) -> tuple[str, ...]:
        """Write all files of a set or none, and return the folders that were made.

        Raises StaleFileError when a file is not what was expected, else EditError.
        """
        ...

    def remove_empty(self, folders: Iterable[str]) -> None:
        """Take folders away that are empty."""
        ...


class CodeGraph(Protocol):
    """The read side of the index. Every method may be called from a worker thread."""

    def stats(self) -> IndexStats:
        """Return what the index holds; zeros before the first refresh."""
        ...

    def symbols(self, ids: Iterable[SymbolId]) -> dict[SymbolId, Symbol]:
        """Return the symbols that exist, by id."""
        ...

    def symbols_named(self, name: str, limit: int = 50) -> tuple[Symbol, ...]:
        """Return the definitions of a name, by id order.

        The name is simple, qualified (``Query.join``), dotted, also without its file (``http.HttpResponse``), or an id;
        matching is case-sensitive.
        """
        ...

    def renamed(self, name: str, path: str = "", limit: int = 10_000) -> tuple[OtherName, ...]:
        """Return where files give a name to what is called otherwise or to an object, by path.

        With a path only what that file says; the name may be empty then, for all that it gives.
        """
        ...

    def imported(self, text: str) -> tuple[ImportedName, ...]:
        """Return what files import in whose module or name a text stands, by path and line."""
        ...

    def symbols_in(self, path: str) -> tuple[Symbol, ...]:
        """Return a file's symbols in source order, its module first; empty when the file is not indexed."""
        ...

    def nearest_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Return the existing names most like one that may not exist."""
        ...

    def paths_like(self, text: str, limit: int = 20) -> tuple[str, ...]:
        """Return indexed paths equal to or ending with ``/text``; else those whose last part is ``text``."""
        ...

    def symbols_like(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        """Return definitions whose qualified name has these letters in this order, without case, nearest first."""
        ...

    def search(
        self, terms: Sequence[tuple[str, float]], limit: int = 300, *, with_aside: bool = True
    ) -> tuple[LexicalHit, ...]:
        """Return full-text hits for any of the (word, weight) terms, best first, ties in node order.

        Words are quoted by the adapter; nothing in them is query syntax. ``with_aside`` lets in what stands in tests,
        docs, examples and vendored code.
        """
        ...

    def nodes_of(self, ids: Collection[SymbolId]) -> dict[SymbolId, int]:
        """Return the dense node numbers of symbols; nodes are numbered by (path, position) in this revision."""
        ...

    def symbols_at(self, nodes: Collection[int]) -> dict[int, Symbol]:
        """Return the symbols behind node numbers."""
        ...

    def nearest_word(self, word: str) -> str | None:
        """Return the word that is meant by one that stands nowhere; None when it is there or nothing comes near."""
        ...

    def unknown_words(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that stand nowhere, in no form of theirs."""
        ...

    def texts_at(self, nodes: Collection[int]) -> dict[int, str]:
        """Return the texts of the symbols behind node numbers: names, place, signature, doc and body."""
        ...

    def links(
        self, node: int, most: int | None = None, among: Container[int] | None = None
    ) -> Sequence[tuple[int, str, float]]:
        """Return a node's neighbours both ways as (node, Relation value seen from the *neighbour*, weight).

        ``(7, "calls", 0.95)`` says: node 7 calls this node. None of a node with more than ``most``; ``among`` leaves
        those that lead to one of these nodes, and those between types. Fast: no SQL per call.
        """
        ...

    def width(self, node: int) -> int:
        """Return how many links a node has."""
        ...

    def owner(self, node: int) -> int | None:
        """Return the node of what a definition stands in; None for a module."""
        ...

    def edges_of(self, symbol: SymbolId) -> tuple[Edge, ...]:
        """Return all edges in and out of a symbol."""
        ...

    def path_between(
        self, sources: Sequence[SymbolId], targets: Sequence[SymbolId], *, may_guess: bool = True
    ) -> tuple[Edge, ...]:
        """Return the chain of edges that tells best how one of some definitions reaches one of others, or a part of it.

        Empty when none tells anything. With guesses it may lead over a type that is used to one of its members, or over
        what overrides a method.
        """
        ...

    def central(self, limit: int) -> tuple[tuple[Symbol, float], ...]:
        """Return the most central definitions (no modules, tests and vendored code weighted down), best first."""
        ...

    def modules(self) -> tuple[ModuleEntry, ...]:
        """Return every indexed file, by path."""
        ...

    def content_hashes(self, paths: Collection[str]) -> dict[str, str]:
        """Return the content hashes of those files that are indexed, by path."""
        ...


class Indexer(Protocol):
    """Brings the index in step with the work tree. One refresh at a time."""

    def refresh(
        self,
        progress: IndexProgress,
        is_cancelled: Callable[[], bool],
        *,
        note_ahead: Callable[[], None] = ...,
    ) -> IndexReport:
        """Re-index what changed; blocks. Raises IndexingError or StoreError.

        ``note_ahead`` is called, in any thread, when the graph can be asked for what a quick look found changed,
        before everything has been looked at; it may never be.
        """
        ...


class TokenCounter(Protocol):
    """Counts tokens offline."""

    @property
    def id(self) -> str:
        """The tokenizer's name: ``o200k_base``."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; special tokens in it count as plain text."""
        ...


class ChatModel(Protocol):
    """A model that answers."""

    @property
    def info(self) -> ModelInfo:
        """What is known of the model without asking it."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Yield text chunks, and each pause before the request is sent again, then exactly one ReplyEnd.

        Closing the generator or cancelling its task ends the request. Raises ModelError.
        """
        ...


class ModelCatalogue(Protocol):
    """Finds models by name."""

    def open(self, name: str, api_base: str | None = None) -> ChatModel:
        """Return a model; ``navigator`` is the offline responder. Cheap: nothing heavy is imported here.

        ``api_base`` is the session's address, for when the user gives none now; empty for the provider's own, None for
        the one it was before.

        Raises ModelUnknownError for a name that can't be one.
        """
        ...

    def choose(self, name: str, api_base: str | None = None) -> ChatModel:
        """Return a model as ``open`` does, once its provider is known to be one; may block for seconds.

        Raises ModelUnknownError.
        """
        ...

    def offers(self, typed: str, used: Sequence[str], limit: int) -> tuple[ModelOffer, ...]:
        """Return the models a few typed letters may mean, nearest first; may block for a second.

        ``used`` are the names of those used here, the one in use first.
        """
        ...


class Journal(Protocol):
    """The conversation database: the event journal and what is stored beside it. Safe to call from any thread."""

    def claim(self, session: SessionId) -> bool:
        """Return whether this process alone writes a session from now on; false while another process does."""
        ...

    def is_elsewhere(self, session: SessionId) -> bool:
        """Return whether another process writes a session: a turn that is open there goes on."""
        ...

    def give_up(self, session: SessionId) -> None:
        """Let other processes write a session."""
        ...

    def append(self, session: SessionId, event: DurableEvent, at: float) -> None:
        """Journal an event durably before it is shown; ``at`` is seconds since the epoch.

        Every event of a kind in WholeReply takes the place of the ReplyArrived that were journalled before it.
        """
        ...

    def events(self, session: SessionId) -> tuple[DurableEvent, ...]:
        """Return a session's events, oldest first; empty for an unknown session."""
        ...

    def capsules(self) -> tuple[Capsule, ...]:
        """Return the capsules in force, of whatever session, by item id. Fast when there are none."""
        ...

    def sessions(self, limit: int = 100) -> tuple[SessionSummary, ...]:
        """Return sessions with at least one turn, newest first."""
        ...

    def usages(self, limit: int = 3_000) -> tuple[tuple[DurableEvent, ...], ...]:
        """Return the newest events that tell of requests and what they took, by session, each oldest first."""
        ...

    def prompts(self, limit: int = 500) -> tuple[str, ...]:
        """Return what was asked in this repository's sessions, newest first, each text once."""
        ...

    def delete_session(self, session: SessionId) -> None:
        """Delete a session with its plans and the texts only they refer to; an unknown one is no error."""
        ...

    def save_plan(
        self, request: PlannedRequest, retrieval: RetrievalSet | None, session: SessionId | None, at: float
    ) -> None:
        """Store a plan, its payload, its texts and its RetrievalSet; storing the same plan twice is no error."""
        ...

    def plan(self, plan_id: str) -> ContextPlan | None:
        """Return a stored plan by id or unique prefix; None when there is none.

        Raises UsageError when several plans begin so.
        """
        ...

    def plans(self, limit: int = 50) -> tuple[tuple[ContextPlan, float], ...]:
        """Return the newest stored plans with the time they were stored."""
        ...

    def retrieval(self, plan_id: PlanId) -> RetrievalSet | None:
        """Return the RetrievalSet a plan was made from."""
        ...

    def text(self, key: TextHash) -> str | None:
        """Return a stored text (an item's rendered text, or a payload's canonical JSON)."""
        ...

    def payload(self, key: TextHash) -> Payload | None:
        """Return a stored payload."""
        ...

    def session_of(self, plan_id: PlanId) -> SessionId | None:
        """Return the session a plan was first made in; None when it was made outside any."""
        ...

    def request_events(self, plan_id: PlanId) -> tuple[DurableEvent, ...]:
        """Return what a session journalled from a plan on until its turn completed, newest request of that plan.

        Empty for a plan that was made outside a session.
        """
        ...


class Clock(Protocol):
    """Seconds since the epoch."""

    def __call__(self) -> float:
        """Return the time now."""
        ...


SourceTexts = Mapping[str, str]
"""Path to decoded text, for the files a plan's candidates stand in."""
