"""What the turns of a session are made of: who answers, with which tools, about what."""

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ctxcode.action.loop_guard import LoopProfile
from ctxcode.action.tools import RUNNING, tool_specs
from ctxcode.model.conversation import ToolSpec
from ctxcode.model.plan import PlannedRequest
from ctxcode.session.adapters import Adapters
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.session.command.desk import CommandDesk
from ctxcode.session.command.questions import Questions
from ctxcode.session.defaults import Defaults
from ctxcode.session.edits.approval import Approvals
from ctxcode.session.edits.desk import EditDesk
from ctxcode.session.edits.run import EditRun
from ctxcode.session.index.refresher import IndexRefresher
from ctxcode.session.ledger import Ledger
from ctxcode.session.memory.branch import moved
from ctxcode.session.memory.pins import moves
from ctxcode.session.ports import ChatModel
from ctxcode.session.strategy.past import Past
from ctxcode.session.strategy.strategies import InUse, memory_of
from ctxcode.session.tools.desk import Desk
from ctxcode.session.tools.runner import ToolRunner
from ctxcode.session.turn.calls import CallRunner
from ctxcode.session.turn.keeping import ReplyKeeper
from ctxcode.session.turn.planning import RequestPlanner
from ctxcode.session.turn.run import TurnRunner


@dataclass(slots=True)
class TurnMaker:
    """Makes the turns and the previews of one session, as it is at that moment."""

    ledger: Ledger
    adapters: Adapters
    defaults: Defaults
    model: ChatModel
    """The one in use."""
    strategy: InUse
    refresher: IndexRefresher
    approvals: Approvals
    questions: Questions
    commands: CommandDesk | None
    """None where no command may run."""
    past: Past = field(default_factory=Past)

    def runner(self, prompt: str) -> TurnRunner:
        """Return what runs a turn about a message."""
        ask, made = self.ask(prompt), self.assembler()
        desk = Desk(made.workspace, made.graph, made.counter.count, made.secrets, made.semantic)
        edits = EditRun(ask.turn, self.ledger, self.edit_desk, self.approvals, self.bring_up_to_date)
        tools = ToolRunner(desk, self.commands)
        limits, catch_up = self.defaults.limits, self.refresher.catch_up
        return TurnRunner(
            ledger=self.ledger,
            model=self.model,
            planner=RequestPlanner(self.ledger, self.model.info, made, ask, catch_up, limits=limits),
            calls=CallRunner(self.ledger, made.counter, tools, edits, self.questions),
            profile=self._loop_profile,
            keeper=ReplyKeeper(self.ledger),
        )

    def previewed(self, ask: Ask) -> PlannedRequest:
        """Return the request that would be sent; blocks."""
        # Whoever types will send.
        self.adapters.prepare(self.model)
        assembler = self.assembler()
        pins = moved(ask.pins, moves(ask.pins, assembler.graph, assembler.workspace))
        planned, _ = assembler.assemble(replace(ask, pins=pins, is_preview=True))
        return planned

    def assembler(self) -> Assembler:
        """Return what plans requests for the model in use."""
        adapters = self.adapters
        counter = adapters.counter_for(self.model.info.tokenizer)
        return Assembler(
            adapters.workspace,
            adapters.graph,
            counter,
            self.past,
            adapters.secrets,
            adapters.semantic,
            adapters.journal.capsules,
        )

    def ask(self, prompt: str) -> Ask:
        """Return what a plan is wanted for, from a message and all that the session holds."""
        state, said = self.ledger.state, self.adapters.secrets.cleared(prompt)
        return Ask(
            prompt=said.text,
            has_instructions=True,
            withheld=said.kinds,
            mode=state.mode,
            model=self.model.info,
            budget_tokens=state.budget_tokens,
            branch=state.branch.name,
            turn=state.next_turn,
            pins=state.pins,
            expired=state.branch.expired,
            activation=state.branch.activation,
            anchor=state.branch.anchor,
            asks_for_state=not self.model.info.is_offline,
            window=state.branch.window,
            dropped=state.dropped,
            details=state.details,
            history=state.told_turns,
            output_reserve_tokens=self.defaults.output_reserve_tokens,
            strategy=self.strategy.strategy,
            memory=memory_of(state.branch, self.strategy.strategy),
            tools=self._offered_tools() if self.model.info.supports_tools else (),
        )

    @property
    def edit_desk(self) -> EditDesk:
        """The files as edits see them."""
        return EditDesk(self.adapters.editor(), self.adapters.graph, self.approvals.bases)

    async def bring_up_to_date(self) -> None:
        """Index what changed."""
        await self.refresher.catch_up().whole()

    @property
    def _loop_profile(self) -> LoopProfile:
        """The thresholds for the model in use: the first pattern of the settings that fits its name."""
        loops = self.defaults.loops
        return next((one for pattern, one in loops if fnmatchcase(self.model.info.name, pattern)), LoopProfile())

    def _offered_tools(self) -> tuple[ToolSpec, ...]:
        """Return the tools; running commands only where somebody is there to allow it, or did so beforehand."""
        may_run = self.commands is not None and (self.questions.is_attended or bool(self.commands.commands.flags))
        return tuple(spec for spec in tool_specs() if may_run or spec.name != RUNNING)
