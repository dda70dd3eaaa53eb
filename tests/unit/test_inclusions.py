"""What files include, and include through others: compared with looking through all of them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.resolve.modules.inclusions import Inclusions, members

graphs = st.dictionaries(st.integers(0, 12), st.frozensets(st.integers(0, 12), max_size=5), max_size=13)


def looked_through(targets: Mapping[int, AbstractSet[int]], start: int) -> set[int]:
    found, pending = set[int](), [start]
    while pending:
        new = targets.get(pending.pop(), frozenset()) - found
        found |= new
        pending.extend(new)
    return found


@given(targets=graphs, asked=st.lists(st.integers(0, 12), max_size=20))
def test_whatever_is_asked_first_a_file_reaches_what_looking_through_all_finds(
    targets: Mapping[int, AbstractSet[int]], asked: list[int]
) -> None:
    inclusions = Inclusions(lambda file: targets.get(file, ()))
    for file in asked:
        expected = looked_through(targets, file)
        assert sorted(expected) == list(members(inclusions.of(file)))
        assert {other for other in range(13) if inclusions.has(file, other)} == expected


def test_a_chain_of_many_files_in_a_circle_is_followed_to_its_end() -> None:
    count = 20_000
    inclusions = Inclusions(lambda file: [(file + 1) % count])
    assert inclusions.of(0).bit_count() == count
    assert inclusions.of(count - 1) is inclusions.of(0)
