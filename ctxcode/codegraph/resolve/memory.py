"""Memory for questions that lead to one another, in circles too."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_DEEPEST = 80
"""Questions within questions that are followed, re-exports of re-exports say; a hostile chain ends here."""

_KeyT = TypeVar("_KeyT", bound=Hashable)
_AnswerT = TypeVar("_AnswerT")


class Memory:
    """Keeps answers that do not depend on where a circle was entered.

    A question that is asked again while it is being answered gets a stand-in. From then on answers may rest on it: they
    hold for the question that began all this, and are forgotten with its end. So every answer is the same whatever was
    asked before.
    """

    def __init__(self, deepest: int = _DEEPEST) -> None:
        self._deepest = deepest
        self._open: set[tuple[int, Hashable]] = set()
        """Questions being answered, by table and key."""
        self._has_stood_in = False
        self._provisional: list[tuple[dict[Any, Any], Hashable]] = []

    @property
    def holds(self) -> bool:
        """Whether no answer so far rests on a stand-in."""
        return not self._has_stood_in

    def is_open(self, answers: dict[_KeyT, _AnswerT], key: _KeyT) -> bool:
        """Whether a question is being answered; who is told so goes on with a stand-in of its own."""
        is_open = (id(answers), key) in self._open
        self._has_stood_in = self._has_stood_in or is_open
        return is_open

    def find(
        self, answers: dict[_KeyT, _AnswerT], key: _KeyT, stand_in: _AnswerT, ask: Callable[[], _AnswerT]
    ) -> _AnswerT:
        """Answer a question that has no answer yet, and remember the answer if it holds in general."""
        question = (id(answers), key)
        if question in self._open or len(self._open) >= self._deepest:
            self._has_stood_in = True
            return stand_in
        self._open.add(question)
        try:
            answer = answers[key] = ask()
        finally:
            self._open.remove(question)
        if self._has_stood_in:
            self._settle(answers, key)
        return answer

    def _settle(self, answers: dict[Any, Any], key: Hashable) -> None:
        if self._open:
            self._provisional.append((answers, key))
            return
        self._has_stood_in = False
        for table, forgotten in self._provisional:
            table.pop(forgotten, None)
        self._provisional.clear()
