import os
from pathlib import Path

import pytest
from textual.pilot import Pilot
from ui.fake_door import FakeDoor
from ui.pilot import WIDE, expect, shown

from ctxcode.model.check import SettingRow
from ctxcode.model.errors import SettingsError
from ctxcode.tui.app import CtxcodeApp
from ctxcode.tui.screens.dialog.theme import ThemeDialog
from ctxcode.tui.start import StartingApp
from ctxcode.tui.terminal.ground import Ground, GroundSeen
from ctxcode.tui.terminal.setup import AUTO, SettingsPage, Setup
from ctxcode.tui.themes import theme_folder

MINE = (theme_folder() / "dusk.toml").read_text(encoding="utf-8").replace('name = "dusk"', 'name = "anything"')


async def opened_picker(pilot: Pilot[None]) -> None:
    await pilot.app.run_action("theme")
    await expect(pilot, lambda: isinstance(pilot.app.screen, ThemeDialog), "the picker")


async def test_a_theme_is_shown_while_it_is_selected_and_kept_when_it_is_taken() -> None:
    kept: list[str] = []
    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", keep_theme=kept.append))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened_picker(pilot)
        await pilot.press("down")
        await expect(pilot, lambda: app.theme == "beacon", "the preview")
        assert [] == kept
        await pilot.press("enter")
        await expect(pilot, lambda: kept == ["beacon"], "the choice")


async def test_closing_the_picker_goes_back_to_the_theme_before() -> None:
    app = CtxcodeApp(FakeDoor(), Setup(theme="tide"))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened_picker(pilot)
        await pilot.press("up", "up")
        await expect(pilot, lambda: app.theme != "tide", "the preview")
        await pilot.press("escape")
        await expect(pilot, lambda: app.theme == "tide", "the theme before")


@pytest.mark.parametrize(
    ("value", "origin", "says"),
    [
        ("", "", "the default"),
        ("tide", "your settings.toml", "set by your settings.toml"),
        ("moss", "the repository's .ctxcode.toml", "next start: moss, set by"),
    ],
)
async def test_the_picker_says_where_the_theme_was_set(value: str, origin: str, says: str) -> None:
    rows = (SettingRow("mode", "light", "the command line"), SettingRow("theme", value, origin))
    settings = SettingsPage(lambda: rows)
    app = CtxcodeApp(FakeDoor(), Setup(theme="tide" if value else None, settings=settings))
    async with app.run_test(size=WIDE) as pilot:
        await opened_picker(pilot)
        await expect(pilot, lambda: says in shown(pilot), "where it was set")


async def test_a_choice_that_the_next_start_will_not_take_says_so() -> None:
    rows = (SettingRow("theme", "moss", "CTXCODE_THEME"),)
    app = CtxcodeApp(FakeDoor(), Setup(theme="moss", settings=SettingsPage(lambda: rows)))
    async with app.run_test(size=WIDE) as pilot:
        await app.run_action("theme('tide')")
        await expect(pilot, lambda: "tide for now; next start: moss, set by CTXCODE_THEME" in shown(pilot), "the word")
        await app.run_action("theme('moss')")
        assert "moss" == app.theme


async def test_without_a_choice_the_theme_follows_the_terminals_background() -> None:
    grounds: list[str] = []
    app = CtxcodeApp(FakeDoor(), Setup(keep_ground=grounds.append))
    async with app.run_test(size=(100, 30)) as pilot:
        assert "ember" == app.theme
        app.post_message(GroundSeen(Ground.LIGHT))
        await expect(pilot, lambda: app.theme == "paper", "the light theme")
        assert ["light"] == grounds
        await app.run_action("theme('tide')")
        app.post_message(GroundSeen(Ground.DARK))
        await pilot.pause()
        assert "tide" == app.theme
        await app.run_action(f"theme('{AUTO}')")
        assert "ember" == app.theme


async def test_a_theme_that_can_not_be_kept_is_used_and_says_so() -> None:
    def refuse(_name: str) -> None:
        raise SettingsError("It can't be written.", "Make room.")

    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", keep_theme=refuse))
    async with app.run_test(size=(100, 30)) as pilot:
        await app.run_action("theme('moss')")
        await expect(pilot, lambda: "It can't be written. Make room." in shown(pilot), "the sentence")
        assert "moss" == app.theme


async def test_the_users_own_theme_has_its_files_name_and_a_broken_one_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    (tmp_path / "broken.toml").write_text(MINE.replace("#", "%", 1).replace("muted", "moted"), encoding="utf-8")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    os.mkfifo(tmp_path / "pipe.toml")
    app = CtxcodeApp(FakeDoor(), Setup(theme="mine", user_themes=tmp_path))
    async with app.run_test(size=(100, 30)) as pilot:
        assert "mine" == app.theme
        await app.run_action("theme('broken')")
        await expect(pilot, lambda: "broken.toml" in "".join(shown(pilot).split()), "the sentence")
        await app.run_action("theme('bytes')")
        await expect(pilot, lambda: "bytes.toml" in "".join(shown(pilot).split()), "the sentence")
        assert "mine" == app.theme
        assert "pipe" not in app.theme_names


@pytest.mark.parametrize("name", ["no-such-theme", "\x1b[31m", "../ember"])
async def test_a_theme_that_is_none_leaves_the_default(name: str) -> None:
    app = CtxcodeApp(FakeDoor(), Setup(theme=name))
    async with app.run_test(size=(120, 30)) as pilot:
        assert "ember" == app.theme
        await expect(pilot, lambda: "There is no theme" in shown(pilot), "the complaint")


@pytest.mark.parametrize("name", ["ember", AUTO])
async def test_an_own_theme_under_a_taken_name_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.toml").write_text(MINE)
    (tmp_path / "mine.toml").write_text(MINE)
    app = CtxcodeApp(FakeDoor(), Setup(theme="ember", user_themes=tmp_path))
    async with app.run_test(size=(100, 30)) as pilot:
        await expect(pilot, lambda: f"Not used of your themes: '{name}.toml'" in shown(pilot), "the notice")
        assert "mine" in app.theme_names


@pytest.mark.parametrize("theme", ["tide", AUTO])
def test_pastes_are_kept_apart_from_keys_whether_or_not_a_theme_was_chosen(theme: str) -> None:
    driver = pytest.importorskip("ctxcode.tui.terminal.driver", reason="Unix only")
    app = StartingApp(FakeDoor, Setup(theme=theme))
    assert issubclass(app.get_driver_class(), driver.ReadingDriver)
    assert issubclass(app.get_driver_class(), driver.AskingDriver) is (theme == AUTO)
