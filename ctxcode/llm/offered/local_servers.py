"""Model servers on this machine, found by one GET each; nothing of the user's is sent."""

import json
import re
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from time import monotonic
from typing import Any, cast

_MAX_BYTES = 512 * 1024
_MAX_MODELS = 50
_MODEL_NAME = re.compile(r"[\w.:/@+~ \-]{1,200}")


@dataclass(frozen=True, slots=True)
class Place:
    """A port where a kind of server usually listens."""

    server: str
    port: int
    path: str
    """Where it lists its models."""
    provider: str
    """What litellm calls it; stands before the model's name."""


PLACES = (
    Place("Ollama", 11434, "/api/tags", "ollama_chat"),
    Place("llama.cpp", 8080, "/v1/models", "llamafile"),
    Place("LM Studio", 1234, "/v1/models", "lm_studio"),
    Place("vLLM", 8000, "/v1/models", "hosted_vllm"),
)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered."""

    name: str
    address: str
    """Without a path: ``http://127.0.0.1:11434``."""
    models: tuple[str, ...]
    """Model strings for ``--model``; empty when it has none to offer."""

    @property
    def notice(self) -> str:
        """One line for the user."""
        if not self.models:
            return f"{self.name} answers at {self.address} and lists no models."
        more = f" and {len(self.models) - 1} more" if len(self.models) > 1 else ""
        return f"{self.name} answers at {self.address}: ctxcode --model {self.models[0]}{more}"


def local_servers(places: Sequence[Place] = PLACES, *, timeout_seconds: float = 0.7) -> tuple[LocalServer, ...]:
    """Return the servers that answer in time, in the given order; blocks at most ``timeout_seconds`` and a little."""
    if not places:
        return ()
    with ThreadPoolExecutor(len(places), thread_name_prefix="local-server") as pool:
        found = pool.map(lambda place: _ask(place, monotonic() + timeout_seconds), places)
        return tuple(server for server in found if server is not None)


def _ask(place: Place, deadline: float) -> LocalServer | None:
    """Return what listens at a place; None when nothing does, or nothing that lists models."""
    try:
        raw = _get(place, deadline)
        body = _body(raw)
        data = json.loads(body)
    except (OSError, HTTPException, ValueError, RecursionError):
        return None
    names = _names(data)
    if names is None:
        return None
    models = tuple(f"{place.provider}/{name}" for name in names)
    return LocalServer(place.server, f"http://127.0.0.1:{place.port}", models)


def _get(place: Place, deadline: float) -> bytes:
    """Return a whole response, or as much of it as comes in time and fits."""
    request = f"GET {place.path} HTTP/1.0\r\nHost: 127.0.0.1:{place.port}\r\nAccept: application/json\r\n\r\n"
    received = bytearray()
    with socket.create_connection(("127.0.0.1", place.port), timeout=_left(deadline)) as connection:
        connection.sendall(request.encode("ascii"))
        while len(received) < _MAX_BYTES:
            connection.settimeout(_left(deadline))
            part = connection.recv(65_536)
            if not part:
                break
            received += part
    return bytes(received[:_MAX_BYTES])


def _left(deadline: float) -> float:
    """Return the seconds left. Raises TimeoutError when there are none: a slow drip must not hold the thread."""
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Recorded:
    """A response that has been read already, in the shape http.client reads from."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: object) -> BytesIO:
        return BytesIO(self._data)


def _body(raw: bytes) -> bytes:
    """Return the body of a 200 response. Raises HTTPException or ValueError for anything else."""
    response = HTTPResponse(cast("Any", _Recorded(raw)))
    response.begin()
    if response.status != 200:
        raise ValueError(response.status)
    return response.read(_MAX_BYTES)


def _names(data: object) -> tuple[str, ...] | None:
    """Return the model names of either listing; None for JSON that is no listing."""
    if not isinstance(data, dict):
        return None
    rows = data.get("models", data.get("data"))
    if not isinstance(rows, list):
        return None
    names: list[str] = []
    for row in rows[: _MAX_MODELS * 4]:
        name = (row.get("id") or row.get("name") or row.get("model")) if isinstance(row, dict) else None
        if isinstance(name, str) and _MODEL_NAME.fullmatch(name) and name not in names:
            names.append(name)
    return tuple(names[:_MAX_MODELS])
