"""The last look at a payload: what looks like a secret is taken out of it, and its row says so."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ctxcode.context.candidate import Candidate, Exchange, Level, PlanRequest, ToolAtom
from ctxcode.context.payload import Shown, payload_of
from ctxcode.context.render import CountTokens
from ctxcode.model.conversation import ToolCall, ToolRound
from ctxcode.model.plan import Payload, Reason, ReasonType
from ctxcode.model.secret.text import SecretKind, SecretPolicy


def cleared(request: PlanRequest, shown: Shown, count: CountTokens) -> tuple[PlanRequest, Shown, Payload]:
    """Return what is sent with a mark in place of each secret; candidates that held one get the reason ``secret``.

    A text with marks is never longer, in tokens, than it was.
    """
    payload = payload_of(request, shown)
    if not request.secrets.finds(_whole_text(payload)):
        return request, shown, payload
    clearing = _Clearing(request.secrets, count)
    request = replace(
        request,
        prompt=request.secrets.cleared(request.prompt).text,
        message=clearing.candidate(request.message),
    )
    shown = replace(
        shown,
        pins=[clearing.row(*row) for row in shown.pins],
        scaffold=[clearing.row(*row) for row in shown.scaffold],
        blocks=[clearing.row(*row) for row in shown.blocks],
        anchor=[clearing.row(*row) for row in shown.anchor],
        history=[clearing.exchange(exchange) for exchange in shown.history],
        touchpoints=[clearing.row(*row) for row in shown.touchpoints],
        atoms=[clearing.atom(*row) for row in shown.atoms],
        endings=[clearing.candidate(ending) for ending in shown.endings],
    )
    return request, shown, payload_of(request, shown)


def _whole_text(payload: Payload) -> str:
    """Return everything of a payload that anyone but us wrote."""
    parts: list[str] = []
    for message in payload.messages:
        parts += [message.content, *(call.arguments for call in message.calls)]
    return "\n".join(parts)


@dataclass(slots=True)
class _Clearing:
    """Takes secrets out of candidates and keeps their bills right."""

    policy: SecretPolicy
    count: CountTokens
    _kinds: list[SecretKind] = field(default_factory=list)
    """What was found in the candidate at hand."""
    _saved_tokens: int = 0

    def candidate(self, candidate: Candidate) -> Candidate:
        """Return a candidate without secrets at its fullest level, which is the one that is sent."""
        cleared_one, level = self.row(candidate, candidate.richest)
        return candidate if level is candidate.richest else replace(cleared_one, levels=(level,))

    def row(self, candidate: Candidate, level: Level) -> tuple[Candidate, Level]:
        """Return a candidate and the level it is shown at, without secrets."""
        self._begin()
        text = self._text(level.text)
        return self._marked(candidate), self._level(level, text)

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return a past turn without secrets."""
        self._begin()
        prompt, reply = self._text(exchange.prompt), self._text(exchange.reply)
        rounds = tuple(self._round(made) for made in exchange.rounds)
        level = exchange.candidate.richest
        level = self._level(level, self.policy.cleared(level.text).text)
        candidate = replace(self._marked(exchange.candidate), levels=(level,))
        return replace(exchange, candidate=candidate, prompt=prompt, reply=reply, rounds=rounds)

    def atom(self, atom: ToolAtom, level: Level) -> tuple[ToolAtom, Level]:
        """Return a tool call with its result, without secrets."""
        self._begin()
        call, said, text = self._call(atom.call), self._text(atom.said), self._text(level.text)
        level = self._level(level, text)
        return replace(atom, call=call, said=said, candidate=self._marked(atom.candidate)), level

    def _begin(self) -> None:
        self._kinds, self._saved_tokens = [], 0

    def _text(self, text: str) -> str:
        """Return a text without secrets and remember what it held and saved."""
        made = self.policy.cleared(text)
        if not made.kinds:
            return text
        self._kinds += made.kinds
        before, after = self.count(text), self.count(made.text)
        if after > before:
            made = self.policy.cleared(text, with_marks=False)
            after = self.count(made.text)
        self._saved_tokens += before - after
        return made.text

    def _call(self, call: ToolCall) -> ToolCall:
        arguments = self._text(call.arguments)
        if arguments is not call.arguments and not _is_json(arguments):
            # A key that began in one string and ended in another took the quotes between them along.
            arguments = json.dumps({"withheld": [kind.value for kind in self._kinds]})
        return replace(call, arguments=arguments)

    def _round(self, made: ToolRound) -> ToolRound:
        return replace(
            made,
            said=self._text(made.said),
            calls=tuple(self._call(call) for call in made.calls),
            results=tuple(replace(result, text=self._text(result.text)) for result in made.results),
        )

    def _level(self, level: Level, text: str) -> Level:
        if not self._kinds:
            return level
        return replace(level, text=text, tokens=max(0, level.tokens - self._saved_tokens))

    def _marked(self, candidate: Candidate) -> Candidate:
        """Return the candidate with the reason in front when something was taken out of it."""
        if not self._kinds:
            return candidate
        reason = Reason(ReasonType.SECRET, terms=_once(kind.value for kind in self._kinds))
        title = self.policy.cleared(candidate.title).text
        return replace(candidate, title=title, reasons=(reason, *candidate.reasons))


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
