"""Files that are kept elsewhere, with a pointer in their place."""

from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.model.source import SkipReason

_LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
_ANNEX = "/annex/objects/SHA256E-s1048576--4d7a2146.py\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_LFS, SkipReason.UNREADABLE),
        (_ANNEX, SkipReason.UNREADABLE),
        (f'"""{_LFS}"""\n', None),
        (_LFS + "x = 1\n" * 300, None),
        (_LFS.replace("\n", "\r\n"), SkipReason.UNREADABLE),
        (_LFS.replace("oid", "ext-0-foo sha256:1a2b\noid"), SkipReason.UNREADABLE),
        (_LFS + "x = 1\n", None),
        (_LFS.splitlines()[0] + "\nis how a pointer begins\n", None),
        (_ANNEX + "x" * 2_000, None),
        ("/annex/objects/.test(path)\n", None),
    ],
)
def test_a_pointer_is_no_source(tmp_path: Path, text: str, reason: SkipReason | None) -> None:
    (tmp_path / "a.py").write_text(text)
    assert reason is take_in(str(tmp_path), "a.py").reason


def test_what_a_pointer_stands_for_is_indexed_once_it_is_there(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    folder.write("a.py", _LFS)
    report = folder.refresh()
    assert ([("a.py", "unreadable")], 1) == ([(file.path, file.reason) for file in report.skipped], len(report.unread))
    folder.write("a.py", "def f(): pass\n")
    assert ((), 1) == ((report := folder.refresh()).skipped, report.files)
    folder.close()
