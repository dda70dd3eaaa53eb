"""From a prompt to a plan: index, intent, retrieval and the planner in order, through the ports. Changes nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from ctxcode.context.candidate import Candidate, Exchange, PlanRequest
from ctxcode.context.candidates import (
    RICH_CANDIDATES,
    Renderer,
    anchor_candidate,
    message_candidate,
    scaffold,
    system_candidate,
    touchpoints,
)
from ctxcode.context.instructions import INSTRUCTION_FILES, Instructions, instructions
from ctxcode.context.mode import candidates_for, limits_of
from ctxcode.context.pins import PinWorld, expired_candidates, pin_candidates, pinned_turns
from ctxcode.context.planner import plan
from ctxcode.context.render import CountTokens
from ctxcode.context.scaffold import NOTE, NOTE_WITH_TOOLS, TreeWords, module_tree
from ctxcode.context.strategies.offered import Offered, offered
from ctxcode.context.strategies.port import ComposeRequest, ContextStrategy, Memory, setting_values
from ctxcode.context.strategies.sliding_window import SlidingWindow
from ctxcode.context.turn.atom import note_candidate, so_far_candidate, tool_atoms, tool_offer
from ctxcode.intent.follow import asked
from ctxcode.llm.navigator.absence import growing
from ctxcode.model.canonical import canonical_json
from ctxcode.model.conversation import ModelInfo, ToolRound, ToolSpec, Turn
from ctxcode.model.engine.activation import ActiveItem
from ctxcode.model.engine.item import path_of, symbol_of, tool_place
from ctxcode.model.ids import ItemId, SymbolId, symbol_item
from ctxcode.model.pin import Pin
from ctxcode.model.plan import (
    ContextMode,
    Detail,
    PlanLimits,
    PlannedRequest,
    Reason,
)
from ctxcode.model.retrieval import RetrievalSet, Retrieved
from ctxcode.model.secret.text import DEFAULT_POLICY, SecretPolicy
from ctxcode.model.symbol import ModuleEntry, Symbol
from ctxcode.retrieval.message import with_quoted_lines
from ctxcode.retrieval.retrieve import MOST_CANDIDATES
from ctxcode.retrieval.semantic import Semantic
from ctxcode.session.lookup.unindexed import NamedFile, named_candidates, named_files, refused_candidates
from ctxcode.session.plans.lines import SourceLines, digests
from ctxcode.session.ports import CodeGraph, TokenCounter, Workspace
from ctxcode.session.strategy.past import Past, parsed

if TYPE_CHECKING:
    from ctxcode.model.engine.capsule import Capsule

MESSAGE_OVERHEAD_TOKENS = 4
"""What chat formats add to each message (role and delimiters), as OpenAI documents it for its models."""
_LOOKED_BACK = 12
"""The newest turns, for what a question goes on from."""
WINDOW_MARGIN = 0.02
_BEHIND = "The index had not caught up with changed files: what they hold now may be missing here."
_BY_SIZE = "a first look, by size: the code is not read yet"


@dataclass(frozen=True, slots=True)
class Ask:
    """What a plan is wanted for."""

    prompt: str
    """Without what was withheld from it."""
    mode: ContextMode
    model: ModelInfo
    budget_tokens: int
    is_budget_explicit: bool = False
    branch: str = "main"
    turn: int = 0
    pins: tuple[Pin, ...] = ()
    expired: tuple[ItemId, ...] = ()
    """Leases that ended with the last turn."""
    dropped: tuple[ItemId, ...] = ()
    details: tuple[tuple[ItemId, Detail], ...] = ()
    activation: Mapping[ItemId, ActiveItem] = field(default_factory=dict)
    anchor: str = ""
    """The state block the model keeps."""
    asks_for_state: bool = False
    """The model is asked to keep one."""
    window: int = 0
    """Most turns of history; 0 for all that fit."""
    history: Sequence[Turn] = ()
    output_reserve_tokens: int | None = None
    strategy: ContextStrategy = field(default_factory=SlidingWindow)
    memory: Memory = field(default_factory=Memory)
    """What the strategy remembers of the branch."""
    has_instructions: bool = False
    """The repository's own instruction files are sent too."""
    instruction: str = ""
    """In the place of the system prompt; empty for that."""
    tools: tuple[ToolSpec, ...] = ()
    rounds: tuple[ToolRound, ...] = ()
    """The current turn's tool calls so far."""
    trim_from: tuple[int, int, int] = (10, 15, 20)
    """The requests of a turn from which on less of the conversation is sent."""
    withheld: tuple[str, ...] = ()
    """The kinds of secrets that were taken out of the prompt."""
    so_far: str = ""
    """The reply that was cut at the output limit and is to be continued."""
    is_preview: bool = False
    """Nothing is to be sent for it, to nobody: the question is still being typed."""
    note: str = ""
    """To the model, at the payload's end."""
    shortens_prompt: bool = False
    """Of a prompt longer than half the budget only beginning and end are shown; all of it is searched for."""
    most_tokens: int | None = None
    """Of the whole request: the provider refused a longer one. None for what the model is known to read."""
    is_behind: bool = False
    """The index is still being refreshed: what it says is compared with the files."""


