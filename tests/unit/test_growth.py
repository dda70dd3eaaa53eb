"""When the beginning of an index is published: nobody waits much longer for it, and it costs little."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.session.index.growth import Growth


@dataclass
class Parsing:
    """A refresh that parses so many bytes in a second and joins so many."""

    size: int
    parsed_in_a_second: float = 1.0
    joined_in_a_second: float = 10.0
    now: float = 0.0
    published: list[tuple[float, int]] = field(default_factory=list)
    """The seconds of each publication's beginning, and the bytes that were parsed."""

    def run(self) -> float:
        """Return what share of the time was spent on publications."""
        growth, spent = Growth(lambda: self.now, self.size), 0.0
        for done in range(1, self.size + 1):
            self.now += 1 / self.parsed_in_a_second
            if growth.is_due(self.size - done):
                self.published.append((self.now, done))
                with growth.publishing(self.size - done):
                    self.now += done / self.joined_in_a_second
                    spent += done / self.joined_in_a_second
        return spent / self.now


def test_what_takes_half_a_minute_is_published_once_as_a_whole() -> None:
    parsing = Parsing(29)
    parsing.run()
    assert [] == parsing.published


def test_what_takes_longer_is_there_after_a_quarter_of_a_minute_and_grows() -> None:
    parsing = Parsing(600)
    parsing.run()
    assert (15.0, 15) == parsing.published[0]
    assert len(parsing.published) > 3
    assert parsing.published[-1][1] <= 585


def test_nothing_is_published_that_would_soon_be_whole() -> None:
    parsing = Parsing(100)
    parsing.run()
    assert all(100 - done >= 15 for _, done in parsing.published)


@given(st.integers(1, 3_000), st.floats(0.5, 20), st.floats(0.5, 200))
def test_a_fifth_of_the_time_at_most_is_spent_on_it(size: int, parsed: float, joined: float) -> None:
    # The first one's cost is not known before.
    first = min(size, 15 * parsed + 1) / joined
    parsing = Parsing(size, parsed, joined)
    assert parsing.run() * parsing.now <= parsing.now / 4 + first
