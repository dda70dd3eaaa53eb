"""What a screen knows of a session: values, made by the fold beside."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ctxcode.model.command.approval import Approval
from ctxcode.model.conversation import StoppedBy, ToolRound, Usage
from ctxcode.model.edit.event import EditsProposed
from ctxcode.model.engine.event import StrategyRemembered
from ctxcode.model.event import ContextPlanned, LoopNoticed, ReplyContinued, ReplyMarked
from ctxcode.model.passing.event import IndexAwaited, IndexProgressed, IndexRefreshed, ReplyDelayed
from ctxcode.model.plan import ContextMode, ContextPlan
from ctxcode.tui.edit.view import EditView


@dataclass(frozen=True, slots=True)
class TurnView:
    """One exchange as the transcript shows it."""

    number: int
    prompt: str
    plan: ContextPlanned | None = None
    withheld: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the prompt."""
    rounds: tuple[ToolRound, ...] = ()
    """Its tool calls; while they run, a round has fewer results than calls."""
    circles: tuple[LoopNoticed, ...] = ()
    """What the loop guard noticed."""
    continued: tuple[ReplyContinued, ...] = ()
    """Where a reply was cut at the output limit and went on."""
    edits: tuple[EditView, ...] = ()
    """What it proposed to change, set by set."""
    reply: str = ""
    """What the model has said since its last tool calls."""
    model: str = ""
    usage: Usage | None = None
    """Of the last request."""
    spent: Usage | None = None
    """Of all requests together."""
    is_answered: bool = False
    """The reply has ended, whole or cut short."""
    stopped_by: StoppedBy | None = None
    """None until control returns."""
    error: str = ""
    hint: str = ""
    mark: ReplyMarked | None = None
    """What the user thinks of the reply; None while they have not said."""
    remembered: StrategyRemembered | None = None
    """What the strategy made of the conversation after it, where there is something to say about it."""

    @property
    def taken(self) -> Usage | None:
        """What all its requests took, that without an answer by its estimate; None before the first one."""
        waits = self.plan is not None and self.usage is None
        return Usage(self.plan.total_tokens).plus(self.spent) if waits and self.plan is not None else self.spent

    @property
    def notices(self) -> tuple[LoopNoticed | ReplyContinued, ...]:
        """What is told on the way to its answer beside its tool calls."""
        return (*self.circles, *self.continued)


@dataclass(frozen=True, slots=True)
class ScreenState:
    """A session as the screen knows it."""

    title: str = ""
    mode: ContextMode = ContextMode.LIGHT
    model: str = ""
    budget_tokens: int = 0
    """The limit last planned with or set; 0 before either."""
    turns: tuple[TurnView, ...] = ()
    """Those of the branch that is open."""
    branch: str = "main"
    others: Mapping[str, tuple[TurnView, ...]] = field(default_factory=dict)
    """The turns of the other branches, by name."""
    review: EditsProposed | None = None
    """The edits that wait for an answer, while their turn runs."""
    changed: frozenset[tuple[int, str]] = frozenset()
    """The files that hold edits of this session, whatever branch they were made on, each with its set's number."""
    preview: ContextPlan | None = None
    """Passing: the plan for the prompt being typed."""
    indexing: IndexProgressed | None = None
    """Passing: None when no refresh is running."""
    approval: Approval | None = None
    """Passing: the command that waits for an answer."""
    waiting: ReplyDelayed | IndexAwaited | None = None
    """Passing: what keeps the running turn from going on; None when nothing is known to."""
    index: IndexRefreshed | None = None
    """Passing: the last refresh of this run."""

    @property
    def last_turn(self) -> TurnView | None:
        """The newest turn."""
        return self.turns[-1] if self.turns else None

    @property
    def changed_files(self) -> int:
        """How many files hold edits of this session."""
        return len({path for _, path in self.changed})

    @property
    def prompts(self) -> tuple[str, ...]:
        """What the user sent, oldest first."""
        return tuple(turn.prompt for turn in self.turns)
