"""The ContextPlan and its parts: what a request to a model holds, what it leaves out, and why."""

import json
from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.conversation import ToolCall, ToolSpec
from ctxcode.model.ids import ItemId, PlanId, RetrievalId, SymbolId, TextHash


class ContextMode(StrEnum):
    """How much the engine retrieves by itself."""

    OFF = "off"
    LIGHT = "light"
    HEAVY = "heavy"

    @property
    def following(self) -> "ContextMode":
        """The mode the hotkey goes to next."""
        order = (ContextMode.OFF, ContextMode.LIGHT, ContextMode.HEAVY)
        return order[(order.index(self) + 1) % len(order)]


class Section(StrEnum):
    """Where in the payload an item stands, in payload order."""

    SYSTEM = "system"
    TOOLS = "tools"
    PIN = "pin"
    SCAFFOLD = "scaffold"
    SUMMARY = "summary"
    ANCHOR = "anchor"
    HISTORY = "history"
    TOUCHPOINT = "touchpoint"
    MESSAGE = "message"
    TOOL_ATOM = "tool-atom"
    """A tool call of the current turn with its result, or after them the reply to be continued, a note to the model."""


class Detail(StrEnum):
    """How much of a symbol is shown, cheapest first."""

    NAME = "name"
    SIGNATURE = "signature"
    CARD = "card"
    EXCERPT = "excerpt"
    BODY = "body"

    richness: int
    """0 for a name to 4 for a body."""

    def __init__(self, _value: str) -> None:
        self.richness = len(type(self).__members__)


class ReasonType(StrEnum):
    """Why a candidate is in or out. The first group includes, the second excludes."""

    PINNED = "pinned"
    LEASED = "leased"
    MENTIONED = "mentioned"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    GRAPH = "graph"
    CENTRAL = "central"
    RECENT = "recent"
    DEPENDENCY = "dependency"
    ANCHOR = "anchor"
    STRATEGY = "strategy"

    BUDGET = "budget"
    LEASE_EXPIRED = "lease-expired"
    MODE = "mode"
    DUPLICATE = "duplicate"
    STALE = "stale"
    OUT_OF_SCOPE = "out-of-scope"
    DROPPED_BY_USER = "dropped-by-user"
    OUTSIDE_WINDOW = "outside-window"
    SECRET = "secret"  # noqa: S105 - a reason, no password
    BELOW_THRESHOLD = "below-threshold"
    UNREADABLE = "unreadable"


EXCLUDING = frozenset(
    {
        ReasonType.BUDGET,
        ReasonType.LEASE_EXPIRED,
        ReasonType.MODE,
        ReasonType.DUPLICATE,
        ReasonType.STALE,
        ReasonType.OUT_OF_SCOPE,
        ReasonType.DROPPED_BY_USER,
        ReasonType.OUTSIDE_WINDOW,
        ReasonType.SECRET,
        ReasonType.BELOW_THRESHOLD,
        ReasonType.UNREADABLE,
    }
)
"""The reasons that can only speak against a candidate."""


class Limit(StrEnum):
    """What bound, where something did not fit."""

    BUDGET = ""
    """The active context's: what is meant where nothing else is said."""
    MODE = "mode"
    """The share of it that the mode gives to retrieved code."""
    LEASES = "leases"
    """The share of it that leased items may take."""
    WINDOW = "window"
    """What the model reads at once."""


class Relation(StrEnum):
    """A graph edge seen from the candidate."""

    CALLS = "calls"
    CALLED_BY = "called-by"
    INHERITS = "inherits"
    INHERITED_BY = "inherited-by"
    IMPLEMENTS = "implements"
    IMPLEMENTED_BY = "implemented-by"
    IMPORTS = "imports"
    IMPORTED_BY = "imported-by"
    RE_EXPORTS = "re-exports"
    RE_EXPORTED_BY = "re-exported-by"
    CONTAINS = "contains"
    CONTAINED_IN = "contained-in"


