import tomllib
from pathlib import Path

import pytest

from ctxcode.cli.own_settings import remember
from ctxcode.model.errors import SettingsError


def kept(path: Path, text: str, value: str = "moss") -> str:
    path.write_text(text, encoding="utf-8")
    remember("theme", value, path)
    return path.read_text(encoding="utf-8")


def test_the_file_and_its_folder_are_made(tmp_path: Path) -> None:
    path = tmp_path / "config" / "settings.toml"
    remember("theme", "moss", path)
    assert 'theme = "moss"\n' == path.read_text(encoding="utf-8")


def test_only_its_own_line_is_changed(tmp_path: Path) -> None:
    text = '# mine\nmodel = "x"\ntheme = "tide"  # calm\n\nplain = true\n'
    assert '# mine\nmodel = "x"\ntheme = "moss"\n\nplain = true\n' == kept(tmp_path / "s.toml", text)


def test_a_new_line_stands_above_tables_in_which_it_would_mean_something_else(tmp_path: Path) -> None:
    made = kept(tmp_path / "s.toml", '[keys]\ntheme = "x"\n')
    assert {"theme": "moss", "keys": {"theme": "x"}} == tomllib.loads(made)


def test_a_name_with_quotation_marks_stays_one_value(tmp_path: Path) -> None:
    assert {"theme": 'a"\\b'} == tomllib.loads(kept(tmp_path / "s.toml", "", 'a"\\b'))


@pytest.mark.parametrize("text", ["theme = ", 'theme = """a\nb"""\n'])
def test_what_can_not_be_changed_safely_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.toml"
    with pytest.raises(SettingsError):
        kept(path, text)
    assert text == path.read_text(encoding="utf-8")


def test_a_folder_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        remember("theme", "moss", tmp_path / "config" / "settings.toml")
    assert caught.value.hint
