"""A stored request, rebuilt byte for byte, with what has changed in the repository since."""

from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.canonical import text_hash
from ctxcode.model.chat import ModelRequest
from ctxcode.model.errors import RepositoryError, StoreError
from ctxcode.model.event import ModelChanged, SessionStarted
from ctxcode.model.ids import TextHash
from ctxcode.model.plan import ContextPlan, Payload
from ctxcode.session.ports import Journal, Workspace


class FileState(StrEnum):
    """What became of a file that a plan's text was read from."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Source:
    """A file a plan shows text of, as it is now."""

    path: str
    state: FileState
    items: int
    """Items of the payload that stand in it."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A stored request."""

    plan: ContextPlan
    payload: Payload
    payload_json: str
    """The canonical JSON of the payload, exactly as it was stored; its digest is the plan's payload hash."""
    is_intact: bool
    """The stored payload and every stored item text have the digests the plan names."""
    broken: tuple[TextHash, ...]
    """Keys whose text is missing or another one."""
    sources: tuple[Source, ...]
    """The files whose text is shown, by path."""

    @property
    def changed(self) -> tuple[Source, ...]:
        """The files that are no longer what the model was shown."""
        return tuple(source for source in self.sources if source.state is not FileState.SAME)

    @property
    def request(self) -> ModelRequest:
        """The call of a model that sends the payload again."""
        return ModelRequest(
            self.payload.messages, self.plan.limits.output_reserve_tokens, self.plan.prompt, self.payload.tools
        )


def replayed(plan: ContextPlan, journal: Journal, workspace: Workspace) -> Replay:
    """Return a stored plan's request. Blocks.

    Raises StoreError when the plan was never sendable or its payload is not stored any more.
    """
    if plan.payload_hash is None:
        raise StoreError(
            f"Plan {plan.id[:8]!r} was over budget: nothing was sent, so there is nothing to replay.",
            f"See why: ctxcode plan show {plan.id[:8]}",
        )
    payload_json, payload = journal.text(plan.payload_hash), journal.payload(plan.payload_hash)
    if payload_json is None or payload is None:
        raise StoreError(
            f"The payload of plan {plan.id[:8]!r} is not stored.", "`ctxcode doctor` says whether the file is sound."
        )
    keys = [plan.payload_hash, *dict.fromkeys(item.text for item in plan.included if item.text is not None)]
    broken = tuple(key for key in keys if (text := journal.text(key)) is None or text_hash(text) != key)
    return Replay(plan, payload, payload_json, not broken, broken, _sources(plan, workspace))


def _sources(plan: ContextPlan, workspace: Workspace) -> tuple[Source, ...]:
    shown = [item.path for item in plan.included if item.lines]
    return tuple(
        Source(source.path, _state(source.path, source.digest, workspace), shown.count(source.path))
        for source in plan.sources
    )


def _state(path: str, digest: TextHash, workspace: Workspace) -> FileState:
    try:
        text = workspace.read_text(path)
    except RepositoryError:
        return FileState.GONE
    return FileState.SAME if text_hash(text) == digest else FileState.CHANGED


def address_of(plan: ContextPlan, journal: Journal) -> str:
    """Return the address the user had given for a plan's model in its session; empty for none."""
    session = journal.session_of(plan.id)
    events = journal.events(session) if session is not None else ()
    chosen = [event for event in events if isinstance(event, SessionStarted | ModelChanged)]
    return next((event.api_base for event in reversed(chosen) if event.model == plan.model), "")
