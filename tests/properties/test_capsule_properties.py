"""Whatever a model answers, a capsule is bounded text; whatever capsules there are, they keep to their share."""

from hypothesis import given, settings
from hypothesis import strategies as st
from plan_inputs import words

from ctxcode.context.orientation.capsules import SHARE, chosen_capsules
from ctxcode.model.engine.capsule import Capsule, CapsuleSubject, Freshness, SubjectKind, code_hash
from ctxcode.model.plan import ReasonType
from ctxcode.reflection.capsules import (
    LEAST_CHARS,
    MOST_CHARS,
    MOST_CONFIDENCE,
    answer,
    by_interest,
    covered_paths,
    freshness,
    plain_text,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)
REPLIES = st.lists(
    st.one_of(
        ANY_TEXT,
        st.sampled_from(
            ["## Pinned", "---STATE---", "> quote", "```", "Confidence: 1.0", "Confidence: 1e9", "A cart. "]
        ),
    ),
    max_size=8,
).map("\n".join)
SUBJECTS = st.builds(CapsuleSubject, st.sampled_from(list(SubjectKind)), st.text("ab/_ ", max_size=6))
HASHES = st.dictionaries(st.text("ab/", min_size=1, max_size=4), st.text("01", max_size=3), max_size=4)
CAPSULES = st.builds(
    Capsule,
    subject=SUBJECTS,
    text=st.lists(st.sampled_from(["It joins.", "Start at Query.", "And so on and on"]), min_size=1).map(" ".join),
    source=st.sampled_from(["user", "gpt-x"]),
    confidence=st.floats(0, 1),
    generated_at=st.floats(0, 4e9),
    code_hash=HASHES.map(code_hash),
    covered=st.just(("a.py",)),
)
ROWS = st.lists(st.tuples(CAPSULES, st.sampled_from(list(Freshness))), max_size=6, unique_by=lambda row: row[0].item)


@settings(deadline=None, max_examples=300)
@given(reply=REPLIES)
def test_an_answer_is_short_visible_text_with_a_bounded_confidence(reply: str) -> None:
    found = answer(reply)
    if found is None:
        return
    assert LEAST_CHARS <= len(found.text) <= MOST_CHARS
    assert 0 <= found.confidence <= MOST_CONFIDENCE
    assert all(line.isprintable() and line.strip() == line for line in found.text.split("\n"))
    # What the user keeps as it is stays the model's.
    assert found.text == plain_text(found.text)
    assert not any(line.startswith(("#", ">", "```")) for line in found.text.split("\n"))


@settings(deadline=None, max_examples=200)
@given(text=ANY_TEXT)
def test_making_a_text_plain_twice_changes_nothing_more(text: str) -> None:
    assert plain_text(text) == plain_text(plain_text(text))


@settings(deadline=None, max_examples=200)
@given(before=HASHES, after=HASHES)
def test_a_capsule_is_fresh_exactly_while_its_files_are_the_same(before: dict[str, str], after: dict[str, str]) -> None:
    capsule = Capsule(CapsuleSubject(SubjectKind.FOLDER, ""), "It joins.", "user", 1.0, 0.0, code_hash(before), ())
    assert (before == after) is (freshness(capsule, after) is Freshness.FRESH)


@settings(deadline=None, max_examples=200)
@given(rows=ROWS, limit=st.integers(0, 400), terms=st.lists(st.sampled_from(["a", "ab", "join"]), max_size=3))
def test_capsules_keep_to_their_share_and_each_is_told_or_listed(
    rows: list[tuple[Capsule, Freshness]], limit: int, terms: list[str]
) -> None:
    ordered = by_interest(rows, terms, {"a.py": 0.5})
    assert ordered == by_interest(rows[::-1], terms, {"a.py": 0.5})
    dropped = [rows[0][0].item] if rows else []
    chosen = chosen_capsules(ordered, words, limit_tokens=limit, dropped=dropped)
    told = [candidate for candidate in chosen.told if candidate.id not in dropped]
    assert chosen.tokens == sum(candidate.richest.tokens for candidate in told) <= limit * SHARE
    states = {capsule.item: state for capsule, state in rows}
    assert all(states[candidate.id] is Freshness.FRESH for candidate in told)
    everything = [*(candidate.id for candidate in chosen.told), *(candidate.id for candidate, _ in chosen.untold)]
    assert sorted(everything) == sorted(states)
    for candidate, reason in chosen.untold:
        wanted = ReasonType.BUDGET if states[candidate.id] is Freshness.FRESH else ReasonType.STALE
        assert wanted is reason.type


PATHS = st.lists(st.text("ab/.0", min_size=1, max_size=5), max_size=12, unique=True).map(sorted)


@settings(deadline=None, max_examples=300)
@given(paths=PATHS, name=st.text("ab/.0", min_size=1, max_size=3))
def test_a_folder_covers_exactly_the_paths_below_it(paths: list[str], name: str) -> None:
    below = tuple(path for path in paths if path.startswith(f"{name}/"))
    assert below == covered_paths(CapsuleSubject(SubjectKind.FOLDER, name), paths)
    assert tuple(path for path in paths if path == name) == covered_paths(CapsuleSubject(SubjectKind.FILE, name), paths)
