"""Headless turns against a model that misbehaves: one object, one line, nothing lost, no key told."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import Outcome, run_here
from sample_repository import write_sample
from scripted_model import LITELLM_WARNINGS, ScriptedServer, serving
from tmux_terminal import CTXCODE, private_home

pytestmark = LITELLM_WARNINGS

KEY = "sk-canary-of-the-test-1234567890"
ANSWER_KEYS = {"text", "session", "branch", "turn", "model", "plan_ids", "tool_calls", "usage", "stopped_by"}
FAULTS = {
    "length": ("limit", "This goes on and", "output limit"),
    "cut": ("interrupted", "The first half of", "connection ended"),
    "stream-error": ("error", "The first half of", "the engine fell over"),
    "bad-key": ("error", "", "OPENAI_API_KEY"),
    "html-502": ("error", "", "502"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    made, ready, over = ScriptedServer(drip_seconds=0.01), threading.Event(), threading.Event()

    async def serve() -> None:
        async with serving(made):
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    yield made
    over.set()
    thread.join()


def words_for(server: ScriptedServer, home: Path, script: str, *words: str) -> tuple[str, ...]:
    model = ("--model", f"openai/script-{script}", "--api-base", server.base_url)
    return ("ask", "where is Cart?", "--repo", str(home / "shop"), *model, *words)


@pytest.mark.parametrize("script", FAULTS)
def test_a_fault_is_one_object_one_line_and_exit_code_one(tmp_path: Path, server: ScriptedServer, script: str) -> None:
    stopped_by, text, says = FAULTS[script]
    write_sample(tmp_path / "shop")
    words = words_for(server, tmp_path, script, "--format", "json")
    outcome = run_here(tmp_path, *words, extra={"OPENAI_API_KEY": KEY})
    answer = outcome.json()
    assert (1, stopped_by, text) == (outcome.code, answer["stopped_by"], answer["text"])
    assert ANSWER_KEYS | {"error"} == set(answer)
    assert says in outcome.err
    assert outcome.err.startswith("ctxcode: ")
    assert "Traceback" not in outcome.err
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(KEY.encode() in data for data in [outcome.out.encode(), outcome.err.encode(), *kept])


def test_what_is_said_on_the_way_is_a_paragraph_of_its_own(tmp_path: Path, server: ScriptedServer) -> None:
    write_sample(tmp_path / "shop")
    outcome = run_here(tmp_path, *words_for(server, tmp_path, "lookup"))
    assert 0 == outcome.code
    assert outcome.out.startswith("Let me look at the cart.\n\nI got 3 results.")


def test_what_an_answer_waits_for_is_told_on_the_way(tmp_path: Path, server: ScriptedServer) -> None:
    write_sample(tmp_path / "shop")
    outcome = run_here(tmp_path, *words_for(server, tmp_path, "busy"))
    assert (0, "All is well.\n", "") == (outcome.code, outcome.out, outcome.err)
    server.counts["busy"] = 0
    events = run_here(tmp_path, *words_for(server, tmp_path, "busy", "--format", "stream-json")).out.splitlines()
    told = [event for line in events if (event := json.loads(line))["type"] in ("reply-delayed", "reply-begun")]
    delayed = {"type": "reply-delayed", "turn": 1, "reason": "rate-limit", "seconds": 0.0, "attempt": 2, "attempts": 3}
    assert [delayed, {"type": "reply-begun", "turn": 1}] == told


@pytest.mark.parametrize(
    ("columns", "words"),
    [(0, "rate limited by the server: trying again (2 of 3)"), (40, "rate limited by the server: trying agai")],
)
def test_a_terminal_sees_what_an_answer_waits_for_in_one_line_and_nothing_of_it_is_left(
    tmp_path: Path, server: ScriptedServer, columns: int, words: str
) -> None:
    write_sample(tmp_path / "shop")
    server.counts["busy"] = 0
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    process = subprocess.Popen(
        [str(CTXCODE), *words_for(server, tmp_path, "busy")],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**private_home(tmp_path), "OPENAI_API_KEY": KEY},
    )
    os.close(theirs)
    out, _ = process.communicate(timeout=120)
    shown = os.read(ours, 65_536).decode()
    os.close(ours)
    line = f"\r\x1b[K{words}"
    assert (0, b"All is well.\n") == (process.returncode, out)
    assert line in shown
    assert "\r\x1b[K" == shown.rpartition(line)[2]


def wait_for(is_true: Callable[[], bool]) -> None:
    """Return as soon as something holds. Raises AssertionError at the deadline."""
    deadline, pause = time.monotonic() + 120, threading.Event()
    while not is_true():
        assert time.monotonic() < deadline
        pause.wait(0.02)


def stopped(server: ScriptedServer, home: Path, number: signal.Signals, chosen: str) -> Outcome:
    """Send a signal while the reply streams and return what the process left."""
    write_sample(home / "shop")
    before = len(server.requests)
    process = subprocess.Popen(
        [str(CTXCODE), *words_for(server, home, "drip", "--format", chosen)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={**private_home(home), "OPENAI_API_KEY": KEY},
    )
    assert process.stdout is not None
    head = b""
    if chosen == "json":
        wait_for(lambda: len(server.requests) > before)
    else:
        # A word comes with the blank before it.
        while b"word3" not in head:
            head += process.stdout.read(4096)
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    return Outcome(process.returncode, (head + out).decode(), err.decode())


def test_interrupted_json_is_still_one_object(tmp_path: Path, server: ScriptedServer) -> None:
    outcome = stopped(server, tmp_path, signal.SIGINT, "json")
    answer = outcome.json()
    assert (130, "interrupted") == (outcome.code, answer["stopped_by"])
    assert "ctxcode: Interrupted.\n" == outcome.err


def test_a_stream_of_json_ends_with_the_turns_end_when_interrupted(tmp_path: Path, server: ScriptedServer) -> None:
    outcome = stopped(server, tmp_path, signal.SIGINT, "stream-json")
    events = [json.loads(line) for line in outcome.out.splitlines()]
    # On a busy machine what is waited for may be told of between.
    begun = [event["type"] for event in events if event["type"] != "index-awaited"][:3]
    assert ["turn-started", "session-renamed", "context-planned"] == begun
    assert ["reply-finished", "turn-completed"] == [event["type"] for event in events[-2:]]
    assert ("interrupted", 130) == (events[-1]["stopped_by"], outcome.code)


def test_a_terminated_turn_keeps_its_text_and_the_session_goes_on(tmp_path: Path, server: ScriptedServer) -> None:
    outcome = stopped(server, tmp_path, signal.SIGTERM, "text")
    assert (130, "ctxcode: Interrupted.\n") == (outcome.code, outcome.err)
    repository = str(tmp_path / "shop")
    (session,) = run_here(tmp_path, "sessions", "--repo", repository, "--format", "json").json()
    words = ("--session", session["id"], "--model", "navigator", "--format", "json")
    answer = run_here(tmp_path, "ask", "where is Cart?", "--repo", repository, *words).json()
    assert (session["id"], 2, "answer") == (answer["session"], answer["turn"], answer["stopped_by"])
    found = [file.read_bytes() for file in (tmp_path / "data").rglob("ctxcode.db*")]
    assert any(b"word0 word1 word2 word3" in data for data in found)


def test_commands_that_are_allowed_without_trust_are_told_to_have_no_effect(
    tmp_path: Path, server: ScriptedServer
) -> None:
    write_sample(tmp_path / "shop")
    words = words_for(server, tmp_path, "fixed", "--allow-command", "ls")
    assert "allows nothing until this repository is trusted" in run_here(tmp_path, *words).err
    run_here(tmp_path, "trust", str(tmp_path / "shop"))
    outcome = run_here(tmp_path, *words)
    assert (0, "All is well.\n", "") == (outcome.code, outcome.out, outcome.err)
