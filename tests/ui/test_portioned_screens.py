"""Screens are laid out and painted in turns of the event loop of their own, and once for each size."""

import asyncio

from textual.app import App, ComposeResult
from textual.events import Resize
from textual.geometry import Size
from textual.pilot import Pilot
from textual.reactive import reactive
from textual.widget import Widget
from ui.pilot import expect

from ctxcode.tui.terminal.portioned import PortionedScreen


class Words(Widget):
    """Fills the screen, so that nothing but the terminal's size changes its own."""

    words = reactive("words")

    def render(self) -> str:
        return self.words


class Watched(PortionedScreen[None]):
    """Notes what happens to it, and what the loop does in between."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        yield Words()

    def _screen_resized(self, size: Size) -> None:
        self.noted.append(f"takes {size.width}")
        super()._screen_resized(size)

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:  # noqa: FBT001, FBT002 - Textual's
        self.noted.append("laid out")
        asyncio.get_running_loop().call_soon(self.noted.append, "the loop went on")
        super()._refresh_layout(size, scroll)

    async def _paint(self) -> None:
        await super()._paint()
        self.noted.append("painted")


class WatchedApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.watched = Watched()

    def get_default_screen(self) -> Watched:
        return self.watched


async def settled(pilot: Pilot[None], watched: Watched) -> None:
    """Wait for the first painting, and until nothing more follows it."""
    await expect(pilot, lambda: watched.noted[-1:] == ["painted"], "the first painting")
    count = 0
    while count != len(watched.noted):
        count = len(watched.noted)
        await pilot.pause()
    watched.noted.clear()


async def test_a_size_is_laid_out_once_and_painted_when_the_loop_went_on() -> None:
    app = WatchedApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, app.watched)
        await pilot.resize_terminal(60, 20)
        noted = app.watched.noted
        await expect(
            pilot, lambda: "takes 60" in noted and "painted" in noted[noted.index("takes 60") :], "the next one"
        )
        assert noted[noted.index("takes 60") :][:4] == ["takes 60", "laid out", "the loop went on", "painted"]
        assert app.watched.noted.count("takes 60") == 1
        assert app.watched.query_one(Words).size.width == 60


async def test_of_sizes_one_upon_the_other_only_the_last_is_laid_out() -> None:
    app = WatchedApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, app.watched)
        for width in range(79, 39, -1):
            app.watched.post_message(Resize(Size(width, 24), Size(width, 24)))
        await pilot.resize_terminal(40, 24)
        await expect(pilot, lambda: app.watched.noted[-1:] == ["painted"], "the last size")
        assert [note for note in app.watched.noted if note.startswith("takes")] == ["takes 40"]
        assert app.watched.query_one(Words).size.width == 40


async def test_what_changes_while_a_painting_waits_is_painted_with_it() -> None:
    app = WatchedApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.resize_terminal(60, 20)
        app.watched.query_one(Words).words = "other words"
        await pilot.pause()
        assert "other words" in app.watched._compositor.render_strips()[0].text
        assert not app.watched._is_painted_next


async def test_what_changes_between_layout_and_painting_is_painted_after_it() -> None:
    app = WatchedApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen, words = app.watched, app.watched.query_one(Words)
        screen._refresh_layout()
        words._set_dirty()
        screen._dirty_widgets.add(words)
        await screen._paint()
        await expect(pilot, lambda: not words._repaint_regions, "the change on the screen")
        await expect(pilot, lambda: not screen._dirty_widgets, "the end of painting")
