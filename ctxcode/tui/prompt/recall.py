"""Earlier prompts: stepping through them, and finding one by words."""

from collections.abc import Iterable, Sequence


class Recall:
    """What Up and Down go through: earlier prompts, then the text that was being written."""

    def __init__(self) -> None:
        self._prompts: tuple[str, ...] = ()
        self._at: int | None = None
        self._draft = ""
        self._unsent = ""

    def use(self, prompts: Sequence[str]) -> None:
        """Set the earlier prompts, oldest first; each is kept once, where it was asked last."""
        unsent = (self._unsent,) if self._unsent else ()
        self._prompts = tuple(dict.fromkeys(reversed((*prompts, *unsent))))[::-1]
        self.leave()

    def hold_unsent(self, text: str) -> None:
        """Go through a text first that was never sent."""
        self._unsent = text
        self.use(self._prompts)

    def leave(self) -> None:
        """Forget where one was: the next step begins with the newest."""
        self._at = None

    def step(self, step: int, text: str) -> str | None:
        """Return the prompt a step away; None when there is none that way. ``text`` is kept as the draft."""
        at = len(self._prompts) if self._at is None else self._at
        if self._at is None:
            self._draft = text
        target = at + step
        if not 0 <= target <= len(self._prompts) or target == at:
            return None
        self._at = None if target == len(self._prompts) else target
        return self._draft if self._at is None else self._prompts[target]


def matching(prompts: Iterable[str], typed: str, limit: int) -> tuple[str, ...]:
    """Return the prompts that hold every typed word, in their order, each once; all of them for no word."""
    words = typed.casefold().split()
    found = [prompt for prompt in dict.fromkeys(prompts) if all(word in prompt.casefold() for word in words)]
    return tuple(found[:limit])
