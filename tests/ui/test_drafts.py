"""What is written and not sent is there again at the next start."""

from dataclasses import replace

from textual import events
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import SETUP, WIDE, ask, chat_of, expect, shown

from ctxcode.model.source import RepositoryInfo
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.prompt.draft import Draft, decoded, encoded
from ctxcode.tui.terminal.setup import Drafts

PASTED = "\n".join(f"line {number}" for number in range(40))


class Shelf:
    """Keeps a draft in memory."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    def kept(self, _repository: RepositoryInfo) -> str:
        return self.text

    def keep(self, _repository: RepositoryInfo, text: str) -> None:
        self.text = text

    def app(self, *, waits: bool = False) -> CtxcodeApp:
        return CtxcodeApp(FakeDoor(), replace(SETUP, drafts=Drafts(self.kept, self.keep, waits=waits)))


async def paste(pilot: Pilot[None], text: str) -> None:
    chat_of(pilot).prompt.post_message(events.Paste(text))
    await pilot.pause()


async def test_lines_and_folded_pastes_come_back_after_a_quit_and_are_told() -> None:
    shelf = Shelf()
    async with shelf.app().run_test(size=WIDE) as pilot:
        await pilot.press(*"why", "ctrl+j")
        await paste(pilot, PASTED)
        await pilot.press("ctrl+q")
    async with shelf.app().run_test(size=WIDE) as pilot:
        await expect(pilot, lambda: "what you had written and not sent" in shown(pilot), "the sentence")
        assert "not sent yet" in shown(pilot)
        assert "why\n[paste 1: 40 lines]" == chat_of(pilot).prompt.text
        assert f"why\n{PASTED}" == chat_of(pilot).prompt.unfolded
        await pilot.press("x")
        await expect(pilot, lambda: "not sent yet" not in shown(pilot), "no title once it is changed")


async def test_a_draft_is_kept_while_it_is_written_and_forgotten_when_it_is_sent_or_cleared() -> None:
    shelf = Shelf()
    async with shelf.app().run_test(size=WIDE) as pilot:
        await pilot.press(*"joins")
        await expect(pilot, lambda: decoded(shelf.text) == Draft("joins"), "the draft")
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: not shelf.text, "nothing once it is sent")
        await pilot.press(*"and")
        await expect(pilot, lambda: decoded(shelf.text) == Draft("and"), "the next draft")
        await pilot.press("ctrl+c")
        await expect(pilot, lambda: not shelf.text, "nothing once it is cleared")


async def test_what_is_typed_meanwhile_is_not_mixed_with_what_comes_back() -> None:
    shelf = Shelf(encoded(Draft("an old question")))
    async with shelf.app().run_test(size=WIDE) as pilot:
        chat_of(pilot).prompt.fill("a new one")
        await expect(pilot, lambda: "a message you had not sent is kept" in shown(pilot), "the sentence")
        assert "a new one" == chat_of(pilot).prompt.text
        await pilot.press("up")
        await expect(pilot, lambda: chat_of(pilot).prompt.text == "an old question", "the draft")


async def test_a_new_session_opens_without_what_was_written_in_another_and_loses_nothing_of_it() -> None:
    shelf = Shelf(encoded(Draft("an old question")))
    async with shelf.app(waits=True).run_test(size=WIDE) as pilot:
        await expect(pilot, lambda: "a message you had not sent is kept" in shown(pilot), "the sentence")
        assert "" == chat_of(pilot).prompt.text
        await pilot.press("ctrl+q")
    assert Draft("an old question") == decoded(shelf.text)
    async with shelf.app(waits=True).run_test(size=WIDE) as pilot:
        await expect(pilot, lambda: "a message you had not sent is kept" in shown(pilot), "the sentence")
        await pilot.press("up")
        await expect(pilot, lambda: chat_of(pilot).prompt.text == "an old question", "the draft")
        await ask(pilot, "how are joins decided?")
        await expect(pilot, lambda: not shelf.text, "nothing once another is sent")


async def test_messages_that_wait_are_kept_with_what_is_written() -> None:
    shelf = Shelf()
    async with shelf.app().run_test(size=WIDE) as pilot:
        chat = chat_of(pilot)
        await expect(pilot, lambda: chat.state.index is not None, "a refreshed index")
        chat.queue.append("and tests?")
        chat.prompt.fill("and docs?")
        await pilot.press("ctrl+q")
    assert Draft("and tests?\nand docs?") == decoded(shelf.text)


def test_a_file_that_holds_no_draft_is_an_empty_one() -> None:
    for text in ("", "[]", "{", '{"text": 3, "pastes": {}}', '{"text": "x", "pastes": []}', "[" * 100_000):
        assert Draft() == decoded(text)
