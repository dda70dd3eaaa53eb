from ui.fake_door import FakeDoor
from ui.pilot import ask, chat_of, expect, opened

from ctxcode.tui.widgets.markdown_view import MarkdownView

FENCE = "```python\n" + "".join(f"value_{number} = 'text {number}'  # comment\n" for number in range(3_000)) + "```\n"


async def test_a_code_fence_of_100_kb_is_shown_and_gets_its_colours() -> None:
    assert len(FENCE) > 100_000
    door = FakeDoor(reply=f"Here it is:\n\n{FENCE}\nThat was it.")
    door.piece_chars = 8_192
    async with opened(door) as pilot:
        await ask(pilot, "show me")
        chat = chat_of(pilot)
        await expect(pilot, lambda: bool(chat.transcript.query(MarkdownView)), "the answer")
        view = chat.transcript.query(MarkdownView).last()

        def styles() -> set[str]:
            return {str(span.style) for line in view._document.lines(90)[:40] for span in line.spans}

        await expect(pilot, lambda: "$syntax-string" in styles(), "the colours")
        assert "That was it." in view._document.lines(90)[-1].plain
