"""The offline navigator as a chat model: deterministic, free, and plain about being no language model."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable

from ctxcode.llm.catalogue import NAVIGATOR_INFO
from ctxcode.llm.navigator.absence import growing
from ctxcode.llm.navigator.answer import Answers
from ctxcode.llm.navigator.graph_port import NavigableGraph
from ctxcode.llm.navigator.markdown import MAX_REPLY_LINES
from ctxcode.llm.navigator.question import resumed
from ctxcode.model.chat import FinishReason, ModelChunk, ModelRequest, ReplyEnd, TextChunk
from ctxcode.model.conversation import ModelInfo

SIGNATURE = (
    "*Offline navigator: read from the code graph, not written by a language model. "
    "To set one up: `ctxcode doctor`, or `/model NAME`.*"
)

_PLACE = re.compile(r"^#{2,4} (?P<path>[^\n]{1,400}?):(?P<line>\d{1,7})-\d{1,7} ", re.MULTILINE)
_TAIL = re.compile(r"^#{2,4} (?P<path>\S[^\n:]{0,400})\n\s*(?P<line>\d{1,7}) ", re.MULTILINE)
_MAX_PLACES = 60


class Navigator:
    """Answers ``ModelRequest.question`` from the graph."""

    def __init__(self, graph: NavigableGraph, read_text: Callable[[str], str]) -> None:
        """Take the graph and a reader of source files that raises CtxcodeError for what can't be read."""
        self._answers = Answers(graph, read_text)

    @property
    def info(self) -> ModelInfo:
        """What is known of it: everything, and it costs nothing."""
        return NAVIGATOR_INFO

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Yield the answer line by line, then a ReplyEnd. Raises CtxcodeError when the index can't be read."""
        lines = await asyncio.to_thread(self.reply, request)
        for line in lines:
            yield TextChunk(f"{line}\n")
            await asyncio.sleep(0)
        yield ReplyEnd(FinishReason.STOP, cost=0.0)

    def reply(self, request: ModelRequest) -> list[str]:
        """Return the whole answer as lines; blocks on the graph and on files."""
        before = [message.content for message in request.messages[:-1] if message.role == "user"]
        question = resumed(request.question, before, self._answers.knows)
        lines = _within(self._answers.lines(question, planned_places(request)), MAX_REPLY_LINES - 4)
        for sentence in growing(self._answers.graph.stats()):
            lines += [] if any(sentence in line for line in lines) else ["", sentence]
        return [*lines, "", SIGNATURE]


def planned_places(request: ModelRequest) -> tuple[tuple[str, int], ...]:
    """Return the (path, line) headings of the code in the request's last message, in its order."""
    content = request.messages[-1].content if request.messages else ""
    heads = [*_PLACE.finditer(content), *_TAIL.finditer(content)]
    places = [(match["path"], int(match["line"])) for match in heads]
    return tuple(dict.fromkeys(places))[:_MAX_PLACES]


def _within(lines: list[str], limit: int) -> list[str]:
    """Return at most ``limit`` lines; a cut inside a code block closes it."""
    if len(lines) <= limit:
        return lines
    kept = lines[: limit - 2]
    fence = ""
    for line in kept:
        marks = re.match(r"`{3,}", line)
        if marks and not fence:
            fence = marks[0]
        elif fence and line == fence:
            fence = ""
    return [*kept, fence or "", "… the rest is left out."]