@dataclass(frozen=True, slots=True)
class Assembler:
    """Plans requests against one repository."""

    workspace: Workspace
    graph: CodeGraph
    counter: TokenCounter
    past: Past = field(default_factory=Past)
    secrets: SecretPolicy = DEFAULT_POLICY
    """What is withheld from payloads."""
    semantic: Semantic | None = None
    """Compares questions with code by meaning; None for by words only."""
    capsules: "Callable[[], Sequence[Capsule]]" = tuple
    """Those of the repository, as journalled; asked where a scaffold is wanted."""

    def assemble(self, ask: Ask) -> tuple[PlannedRequest, RetrievalSet | None]:
        """Return the plan for a prompt and what it was chosen from; blocks, changes and stores nothing."""
        retrieved = self._retrieved(ask)
        entries = retrieved.entries if retrieved is not None else ()
        limits = limits_of(ask.mode)
        system = system_candidate(self.counter.count, ask.instruction, asks_for_state=ask.asks_for_state)
        talk, notice = self._offered(ask, system.richest.text, entries)
        if talk.budget_tokens is not None:
            ask = replace(ask, budget_tokens=talk.budget_tokens)
        pinned = self._symbols([*(pin.item for pin in ask.pins), *ask.expired])
        known = self.past.landmarks(self.graph, self.workspace, limits.central_symbols)
        details, named = dict(ask.details), self._named(ask)
        paths = _paths(ask, entries, [*pinned.values(), *(symbol for symbol, _ in known)])
        paths += [one.path for one in named if one.refusal is None]
        lines = SourceLines(self.workspace, paths, self.past.lines, self.graph.content_hashes)
        renderer = Renderer(self.counter.count, limits, lines, details, ask.is_behind, lines.changed)
        map_rows, kept_out = self._scaffold(ask, known, renderer) if limits.scaffold_tokens else ((), ())
        plan_limits = _limits(ask)
        own = instructions(renderer, budget_tokens=ask.budget_tokens) if ask.has_instructions else Instructions()
        request = PlanRequest(
            prompt=ask.prompt,
            branch=ask.branch,
            turn=ask.turn,
            mode=ask.mode,
            strategy=SlidingWindow.name if notice else ask.strategy.name,
            strategy_settings=canonical_json({} if notice else setting_values(ask.strategy)),
            model=ask.model.name,
            tokenizer=self.counter.id,
            limits=plan_limits,
            index_revision=self.graph.stats().revision,
            system=system,
            anchor=anchor_candidate(ask.anchor, self.counter.count),
            message=message_candidate(
                ask.prompt, self.counter.count, limit_tokens=ask.budget_tokens // 2 if ask.shortens_prompt else None
            ),
            message_overhead_tokens=MESSAGE_OVERHEAD_TOKENS,
            is_budget_explicit=ask.is_budget_explicit,
            retrieval_id=retrieved.id if retrieved is not None else None,
            pins=pin_candidates(
                _before_this_turn(ask),
                PinWorld(pinned, pinned_turns(ask.pins, ask.history), ask.activation, renderer),
            ),
            expired=expired_candidates(ask.expired, pinned),
            scaffold=(*own.told, *map_rows),
            history=talk.history,
            blocks=talk.blocks,
            untold=(*talk.untold, *own.untold, *kept_out, *refused_candidates(named)),
            has_gaps=talk.has_gaps,
            touchpoints=(
                *named_candidates(named, renderer, budget_tokens=min(ask.budget_tokens, plan_limits.window_tokens)),
                *self._touchpoints(ask, entries, renderer),
            ),
            dropped=tuple(sorted(ask.dropped)),
            sources=lines,
        )
        made = replace(plan(self._with_tools(request, ask), self.counter.count), has_changed=bool(lines.changed))
        missing = growing(self.graph.stats()) if ask.mode is not ContextMode.OFF else []
        return _told(made, ask, retrieved, notice, missing), retrieved

    def _named(self, ask: Ask) -> tuple[NamedFile, ...]:
        """Return the files that the prompt names and that can't be retrieved, as no parser takes them."""
        if ask.mode is ContextMode.OFF:
            return ()
        return named_files(ask.prompt, self.graph, self.workspace, {path_of(pin.item) for pin in ask.pins})

    def _with_tools(self, request: PlanRequest, ask: Ask) -> PlanRequest:
        """Return the request with the tools and what the turn has done with them so far."""
        return replace(
            request,
            tools=tool_offer(ask.tools, self.counter.count),
            atoms=tool_atoms(ask.turn, ask.rounds, self.counter.count),
            so_far=so_far_candidate(ask.so_far, self.counter.count),
            note=note_candidate(ask.note, self.counter.count),
            iteration=len(ask.rounds),
            trim_from=ask.trim_from,
            secrets=self.secrets,
        )

    def _scaffold(
        self, ask: Ask, known: Sequence[tuple[Symbol, Reason]], renderer: Renderer
    ) -> tuple[tuple[Candidate, ...], tuple[tuple[Candidate, Reason], ...]]:
        """Return the scaffold, with the note that says how to get at what is not shown, and capsules it can't hold."""
        limits = renderer.limits
        share = limits.scaffold_share_of_explicit if ask.is_budget_explicit else limits.scaffold_share
        room = min(limits.scaffold_tokens, int(ask.budget_tokens * share))
        written, modules = self.capsules(), self.graph.modules()
        is_read = self.graph.stats().revision != ""
        words = TreeWords(NOTE_WITH_TOOLS if ask.tools else NOTE, "" if is_read else _BY_SIZE)
        if not written or not is_read:
            return self._drawn(modules, known, renderer, room, words), ()
        from ctxcode.session.capsule.gather import told_capsules  # noqa: PLC0415 - most repositories have none

        terms = [word for word, _ in parsed(ask.prompt).terms]
        chosen = told_capsules(
            written, self.graph, self.counter.count, terms=terms, limit_tokens=room, dropped=ask.dropped
        )
        rows = self._drawn(modules, known, renderer, room - chosen.tokens, words)
        return (*rows, *chosen.told), chosen.untold

    def _drawn(
        self,
        modules: tuple[ModuleEntry, ...],
        known: Sequence[tuple[Symbol, Reason]],
        renderer: Renderer,
        limit_tokens: int,
        words: TreeWords,
    ) -> tuple[Candidate, ...]:
        """Return the scaffold; most questions see the same one."""

        def drawn() -> tuple[tuple[Candidate, ...], set[str]]:
            passing = _Passing(known)
            made = scaffold(modules, passing, renderer, limit_tokens=limit_tokens, words=words, draw_tree=self._tree)
            return made, passing.paths

        parts = (limit_tokens, words, replace(renderer, lines={}), known, modules)
        return self.past.scaffold.of(parts, renderer.lines, drawn)

    def _tree(self, modules: Iterable[ModuleEntry], count: CountTokens, *, limit_tokens: int) -> str:
        parts = (modules, count, limit_tokens)
        return self.past.tree.of(parts, lambda: module_tree(modules, count, limit_tokens=limit_tokens))

    def _touchpoints(self, ask: Ask, entries: Sequence[Retrieved], renderer: Renderer) -> tuple[Candidate, ...]:
        """Return what was retrieved as candidates; only a level that was chosen changes anything about one of them."""
        entries = with_quoted_lines(entries, ask.prompt, renderer.lines)
        if not ask.is_preview:
            return touchpoints(entries, renderer, self._owners(entries))
        texts = digests(renderer.lines, {entry.symbol.path for entry in entries})
        plain = replace(renderer, details={})
        parts = (entries, renderer.count, renderer.limits, texts, frozenset(renderer.changed))
        drawn = self.past.touchpoints.of(parts, lambda: touchpoints(entries, plain, self._owners(entries)))
        if not renderer.details:
            return drawn
        return tuple(
            touchpoints([entry], renderer)[0] if symbol_item(entry.symbol.id) in renderer.details else candidate
            for entry, candidate in zip(entries, drawn, strict=True)
        )

    def _offered(self, ask: Ask, system: str, entries: Sequence[Retrieved]) -> tuple[Offered, str]:
        """Return what the strategy offers of the conversation, and why it is the window when the strategy failed."""
        history = self.past.worth_telling(ask.history)
        exchange_of = partial(self._exchange, has_tools=bool(ask.tools))
        request = ComposeRequest(
            prompt=ask.prompt,
            branch=ask.branch,
            turn=ask.turn,
            iteration=len(ask.rounds),
            mode=ask.mode,
            model=ask.model.name,
            system=system,
            tools=tuple(spec.name for spec in ask.tools),
            retrieved=tuple(entry.symbol.dotted or entry.symbol.path for entry in entries),
            history=history,
            window_turns=ask.window,
            budget_tokens=ask.budget_tokens,
            is_budget_fixed=ask.is_budget_explicit,
            memory=ask.memory,
            search=self.past.search(history, ask.prompt, self._semantic(ask)),
            tokens_of=lambda turn: exchange_of(turn).candidate.richest.tokens,
            count=self.counter.count,
        )
        if type(ask.strategy) is SlidingWindow:
            return offered(ask.strategy.proposal(request), request, exchange_of), ""
        from ctxcode.session.strategy.worker import composed  # noqa: PLC0415 - brings asyncio, for the others only

        proposal, notice = composed(ask.strategy, request)
        return offered(proposal, request, exchange_of), notice

    def _exchange(self, turn: Turn, *, has_tools: bool) -> Exchange:
        """Return a turn as this model can be told of it: calls only where it has tools, as providers demand."""
        turn = turn if has_tools or not turn.rounds else replace(turn, rounds=())
        return self.past.exchange(turn, self.counter.id, self.counter.count)

    def levels(self, item: ItemId) -> tuple[tuple[Detail, int], ...]:
        """Return the levels a symbol can be shown at, cheapest first, with their tokens; empty for anything else."""
        symbol = self.graph.symbols([SymbolId(item.removeprefix("symbol:"))]).get(
            SymbolId(item.removeprefix("symbol:"))
        )
        if symbol is None:
            return ()
        renderer = Renderer(
            self.counter.count, limits_of(ContextMode.HEAVY), SourceLines(self.workspace, [symbol.path])
        )
        return tuple((level.detail, level.tokens) for level in renderer.levels(symbol))

    def _retrieved(self, ask: Ask) -> RetrievalSet | None:
        if ask.mode is ContextMode.OFF:
            return None
        query = asked(ask.prompt, _asked_before(ask.history), parsed)
        if query is None:
            return None
        most = min(candidates_for(ask.mode, ask.budget_tokens), MOST_CANDIDATES)
        return self.past.retrieved(query, self.graph, self._semantic(ask), most)

    def _semantic(self, ask: Ask) -> Semantic | None:
        """Return what compares by meaning; nobody else is asked for a prompt that is not sent."""
        return None if ask.is_preview and self.semantic is not None and self.semantic.is_asked else self.semantic

    def _owners(self, entries: Iterable[Retrieved]) -> Mapping[SymbolId, Symbol]:
        """Return the types that retrieved definitions stand in."""
        known = {entry.symbol.id: entry.symbol for entry in entries}
        wanted = {entry.symbol.parent for entry in entries if "." in entry.symbol.qualname} - {None}
        missing = sorted(owner for owner in wanted if owner is not None and owner not in known)
        return {**known, **self.graph.symbols(missing)}

    def _symbols(self, items: Iterable[ItemId]) -> Mapping[SymbolId, Symbol]:
        ids = [symbol for item in items if (symbol := symbol_of(item)) is not None]
        return self.graph.symbols(ids) if ids else {}


