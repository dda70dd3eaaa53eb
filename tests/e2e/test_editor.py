"""The prompt in the user's own editor, in a real terminal."""

from pathlib import Path

from sample_repository import write_sample
from tmux_terminal import CTXCODE, private_home, terminal


def test_the_prompt_is_written_in_the_users_editor_and_comes_back(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\necho "the editor has it"\nread answer\nprintf "%s" "$answer?" >> "$1"\n')
    script.chmod(0o755)
    environment = {**private_home(tmp_path), "EDITOR": str(script)}
    with terminal([str(CTXCODE), str(tmp_path / "shop")], environment=environment) as window:
        window.expect("1  ")
        window.type("what is ")
        window.keys("C-g")
        window.expect("the editor has it")
        window.type("Cart")
        window.keys("Enter")
        window.expect("what is Cart?")
        window.keys("Enter")
        window.expect("shop/cart.py")
        # Not Ctrl+C twice: while the answer is still being recorded the first only interrupts it.
        window.keys("C-q")
        assert 0 == window.wait_for_exit()
