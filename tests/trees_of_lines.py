"""Repositories whose files are put together of given lines, to hold an updated graph against one joined anew."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged_by_chance, is_updated, read

Tree = Mapping[str, str]


def variants_of(texts: Mapping[str, Sequence[str]]) -> st.SearchStrategy[Tree]:
    """Return files of which each has one of its texts; where that is empty there is none."""
    chosen = st.fixed_dictionaries({path: st.sampled_from(each) for path, each in texts.items()})
    return chosen.map(lambda tree: {path: text for path, text in tree.items() if text})


def trees(lines: Sequence[str], paths: Sequence[str]) -> st.SearchStrategy[Tree]:
    """Return the sources of some files, line by line, of which all but the first two may be missing."""
    source = st.lists(st.sampled_from(lines), min_size=2, max_size=7).map("\n".join)
    return st.fixed_dictionaries(dict.fromkeys(paths[:2], source), optional=dict.fromkeys(paths[2:], source))


def edits_are_joined(lines: Sequence[str], paths: Sequence[str]) -> None:
    """Check that lines that come, and that go, give the graph of all files joined anew; a fifth at least in part."""

    def check(joined: list[bool], tree: Tree, path: str, line: str, at: int) -> None:
        written = tree.get(path, "").split("\n")
        # An empty line stands for taking one out.
        written[at : at + (not line)] = [line] if line else []
        before, after = read(tree), read({**tree, path: "\n".join(written)})
        joined.append(is_updated(before, after))

    drawn = (trees(lines, paths), st.sampled_from(paths), st.sampled_from(lines), st.integers(0, 6))
    _check_all(check, drawn)


def exchanges_are_joined(lines: Sequence[str], paths: Sequence[str]) -> None:
    """Check the same of files that come and go."""

    def check(joined: list[bool], tree: Tree, other: Tree, chance: Random) -> None:
        joined.append(is_updated(read(tree), read(exchanged_by_chance(tree, other, chance))))

    drawn = (trees(lines, paths), trees(lines, paths), st.randoms(use_true_random=False))
    _check_all(check, drawn)


def _check_all(check: Callable[..., None], drawn: Sequence[st.SearchStrategy[object]]) -> None:
    joined = list[bool]()

    @examples(60)
    @given(st.tuples(*drawn))
    def each(given_values: tuple[object, ...]) -> None:
        check(joined, *given_values)

    each()
    assert sum(joined) * 5 > len(joined)
