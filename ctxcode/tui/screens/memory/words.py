"""What the memory commands read and say: lifetimes, lists of pins, turns and branches, why an item is alive."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ctxcode.model.conversation import Turn
from ctxcode.model.engine.activation import ActivationUpdate, ActiveItem, SignalKind
from ctxcode.model.engine.branch import BranchSummary
from ctxcode.model.engine.cluster import ClusterEvidence, QueryCluster
from ctxcode.model.errors import UsageError
from ctxcode.model.event import ItemPinned
from ctxcode.model.ids import ItemId
from ctxcode.model.naming.number import counted
from ctxcode.model.pin import Pin, PinKind, SuggestedPin
from ctxcode.model.plan import ContextPlan, Payload
from ctxcode.session.report import over_budget_sentence
from ctxcode.tui.clean import clean_line
from ctxcode.tui.format import bare, pin_words, reason_words
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import thousands

LEASE_TURNS = 5
_LONGEST_LEASE = 1_000
_LENGTH = re.compile(r"[-+]?\d[\w.,]*|stick\w*|forever|always|lease\w*", re.IGNORECASE)
"""What somebody writes who means a lifetime."""
_SIGNALS = {
    SignalKind.USER_REFERENCE: "1.0 you named it",
    SignalKind.MODEL_REFERENCE: "0.6 the model named it",
    SignalKind.IN_PLAN: "0.1 in the request",
    SignalKind.HOP_TARGET: "0.2 linked to something found",
    SignalKind.RETRIEVED: "0.2 found for this topic",
    SignalKind.TOOL_ERROR: "-0.3 a tool failed on it",
    SignalKind.EDIT_REJECTED: "-0.5 an edit of it was rejected",
}


_EVIDENCE = {
    ClusterEvidence.FIRST: "the first question",
    ClusterEvidence.NOTHING_NEW: "the last question only went on",
    ClusterEvidence.NAMED: "the last question named code found for it",
    ClusterEvidence.WORDS: "the last question is {:.2f} alike in words",
    ClusterEvidence.MEANING: "the last question is {:.2f} alike in meaning",
    ClusterEvidence.OTHER: "only {:.2f} like what was asked before",
}
_TOPIC_CHARS = 60


@dataclass(frozen=True, slots=True)
class Life:
    """How an item stands in a conversation."""

    alive: ActiveItem | None = None
    """Its activation; None when nothing speaks for it."""
    topic: QueryCluster | None = None
    """What the conversation is about; None before its first question."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a pin is to live."""

    kind: PinKind
    turns: int | None = None
    for_task: bool = False


def named_lifetime(argument: str) -> tuple[str, Lifetime]:
    """Return the name and the lifetime of ``NAME``, ``NAME 3``, ``NAME sticky``, ``NAME once`` or ``NAME task``."""
    words = argument.split()
    head = 2 if len(words) > 1 and words[0].casefold() == "turn" and words[1].isdecimal() else 1
    if len(words) > head and words[-1].casefold() in {"turn", "turns"} and words[-2].isdecimal():
        words.pop()
    if len(words) <= head:
        return " ".join(words), Lifetime(PinKind.LEASED, LEASE_TURNS)
    name, last = " ".join(words[:-1]), words[-1].casefold()
    if last.isdecimal():
        turns = int(last[:6])
        if not 1 <= turns <= _LONGEST_LEASE:
            raise UsageError(f"A lease of {words[-1]} turns is out of range.", f"Use 1 to {_LONGEST_LEASE:,}.")
        return name, Lifetime(PinKind.LEASED, turns)
    match last:
        case "sticky":
            return name, Lifetime(PinKind.STICKY)
        case "once":
            return name, Lifetime(PinKind.EPHEMERAL)
        case "task":
            return name, Lifetime(PinKind.LEASED, for_task=True)
    return " ".join(words), Lifetime(PinKind.LEASED, LEASE_TURNS)


def mistaken_lifetime(name: str) -> UsageError | None:
    """Return what to say of a name that is none because its last word was to be a lifetime: ``Query.join 5x``."""
    first, _, last = name.rpartition(" ")
    if not first or first.casefold() == "turn" or not _LENGTH.fullmatch(last):
        return None
    hint = f"/pin {first} 3 keeps it for 3 turns; sticky, once and task are the other lifetimes."
    return UsageError(f"{last!r} is no lifetime.", hint)


def pins_text(pins: Sequence[Pin], suggested: Sequence[SuggestedPin], task: str, glyphs: Glyphs) -> str:
    """Return the pins, one a line, then what is suggested."""
    lines = [f"task: {task}", ""] if task else []
    if not pins:
        lines.append("Nothing is pinned. /pin NAME keeps a symbol, a file, path:10-20 or turn 3; /note TEXT a text.")
    for pin in pins:
        marks = {PinKind.STICKY: glyphs.sticky, PinKind.LEASED: glyphs.leased, PinKind.EPHEMERAL: glyphs.ephemeral}
        broken = f" {glyphs.dot} its code is gone" if pin.is_broken else ""
        read_only = f" {glyphs.dot} read-only" if pin.is_read_only else ""
        lines.append(f"{marks[pin.kind]} {pin_name(pin)}   {pin_words(pin)}{read_only}{broken}")
    if suggested:
        lines += ["", "Suggested:"]
        lines += [f"{glyphs.suggested} {bare(row.item)}   {row.evidence}" for row in suggested]
    return "\n".join(lines)


