"""Scanning real folders, with git and without."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcode.codegraph.languages import language_of
from ctxcode.model.errors import RepositoryError
from ctxcode.model.source import Scan, SkipReason
from ctxcode.workspace.files import FolderWorkspace, open_workspace

ROOT = Path(__file__).resolve().parents[2]
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=trunk"]


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def git(root: Path, *arguments: str) -> None:
    subprocess.run([*GIT, "-C", str(root), *arguments], check=True, capture_output=True)


def opened(root: Path) -> FolderWorkspace:
    return open_workspace(str(root), language_of)


def paths(scan: Scan) -> list[str]:
    return [file.path for file in scan.files]


def reasons(scan: Scan) -> dict[str, SkipReason]:
    return {skipped.path: skipped.reason for skipped in scan.skipped}


@pytest.fixture(params=["git", "plain"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    if request.param == "git":
        git(folder, "init")
    return folder


SCRIPTS = {
    "bin/run": ("#!/usr/bin/env python3\nprint()\n", "python"),
    "bin/old": ("#! /usr/local/bin/python2.7 -u\n", "python"),
    "bin/env": ("#!/usr/bin/env -S node --flag\n", "javascript"),
    "hooks/pre-commit": ("#!/bin/sh -e\n", "bash"),
    "serve": ("#!/usr/bin/ruby\n", "ruby"),
    "go": ("#!/usr/bin/env lua5.4\n", "lua"),
    "web": ("#!/usr/bin/env php\n", "php"),
    "blog.module": ("<?php\n\nfunction blog_help() {}\n", "php"),
    "includes/menu.inc": ("\n<?php // menu\n", "php"),
    "functions/_shop": ("#compdef shop\n", "bash"),
    "completions/shop": ("# shop(1) completion   -*- shell-script -*-\n\n_shop() { :; }\n", "bash"),
    "lib/shop": ("# shellcheck shell=bash disable=SC2034\n", "bash"),
    "lib/pay": ("# vim: set ft=sh ts=2:\n", "bash"),
}


def test_what_no_ending_tells_is_known_by_its_first_line(root: Path) -> None:
    others = {
        "LICENSE": "free\n",
        "awk": "#!/usr/bin/awk -f\n",
        "empty": "",
        "notes": "# python -*- text -*-\n",
        "a.inc": "a: 1\n",
    }
    write(root, {path: text for path, (text, _) in SCRIPTS.items()} | others)
    scan = opened(root).scan()
    assert {path: language for path, (_, language) in SCRIPTS.items()} == {
        file.path: file.language for file in scan.files
    }
    assert len(others) == scan.other_files


def test_a_file_that_becomes_a_script_is_seen_by_the_next_scan(root: Path) -> None:
    write(root, {"run": "nothing\n"})
    workspace = opened(root)
    assert [] == paths(workspace.scan())
    write(root, {"run": "#!/bin/bash\nset -e\n"})
    assert ["run"] == paths(workspace.scan())
    write(root, {"run": "#!/usr/bin/env python\n"})
    assert ["python"] == [file.language for file in workspace.scan().files]
    write(root, {"run": "nothing again\n"})
    assert [] == paths(workspace.scan())


def test_known_languages_are_listed_in_path_order_and_the_rest_is_counted(root: Path) -> None:
    write(root, {"b.py": "", "a/z.ts": "", "a.py": "x = 1\n", "README.dat": "", "data.bin": ""})
    scan = opened(root).scan()
    assert ["a.py", "a/z.ts", "b.py"] == paths(scan)
    assert (2, 6) == (scan.other_files, scan.files[0].stamp.size)
    assert ["python", "typescript", "python"] == [file.language for file in scan.files]


def test_nested_ignore_rules_hold_and_the_inner_one_wins(root: Path) -> None:
    write(
        root,
        {
            ".gitignore": "*.gen.py\n/out/\n",
            "sub/.gitignore": "!keep.gen.py\nlocal.py\n",
            "a.gen.py": "",
            "out/b.py": "",
            "sub/keep.gen.py": "",
            "sub/local.py": "",
            "sub/out/c.py": "",
        },
    )
    assert ["sub/keep.gen.py", "sub/out/c.py"] == paths(opened(root).scan())


def test_secrets_are_listed_and_not_offered(root: Path) -> None:
    write(root, {".env": "K=1", "deploy/id_rsa.py": "", "a.py": "", "server.PEM": ""})
    scan = opened(root).scan()
    assert ["a.py"] == paths(scan)
    expected = dict.fromkeys((".env", "deploy/id_rsa.py", "server.PEM"), SkipReason.SECRET)
    assert expected == reasons(scan)


def test_links_pipes_and_odd_names_are_skipped_with_a_reason(root: Path) -> None:
    outside = root.parent / "outside.py"
    outside.write_text("secret = 1\n", encoding="utf-8")
    write(root, {"real.py": "x = 1\n", "new\nline.py": ""})
    (root / "leaving.py").symlink_to(outside)
    (root / "inside.py").symlink_to("real.py")
    (root / "dangling.py").symlink_to("gone.py")
    (root / "circle.py").symlink_to("circle.py")
    os.mkfifo(root / "pipe.py")
    with open(os.fsencode(root) + b"/bad\xff.py", "wb"):  # noqa: PTH123 - a name that is no text
        pass
    scan = opened(root).scan()
    found = reasons(scan)
    assert ["new\nline.py", "real.py"] == paths(scan)
    assert (SkipReason.OUTSIDE, SkipReason.NOT_REGULAR) == (found["leaving.py"], found["inside.py"])
    details = {skipped.path: skipped.detail for skipped in scan.skipped}
    assert "a link; its target is indexed under its own name" == details["inside.py"]
    assert ["a link that leads nowhere"] * 2 == [details["dangling.py"], details["circle.py"]]
    assert SkipReason.UNDECODABLE_NAME == found["bad\\xff.py"]
    # git itself lists no pipes; the walk says why it is left out.
    assert found.get("pipe.py") in {None, SkipReason.NOT_REGULAR}


def test_a_folder_that_became_a_link_after_it_was_added_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    write(root, {"sub/a.py": "", "b.py": ""})
    git(root, "init")
    git(root, "add", "-A")
    (tmp_path / "elsewhere").mkdir()
    (root / "sub").rename(tmp_path / "elsewhere" / "sub")
    (root / "sub").symlink_to(tmp_path / "elsewhere" / "sub")
    scan = opened(root).scan()
    assert ["b.py"] == paths(scan)
    assert SkipReason.OUTSIDE == reasons(scan)["sub/a.py"]


def test_a_deleted_file_git_still_lists_is_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "b.py": ""})
    git(tmp_path, "init")
    git(tmp_path, "add", "-A")
    (tmp_path / "a.py").unlink()
    scan = opened(tmp_path).scan()
    assert (["b.py"], ()) == (paths(scan), scan.skipped)


def test_files_git_still_lists_are_nothing_where_a_file_has_taken_their_folder(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/a.py": "", "pkg/sub/c.py": "", "b.py": ""})
    git(tmp_path, "init")
    git(tmp_path, "add", "-A")
    shutil.rmtree(tmp_path / "pkg")
    (tmp_path / "pkg").write_text("")
    scan = opened(tmp_path).scan()
    assert (["b.py"], ()) == (paths(scan), scan.skipped)


def test_a_repository_inside_the_repository_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "nested/b.py": ""})
    git(tmp_path, "init")
    git(tmp_path / "nested", "init")
    git(tmp_path / "nested", "add", "-A")
    git(tmp_path / "nested", "commit", "-m", "x")
    scan = opened(tmp_path).scan()
    assert (["a.py"], {"nested": SkipReason.OTHER_REPOSITORY}) == (paths(scan), reasons(scan))


@pytest.mark.parametrize("is_git", [True, False])
def test_where_all_is_ignored_that_is_said(tmp_path: Path, *, is_git: bool) -> None:
    write(tmp_path, {"a.py": "", "sub/b.py": "", ".gitignore": "/*\n!.gitignore\n"})
    if is_git:
        git(tmp_path, "init")
    scan = opened(tmp_path).scan()
    assert ([], {".": SkipReason.IGNORED}) == (paths(scan), reasons(scan))


def test_a_folder_of_a_larger_repository_is_a_root_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "sub/b.py": "", ".gitignore": "sub/c.py\n", "sub/c.py": ""})
    git(tmp_path, "init")
    workspace = opened(tmp_path / "sub")
    assert (["b.py"], True, "trunk") == (
        paths(workspace.scan()),
        workspace.info.is_git,
        workspace.info.branch,
    )


def test_an_ignored_folder_opened_on_purpose_is_walked(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "vendor/\n", "vendor/lib/b.py": ""})
    git(tmp_path, "init")
    assert ["b.py"] == paths(opened(tmp_path / "vendor/lib").scan())


def test_an_empty_folder_is_fine(root: Path) -> None:
    assert Scan((), ()) == opened(root).scan()


def test_folders_nobody_reads_are_left_out_without_git(tmp_path: Path) -> None:
    write(tmp_path, {"node_modules/x/a.js": "", ".venv/b.py": "", "src/d.py": ""})
    assert ["src/d.py"] == paths(opened(tmp_path).scan())


def test_what_was_built_is_left_out_without_git_and_told(tmp_path: Path) -> None:
    built = {
        "app/target/c.rs": "",
        "app/Cargo.toml": "",
        "ui/dist/e.js": "",
        "ui/build/e.js": "",
        "ui/package.json": "",
    }
    write(tmp_path, {**built, "src/d.py": ""})
    for _ in range(2):
        scan = opened(tmp_path).scan()
        assert ["app/Cargo.toml", "src/d.py", "ui/package.json"] == paths(scan)
        assert reasons(scan) == dict.fromkeys(("app/target/", "ui/build/", "ui/dist/"), SkipReason.BUILT)
    assert {"beside Cargo.toml, and no git says more"} == {
        skipped.detail for skipped in scan.skipped if skipped.path.startswith("app")
    }


def test_packages_that_are_called_like_what_is_built_are_sources(tmp_path: Path) -> None:
    sources = ["build/__init__.py", "com/shop/target/a.java", "dist/a.py", "src/build/__init__.py", "src/build/env.py"]
    write(tmp_path, dict.fromkeys(sources, ""))
    assert sources == paths(opened(tmp_path).scan())
    write(tmp_path, {"pyproject.toml": ""})
    scan = opened(tmp_path).scan()
    assert [path for path in sources if path != "dist/a.py"] == [
        path for path in paths(scan) if path != "pyproject.toml"
    ]
    assert {"dist/": SkipReason.BUILT} == reasons(scan)


def test_broken_ignore_rules_do_not_stop_the_walk(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "!\n[\n***/\nskipped.py\n", "a.py": "", "skipped.py": ""})
    assert ["a.py"] == paths(opened(tmp_path).scan())


def test_the_branch_is_read_from_a_worktree_and_a_detached_head(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    write(root, {"a.py": ""})
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "x")
    git(root, "worktree", "add", str(tmp_path / "tree"), "-b", "feature/x")
    assert "feature/x" == opened(tmp_path / "tree").info.branch
    git(root, "checkout", "--detach")
    commit = subprocess.run([*GIT, "-C", str(root), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    assert commit.stdout[:7] == opened(root).info.branch


def test_a_branch_that_is_being_rebased_is_named_and_said_to_be(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    git(tmp_path, "init", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "x")
    git(tmp_path, "branch", "feature/x")
    for branch in ("main", "feature/x"):
        git(tmp_path, "checkout", branch)
        write(tmp_path, {"a.py": f"{branch = }\n"})
        git(tmp_path, "commit", "-am", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "rebase", "main")
    assert "feature/x (rebasing)" == opened(tmp_path).info.branch
    git(tmp_path, "rebase", "--abort")
    assert "feature/x" == opened(tmp_path).info.branch


@pytest.mark.parametrize(("name", "said"), [("missing", "does not exist"), ("file.py", "is a file")])
def test_what_is_no_folder_is_refused_with_a_hint(tmp_path: Path, name: str, said: str) -> None:
    write(tmp_path, {"file.py": ""})
    with pytest.raises(RepositoryError, match=said) as caught:
        opened(tmp_path / name)
    assert caught.value.hint


def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o000)
    script = (
        "import os, sys\n"
        "from ctxcode.model.errors import RepositoryError\n"
        "from ctxcode.workspace.files import open_workspace\n"
        "os.geteuid() or os.setuid(65534)\n"  # root may enter anything
        "try: open_workspace(sys.argv[1], lambda path: None)\n"
        "except RepositoryError as error: print(error, '|', error.hint)\n"
    )
    arguments = [sys.executable, "-c", script, str(tmp_path / "closed")]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "no permission" in run.stdout
