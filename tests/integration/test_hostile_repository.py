"""A repository that wants to run code, to redirect the user's key or to break the index does none of it."""

import asyncio
import http.server
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import run, run_here
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer, serving

pytestmark = LITELLM_WARNINGS

SHADOWED = ("textual", "sqlite3", "sitecustomize", "usercustomize", "litellm", "httpx", "tiktoken", "numpy", "json")
PROGRAMS = ("bin/git", "git", "uname", "python3", "ldconfig", "sh")


@dataclass(frozen=True, slots=True)
class Trap:
    """A repository, what it would write when something of it ran, and where it would send requests."""

    repository: Path
    canary: Path
    address: str
    requests: list[str]


@contextmanager
def listening(requests: list[str]) -> Iterator[str]:
    """Run a server that notes whatever it is asked."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def setup(self) -> None:
            requests.append(str(self.client_address))
            super().setup()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    requests: list[str] = []
    repository, canary = write_sample(tmp_path / "shop"), tmp_path / "canary"
    with listening(requests) as address:
        evil = f"open({str(canary)!r}, 'a').write(__file__)\n"
        for name in SHADOWED:
            (repository / f"{name}.py").write_text(evil)
        (repository / "ctxcode").mkdir()
        (repository / "ctxcode/__init__.py").write_text(evil)
        (repository / "bin").mkdir()
        for name in PROGRAMS:
            (repository / name).write_text(f"#!/bin/sh\necho {name} >> {canary}\n")
            (repository / name).chmod(0o755)
        names = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "CTXCODE_API_BASE")
        lines = [*(f"{name}={address}/v1" for name in names), "LITELLM_MODE=DEV", "CTXCODE_MODEL=openai/evil"]
        (repository / ".env").write_text("\n".join(lines))
        subprocess.run(["git", "init", str(repository)], check=True, capture_output=True)
        yield Trap(repository, canary, address, requests)


@contextmanager
def model_server() -> Iterator[ScriptedServer]:
    """Run the scripted model in a thread."""
    server, ready, over = ScriptedServer(), threading.Event(), threading.Event()

    async def serve() -> None:
        async with serving(server):
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    try:
        yield server
    finally:
        over.set()
        thread.join()


def test_nothing_of_the_repository_runs_and_the_key_goes_only_where_the_user_said(tmp_path: Path, trap: Trap) -> None:
    unguarded = {"PATH": os.pathsep.join([".", os.environ["PATH"]])}
    subprocess.run(["uname"], cwd=trap.repository, env=unguarded, check=True)
    assert "uname\n" == trap.canary.read_text(), "the trap must work where nobody guards"
    trap.canary.unlink()
    search = os.pathsep.join([".", "bin", "", str(trap.repository / "bin"), os.environ["PATH"]])
    with model_server() as server:
        user = {"PATH": search, "OPENAI_API_KEY": "sk-of-the-user", "OPENAI_BASE_URL": server.base_url}
        for words in (
            ("index",),
            ("context", "where is Cart?"),
            ("doctor",),
            ("ask", "where is Cart?", "--model", "openai/script-fixed"),
        ):
            outcome = run(tmp_path, *words, folder=trap.repository, extra=user)
            assert 0 == outcome.code, outcome.err
    assert not trap.canary.exists(), trap.canary.read_text()
    assert [] == trap.requests
    assert ["Bearer sk-of-the-user"] == [request.headers["Authorization"] for request in server.requests]


@pytest.mark.parametrize(
    "text", ["mode = 3", "[[[", "x = " + "[" * 5000, "a" * 300_000, 'theme = "../../x"', "workers = 64"]
)
def test_a_hostile_settings_file_is_one_line(tmp_path: Path, text: str) -> None:
    repository = write_sample(tmp_path / "shop")
    (repository / ".ctxcode.toml").write_text(text)
    outcome = run_here(tmp_path, "context", "x", "--repo", str(repository))
    assert (2, "") == (outcome.code, outcome.out)
    assert ".ctxcode.toml" in outcome.err
    assert "Traceback" not in outcome.err


def test_special_files_links_and_odd_names_are_listed_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = write_sample(tmp_path / "shop")
    os.mkfifo(repository / "pipe.py")
    monkeypatch.chdir(repository)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.py")
    for name, target in {"loop": ".", "a.py": "b.py", "b.py": "a.py", "out.py": "/etc/passwd", "gone.py": "x"}.items():
        (repository / name).symlink_to(target)
    names = [
        b"new\nline.py",
        b"esc\x1b[31m.py",
        b"\xff\xfe.py",
        b"x" * 252 + b".py",
        b"[@click=app.quit].py",
        b"-rf.py",
    ]
    for raw in names:
        (repository / os.fsdecode(raw)).write_text("def odd(): pass\n")
    report = run_here(tmp_path, "index", str(repository), "--format", "json").json()
    reasons = {row["path"]: row["reason"] for row in report["skipped"]}
    links = dict.fromkeys(("a.py", "b.py", "gone.py", "pipe.py", "sock.py"), "not-a-regular-file")
    expected = {**links, "out.py": "outside-the-repository", "\\xff\\xfe.py": "undecodable-name"}
    assert expected == {path: reason for path, reason in reasons.items() if path in expected}
    for words in (("--format", "text"), ("--format", "markdown")):
        shown = run_here(tmp_path, "context", "where is odd", "--repo", str(repository), *words)
        assert (0, "", False) == (shown.code, shown.err, "\x1b" in shown.out)
        assert "odd" in shown.out
