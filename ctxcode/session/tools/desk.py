"""What every tool works with, and the sheet it writes its answer on."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ctxcode.context.render import CountTokens
from ctxcode.model.conversation import ToolStatus
from ctxcode.model.secret.text import DEFAULT_POLICY, SecretPolicy
from ctxcode.retrieval.semantic import Semantic
from ctxcode.session.ports import CodeGraph, Workspace

LIMIT_TOKENS = 1_250
LIMIT_CHARS = 4_900
"""A fresh result may be 5,000 characters long in a request; a longer answer would be cut there."""
_FOOT_TOKENS = 70
_FOOT_CHARS = 400


@dataclass(frozen=True, slots=True)
class Desk:
    """The repository as tools see it."""

    workspace: Workspace
    graph: CodeGraph
    count: CountTokens
    secrets: SecretPolicy = DEFAULT_POLICY
    semantic: Semantic | None = None
    """Compares the model's questions by meaning, like the user's; None for by words only."""
    is_cancelled: Callable[[], bool] = lambda: False

    def stop(self) -> None:
        """End what an embedding model is being asked: nobody waits for the answer any more."""
        if self.semantic is not None:
            self.semantic.stop()

    def sheet(self, limit_tokens: int = LIMIT_TOKENS) -> "Sheet":
        """Return an empty answer."""
        return Sheet(self.count, min(limit_tokens, LIMIT_TOKENS))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool returns."""

    status: ToolStatus
    text: str


@dataclass(slots=True)
class Sheet:
    """An answer that is being written, within a limit; room for a last line is kept."""

    count: CountTokens
    limit_tokens: int
    parts: list[str] = field(default_factory=list)
    used_tokens: int = 0
    used_chars: int = 0

    def add(self, text: str) -> bool:
        """Write a part that ends with a line break, if it fits; return whether it did."""
        if self.used_chars + len(text) > LIMIT_CHARS - _FOOT_CHARS:
            return False
        tokens = self.count(text)
        if self.parts and self.used_tokens + tokens > self.limit_tokens - min(_FOOT_TOKENS, self.limit_tokens // 4):
            return False
        self.parts.append(text)
        self.used_tokens += tokens
        self.used_chars += len(text)
        return True

    def add_all(self, rows: Iterable[str]) -> int:
        """Write rows until one does not fit; return how many did."""
        written = 0
        for row in rows:
            if not self.add(row):
                break
            written += 1
        return written

    def done(self, foot: str = "") -> Answer:
        """Return the answer, ended by a line that says how to go on."""
        if foot:
            self.parts.append(f"⋯ {foot[: _FOOT_CHARS - 3]}\n")
        return Answer(ToolStatus.OK, "".join(self.parts))


def call_text(name: str, **arguments: object) -> str:
    """Return a call as the model would write it: ``read_file {"path": "a.py"}``."""
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}"


def absent(text: str) -> Answer:
    """Return the proof that something does not exist."""
    return Answer(ToolStatus.ABSENT, text)