class _Passing:
    """Landmarks one after the other; notes in which files those stand that were looked at."""

    def __init__(self, known: Sequence[tuple[Symbol, Reason]]) -> None:
        self._known = known
        self.paths: set[str] = set()

    def __iter__(self) -> Iterator[tuple[Symbol, Reason]]:
        for symbol, reason in self._known:
            self.paths.add(symbol.path)
            yield symbol, reason


def _asked_before(history: Sequence[Turn]) -> list[str]:
    """Return the newest questions of a conversation, oldest first; a command asks nothing."""
    return [turn.prompt for turn in history[-_LOOKED_BACK:] if not turn.prompt.startswith("!")]


def _paths(ask: Ask, entries: Sequence[Retrieved], others: Iterable[Symbol]) -> list[str]:
    """Return the files whose source a plan may show, of what was retrieved and of other symbols."""
    details = dict(ask.details)
    paths = [entry.symbol.path for entry in (entries if ask.is_behind else entries[:RICH_CANDIDATES])]
    paths += [entry.symbol.path for entry in entries if symbol_item(entry.symbol.id) in details]
    # The line of an ``impl`` block is only in the source.
    paths += [
        entry.symbol.path for entry in entries if entry.symbol.language == "rust" and "." in entry.symbol.qualname
    ]
    paths += [symbol.path for symbol in others]
    paths += [path for pin in ask.pins if (path := path_of(pin.item))]
    paths += INSTRUCTION_FILES if ask.has_instructions else ()
    return paths