def pin_name(pin: Pin) -> str:
    """Return what a list calls a pin: a note by its words, all else by its name."""
    return " ".join(pin.text.split())[:60] if pin.text else bare(pin.item)


def is_called(pin: Pin, name: str) -> bool:
    """Tell whether a name is the last whole parts of a pin's, as ``join`` of ``Query.join``; of a note its first words.

    Any other part of a name is a guess, and a pin is not taken away on one.
    """
    if pin.text:
        return f"{pin_name(pin)} ".casefold().startswith(f"{name} ".casefold())
    if pin.item.startswith("symbol:"):
        return pin.item.endswith((f".{name}", f":{name}", f"/{name}"))
    return pin.item.endswith(f"/{name}")


def kept_words(event: ItemPinned) -> str:
    """Return what was pinned and for how long: ``Query.join: leased, 5 turns left``."""
    pin = Pin(event.item, event.pin, event.turns_left, event.by, text=event.text)
    return f"{pin_name(pin)}: {pin_words(pin)}{', read-only' if event.is_read_only else ''}"


def why_text(item: ItemId, pin: Pin | None, life: Life, plan: ContextPlan | None) -> str:
    """Return everything that is known of an item: its pin, the last decision on it, its activation term by term."""
    lines = [bare(item), f"  {item}", ""]
    lines.append(f"pin         {pin_words(pin)}" if pin is not None else "pin         none")
    row = next((row for row in plan.items if row.id == item), None) if plan is not None else None
    if plan is not None and row is not None:
        state = f"{row.detail.value}, {thousands(row.tokens)} tok" if row.included else "left out"
        lines.append(f"last plan   {plan.id[:8]}: {state}")
        lines += [f"            {reason_words(reason)}" for reason in row.reasons]
    else:
        lines.append("last plan   it was no candidate")
    return "\n".join([*lines, *activation_lines(item, life)])


def activation_lines(item: ItemId, life: Life) -> list[str]:
    """Return how alive an item is, with the terms of its last updates, newest first, and what is talked about."""
    alive, topic = life.alive, life.topic
    if alive is None:
        return ["activation  0.00: nothing in this conversation speaks for it yet", *_topic(item, topic)]
    lines = [f"activation  {alive.value:.2f} of 3", *(f"            {_update(row)}" for row in reversed(alive.updates))]
    if alive.referenced:
        lines.append(f"named in    turns {', '.join(map(str, alive.referenced))}")
    return [*lines, *_topic(item, topic)]


def _topic(item: ItemId, topic: QueryCluster | None) -> list[str]:
    """Return what the conversation is about, how that is known, and whether the item was found for it."""
    if topic is None:
        return []
    words = f": {clean_line(', '.join(topic.words), _TOPIC_CHARS)}" if topic.words else ""
    told = _EVIDENCE[topic.evidence].format(topic.similarity)
    found = "this was found for it" if item in topic.items else "this was not found for it"
    return [f"topic       since turn {topic.since}{words}", f"            {told}; {found}"]


def _update(update: ActivationUpdate) -> str:
    terms = "".join(f", {_SIGNALS[signal]}" for signal in update.signals)
    return f"turn {update.turn}: 0.7 of {update.before:.2f} = {update.kept:.2f}{terms}; now {update.after:.2f}"


def branches_text(branches: Sequence[BranchSummary]) -> str:
    """Return the branches as a tree, the open one marked."""
    lines: list[str] = []
    names = {branch.name for branch in branches}

    def grow(parent: str, depth: int) -> None:
        for branch in branches:
            above = branch.parent if branch.parent in names else ""
            if above == parent:
                mark = "*" if branch.is_open else " "
                where = f", from turn {branch.forked_at} of {branch.parent}" if branch.parent else ""
                last = f"   {clean_line(branch.last_prompt, 50)}" if branch.last_prompt else ""
                lines.append(f"{mark} {'  ' * depth}{branch.name}   {counted(branch.turns, 'turn')}{where}{last}")
                grow(branch.name, depth + 1)

    grow("", 0)
    return "\n".join([*lines, "", "/switch NAME opens one, /branch NAME [TURN] makes one"])


def turns_text(turns: Sequence[Turn], limit: int) -> str:
    """Return the newest turns, one a line."""
    shown = turns[-limit:] if limit else turns
    lines = [f"{turn.number:>4}  {turn.stopped_by.value:<11}  {clean_line(turn.prompt, 60)}" for turn in shown]
    if len(turns) > len(shown):
        lines.insert(0, f"{counted(len(turns) - len(shown), 'earlier turn')}; /message list {len(turns)} shows all")
    return "\n".join(lines) if lines else "No turn is completed on this branch yet."


def turn_text(turn: Turn) -> str:
    """Return a whole turn."""
    model = f", {turn.model}" if turn.model else ""
    return f"-- you --\n{turn.prompt}\n\n-- answer ({turn.stopped_by.value}{model}) --\n{turn.reply or '(no reply)'}"


def payload_text(plan: ContextPlan, payload: Payload | None) -> str:
    """Return the messages exactly as they would be sent, or why nothing would be."""
    if payload is None:
        return f"Nothing would be sent: {over_budget_sentence(plan)}"
    head = f"{thousands(plan.tokens)} tokens, payload {plan.payload_hash}"
    return "\n".join([head, *(f"-- {message.role} --\n{message.content}" for message in payload.messages)])
