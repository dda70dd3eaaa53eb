"""What an edit may name and hold."""

import pytest

from ctxcode.action.edit.replace import new_file, replaced
from ctxcode.action.edit.text import FileText
from ctxcode.model.edit.change import ChangeKind, DecidedBy, FileChange
from ctxcode.model.edit.path import writable_path
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.errors import EditError, RefusedPathError
from ctxcode.session.edits.approval import Approvals, Decision


@pytest.mark.parametrize(
    "name",
    [
        *(".git", ".GIT", ".git.", ".git ", ".git. .", ".g\u200cit", "\u202e.git", ".git\u2060", "git~1", "GIT~2"),
        *(".git::$INDEX_ALLOCATION", ".Git:stream", ".git :x"),
    ],
)
def test_a_name_some_file_system_takes_for_gits_is_never_written(name: str) -> None:
    for path in (name, f"{name}/hooks/pre-commit", f"sub/{name}/config"):
        with pytest.raises(RefusedPathError):
            writable_path(path)


def test_names_that_only_look_like_gits_are_written() -> None:
    for path in (".gitignore", ".github/workflows/a.yml", "git", "a.git", "digit~1", ".git-blame-ignore-revs"):
        assert path == writable_path(path)


def test_an_empty_file_takes_its_first_text() -> None:
    assert "a = 1\n" == replaced(FileText(""), "", "a = 1\n").text
    with pytest.raises(EditError, match="old is empty"):
        replaced(FileText("b = 2\n"), "", "a = 1\n")


def test_a_nul_character_is_refused() -> None:
    with pytest.raises(EditError, match="NUL"):
        new_file("a\0b")
    with pytest.raises(EditError, match="NUL"):
        replaced(FileText("a = 1\n"), "1", "\0")


async def test_an_allowed_run_says_which_file_somebody_would_have_to_see() -> None:
    changes = [FileChange(path, ChangeKind.MODIFIED, ()) for path in ("a.py", ".vscode/tasks.json")]
    said = await Approvals(EditPolicy.ALLOW).decision(1, 1, changes)
    denied = await Approvals(EditPolicy.DENY).decision(1, 1, changes)
    assert isinstance(said, Decision)
    assert isinstance(denied, Decision)
    assert (DecidedBy.POLICY, False, ".vscode/tasks.json") == (said.by, said.is_yes, said.delicate)
    assert (DecidedBy.POLICY, False, "") == (denied.by, denied.is_yes, denied.delicate)
