"""What a session is made of: the adapters it works through and what it starts with."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ctxcode.action.limits import Limits
from ctxcode.action.loop_guard import LoopProfile
from ctxcode.model.edit.change import EditPolicy
from ctxcode.model.ids import SessionId
from ctxcode.model.plan import ContextMode
from ctxcode.model.secret.text import DEFAULT_POLICY, SecretPolicy
from ctxcode.session.command.desk import Commands
from ctxcode.session.ports import (
    ChatModel,
    Clock,
    CodeGraph,
    FileEditor,
    Indexer,
    Journal,
    ModelCatalogue,
    TokenCounter,
    Workspace,
)
from ctxcode.session.strategy.catalogue import StrategyCatalogue


@dataclass(frozen=True, slots=True)
class Adapters:
    """Everything a session works through."""

    workspace: Workspace
    editor: FileEditor
    graph: CodeGraph
    indexer: Indexer
    journal: Journal
    catalogue: ModelCatalogue
    counter_for: Callable[[str], TokenCounter]
    """Tokenizer id to counter."""
    clock: Clock
    new_session_id: Callable[[], SessionId]
    notices: Callable[[ChatModel], tuple[str, ...]]
    """Imports what is slow and looks around; blocks; returns what the user should know."""
    strategies: StrategyCatalogue = field(default_factory=StrategyCatalogue)
    secrets: SecretPolicy = DEFAULT_POLICY
    """What never reaches a model or the journal."""
    commands: Callable[[], Commands] | None = None
    """What runs commands, made when it is first needed; None where none may run."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a new session starts with."""

    mode: ContextMode
    model: str
    budget_tokens: int
    output_reserve_tokens: int | None = None
    loops: tuple[tuple[str, LoopProfile], ...] = ()
    """Thresholds of the loop guard by model name pattern; the first that fits counts."""
    edits: EditPolicy = EditPolicy.ASK
    """Who decides on proposed edits."""
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    """The user's caps on a session."""
    is_attended: bool = False
    """Somebody is there to answer questions."""
    chosen: frozenset[str] = frozenset()
    """Which of ``mode``, ``model`` and ``budget_tokens`` the user just asked for: these hold in an old session too."""
