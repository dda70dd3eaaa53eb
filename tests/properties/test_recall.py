"""The index over earlier turns follows its branch wherever it goes."""

from examples import plan_examples
from hypothesis import given
from hypothesis import strategies as st
from talk import turn

from ctxcode.model.conversation import Turn
from ctxcode.retrieval.recall import TurnIndex

WORDS = ["retry", "back_off", "parserCache", "the", "join", "Ünicode", "x", "42", "$el"]
TERMS = (("retry", 2.0), ("cache", 1.0), ("parsercache", 1.5), ("join", 0.5), ("umbrella", 1.0))
prompt = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), prompt),
        st.tuples(st.just("undo"), st.integers(1, 4)),
        st.tuples(st.just("remove"), st.integers(0, 8)),
        st.tuples(st.just("fork"), st.integers(0, 8)),
        st.tuples(st.just("back")),
    ),
    max_size=25,
)


@plan_examples(200)
@given(steps)
def test_following_a_branch_is_the_same_as_reading_it_anew(moves: list[tuple[object, ...]]) -> None:
    index, turns, other = TurnIndex(), list[Turn](), list[Turn]()
    for move in moves:
        match move:
            case ("add", str(text)):
                turns.append(turn(turns[-1].number + 1 if turns else 1, text))
            case ("undo", int(count)):
                del turns[-count:]
            case ("remove", int(place)) if place < len(turns):
                del turns[place]
            case ("fork", int(place)):
                turns, other = turns[:place], turns
            case ("back",):
                turns, other = other, turns
        fresh = TurnIndex()
        assert fresh.related(tuple(turns), TERMS, 9) == index.related(tuple(turns), TERMS, 9)
        for one in turns:
            found = index.about(tuple(turns), one, TERMS)
            assert fresh.about(tuple(turns), one, TERMS) == found
            assert 0.0 <= found.similarity <= 1.0


def test_rare_words_count_more_than_frequent_ones() -> None:
    turns = [turn(number, "join the table") for number in range(1, 30)]
    turns += [turn(30, "umbrella"), turn(31, "other words")]
    found = TurnIndex().related(tuple(turns), (("join", 1.0), ("umbrella", 1.0)), 3)
    assert (30, True) == (found[0].turn, found[0].similarity > 0.6)
    assert ((),) == tuple({TurnIndex().related(tuple(turns), (("absent", 1.0),), 3)})
