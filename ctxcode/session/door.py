"""The door of the screens: everything a front end may ask of a session."""

from collections.abc import AsyncGenerator
from typing import Protocol

from ctxcode.model.conversation import ModelInfo, ModelOffer
from ctxcode.model.event import (
    BudgetChanged,
    DetailChosen,
    DurableEvent,
    Event,
    ItemDropped,
    ItemRestored,
    ItemUnpinned,
    ModeChanged,
    ModelChanged,
)
from ctxcode.model.ids import ItemId, SessionId
from ctxcode.model.passing.event import IndexProgressed, IndexRefreshed
from ctxcode.model.pin import Pin, SuggestedPin
from ctxcode.model.plan import ContextMode, ContextPlan, Detail, PlanItem
from ctxcode.model.source import RepositoryInfo
from ctxcode.model.symbol import IndexStats, Symbol
from ctxcode.session.capsule.door import CapsuleDoor
from ctxcode.session.command.door import CommandDoor
from ctxcode.session.edits.door import EditDoor
from ctxcode.session.look.starters import Starters
from ctxcode.session.memory.conversation_door import ConversationDoor
from ctxcode.session.memory.door import MemoryDoor
from ctxcode.session.outcome.door import ArchiveDoor, OutcomeDoor
from ctxcode.session.strategy.door import StrategyDoor


class Door(Protocol):
    """One open session on one repository.

    The events it returns are already journalled. Async methods run their blocking work in threads, so they may be
    awaited from a screen's worker; none of them blocks the event loop. All may raise CtxcodeError.
    """

    @property
    def id(self) -> SessionId:
        """The session's id."""
        ...

    @property
    def repository(self) -> RepositoryInfo:
        """The repository that is open."""
        ...

    @property
    def mode(self) -> ContextMode:
        """The context mode in force."""
        ...

    @property
    def model(self) -> ModelInfo:
        """The model in use."""
        ...

    @property
    def budget_tokens(self) -> int:
        """The active context's limit."""
        ...

    def history(self) -> tuple[DurableEvent, ...]:
        """Return the session's journal, oldest first; folding it rebuilds the screen."""
        ...

    def pins(self) -> tuple[Pin, ...]:
        """Return the pins in force."""
        ...

    def suggested_pins(self) -> tuple[SuggestedPin, ...]:
        """Return what should perhaps stay, with evidence."""
        ...

    @property
    def memory(self) -> MemoryDoor:
        """Pins of every kind, activation and tasks of the branch that is open."""
        ...

    @property
    def conversation(self) -> ConversationDoor:
        """Branches, undoing, the rolling window and the state anchor."""
        ...

    @property
    def strategies(self) -> StrategyDoor:
        """How the conversation is chosen that a request holds."""
        ...

    @property
    def capsules(self) -> CapsuleDoor:
        """Written summaries of modules and processes, the repository's."""
        ...

    @property
    def edits(self) -> EditDoor:
        """Proposed and applied edits: deciding, undoing, what was changed."""
        ...

    @property
    def outcomes(self) -> OutcomeDoor:
        """Marks on replies, and what sessions came to."""
        ...

    @property
    def archive(self) -> ArchiveDoor:
        """The repository's stored sessions."""
        ...

    @property
    def commands(self) -> CommandDoor:
        """Commands on the user's machine, and the questions about them."""
        ...

    def turn(self, prompt: str) -> AsyncGenerator[Event, None]:
        """Send a message and yield what happens until control returns.

        Yields TurnStarted, then for each request ContextPlanned, ReplyChunked… and either ToolsCalled with a
        ToolAnswered for each call, or ReplyFinished; TurnCompleted ends it. Calls that would change files yield
        EditsProposed and wait for ``edits.decide``, then EditsDecided and EditsSettled. A model's failure ends in a
        TurnCompleted with ``error`` and ``hint``, not in an exception. Closing the generator or cancelling its task
        interrupts the turn, ends the request and journals ReplyFinished (the text so far) and TurnCompleted with
        ``interrupted`` before the cancellation goes on.
        """
        ...

    async def preview(self, prompt: str, mode: ContextMode | None = None) -> ContextPlan:
        """Return the plan for a prompt that is not sent, as another mode would make it if one is given.

        Changes and stores nothing.
        """
        ...

    async def plan(self, plan_id: str) -> ContextPlan | None:
        """Return a stored plan."""
        ...

    async def plan_ids(self) -> tuple[str, ...]:
        """Return this session's plan ids, oldest first."""
        ...

    async def item_text(self, item: PlanItem) -> str:
        """Return exactly the text the model gets for an item; for one that was not rendered, its source lines."""
        ...

    async def unpin(self, item: ItemId) -> ItemUnpinned:
        """Take a pin away."""
        ...

    async def drop(self, item: ItemId) -> ItemDropped:
        """Keep an item out of the context until it is restored."""
        ...

    async def restore(self, item: ItemId) -> ItemRestored:
        """Let a dropped item in again."""
        ...

    async def levels(self, item: ItemId) -> tuple[tuple[Detail, int], ...]:
        """Return the levels an item can be shown at, cheapest first, with their tokens; empty when it has only one."""
        ...

    async def set_detail(self, item: ItemId, detail: Detail | None) -> DetailChosen:
        """Choose how much of an item is shown; None leaves it to the planner again."""
        ...

    async def set_mode(self, mode: ContextMode) -> ModeChanged:
        """Switch the context mode."""
        ...

    async def set_model(self, name: str) -> ModelChanged:
        """Use another model from the next turn on."""
        ...

    async def model_offers(self, text: str, limit: int = 24) -> tuple[ModelOffer, ...]:
        """Return the models a few typed letters may mean, those near at hand first."""
        ...

    async def set_budget(self, budget_tokens: int) -> BudgetChanged:
        """Set the active context's limit."""
        ...

    def refresh_index(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Bring the index up to date; the last event is IndexRefreshed. Closing it cancels."""
        ...

    def follow_changes(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Keep the index up to date while files change; ends where changes can't be noticed. Closing it ends it."""
        ...

    def rest_index(self) -> None:
        """Let nothing go on behind the index until it is refreshed again; returns at once."""
        ...

    async def stats(self) -> IndexStats:
        """Return what the index holds."""
        ...

    async def starters(self) -> Starters:
        """Return what there is to ask of the repository first."""
        ...

    async def find(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        """Return symbols by name, for adding one to the context."""
        ...

    async def complete(self, text: str, limit: int = 8) -> tuple[Symbol, ...]:
        """Return the files and symbols a few typed letters may become, nearest first; a file is its module's symbol."""
        ...

    def open(self, session: SessionId | None) -> "Door":
        """Return another session of this repository; None starts a new one."""
        ...

    async def warm_up(self) -> tuple[str, ...]:
        """Import what is slow, after the first paint; return notices: local model servers found, a missing key."""
        ...
