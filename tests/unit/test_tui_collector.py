import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from ctxcode.tui.terminal.collector import (
    IDLE_SECONDS,
    PAUSE_SECONDS,
    THRESHOLDS,
    IdleCollector,
    collect_grown,
    outlived,
    return_memory,
)


class Scene:
    """A clock that is set by hand, and a count of searches for garbage."""

    def __init__(self) -> None:
        self.now = 0.0
        self.searches = 0
        self.takes = 0.0
        self.looks = 0
        self.waiting = 0
        self.given_back = threading.Event()
        self.collector = IdleCollector(
            lambda: self.now, self.search, self.given_back.set, self.look, lambda: self.waiting
        )

    def search(self) -> None:
        self.searches += 1
        self.now += self.takes

    def look(self) -> None:
        self.looks += 1

    def idle(self) -> None:
        self.collector.touched()
        self.now += IDLE_SECONDS
        self.collector.tick()


@pytest.fixture(autouse=True)
def aside() -> int:
    """Set aside what the tests before have left, a million objects; return how many. They stay so."""
    gc.freeze()
    return gc.get_freeze_count()


@pytest.fixture
def scene() -> Iterator[Scene]:
    thresholds = gc.get_threshold()
    yield Scene()
    gc.set_threshold(*thresholds)


def test_garbage_is_looked_for_once_nobody_has_typed_for_a_while(scene: Scene) -> None:
    assert 0 == scene.searches
    scene.idle()
    assert 1 == scene.searches
    scene.now += 10 * IDLE_SECONDS
    scene.collector.tick()
    assert 1 == scene.searches


def test_not_while_somebody_types(scene: Scene) -> None:
    for _ in range(5):
        scene.collector.touched()
        scene.now += IDLE_SECONDS / 2
        scene.collector.tick()
    assert 0 == scene.searches


@pytest.mark.parametrize(("waiting", "searches"), [(40_000, 1), (400_000, 0)])
def test_what_has_come_together_is_set_aside_and_looked_through_if_that_is_quick(
    scene: Scene, aside: int, waiting: int, searches: int
) -> None:
    scene.waiting = waiting
    scene.collector.pressed()
    scene.collector.tick()
    assert searches == scene.searches
    assert aside < gc.get_freeze_count()


def test_what_outlived_its_looks_is_counted() -> None:
    gc.collect()
    kept = [[number] for number in range(60_000)]
    for _ in range(3):
        gc.collect(1)
    assert outlived() >= len(kept)
    gc.collect()
    assert not outlived()


def test_counting_does_not_get_in_the_way_of_what_other_threads_make(scene: Scene) -> None:
    kept = [[number] for number in range(30_000)]
    gc.collect()
    gc.set_threshold(200, 2, 10**9)
    failures: list[SystemError] = []

    def make_tuples() -> None:
        try:
            for _ in range(5):
                # What is half made must have outlived its looks to be among what is counted.
                tuple([number] for number in range(20_000) if number > 3 or gc.collect(1) >= 0)
        except SystemError as failure:
            failures.append(failure)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        maker = threading.Thread(target=make_tuples)
        maker.start()
        while maker.is_alive():
            outlived()
    finally:
        sys.setswitchinterval(interval)
    assert ([], 30_000) == (failures, len(kept))
    assert not scene.searches


def test_what_took_long_to_look_at_is_set_aside(scene: Scene, aside: int) -> None:
    scene.idle()
    assert aside >= gc.get_freeze_count()
    scene.takes = 1.0
    scene.idle()
    assert aside < gc.get_freeze_count()


def test_free_memory_is_given_back_in_idle_moments(scene: Scene) -> None:
    scene.collector.tick()
    assert not scene.given_back.is_set()
    scene.idle()
    assert scene.given_back.wait(10)
    return_memory()


def test_the_full_search_is_left_to_idle_moments(scene: Scene) -> None:
    scene.collector.begin()
    assert THRESHOLDS[:2] == gc.get_threshold()[:2]


def test_what_outlived_a_first_look_is_looked_at_between_keys_also_while_an_answer_streams(scene: Scene) -> None:
    scene.collector.pressed()
    scene.collector.tick()
    assert 0 == scene.looks
    scene.now += PAUSE_SECONDS
    scene.collector.touched()
    scene.collector.tick()
    assert 1 == scene.looks
    assert 0 == scene.searches
    collect_grown()
