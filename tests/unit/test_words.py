"""Which rows say which words."""

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.words import WordIndex

_WORDS = st.sets(st.sampled_from("abcde"))
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.dictionaries(st.integers(0, 9), _WORDS)),
        st.tuples(st.just("forget"), st.dictionaries(st.integers(0, 9), st.just(set[str]()))),
        st.tuples(st.just("settle"), st.just(dict[int, set[str]]())),
    ),
    max_size=20,
)


@given(_STEPS)
def test_it_knows_who_says_what_after_any_steps(steps: list[tuple[str, dict[int, set[str]]]]) -> None:
    index, known = WordIndex(), dict[int, set[str]]()
    for step, rows in steps:
        if step == "add":
            new = {row: words for row, words in rows.items() if row not in known}
            index.add(new)
            known |= new
        elif step == "forget":
            index.forget(rows)
            known = {row: words for row, words in known.items() if row not in rows}
        else:
            index.settle()
        assert known.keys() == index.rows
        for asked in ({"a"}, {"b", "c"}, set[str](), {"elsewhere"}):
            assert {row for row, words in known.items() if words & asked} == index.saying(asked)