def _told(
    made: PlannedRequest, ask: Ask, retrieved: RetrievalSet | None, notice: str, missing: list[str]
) -> PlannedRequest:
    """Return a plan that says what went otherwise than it was set to, and what else was searched for."""
    behind = missing or [_BEHIND] * (ask.is_behind or made.has_changed)
    search = " ".join(filter(None, [*behind, retrieved.notice if retrieved is not None else ""]))
    before = retrieved.query.removeprefix(ask.prompt).strip() if retrieved is not None else ""
    if not notice and not search and not before:
        return made
    return replace(made, plan=replace(made.plan, notice=notice, search_notice=search, goes_on_from=before))


def _before_this_turn(ask: Ask) -> tuple[Pin, ...]:
    """Return the pins without those on this turn's tool results, which are sent anyway."""
    return tuple(pin for pin in ask.pins if (at := tool_place(pin.item)) is None or at.turn != ask.turn)


def _limits(ask: Ask) -> PlanLimits:
    wanted = ask.model.max_output_tokens if ask.output_reserve_tokens is None else ask.output_reserve_tokens
    reserve = min(wanted, ask.model.max_output_tokens, ask.model.context_tokens // 2)
    window = int((ask.model.context_tokens - reserve) * (1 - WINDOW_MARGIN))
    window = window if ask.most_tokens is None else min(window, ask.most_tokens)
    return PlanLimits(window_tokens=max(window, 0), budget_tokens=ask.budget_tokens, output_reserve_tokens=reserve)
