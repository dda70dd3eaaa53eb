"""The one place litellm is imported: late, quiet and without looking around.

By itself litellm reads ``.env`` files (a repository's could redirect the user's key), fetches its price list and
prints advice; each switch below turns one of these off before or right after the import.
"""

import gc
import logging
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ctxcode.llm.later_parts import parts_later
from ctxcode.model.errors import ModelError

_ENVIRONMENT = {
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "ERROR",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_LOCAL_POLICY_TEMPLATES": "True",
    "LITELLM_LOCAL_AUTOROUTER_PRESETS": "True",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "litellm", "httpx", "httpcore", "openai")


@dataclass(frozen=True, slots=True)
class Library:
    """litellm, ready to be called."""

    module: Any
    failures: tuple[type[Exception], ...]
    """What a call may raise."""

    def timeout(self, connect_seconds: float, read_seconds: float) -> Any:
        """Return the time-outs of one call in the form litellm takes."""
        import httpx  # noqa: PLC0415 - loaded by litellm anyway, and no sooner

        return httpx.Timeout(read_seconds, connect=connect_seconds)


_lock = Lock()
_loaded: list[Library] = []


def load() -> Library:
    """Import litellm on the first call (2 to 4 s of CPU: call it in a thread); later calls are free.

    Raises ModelError when it can't be imported.
    """
    with _lock:
        if not _loaded:
            _loaded.append(_imported())
        return _loaded[0]


async def close_clients() -> None:
    """Close the connections litellm keeps open between calls; does nothing when litellm was never imported."""
    if not _loaded:
        return
    module = _loaded[0].module
    # Made at its first use, and anew at the next one.
    shared = vars(module).pop("module_level_aclient", None)
    if shared is not None:
        await shared.close()
    await module.close_litellm_async_clients()
    module.in_memory_llm_clients_cache.flush_cache()


def _imported() -> Library:
    os.environ.update(_ENVIRONMENT)
    for library in ("litellm", "pydantic"):
        warnings.filterwarnings("ignore", module=rf"{library}(\.|$)")
    logging.getLogger("asyncio").addFilter(_is_not_about_unclosed_clients)
    try:
        import aiohttp  # noqa: PLC0415 - see load
        import httpx  # noqa: PLC0415
        import pydantic  # noqa: PLC0415
        import tiktoken  # noqa: PLC0415

        # Of a thousand kinds of data a call meets a dozen: each is prepared when it is, for 20 MB and 0.5 s less.
        pydantic.BaseModel.model_config = pydantic.ConfigDict(defer_build=True)
        with _vocabularies_later(tiktoken), _without_collections(), parts_later("openai.resources", "openai.types"):
            import litellm  # noqa: PLC0415
            import openai.resources.chat  # noqa: PLC0415 - or the first request would, on the event loop
        from litellm.llms.base_llm.chat.transformation import BaseLLMException  # noqa: PLC0415

        from ctxcode.llm import one_address  # noqa: PLC0415 - brings httpx
    except (ImportError, OSError, ValueError, AttributeError, TypeError) as error:
        reason = f"litellm can't be loaded: {type(error).__name__}."
        raise ModelError(reason, "Install ctxcode again; the offline navigator works without it.") from error
    _silence(litellm)
    one_address.install()
    failures = (
        *(openai.OpenAIError, BaseLLMException, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError),
        *(aiohttp.ClientError, OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, ImportError),
    )
    return Library(litellm, failures)


class _LaterEncoding:
    """A tokenizer that is read when it is first asked for something."""

    def __init__(self, name: str, load: Callable[[str], Any]) -> None:
        self._name = name
        self._load = load

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(self._name), name)


@contextmanager
def _vocabularies_later(tiktoken: Any) -> Iterator[None]:
    """Let litellm name its tokenizer while it is imported, but not read it: 40 MB for counts it hardly ever makes.

    Tokens are counted elsewhere.
    """
    load = tiktoken.get_encoding
    tiktoken.get_encoding = lambda name: _LaterEncoding(name, load)
    try:
        yield
    finally:
        tiktoken.get_encoding = load


@contextmanager
def _without_collections() -> Iterator[None]:
    """Make many objects that stay; looking for garbage among them takes a quarter of an import, and is done never."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if was_on:
            gc.enable()


def _silence(litellm: Any) -> None:
    """Turn off what prints, phones home or keeps connections that complain when the program ends."""
    litellm.suppress_debug_info = True
    litellm.set_verbose = False
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    litellm.disable_aiohttp_transport = True
    # Its counts serve prices and figures we do not show, and would read a vocabulary of 40 MB before the first word.
    litellm.disable_token_counter = True
    # The parsed vocabulary is left over from making the text of it, which is what litellm uses.
    litellm.utils.json_data = None
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
        logger.setLevel(logging.CRITICAL)


def _is_not_about_unclosed_clients(record: logging.LogRecord) -> bool:
    """Let a record of asyncio's logger through unless it tells of a client the end of the program closes anyway."""
    return not record.getMessage().startswith(("Unclosed client session", "Unclosed connector"))
