import pytest
from ui.fake_door import QUERY, symbol

from ctxcode.tui import commands
from ctxcode.tui.prompt.completing import (
    ArgumentSought,
    CommandSought,
    MentionSought,
    code_name,
    folders_in,
    image_in,
    mention_of,
    sought,
)


def test_a_slash_seeks_a_command() -> None:
    assert CommandSought(commands.completions("/he")) == sought("/he", "/he")


def test_behind_a_command_its_argument_is_sought() -> None:
    found = sought("/mode he", "/mode he")
    assert isinstance(found, ArgumentSought)
    assert (("heavy",), False) == (found.choices, found.wants_name)
    pin = sought("/pin Query.j", "/pin Query.j")
    assert isinstance(pin, ArgumentSought)
    assert (True, "Query.j") == (pin.wants_name, pin.typed)


@pytest.mark.parametrize(
    ("line", "typed", "length"),
    [
        ("see @", "", 1),
        ("see @Query.jo", "Query.jo", 9),
        ("@db/models/q", "db/models/q", 12),
        ('look into @"my file', "my file", 9),
        ("(@a::b", "a::b", 5),
    ],
)
def test_an_at_sign_seeks_a_file_or_symbol(line: str, typed: str, length: int) -> None:
    assert MentionSought(typed, length) == sought(f"before\n{line} after", line)


@pytest.mark.parametrize("line", ["me@example", "a/@b", "see @Query.join ", "@@x", "plain", ""])
def test_other_words_seek_nothing(line: str) -> None:
    assert sought(line, line) is None


def test_namesakes_are_told_apart_by_their_module() -> None:
    one, other = symbol("Query.join", QUERY, 1), symbol("Query.join", "other/query.py", 1)
    assert "Query.join" == code_name(one, (one,))
    assert "other.query.Query.join" == code_name(other, (one, other))
    assert QUERY == code_name(symbol("", QUERY, 1), ())


def test_a_name_with_a_blank_is_mentioned_in_quotation_marks() -> None:
    assert ["@a.b", '@"my file.py"'] == [mention_of("a.b"), mention_of("my file.py")]


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("what is wrong in @docs/shot.png?", "docs/shot.png"),
        ("see /home/you/Bild.JPG", "/home/you/Bild.JPG"),
        ("'/home/you/my shot.webp'", "/home/you/my shot.webp"),
        ("/home/you/my\\ shot\\(1\\).png why?", "/home/you/my shot(1).png"),
        ('@"a b.gif" please', "a b.gif"),
        ("file:///home/x.jpeg", "/home/x.jpeg"),
        ("where is logo.png read?", ""),
        ("why does @Image.open fail on png", ""),
        ("see /usr/share/png", ""),
    ],
)
def test_images_are_known_by_their_name(text: str, image: str) -> None:
    assert image == image_in(text)


def test_folders_are_cut_from_the_files_that_letters_may_become() -> None:
    found = [symbol("f", path, 1) for path in ("src/v4/core/schemas.py", "src/v4/core/tests/a.py", "docs/core.py")]
    assert ("src/v4/core/",) == folders_in("src/v4/co", found)
    assert ("src/v4/core/",) == folders_in("v4/core/", found)
    assert ("src/v4/core/",) == folders_in("CORE", found)
    assert () == folders_in("", found)
    assert () == folders_in("nowhere", found)


def test_what_follows_the_name_of_a_folder_is_no_name() -> None:
    typed = sought("/capsule src/v4 the joins", "/capsule src/v4 the joins")
    assert isinstance(typed, ArgumentSought)
    assert not typed.wants_name
