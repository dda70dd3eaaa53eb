"""litellm in a fresh interpreter, started inside a repository that would like to redirect it."""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripted_model import serving

WATCH = """
import json, os, sys
contacted = []
def watch(event, arguments):
    if event == "socket.connect":
        contacted.append(str(arguments[1]))
    if event == "socket.getaddrinfo":
        contacted.append(str(arguments[0]))
sys.addaudithook(watch)
before = dict(os.environ)
def told(**facts):
    changed = sorted(name for name in os.environ if before.get(name) != os.environ[name])
    print(json.dumps({"contacted": contacted, "changed": changed, **facts}))
"""
UNGUARDED = """
import os, sys
def watch(event, arguments):
    if event == "os.putenv":
        print(os.fsdecode(arguments[0]), flush=True)
        if b"PLANTED" == os.fsencode(arguments[0]):
            os._exit(0)
sys.addaudithook(watch)
import litellm
"""
"""Ends once the file is read: what is left of an import takes five seconds."""
LOADED = (
    WATCH
    + """
import gc
from importlib import import_module
from pathlib import Path
from threading import Thread
was_on = gc.isenabled()
from ctxcode.llm.litellm_library import load
litellm = load().module

import openai, openai.types.responses
some = len([name for name in sys.modules if name.startswith(("openai.resources.", "openai.types."))])
every = sum(1 for folder in ("resources", "types") for _ in (Path(openai.__file__).parent / folder).rglob("*.py"))
found, offered = [], 0
askers = [Thread(target=lambda: found.append(openai.resources.Batches.__module__)) for _ in range(4)]
for asker in askers:
    asker.start()
for asker in askers:
    asker.join()
packages = (openai.types, openai.types.chat, openai.types.beta, openai.types.responses)
for package in packages:
    for name, (part, inside) in package._homes.items():
        module = import_module(part, package.__name__)
        offered += getattr(package, name) is (getattr(module, inside) if inside else module)
missing = hasattr(openai.resources, "nothing")
is_all = offered == sum(len(package._homes) for package in packages) > 600
parts = {"fewer": some * 4 < every, "missing": missing, "offered": is_all, "found": found}
parts["collects"] = was_on and gc.isenabled()

from litellm.litellm_core_utils.default_encoding import encoding
named, tokens = type(encoding).__name__, litellm.token_counter(model="gpt-4", text="two words")
counted = {"named": named, "counted": tokens, "would_be": len(encoding.encode("two words"))}
told(parts=parts, counted=counted)
"""
)
ANSWERED = (
    WATCH
    + """
import asyncio
from ctxcode.llm.catalogue import Catalogue
from ctxcode.model.chat import ModelRequest, TextChunk
from ctxcode.model.plan import PayloadMessage
is_early = "litellm" in sys.modules
async def answer():
    models = Catalogue(api_base=sys.argv[1], context_tokens=None, environment={}, navigator=lambda: None)
    request = ModelRequest((PayloadMessage("user", "hi"),), 50, "hi")
    chunks = [chunk async for chunk in models.open(sys.argv[2]).stream(request)]
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextChunk))
text = asyncio.run(answer())
told(text=text, is_early=is_early)
"""
)


@dataclass(frozen=True)
class Finished:
    """A program that ended."""

    lines: list[str]
    errors: str

    @property
    def facts(self) -> dict[str, object]:
        """What it told; the only line it printed."""
        assert 1 == len(self.lines), self.lines
        facts = json.loads(self.lines[0])
        assert isinstance(facts, dict)
        return facts


async def run(program: str, folder: Path, *arguments: str) -> Finished:
    """Run a program in a folder whose ``.env`` plants an address and a proxy."""
    (folder / ".env").write_text("OPENAI_BASE_URL=http://evil.invalid/v1\nPLANTED=1\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM_")}
    environment["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        *arguments,
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(), 120)
    return Finished(out.decode().splitlines(), errors.decode())


async def test_an_unguarded_import_would_read_the_planted_file(tmp_path: Path) -> None:
    finished = await run(UNGUARDED, tmp_path)
    assert "PLANTED" == finished.lines[-1]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Return what one process told after our import, which takes seconds."""
    return asyncio.run(run(LOADED, tmp_path_factory.mktemp("planted")))


def test_our_import_reads_no_planted_file_contacts_nobody_and_prints_nothing(loaded: Finished) -> None:
    changed = loaded.facts["changed"]
    assert isinstance(changed, list)
    assert [] == [name for name in changed if not str(name).startswith(("LITELLM_", "TIKTOKEN_CACHE_DIR"))]
    assert ([], "") == (loaded.facts["contacted"], loaded.errors)


async def test_a_whole_call_contacts_its_server_alone_and_prints_nothing(tmp_path: Path) -> None:
    async with serving() as server:
        finished = await run(ANSWERED, tmp_path, server.base_url, "openai/script-fixed")
        port = server.port
    facts = finished.facts
    contacted = facts["contacted"]
    assert isinstance(contacted, list)
    assert {"127.0.0.1", f"('127.0.0.1', {port})"} >= set(map(str, contacted))
    assert ("All is well.", False, "") == (facts["text"], facts["is_early"], finished.errors)


def test_litellm_reads_no_vocabulary_unless_it_must(loaded: Finished) -> None:
    assert {"named": "_LaterEncoding", "counted": 0, "would_be": 2} == loaded.facts["counted"]


def test_the_clients_parts_are_imported_when_something_asks_for_them(loaded: Finished) -> None:
    found = ["openai.resources.batches"] * 4
    facts = {"fewer": True, "missing": False, "offered": True, "found": found, "collects": True}
    assert facts == loaded.facts["parts"]