@dataclass(frozen=True, slots=True)
class Reason:
    """One typed reason; the screens word it."""

    type: ReasonType
    weight: float = 0.0
    """Its share of the candidate's score; 0 where there is none."""
    terms: tuple[str, ...] = ()
    """The words that matched, for ``lexical`` and ``mentioned``."""
    relation: Relation | None = None
    """For ``graph``: the edge, seen from the candidate."""
    subject: str = ""
    """The other end of the relation, or what it duplicates: a qualified name or an item id; why it is unreadable.

    For ``budget`` the ``Limit`` that bound; for ``mentioned`` its name where only one like it was written.
    """


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One candidate and the decision on it."""

    id: ItemId
    section: Section
    kind: str
    """A SymbolKind value, or ``file``, ``tree``, ``turn``, ``tool``, ``text``."""
    title: str
    """What a row shows first: a qualified name, a path, ``turn 3``."""
    included: bool
    detail: Detail
    """The level it is included at; for an excluded item the level it was considered at."""
    tokens: int
    """What it costs at that level."""
    score: float
    reasons: tuple[Reason, ...]
    """At least one."""
    symbol: SymbolId | None = None
    dotted: str = ""
    """Module path and qualified name of a symbol."""
    path: str = ""
    start_line: int = 0
    """The definition's whole span, 1-based, inclusive; 0 where there is none."""
    end_line: int = 0
    lines: tuple[tuple[int, int], ...] = ()
    """The line ranges whose text is really in the payload."""
    text: TextHash | None = None
    """Key of the rendered text; None for an excluded item that was never rendered."""


@dataclass(frozen=True, slots=True)
class Payload:
    """The messages of one request, byte for byte."""

    messages: tuple["PayloadMessage", ...]
    tools: tuple[ToolSpec, ...] = ()

    @property
    def wire(self) -> dict[str, object]:
        """The messages and tools as OpenAI's chat protocol has them; what is stored, hashed and sent."""
        made: dict[str, object] = {"messages": [message.wire for message in self.messages]}
        if self.tools:
            made["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": json.loads(tool.schema),
                    },
                }
                for tool in self.tools
            ]
        return made


@dataclass(frozen=True, slots=True)
class PayloadMessage:
    """One chat message of a request."""

    role: str
    """``system``, ``user``, ``assistant`` or ``tool``."""
    content: str
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant's message; each is answered by one of the ``tool`` messages right after it."""
    call_id: str = ""
    """Of a ``tool`` message: the call it answers."""

    @property
    def wire(self) -> dict[str, object]:
        """The message as OpenAI's chat protocol has it."""
        made: dict[str, object] = {"role": self.role, "content": self.content}
        if self.calls:
            made["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.calls
            ]
        if self.call_id:
            made["tool_call_id"] = self.call_id
        return made


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """What bounds a plan, in tokens."""

    window_tokens: int
    """The model's context length less output reserve and margin; nothing may exceed it."""
    budget_tokens: int
    """The active context: everything but system prompt and tool schemas."""
    output_reserve_tokens: int


@dataclass(frozen=True, slots=True)
class SourceDigest:
    """A file as it was when a plan was made."""

    path: str
    digest: TextHash
    """Of its decoded text."""


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """The ordered decision for one request."""

    id: PlanId
    retrieval_id: RetrievalId | None
    mode: ContextMode
    model: str
    tokenizer: str
    index_revision: str
    strategy: str
    prompt: str
    limits: PlanLimits
    tokens: int
    """The whole request: items and overhead."""
    overhead_tokens: int
    """Separators and per-message overhead, not part of any item."""
    items: tuple[PlanItem, ...]
    """Included items in payload order, then excluded ones, best first."""
    payload_hash: TextHash | None
    """Key of the payload's canonical JSON; None when the plan is over budget and nothing may be sent."""
    over_budget: tuple[ItemId, ...] = ()
    """Reserved items that do not fit; when not empty the request is not sent and the user decides."""
    sources: tuple[SourceDigest, ...] = ()
    """The files whose text is in the payload, by path: a replay tells which of them have changed since."""
    strategy_settings: str = ""
    """The strategy's settings, as canonical JSON."""
    notice: str = ""
    """Why the strategy that was chosen did not make it; empty when it did."""
    search_notice: str = ""
    """How the question was read otherwise than it stands, and why retrieval did less than it was set to; else empty."""
    goes_on_from: str = ""
    """The questions before that this one was searched together with, newest first; empty for none."""

    @property
    def active_tokens(self) -> int:
        """Tokens that count against the budget: all included items but system prompt and tools."""
        fixed = (Section.SYSTEM, Section.TOOLS)
        return sum(item.tokens for item in self.items if item.included and item.section not in fixed)

    @property
    def included(self) -> tuple[PlanItem, ...]:
        """The included items in payload order."""
        return tuple(item for item in self.items if item.included)

    @property
    def excluded(self) -> tuple[PlanItem, ...]:
        """The excluded items, best first."""
        return tuple(item for item in self.items if not item.included)


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A plan with every text it refers to, ready to be sent or stored."""

    plan: ContextPlan
    payload: Payload | None
    """None when the plan is over budget."""
    texts: tuple[tuple[TextHash, str], ...]
    """Rendered texts of the items, by key."""
    has_changed: bool = False
    """A file was changed after it was indexed and before it was read: what it defines is left out."""
