"""Which files a command changed."""

from ctxcode.model.conversation import FileFate, TouchedFile
from ctxcode.session.command.touched import touched_files, touched_line

BEFORE = {"a.py": (1, 1, 5), "b.py": (1, 1, 5), "c.py": (1, 1, 5)}


def test_what_came_went_and_changed_is_listed_by_path() -> None:
    after = {"a.py": (2, 2, 5), "c.py": (1, 1, 5), "d.py": (2, 2, 1)}
    found = touched_files(BEFORE, after)
    assert (
        TouchedFile("a.py", FileFate.CHANGED),
        TouchedFile("b.py", FileFate.GONE),
        TouchedFile("d.py", FileFate.NEW),
    ) == found
    assert "files it changed: a.py (changed), b.py (gone), d.py (new)\n" == touched_line(found)


def test_nothing_changed_is_nothing_said() -> None:
    assert "" == touched_line(touched_files(BEFORE, BEFORE))


def test_very_many_are_counted() -> None:
    many = touched_files({}, {f"{number:03}.py": (1, 1, 1) for number in range(500)})
    assert touched_line(many).endswith("011.py (new) and 488 more\n")
