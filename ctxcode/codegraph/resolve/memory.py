"""Memory for questions that lead to one another, in circles too."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_DEEPEST = 80
"""Questions within questions that are followed, re-exports of re-exports say; a hostile chain ends here."""

_MOST_FORGOTTEN = 300
"""Answers that are found again for one question; in a hostile tangle each circle would lead through all others."""

_KeyT = TypeVar("_KeyT", bound=Hashable)
_AnswerT = TypeVar("_AnswerT")


class Memory:
    """Keeps answers that do not depend on where a circle was entered.

    A question that is asked again while it is being answered gets a stand-in. From then on answers may rest on it: they
    hold for that question, and are forgotten with its end, and all of them with the end of the one that began all this.
    So every answer is the same whatever was asked before, as long as circles are few enough.
    """

    def __init__(self, deepest: int = _DEEPEST) -> None:
        self._deepest = deepest
        self._open: set[tuple[int, Hashable]] = set()
        """Questions being answered, by table and key."""
        self._has_stood_in = False
        self._stood_in: set[tuple[int, Hashable]] = set()
        """Those of them for which something rests on a stand-in."""
        self._provisional: list[tuple[dict[Any, Any], Hashable]] = []
        self._forgotten = 0
        """How many answers were, since the first question was asked."""

    @property
    def holds(self) -> bool:
        """Whether no answer so far rests on a stand-in."""
        return not self._has_stood_in

    def is_open(self, answers: dict[_KeyT, _AnswerT], key: _KeyT) -> bool:
        """Whether a question is being answered; who is told so goes on with a stand-in of its own."""
        question = (id(answers), key)
        if question not in self._open:
            return False
        self._has_stood_in = True
        self._stood_in.add(question)
        return True

    def find(
        self, answers: dict[_KeyT, _AnswerT], key: _KeyT, stand_in: _AnswerT, ask: Callable[[], _AnswerT]
    ) -> _AnswerT:
        """Answer a question that has no answer yet, and remember the answer if it holds in general."""
        question = (id(answers), key)
        if question in self._open or len(self._open) >= self._deepest:
            self._has_stood_in = True
            self._stood_in.add(question)
            return stand_in
        self._open.add(question)
        first = len(self._provisional)
        try:
            answer = answers[key] = ask()
        finally:
            self._open.remove(question)
        if self._has_stood_in:
            if question in self._stood_in:
                self._stood_in.remove(question)
                if self._forgotten < _MOST_FORGOTTEN:
                    self._forget(first)
            self._settle(answers, key)
        return answer

    def _settle(self, answers: dict[Any, Any], key: Hashable) -> None:
        if self._open:
            self._provisional.append((answers, key))
            return
        self._has_stood_in = False
        self._stood_in.clear()
        self._forget(0)
        self._forgotten = 0

    def _forget(self, first: int) -> None:
        """Forget the answers that may rest on a stand-in, from one on."""
        for table, key in self._provisional[first:]:
            table.pop(key, None)
        self._forgotten += len(self._provisional) - first
        del self._provisional[first:]
