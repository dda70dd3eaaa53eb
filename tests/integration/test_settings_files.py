"""Settings from files, the environment and the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcode.action.loop_guard import LoopProfile
from ctxcode.cli.own_settings import setting_rows
from ctxcode.model.engine.strategy import StrategySetting
from ctxcode.model.errors import SettingsError
from ctxcode.model.plan import ContextMode
from ctxcode.settings.directory import directories, repository_key
from ctxcode.settings.settings import ENVIRONMENT, SETTING_NAMES, Settings, load_settings, settings_told


class Layers:
    """Files in a folder; ``load`` reads them."""

    def __init__(self, folder: Path) -> None:
        self.user = folder / "settings.toml"
        self.project = folder / ".ctxcode.toml"

    def load(self, environment: dict[str, str] | None = None, **overrides: object) -> Settings:
        return load_settings(
            user_file=self.user, project_file=self.project, environment=environment or {}, overrides=overrides
        )

    def refused(self, environment: dict[str, str] | None = None, **overrides: object) -> tuple[str, str]:
        with pytest.raises(SettingsError) as caught:
            self.load(environment, **overrides)
        return str(caught.value), caught.value.hint


@pytest.fixture
def layers(tmp_path: Path) -> Layers:
    return Layers(tmp_path)


def test_without_files_the_defaults_are_in_force(layers: Layers) -> None:
    assert Settings() == layers.load()
    assert Settings() == load_settings(user_file=None, project_file=None, environment={}, overrides={})


def test_later_layers_win(layers: Layers) -> None:
    layers.user.write_text('mode = "off"\nbudget_tokens = 1000\ntheme = "paper"\nmodel = "local/a"\nworkers = 3\n')
    layers.project.write_text('mode = "heavy"\nbudget_tokens = 2000\n')
    found = layers.load({"CTXCODE_BUDGET": "3_000", "CTXCODE_MODEL": ""}, model="local/b", theme=None)
    assert found == Settings(model="local/b", mode=ContextMode.HEAVY, budget_tokens=3000, theme="paper", workers=3)


def test_every_setting_can_come_from_the_environment(layers: Layers) -> None:
    values = (
        "m",
        "http://localhost:1",
        "HEAVY",
        "500",
        "9000",
        "64",
        "dual",
        "no",
        "$2.50",
        "40",
        "off",
        "60",
        "On",
        "openai/e",
        "off",
        "ink",
        "yes",
        "on",
        "2",
        '"gpt-*" = {same_call = 2}',
    )
    found = layers.load(dict(zip(ENVIRONMENT, values, strict=True)))
    assert found == Settings(
        "m",
        "http://localhost:1",
        ContextMode.HEAVY,
        500,
        9000,
        64,
        StrategySetting("dual"),
        False,
        2.5,
        40,
        False,
        60,
        True,
        "openai/e",
        False,
        "ink",
        True,
        True,
        2,
        (("gpt-*", LoopProfile(same_call=2)),),
    )
    assert set(SETTING_NAMES) - {"keys"} == set(ENVIRONMENT.values())


def test_an_unknown_key_suggests_the_nearest_name_with_file_and_line(layers: Layers) -> None:
    layers.user.write_text('mode = "off"\n\nbuget_tokens = 1000\n')
    message, hint = layers.refused()
    assert f"{str(layers.user)!r}, line 3" in message
    assert "Did you mean 'budget_tokens'?" in hint


def test_a_table_that_does_not_exist_is_an_unknown_key(layers: Layers) -> None:
    layers.user.write_text("[zebra]\nx = 1\n")
    message, hint = layers.refused()
    assert "'zebra'" in message
    assert "Known are: api_base" in hint


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('mode = "huge"', "one of off, light, heavy"),
        ("mode = 3", "one of off, light, heavy"),
        ("budget_tokens = 0", "a whole number from 1"),
        ("budget_tokens = true", "a whole number"),
        ('budget_tokens = "lots"', "a whole number"),
        ("plain = 2", "true or false"),
        ('api_base = "file:///etc/passwd"', "a URL"),
        ('model = ""', "a short text"),
        ('model = "a\\u001b[2Jb"', "a short text"),
        ('theme = "../../x"', "a name of letters"),
        ("workers = 0", "a whole number from 1"),
    ],
)
def test_a_wrong_value_names_line_key_and_what_fits(layers: Layers, line: str, expected: str) -> None:
    layers.user.write_text(f"# mine\n{line}\n")
    message, _ = layers.refused()
    assert "line 2" in message
    assert line.partition(" ")[0] in message
    assert expected in message


@pytest.mark.parametrize(
    "line",
    ['model = "x"', 'api_base = "http://evil"', "plain = true", "workers = 1", "context_tokens = 9000"],
)
def test_a_repository_may_not_redirect(layers: Layers, line: str) -> None:
    layers.project.write_text(line)
    message, hint = layers.refused()
    assert "can't be set by a repository" in message
    assert "your own settings file" in hint


def test_broken_toml_names_file_and_line(layers: Layers) -> None:
    layers.user.write_text('mode = "off"\nbudget_tokens = = 3\n')
    message, hint = layers.refused()
    assert str(layers.user) in message
    assert "line 2" in message
    assert "Mend" in hint


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"x" * 300_000, b"a = " + b"[" * 100_000])
def test_hostile_files_are_settings_errors(layers: Layers, data: bytes) -> None:
    layers.project.write_bytes(data)
    message, _ = layers.refused()
    assert str(layers.project) in message


@pytest.mark.parametrize("text", ["k" * 100_000 + " = 1", f"[{'k' * 100_000}]\n" * 2, f"mode = '{'k' * 100_000}'"])
def test_what_is_quoted_of_a_file_is_short_and_its_line_is_told(layers: Layers, text: str) -> None:
    layers.project.write_text(text)
    message, hint = layers.refused()
    assert "line " in message
    assert 500 > len(message.replace(str(layers.project), "") + hint)


def test_a_repository_s_broken_file_is_left_out_whole_and_told_where_somebody_is_there(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path / "home"), "CTXCODE_BUDGET": "3000"}
    (tmp_path / ".ctxcode.toml").write_text('theme = "moss"\nmode = "warp"\n')
    found, told = settings_told(tmp_path, overrides={"theme": "ink"}, environment=home)
    assert Settings(theme="ink", budget_tokens=3000) == found
    assert f"{str(tmp_path / '.ctxcode.toml')!r}, line 2: mode should be one of" in told
    assert "The file is left out: what it could set (budget_tokens, mode, theme) is as you have it." in told
    (tmp_path / ".ctxcode.toml").write_text('mode = "off"\n')
    found, told = settings_told(tmp_path, overrides={}, environment=home)
    assert (ContextMode.OFF, "") == (found.mode, told)


def test_what_is_wrong_with_the_user_s_own_settings_stays_an_error(tmp_path: Path) -> None:
    file = tmp_path / "config" / "ctxcode" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text("mode = 3\n")
    (tmp_path / ".ctxcode.toml").write_text("mode = 4\n")
    with pytest.raises(SettingsError, match=r"settings\.toml', line 1: mode should be .*, not 3"):
        settings_told(tmp_path, overrides={}, environment={"XDG_CONFIG_HOME": str(tmp_path / "config")})
    file.unlink()
    with pytest.raises(SettingsError, match="CTXCODE_MODE"):
        settings_told(tmp_path, overrides={}, environment={"HOME": str(tmp_path), "CTXCODE_MODE": "max"})


def test_a_repository_s_file_may_be_no_link_no_pipe_and_no_folder(layers: Layers, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password")
    layers.project.symlink_to(tmp_path / "secret")
    assert "can't be read: it is a link" in layers.refused()[0]
    layers.project.unlink()
    os.mkfifo(layers.project)
    assert "no regular file" in layers.refused()[0]
    layers.project.unlink()
    layers.project.mkdir()
    assert "no regular file" in layers.refused()[0]


def test_the_user_s_file_may_be_a_link_and_begin_with_a_mark(layers: Layers, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_bytes(b'\xef\xbb\xbfmode = "off"\r\n')
    layers.user.symlink_to(tmp_path / "dotfiles.toml")
    assert layers.load().mode is ContextMode.OFF


def test_a_wrong_threshold_is_named_with_its_pattern(layers: Layers) -> None:
    layers.user.write_text('[loops."qwen*"]\nsame_call = 0\n')
    message, _ = layers.refused()
    assert """loops."qwen*" should be a whole number from 1 to 1,000, not {'same_call': 0}""" in message


def test_a_wrong_variable_or_option_is_named(layers: Layers) -> None:
    assert "CTXCODE_MODE" in layers.refused({"CTXCODE_MODE": "max"})[0]
    assert "command line" in layers.refused(budget_tokens="few")[0]
    assert "'bugdet'" in layers.refused(bugdet=1)[0]


def test_directories_follow_xdg_and_ignore_relative_values() -> None:
    found = directories({"HOME": "/home/ann", "XDG_DATA_HOME": "/big/data", "XDG_CACHE_HOME": "relative"})
    paths = [str(path) for path in (found.config, found.data, found.cache, found.state)]
    assert paths == [
        "/home/ann/.config/ctxcode",
        "/big/data/ctxcode",
        "/home/ann/.cache/ctxcode",
        "/home/ann/.local/state/ctxcode",
    ]


def test_a_repository_s_key_is_readable_and_follows_the_real_path(tmp_path: Path) -> None:
    (tmp_path / "my shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "my shop")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "my shop").mkdir()
    key = repository_key(tmp_path / "my shop")
    assert key.startswith("my-shop-")
    assert key == repository_key(tmp_path / "link")
    assert key != repository_key(tmp_path / "other" / "my shop")
    assert repository_key(Path("/")).startswith("root-")


def test_importing_settings_loads_no_parser_and_no_screen() -> None:
    heavy = ("tomllib", "msgspec", "textual", "asyncio", "hashlib")
    code = f"import sys, ctxcode.settings.settings; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_keys_are_a_table_with_dotted_names_of_the_users_own_file(layers: Layers) -> None:
    layers.user.write_text('[keys]\nchat.context = "f4"\n"context.pin" = "P"\n', encoding="utf-8")
    assert {"chat.context": "f4", "context.pin": "P"} == layers.load().keys


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("keys = 1", r"keys should be .*\[keys\].*, not 1"),
        ('[keys]\nchat.context = ""', r"keys\.chat\.context should be a key such as \"f4\" .*, not ''"),
        ("[keys]\na = 1", r"keys\.a should be a key .*, not 1"),
        ("[keys]\na.b.c = 'f4'", r"keys\.a\.b should be a key"),
    ],
)
def test_keys_that_are_no_texts_say_how_they_are_written(layers: Layers, keys: str, said: str) -> None:
    layers.user.write_text(keys, encoding="utf-8")
    with pytest.raises(SettingsError, match=said):
        layers.load()


def test_every_setting_is_listed_with_where_it_was_set(tmp_path: Path) -> None:
    home = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "CTXCODE_MODE": "heavy"}
    file = tmp_path / "config" / "ctxcode" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('theme = "moss"\n[keys]\nchat.context = "f4"\n', encoding="utf-8")
    (tmp_path / ".ctxcode.toml").write_text("budget_tokens = 4000\n", encoding="utf-8")
    rows = {
        row.name: row for row in setting_rows(tmp_path, overrides={"model": "x", "api_base": None}, environment=home)
    }
    assert set(SETTING_NAMES) == set(rows)
    assert ("moss", "your settings.toml") == (rows["theme"].value, rows["theme"].origin)
    assert ("4000", "the repository's .ctxcode.toml") == (rows["budget_tokens"].value, rows["budget_tokens"].origin)
    assert ("heavy", "CTXCODE_MODE") == (rows["mode"].value, rows["mode"].origin)
    assert ("x", "the command line") == (rows["model"].value, rows["model"].origin)
    assert ("chat.context f4", "") == (rows["keys"].value, rows["api_base"].origin)


def test_a_file_that_is_left_out_is_listed_with_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / ".ctxcode.toml").write_text('budget_tokens = 4000\nmodel = "evil"\n', encoding="utf-8")
    *rows, last = setting_rows(tmp_path, overrides={}, environment={"HOME": str(tmp_path)})
    assert [] == [row.name for row in rows if row.origin]
    assert (".ctxcode.toml", "left out") == (last.name, last.value)
    assert "line 2: 'model' can't be set by a repository" in last.origin
