"""Capsules as candidates of the scaffold: what is fresh and fits its share is told, the rest is listed with why not."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ctxcode.context.candidate import Candidate, Level
from ctxcode.context.render import CountTokens
from ctxcode.model.engine.capsule import Capsule, Freshness
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Detail, Reason, ReasonType, Section

KIND = "capsule"
SHARE = 0.25
"""Of the scaffold's tokens, at most; tree and landmarks have the rest.

With capsules enough to fill it, Light keeps its three landmarks, Heavy five or more (at 0.3 four), and the tree three
quarters of its tokens or more (zod, Django); in Light there is room for one whole capsule, in Heavy for two.
"""
_LEAST_SENTENCES = 1


@dataclass(frozen=True, slots=True)
class CapsuleChoice:
    """The capsules of one plan."""

    told: tuple[Candidate, ...] = ()
    """For the scaffold; those the user dropped among them, which cost nothing."""
    untold: tuple[tuple[Candidate, Reason], ...] = ()
    tokens: int = 0
    """What those that are told take of the scaffold's limit."""


def chosen_capsules(
    rows: Iterable[tuple[Capsule, Freshness, tuple[str, ...]]],
    count: CountTokens,
    *,
    limit_tokens: int,
    dropped: Collection[ItemId] = (),
) -> CapsuleChoice:
    """Return which capsules go into a scaffold of at most ``limit_tokens``; ``rows`` come most wanted first.

    A row is a capsule, whether it is fresh, and the words it has in common with the question. One that does not fit
    whole is told by its first sentences.
    """
    room = int(limit_tokens * SHARE)
    spent = 0
    told: list[Candidate] = []
    untold: list[tuple[Candidate, Reason]] = []
    for capsule, state, words in rows:
        whole = _level(capsule, capsule.text, Detail.BODY, count)
        if capsule.item in dropped:
            told.append(_candidate(capsule, words, whole))
        elif state is not Freshness.FRESH:
            gone = "its files are gone" if state is Freshness.GONE else ""
            untold.append((_candidate(capsule, words, whole), Reason(ReasonType.STALE, subject=gone)))
        elif (level := _fitting(capsule, whole, count, room - spent)) is not None:
            told.append(_candidate(capsule, words, level))
            spent += level.tokens
        else:
            untold.append((_candidate(capsule, words, whole), Reason(ReasonType.BUDGET)))
    return CapsuleChoice(tuple(told), tuple(untold), spent)


def day_of(generated_at: float) -> str:
    """Return the day something was written, in UTC: the same on every machine."""
    try:
        return datetime.fromtimestamp(generated_at, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return "an unknown day"


def capsule_text(capsule: Capsule, text: str) -> str:
    """Return a capsule as it is sent: whose it is, of when, that it may be wrong, then its text as a quotation."""
    by = "the user" if capsule.is_by_user else f"{_one_line(capsule.source)}, sure to {capsule.confidence:.2f}"
    what = f"### Summary of {_one_line(capsule.subject.title)} by {by}, {day_of(capsule.generated_at)}"
    head = f"{what}: may be wrong; where it differs, the code is right\n"
    return head + "".join(f"> {row}\n" for row in text.splitlines() if row.strip())


def _candidate(capsule: Capsule, words: tuple[str, ...], level: Level) -> Candidate:
    by = "you" if capsule.is_by_user else _one_line(capsule.source)
    reasons = [Reason(ReasonType.CENTRAL, subject=f"written {day_of(capsule.generated_at)} by {by}")]
    if words:
        reasons.append(Reason(ReasonType.LEXICAL, terms=words))
    title = f"summary of {_one_line(capsule.subject.title)}"
    return Candidate(capsule.item, Section.SCAFFOLD, KIND, title, (level,), reasons=tuple(reasons))


def _level(capsule: Capsule, text: str, detail: Detail, count: CountTokens) -> Level:
    made = capsule_text(capsule, text)
    return Level(detail, made, count(made))


def _fitting(capsule: Capsule, whole: Level, count: CountTokens, room: int) -> Level | None:
    """Return the whole capsule when it fits, else as many of its first sentences as do; None when none does."""
    if whole.tokens <= room:
        return whole
    sentences = _sentences(capsule.text)
    for kept in range(len(sentences) - 1, _LEAST_SENTENCES - 1, -1):
        level = _level(capsule, " ".join(sentences[:kept]) + " …", Detail.EXCERPT, count)
        if level.tokens <= room:
            return level
    return None


def _sentences(text: str) -> list[str]:
    """Return a text's sentences, roughly: what ends in a full stop and a blank."""
    words: list[str] = []
    found: list[str] = []
    for word in text.split():
        words.append(word)
        if word.endswith((".", "!", "?")):
            found.append(" ".join(words))
            words = []
    return [*found, " ".join(words)] if words else found


def _one_line(text: str) -> str:
    folded = " ".join(text.split())
    return "".join(one for one in folded if one.isprintable())[:200]
