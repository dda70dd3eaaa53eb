"""One task from the question to the undo in a real terminal: look up, edit, change the edit, accept, check, undo."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from model_thread import model_server
from sample_repository import write_sample
from tmux_terminal import CTXCODE, DEADLINE_SECONDS, Terminal, private_home, terminal

CHECK = """import unittest

from shop.price import Price


class TaxTest(unittest.TestCase):
    def test_the_tax_is_eight_per_cent(self) -> None:
        self.assertEqual(108, Price(100).with_tax())
"""
EDITOR = '#!/bin/sh\nsed -i "s/VAT_PERCENT = 7/VAT_PERCENT = 8/" "$1"\n'


def press_until(window: Terminal, key: str, text: str, *, gone: bool = False) -> None:
    """Press a key until the screen shows a text: what has just come up takes no keys for half a second."""
    do_until(window, lambda: window.keys(key), text, gone=gone)


def do_until(window: Terminal, act: Callable[[], object], text: str, *, gone: bool = False) -> None:
    """Do something again and again until the screen shows a text, or no longer does."""
    deadline, pause = time.monotonic() + 2 * DEADLINE_SECONDS, threading.Event()
    while time.monotonic() < deadline:
        act()
        until = time.monotonic() + 2
        while time.monotonic() < until:
            if (text in window.screen()) is not gone:
                return
            pause.wait(0.05)
    raise AssertionError(f"{text!r} {'did not go' if gone else 'did not come'}:\n{window.screen()}")


def test_a_task_from_the_question_to_the_undo(tmp_path: Path) -> None:
    shop = write_sample(tmp_path / "shop")
    price, before = shop / "shop/price.py", (shop / "shop/price.py").read_text()
    (shop / "check_tax.py").write_text(CHECK)
    editor = tmp_path / "editor"
    editor.write_text(EDITOR)
    editor.chmod(0o755)
    with model_server() as server:
        model = ["--model", "openai/script-task", "--api-base", server.base_url]
        environment = {**private_home(tmp_path), "EDITOR": str(editor)}
        with terminal([str(CTXCODE), str(shop), *model], environment=environment) as window:
            window.expect("CTX ")
            window.type("lower the tax and check it")
            window.keys("Enter")
            window.expect("The model wants to change 1 file")
            assert "I look at the prices." in window.screen()
            assert before == price.read_text()
            press_until(window, "e", "as you edited it")
            window.expect("VAT_PERCENT = 8")
            press_until(window, "y", "accepted")
            press_until(window, "Enter", "The model wants to change", gone=True)
            window.expect("Do you trust this repository?")
            assert "python3 -m unittest check_tax" in window.screen()
            assert "VAT_PERCENT = 8" in price.read_text()
            press_until(window, "t", "Do you trust this repository?", gone=True)
            window.expect("The check says: exit code 0")
            window.expect("Esc interrupts", gone=True)
            # A key too many would stand in the prompt now.
            window.keys("BSpace", "BSpace", "BSpace", "BSpace")

            def undo_files() -> None:
                """Refused as long as the turn has not quite ended."""
                window.type("/undo files")
                window.keys("Enter")

            do_until(window, undo_files, "restored shop/price.py")
            assert before == price.read_text()
            window.keys("C-q")
            assert 0 == window.wait_for_exit()
