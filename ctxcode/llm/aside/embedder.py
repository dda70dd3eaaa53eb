"""An embedding model that is called from the process for models."""

import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import NoReturn

from ctxcode.llm.aside.messages import Answer, Embedded, Failed, Known
from ctxcode.llm.aside.process import ModelProcess, error_of
from ctxcode.llm.providers import Endpoint
from ctxcode.model.engine.vector import Vector
from ctxcode.model.errors import ModelError, ModelUnreachableError

_BATCH = 64
"""Texts of one request."""
_MOST_CHARS = 2_000
"""Of each text; models read at least so much, and what it is about stands in its beginning."""
_PAUSE_SECONDS = 60.0
"""After a failure nothing is asked for so long: every question would wait for it."""


class _StoppedError(ModelError):
    """Nobody waits any more; it is no failure of the model."""


class EmbedderAside:
    """Embeds texts with a model elsewhere. Blocks: the batches are sent at once and waited for until a deadline."""

    def __init__(self, known: Known, process: ModelProcess, cleared: Callable[[str], str]) -> None:
        """Take what is known of the model and what takes secrets out of a text; nothing is started or sent yet."""
        self._known = known
        self._process = process
        self._cleared = cleared
        self._failed: tuple[float, ModelError] | None = None
        self._waiting: set[SimpleQueue[Answer | None]] = set()

    @property
    def id(self) -> str:
        """The model and where it is reached: another server's vectors may be others."""
        return f"{self._known.info.name} at {self._known.endpoint.shown_address}"

    @property
    def endpoint(self) -> Endpoint:
        """Where its requests go."""
        return self._known.endpoint

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text, empty for an empty one. Raises ModelError, and for a minute the same again."""
        if self._failed is not None and time.monotonic() < self._failed[0]:
            raise self._failed[1]
        said = [self._cleared(text[:_MOST_CHARS]).strip() for text in texts]
        asked = [place for place, text in enumerate(said) if text]
        batches = [asked[start : start + _BATCH] for start in range(0, len(asked), _BATCH)]
        vectors = [b""] * len(texts)
        for places, made in zip(batches, self._made([tuple(said[p] for p in b) for b in batches]), strict=True):
            for place, vector in zip(places, made, strict=True):
                vectors[place] = vector
        return tuple(vectors)

    def stop(self) -> None:
        """End all requests that are under way; whoever waits for one hears a ModelError. Any thread may call."""
        for heard in tuple(self._waiting):
            heard.put(None)

    def _made(self, batches: Sequence[tuple[str, ...]]) -> list[tuple[Vector, ...]]:
        """Return the vectors of each batch; when one fails or takes too long all are ended."""
        heard = [SimpleQueue[Answer | None]() for _ in batches]
        ends = []
        self._waiting.update(heard)
        try:
            # Loading what calls models takes seconds, once; the deadline is for the model.
            self._process.load()
            deadline = time.monotonic() + self._known.deadlines.total_seconds + self._known.deadlines.connect_seconds
            for texts, queue in zip(batches, heard, strict=True):
                ends.append(self._process.embed(self._known, texts, queue.put))
            return [self._answer(queue, deadline) for queue in heard]
        except _StoppedError:
            raise
        except ModelError as error:
            self._give_up(error)
        finally:
            self._waiting.difference_update(heard)
            for end in ends:
                end()

    def _answer(self, heard: "SimpleQueue[Answer | None]", deadline: float) -> tuple[Vector, ...]:
        try:
            answer = heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty as error:
            words = f"{self._known.info.name!r} sent no vectors in time."
            raise ModelUnreachableError(words, "It is asked again with a later question.") from error
        if answer is None:
            raise _StoppedError("The request for vectors was ended.", "It is asked again with the next question.")
        if isinstance(answer, Failed):
            raise error_of(answer)
        if not isinstance(answer, Embedded):
            raise ModelError("The process that calls models answered something else.")
        return answer.vectors

    def _give_up(self, error: ModelError) -> NoReturn:
        self._failed = time.monotonic() + _PAUSE_SECONDS, error
        raise error
