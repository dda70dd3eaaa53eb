"""What a session works through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcode.model.secret.text import DEFAULT_POLICY, SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcode.model.ids import SessionId
    from ctxcode.retrieval.semantic import Semantic
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
    editor: Callable[[], FileEditor]
    """What changes files, made when it is first needed."""
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
    let_go: Callable[[], None]
    """Ends what ``notices`` may be waiting for."""
    prepare: Callable[[ChatModel], None]
    """Has ready soon what the next call, and the next edit, would wait for; returns at once."""
    strategies: Callable[[], StrategyCatalogue]
    """Which there are, made when a session needs one."""
    secrets: SecretPolicy = DEFAULT_POLICY
    """What never reaches a model or the journal."""
    semantic: Semantic | None = None
    """Compares questions with code by meaning; None for by words only."""
    rest: Callable[[], None] = lambda: None
    """Ends what goes on by itself behind an index that can be asked, until the next refresh; returns at once."""
    commands: Callable[[], Commands] | None = None
    """What runs commands, made when it is first needed; None where none may run."""
