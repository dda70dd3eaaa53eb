"""What the tests of a whole session share."""

from collections.abc import AsyncIterator

import pytest
from scripted_model import ScriptedServer, serving

from ctxcode.llm.litellm_library import close_clients


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with serving() as running:
        yield running
        await close_clients()
