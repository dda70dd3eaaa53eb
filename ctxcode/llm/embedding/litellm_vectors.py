"""Vectors from an embedding model behind litellm: one request, with our own deadline and errors."""

import asyncio
from collections.abc import Sequence
from typing import Any

from ctxcode.llm import litellm_library
from ctxcode.llm.model_failure import Target, failure_of, missing_key
from ctxcode.llm.providers import Endpoint
from ctxcode.llm.retry import Deadlines
from ctxcode.model.engine.vector import Vector, vector_of
from ctxcode.model.errors import ModelReplyError, ModelUnreachableError


async def embedded(name: str, endpoint: Endpoint, deadlines: Deadlines, texts: Sequence[str]) -> tuple[Vector, ...]:
    """Return a vector for each text. Cancelling the task closes the connection. Raises ModelError."""
    target = Target(name, endpoint)
    if endpoint.is_missing_key:
        raise missing_key(target)
    library = await asyncio.to_thread(litellm_library.load)
    limit = deadlines.total_seconds
    call = library.module.aembedding(
        model=name,
        input=list(texts),
        encoding_format="float",
        drop_params=True,
        # Both are always explicit, so litellm looks for none itself.
        api_base=endpoint.api_base,
        api_key=endpoint.sent_key,
        timeout=library.timeout(deadlines.connect_seconds, limit),
        max_retries=0,
        num_retries=0,
    )
    try:
        async with asyncio.timeout(limit):
            answer = await call
    except TimeoutError as error:
        words = f"{name!r} sent no vectors in {limit:g} s."
        raise ModelUnreachableError(words, "It is asked again with a later question.") from error
    except library.failures as error:
        raise failure_of(error, target).error from error
    return _vectors_in(answer, len(texts), name)


def _vectors_in(answer: Any, count: int, name: str) -> tuple[Vector, ...]:
    """Return the vectors of a reply in the texts' order, whatever order they came in."""
    found: dict[int, Vector] = {}
    data = getattr(answer, "data", None)
    for place, row in enumerate(data if isinstance(data, list) else []):
        told = row if isinstance(row, dict) else getattr(row, "__dict__", {})
        index, numbers = told.get("index", place), told.get("embedding")
        if isinstance(index, int) and isinstance(numbers, list) and all(isinstance(n, int | float) for n in numbers):
            found[index] = vector_of(numbers)
    if sorted(found) != list(range(count)) or len({len(vector) for vector in found.values() if vector}) > 1:
        words = f"{name!r} sent no vector for each text."
        raise ModelReplyError(words, "Check that embedding_model names an embedding model.")
    return tuple(found[index] for index in range(count))
