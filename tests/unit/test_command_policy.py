"""What may run without a question, what is asked about, what is dangerous."""

import pytest

from ctxcode.action.command_policy import Judgement, Places, covers, grant_of, judged
from ctxcode.model.command.approval import Danger, Grant
from ctxcode.model.command.shape import Doubt
from ctxcode.workspace.command.parse import parse_command

PLACES = Places("/home/ann/shop", "/home/ann")


def verdict(text: str, *grants: Grant) -> Judgement:
    return judged(parse_command(text), grants, PLACES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("python -m pytest tests/ -q", ("python", "-m", "pytest", "tests/", "-q")),
        ("  ls -la  ", ("ls", "-la")),
        ("grep 'a b' \"c d\" x.py", ("grep", "a b", "c d", "x.py")),
        ("cargo test -- --nocapture", ("cargo", "test", "--", "--nocapture")),
        ("git log -5 --format=%h", ("git", "log", "-5", "--format=%h")),
    ],
)
def test_one_simple_command_is_taken_at_its_word(text: str, words: tuple[str, ...]) -> None:
    parsed = parse_command(text)
    assert (True, words, ()) == (parsed.is_simple, parsed.words, parsed.doubts)
    assert verdict(text, Grant(words)).is_allowed


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("ls | cat", Doubt.SEVERAL),
        ("ls; rm x", Doubt.SEVERAL),
        ("ls && rm x", Doubt.SEVERAL),
        ("ls &", Doubt.SEVERAL),
        ("ls\nrm x", Doubt.SEVERAL),
        ("echo $(id)", Doubt.SUBSTITUTION),
        ("echo `id`", Doubt.SUBSTITUTION),
        ("cat <(id)", Doubt.SUBSTITUTION),
        ('echo "$(id)"', Doubt.SUBSTITUTION),
        ("ls $HOME", Doubt.EXPANSION),
        ("ls ${IFS}x", Doubt.EXPANSION),
        ("ls *.py", Doubt.EXPANSION),
        ("ls ~", Doubt.EXPANSION),
        ("echo {a,b}", Doubt.EXPANSION),
        ("echo $'\\x41'", Doubt.EXPANSION),
        ("echo a\\ b", Doubt.EXPANSION),
        ("ls !x", Doubt.EXPANSION),
        ("ls > out", Doubt.REDIRECT),
        ("cat < in", Doubt.REDIRECT),
        ("cat <<E\nx\nE", Doubt.REDIRECT),
        ("A=1 ls", Doubt.ASSIGNMENT),
        ("export PATH=/x", Doubt.ASSIGNMENT),
        ("f() { ls; }", Doubt.CONSTRUCT),
        ("(ls)", Doubt.CONSTRUCT),
        ("if true; then ls; fi", Doubt.CONSTRUCT),
        ("[[ -v 'a[$(id)]' ]]", Doubt.CONSTRUCT),
        ("ls # comment", Doubt.CONSTRUCT),
        ("ls 'unclosed", Doubt.UNREADABLE),
        ("", Doubt.UNREADABLE),
        ("ls \x1b[2J", Doubt.HIDDEN),
        ("ls \u202ecod", Doubt.HIDDEN),
        ("ls \U000e0041", Doubt.HIDDEN),
        ("printf -v x y", Doubt.BUILT_IN),
        ("cd /", Doubt.BUILT_IN),
        ("eval ls", Doubt.LAUNCHER),
        ("find . -exec rm x +", Doubt.LAUNCHER),
        ("sed e x", Doubt.LAUNCHER),
        ("awk BEGIN", Doubt.LAUNCHER),
        ("xargs rm", Doubt.LAUNCHER),
        ("env -S 'rm x'", Doubt.LAUNCHER),
        ("bash -c id", Doubt.LAUNCHER),
        ("/bin/bash x.sh", Doubt.LAUNCHER),
        ("git -c core.pager=x log", Doubt.LAUNCHER),
        ("git grep -Oless x", Doubt.LAUNCHER),
        ("rg --pre evil x", Doubt.LAUNCHER),
        ("sort --compress-program=evil x", Doubt.LAUNCHER),
        ("tar --checkpoint-action=exec=sh -cf x y", Doubt.LAUNCHER),
        ("python -c print", Doubt.LAUNCHER),
        ("python3", Doubt.LAUNCHER),
        ("node -e x", Doubt.LAUNCHER),
        ("curl http://x", Doubt.LAUNCHER),
        ("./run.sh", Doubt.CHANGEABLE),
    ],
)
def test_anything_else_asks_each_time_whatever_was_granted(text: str, doubt: Doubt) -> None:
    words = parse_command(text).words
    found = verdict(text, Grant(words), Grant(words[:1], takes_more=True), Grant(()))
    assert doubt in found.doubts
    assert (False, None, None) == (found.is_allowed, found.exact, found.pattern)


