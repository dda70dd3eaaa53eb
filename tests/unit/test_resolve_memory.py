"""Answers that lead to one another are the same whatever was asked first."""

from itertools import permutations

from ctxcode.codegraph.resolve.memory import Memory

STARS = {"a": ("b", "c"), "b": ("a",), "c": ("d", "b"), "d": ()}
"""What each module takes everything from, in this order."""


class Modules:
    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        self._memory = Memory()

    def where(self, module: str) -> str:
        found = self.answers.get(module)
        return self._memory.find(self.answers, module, "", lambda: self._look(module)) if found is None else found

    def _look(self, module: str) -> str:
        return "d" if module == "d" else next(filter(None, map(self.where, STARS[module])), "")


def test_answers_do_not_depend_on_where_a_circle_is_entered() -> None:
    for order in permutations(STARS):
        modules = Modules()
        assert ["d"] * 4 == [modules.where(module) for module in order]


def test_what_a_stand_in_led_to_is_forgotten_with_the_first_question() -> None:
    modules = Modules()
    modules.where("a")
    assert "" not in modules.answers.values()


def test_a_chain_without_end_ends() -> None:
    memory, answers = Memory(), dict[int, int]()

    def ask(number: int) -> int:
        return memory.find(answers, number, -1, lambda: ask(number + 1))

    assert -1 == ask(0)
    assert {0: -1} == answers
