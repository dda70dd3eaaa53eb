"""The session: the screens' one door to everything else."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from ctxcode.model.conversation import ModelInfo, ModelOffer
from ctxcode.model.engine.capsule import is_capsule
from ctxcode.model.errors import UsageError
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
from ctxcode.session.adapters import Adapters
from ctxcode.session.capsule.capsules import Capsules
from ctxcode.session.command.desk import CommandDesk
from ctxcode.session.command.questions import Questions
from ctxcode.session.command.turn import SessionCommands
from ctxcode.session.defaults import Defaults, asked_for
from ctxcode.session.edits.approval import Approvals
from ctxcode.session.edits.edits import Edits
from ctxcode.session.edits.recovery import told
from ctxcode.session.index.refresher import IndexRefresher
from ctxcode.session.ledger import EventT, Ledger, changed
from ctxcode.session.look.starters import Starters, starters
from ctxcode.session.lookup.completion import completed_here
from ctxcode.session.memory.conversation import Conversation
from ctxcode.session.memory.memory import Memory, found
from ctxcode.session.outcome.archive import Archive
from ctxcode.session.outcome.outcomes import Outcomes
from ctxcode.session.state import SessionState
from ctxcode.session.strategy.strategies import Strategies, resumed
from ctxcode.session.threads import interruptible
from ctxcode.session.turn.making import TurnMaker

MIN_BUDGET_TOKENS = 256
MAX_BUDGET_TOKENS = 1_000_000


class Session:
    """One open session on one repository; see ``door.Door`` for what it promises."""

    def __init__(self, adapters: Adapters, defaults: Defaults, session: SessionId | None = None) -> None:
        self._adapters = adapters
        self._defaults = defaults
        state = SessionState(
            mode=defaults.mode,
            model=defaults.model,
            budget_tokens=defaults.budget_tokens,
            strategy=adapters.strategies().setting.name,
            api_base=defaults.api_base,
        )
        self._ledger = Ledger(session or adapters.new_session_id(), adapters.journal, adapters.clock, state)
        if session is not None:
            self._ledger.load()
            self._apply_chosen()
        self._preview_texts: dict[str, str] = {}
        self._models_used: tuple[str, ...] | None = None
        """Models that answered in this repository, looked up when they are first asked for."""
        commands = adapters.commands() if adapters.commands is not None else None
        questions = Questions(defaults.is_attended)
        self._turns = TurnMaker(
            ledger=self._ledger,
            adapters=adapters,
            defaults=defaults,
            model=adapters.catalogue.open(self._ledger.state.model, self._ledger.state.api_base),
            strategy=resumed(adapters.strategies(), self._ledger.state.strategy),
            refresher=IndexRefresher(adapters.indexer, adapters.graph.stats),
            approvals=Approvals(defaults.edits),
            questions=questions,
            commands=CommandDesk(commands, questions) if commands is not None else None,
        )

    @property
    def id(self) -> SessionId:
        """The session's id."""
        return self._ledger.id

    @property
    def repository(self) -> RepositoryInfo:
        """The repository that is open."""
        return self._adapters.workspace.info

    @property
    def mode(self) -> ContextMode:
        """The context mode in force."""
        return self._ledger.state.mode

    @property
    def model(self) -> ModelInfo:
        """The model in use."""
        return self._turns.model.info

    @property
    def budget_tokens(self) -> int:
        """The active context's limit."""
        return self._ledger.state.budget_tokens

    def history(self) -> tuple[DurableEvent, ...]:
        """Return the session's journal, oldest first."""
        return tuple(self._ledger.events)

    def pins(self) -> tuple[Pin, ...]:
        """Return the pins in force."""
        return self._ledger.state.pins

    def suggested_pins(self) -> tuple[SuggestedPin, ...]:
        """Return what keeps coming up and is not pinned for good, with evidence."""
        return self._ledger.state.branch.suggested

    @property
    def memory(self) -> Memory:
        """Pins, activation and tasks of the branch that is open."""
        return Memory(self._ledger, self._adapters)

    @property
    def conversation(self) -> Conversation:
        """Branches, undoing, the rolling window and the state anchor."""
        limits = self._defaults.limits
        return Conversation(
            self._ledger, self._adapters, self._turns.model, self._turns.assembler(), self._turns.ask, limits
        )

    @property
    def strategies(self) -> Strategies:
        """How the conversation is chosen that a request holds."""
        rest = self._turns.assembler(), self._turns.ask, self._defaults.limits
        return Strategies(self._ledger, self._adapters, self._turns.strategy, self._turns.model, *rest)

    @property
    def capsules(self) -> Capsules:
        """Written summaries of modules and processes, the repository's."""
        limits = self._defaults.limits
        return Capsules(self._ledger, self._adapters, self._turns.model, limits, self._turns.bring_up_to_date)

    @property
    def edits(self) -> Edits:
        """Proposed and applied edits: deciding, undoing, what was changed."""
        return Edits(self._ledger, self._turns.edit_desk, self._turns.approvals)

    @property
    def outcomes(self) -> Outcomes:
        """Marks on replies, and what sessions came to."""
        return Outcomes(self._ledger)

    @property
    def archive(self) -> Archive:
        """The repository's stored sessions."""
        return Archive(self._ledger)

    @property
    def unkept_cap(self) -> str:
        """Why the user's cap on the session's cost can't be kept; empty when it can, and when there is none."""
        info = self._turns.model.info
        if self._defaults.limits.max_cost is None or info.input_cost_per_token is not None or info.is_offline:
            return ""
        return f"The price of {info.name!r} is not known: max_cost can't be kept."

    @property
    def commands(self) -> SessionCommands:
        """Commands on the user's machine. Raises UsageError where none may run."""
        if self._turns.commands is None:
            raise UsageError("Commands can't be run here.")
        return SessionCommands(self._ledger, self._turns.commands, self._adapters.secrets)

    async def turn(self, prompt: str) -> AsyncGenerator[Event, None]:
        """Send a message and yield what happens until control returns."""
        # The model is told of that turn, too.
        await asyncio.to_thread(self._ledger.end_open_turn)
        for settled in await asyncio.to_thread(self.edits.settle_interrupted):
            yield settled
        runner = self._turns.runner(prompt)
        async with aclosing(runner.run()) as events:
            async for event in events:
                yield event

    async def preview(self, prompt: str, mode: ContextMode | None = None) -> ContextPlan:
        """Return the plan for a prompt that is not sent, as another mode would make it if one is given."""
        ask = replace(self._turns.ask(prompt), mode=mode or self.mode)
        planned = await asyncio.to_thread(self._turns.previewed, ask)
        self._preview_texts = dict(planned.texts)
        return planned.plan

    async def plan(self, plan_id: str) -> ContextPlan | None:
        """Return a stored plan."""
        return await asyncio.to_thread(self._adapters.journal.plan, plan_id)

    async def plan_ids(self) -> tuple[str, ...]:
        """Return this session's plan ids, oldest first."""
        return tuple(self._ledger.state.plan_ids)

    async def item_text(self, item: PlanItem) -> str:
        """Return the text the model gets for an item; for one that was not rendered, its source lines."""
        if item.text is not None:
            text = self._preview_texts.get(item.text)
            if text is None:
                text = await asyncio.to_thread(self._adapters.journal.text, item.text)
            if text is not None:
                return text
        if not item.path:
            return await asyncio.to_thread(self.capsules.text_of, item.id) if is_capsule(item.id) else ""
        source = await asyncio.to_thread(self._adapters.workspace.read_text, item.path)
        return "\n".join(source.split("\n")[max(item.start_line - 1, 0) : item.end_line or None])

    async def unpin(self, item: ItemId) -> ItemUnpinned:
        """Take a pin away."""
        return await self._record(ItemUnpinned(item))

    async def drop(self, item: ItemId) -> ItemDropped:
        """Keep an item out of the context until it is restored. Raises UsageError for what is always sent."""
        if item in ("system", "tools", "message", "note", "reply") or item.startswith("tool:"):
            what = "The system prompt, the tools, their results and your message"
            raise UsageError(f"{what} are always sent.", "Drop another row.")
        return await self._record(ItemDropped(item))

    async def restore(self, item: ItemId) -> ItemRestored:
        """Let a dropped item in again."""
        return await self._record(ItemRestored(item))

    async def levels(self, item: ItemId) -> tuple[tuple[Detail, int], ...]:
        """Return the levels an item can be shown at, cheapest first, with their tokens."""
        return await asyncio.to_thread(self._turns.assembler().levels, item)

    async def set_detail(self, item: ItemId, detail: Detail | None) -> DetailChosen:
        """Choose how much of an item is shown; None leaves it to the planner again."""
        return await self._record(DetailChosen(item, detail))

    async def set_mode(self, mode: ContextMode) -> ModeChanged:
        """Switch the context mode."""
        return await self._record(ModeChanged(mode))

    async def set_model(self, name: str) -> ModelChanged:
        """Use another model from the next turn on. Raises ModelUnknownError."""
        api_base = self._ledger.state.api_base
        chat_model = await asyncio.to_thread(self._adapters.catalogue.choose, name, api_base)
        event = await self._record(ModelChanged(name, api_base))
        self._turns.model = chat_model
        return event

    async def model_offers(self, text: str, limit: int = 24) -> tuple[ModelOffer, ...]:
        """Return the models a few typed letters may mean, those near at hand first."""
        if self._models_used is None:
            self._models_used = tuple(row.model for row in await self.archive.calibrations())
        used = tuple(dict.fromkeys((self.model.name, *self._models_used)))
        return await asyncio.to_thread(self._adapters.catalogue.offers, text, used, limit)

    async def set_budget(self, budget_tokens: int) -> BudgetChanged:
        """Set the active context's limit. Raises UsageError outside 256 to 1,000,000 tokens."""
        if not MIN_BUDGET_TOKENS <= budget_tokens <= MAX_BUDGET_TOKENS:
            raise UsageError(
                f"A budget of {budget_tokens:,} tokens is out of range.",
                f"Use {MIN_BUDGET_TOKENS:,} to {MAX_BUDGET_TOKENS:,}.",
            )
        return await self._record(BudgetChanged(budget_tokens))

    async def refresh_index(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Bring the index up to date; the last event is IndexRefreshed. Closing it cancels."""
        async with aclosing(self._turns.refresher.events()) as events:
            async for event in events:
                yield event

    async def follow_changes(self) -> AsyncGenerator[IndexProgressed | IndexRefreshed, None]:
        """Keep the index up to date while files change; ends where changes can't be noticed. Closing it ends it."""
        workspace = self._adapters.workspace
        async with aclosing(self._turns.refresher.follow(workspace.follow, lambda: workspace.info.branch)) as events:
            async for event in events:
                yield event

    def rest_index(self) -> None:
        """Let nothing go on behind the index until it is refreshed again."""
        self._adapters.rest()

    async def stats(self) -> IndexStats:
        """Return what the index holds."""
        return await asyncio.to_thread(self._adapters.graph.stats)

    async def starters(self) -> Starters:
        """Return what there is to ask of the repository first."""
        return await asyncio.to_thread(starters, self._adapters.graph)

    async def find(self, text: str, limit: int = 20) -> tuple[Symbol, ...]:
        """Return symbols by name; the most central ones for an empty text."""
        return await asyncio.to_thread(found, self._adapters.graph, text, limit)

    async def complete(self, text: str, limit: int = 8) -> tuple[Symbol, ...]:
        """Return the files and symbols a few typed letters may become, nearest first."""
        return await asyncio.to_thread(completed_here, self._adapters.graph, self._adapters.workspace, text, limit)

    def open(self, session: SessionId | None) -> "Session":
        """Return another session of this repository; None starts a new one. Raises SessionInUseError."""
        state = self._ledger.state
        defaults = replace(self._defaults, model=state.model, api_base=state.api_base, chosen=frozenset())
        # Read before it is ours, it could lack what another process has written last.
        with changed(self._adapters.journal, self.id, session):
            return Session(self._adapters, defaults, session)

    async def warm_up(self) -> tuple[str, ...]:
        """Import what is slow, after the first paint; return notices."""
        return await interruptible(lambda _cancelled: self._warm(), stop=self._adapters.let_go)

    def _apply_chosen(self) -> None:
        """Change what the command line asks for otherwise. A name that can't be a model's raises and is not kept."""
        for event in asked_for(self._ledger.state, self._defaults):
            if isinstance(event, ModelChanged):
                self._adapters.catalogue.open(event.model, event.api_base)
            self._ledger.record(event)

    def _warm(self) -> tuple[str, ...]:
        self._adapters.counter_for(self._turns.model.info.tokenizer).count("")
        notices = [*told(self.edits.settle_interrupted()), *self._adapters.notices(self._turns.model), self.unkept_cap]
        sandbox = self._turns.commands.commands.shell.sandbox if self._turns.commands is not None else None
        if sandbox is not None and not sandbox.is_there:
            notices.append(f"No sandbox: {sandbox.problem}. Every command the model wants to run is asked about.")
        return tuple(filter(None, notices))

    async def _record(self, event: EventT) -> EventT:
        return await asyncio.to_thread(self._ledger.record, event)
