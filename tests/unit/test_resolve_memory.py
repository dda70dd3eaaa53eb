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


class Types:
    """What ``price`` inherits is known by what ``cost`` has, which inherits from it."""

    def __init__(self) -> None:
        self._bases: dict[str, list[str]] = {}
        self._orders: dict[str, list[str]] = {}
        self._memory = Memory()

    def bases(self, name: str) -> list[str]:
        found = self._bases.get(name)
        return self._memory.find(self._bases, name, [], lambda: self._inherited(name)) if found is None else found

    def order(self, name: str) -> list[str]:
        found = self._orders.get(name)
        return self._memory.find(self._orders, name, [name], lambda: self._ordered(name)) if found is None else found

    def _inherited(self, name: str) -> list[str]:
        if name == "price":
            return ["thing"] if "cost" in self.order("cost") else []
        return {"tax": ["price"], "cost": ["price"]}.get(name, [])

    def _ordered(self, name: str) -> list[str]:
        bases = self.bases(name)
        for base in bases:
            self.bases(base)
        return [name, *[each for base in bases for each in self.order(base)]]


def test_what_rests_on_a_stand_in_is_not_used_once_there_is_an_answer() -> None:
    for first in ("tax", "price", "cost", "thing"):
        types = Types()
        types.order(first)
        assert ["tax", "price", "thing"] == types.order("tax")


def test_many_circles_through_one_another_end() -> None:
    memory, answers, asked = Memory(), dict[int, int](), []

    def ask(number: int) -> int:
        found = answers.get(number)
        return memory.find(answers, number, 0, lambda: 1 + max(look(number))) if found is None else found

    def look(number: int) -> list[int]:
        asked.append(number)
        return [ask(other) for other in range(40) if other != number]

    assert [ask(0), ask(1)] == [ask(0), ask(1)]
    assert len(asked) < 1000


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