@pytest.mark.parametrize(
    ("text", "danger"),
    [
        ("rm -rf /", Danger.EVERYTHING),
        ("rm -rf //", Danger.EVERYTHING),
        ("rm -rf /*", Danger.EVERYTHING),
        ("rm -rf ~", Danger.HOME),
        ("rm -rf $HOME", Danger.HOME),
        ('rm -rf "${HOME}"', Danger.HOME),
        ("rm -rf ../..", Danger.HOME),
        ("rm -rf tests/ patches/ plan/ ~/", Danger.HOME),
        ("rm -rf .", Danger.REPOSITORY),
        ("rm -rf *", Danger.REPOSITORY),
        ("rm -rf a/..", Danger.REPOSITORY),
        ("rm -rf /home/ann/shop", Danger.REPOSITORY),
        ("cd x; rm -rf $PWD", Danger.REPOSITORY),
        ("rm -rf .git", Danger.GIT),
        ("mv evil .git/hooks/pre-commit", Danger.GIT),
        ("echo x > .GIT/hooks/pre-commit", Danger.GIT),
        ("chmod -R 777 ../other", Danger.OUTSIDE),
        ("find . -delete", Danger.REPOSITORY),
        ("git reset --hard", Danger.WORK),
        ("git clean -fdx", Danger.WORK),
        ("git checkout .", Danger.WORK),
    ],
)
def test_what_nobody_can_bring_back_is_a_danger_and_never_granted(text: str, danger: Danger) -> None:
    words = parse_command(text).words
    found = verdict(text, Grant(words), grant_of(words[:1]))
    assert danger in found.dangers or (danger is Danger.REPOSITORY and "find" in words and found.doubts)
    assert (False, None, None) == (found.is_allowed, found.exact, found.pattern)


@pytest.mark.parametrize(
    "text",
    ["rm -rf build", "rm a.txt", "mv a b", "ls /", "cat ../x", "git status", "chmod +x run.sh", "rm -rf ./dist/*"],
)
def test_ordinary_work_is_no_danger(text: str) -> None:
    assert () == verdict(text).dangers


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("python -m pytest tests/ -q", "python -m pytest …"),
        ("cargo test parse", "cargo test …"),
        ("git log -5", "git log …"),
        ("pytest -q", "pytest …"),
        ("npm run build", None),
        ("git push origin main", None),
        ("rm -rf build", None),
        ("python manage.py test", None),
        ("ls", None),
    ],
)
def test_a_pattern_is_offered_only_where_it_stays_one_program(text: str, offered: str | None) -> None:
    pattern = verdict(text).pattern
    assert offered == (pattern.shown if pattern is not None else None)


def test_a_grant_covers_its_words_and_with_more_only_harmless_ones() -> None:
    exact, wide = Grant(("pytest", "-q")), grant_of(("pytest",))
    assert covers(exact, ("pytest", "-q"))
    assert not covers(exact, ("pytest", "-q", "x"))
    assert not covers(exact, ("pytest",))
    assert covers(wide, ("pytest", "tests/a.py::test_b", "-k", "cart"))
    for word in ("/etc/x", "~/x", "../x", "--rootdir=/", "-p", "--exec=x", "http://x", "a/../../b"):
        assert not covers(wide, ("pytest", word)), word
