"""Which commands may run without a question, which are asked about, and which are dangerous."""

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcode.model.command.approval import Danger, Grant
from ctxcode.model.command.shape import Doubt, ParsedCommand


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LAUNCHERS = _set(
    "sh bash dash zsh ksh mksh fish csh tcsh busybox toybox env exec eval source command builtin xargs parallel "
    "find fd fdfind sed awk gawk mawk nawk perl raku ruby lua php tclsh expect osascript sudo su doas pkexec "
    "runuser nohup nice ionice chrt setsid timeout watch time strace ltrace gdb lldb script screen tmux ssh scp "
    "sftp rsync nc ncat netcat socat telnet curl wget ftp docker podman kubectl chroot unshare nsenter bwrap flock "
    "stdbuf entr vi vim nvim view emacs ed ex nano less more man tar zip dd systemd-run at batch crontab npx pnpx "
    "uvx pipx bunx gh aria2c open xdg-open start ld.so python2 gdbserver rlwrap unbuffer faketime fakeroot choom "
    "prlimit setpriv setarch"
)
"""They run what their arguments say, or send it away: allowing one of them would allow everything."""
_BUILT_INS = _set(
    ". : [ [[ alias bg bind break caller cd compgen complete continue coproc declare dirs disown enable exit export "
    "fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd read readarray readonly "
    "return set shift shopt suspend test times trap type typeset ulimit umask unalias unset wait"
)
_RUNS_CODE = re.compile(r"(?:python[\d.]*|pypy[\d.]*|node|deno|bun|Rscript|julia)")
_CODE_OPTIONS = ("-c", "-e", "-p", "-", "--eval", "--print", "eval", "-i", "repl")
_TELLING_OPTIONS = re.compile(
    r"--(?:pre|exec|exec-batch|hostname-bin|to-command|use-compress-program|compress-program|checkpoint-action|rsh"
    r"|upload-pack|receive-pack|config-env|exec-path|open-files-in-pager|ext-diff|textconv|output|pager|ssh-command"
    r"|shell|script-shell|node-options|require|import|loader|plugin)(?:=|$)"
)
"""Options of harmless programs that name a program to run or a file to write."""
_SUBCOMMAND_TOOLS = _set(
    "git cargo go npm pnpm yarn bun uv poetry pdm hatch rye make just mvn gradle dotnet bundle rake mix stack cabal "
    "swift composer pip pip3 nox tox pre-commit rustup terraform helm deno"
)
_RUNNING_SUBCOMMANDS = _set("run exec x dlx eval script shell config submodule tool start serve publish push")
_GIT_READERS = _set("status diff log show branch blame describe ls-files rev-parse shortlog tag")
_DESTROYERS = _set("rm rmdir mv cp chmod chown chgrp shred truncate ln install unlink srm wipe mkfs trash")
_WORK_LOSERS = {
    "reset": ("--hard", "--merge"),
    "clean": (),
    "checkout": (".", "--", "-f"),
    "restore": (),
    "stash": ("drop", "clear"),
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where a command would run."""

    root: str
    """The repository's real path; commands start there."""
    home: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say to a command."""

    is_allowed: bool
    doubts: tuple[Doubt, ...]
    dangers: tuple[Danger, ...]
    exact: Grant | None
    pattern: Grant | None


def judged(command: ParsedCommand, grants: Iterable[Grant], places: Places) -> Judgement:
    """Return whether a command may run without a question; danger and doubt always ask, whatever was granted."""
    doubts = (*command.doubts, *_program_doubts(command))
    dangers = _dangers(command, places)
    exact = Grant(command.words) if not doubts and not dangers and command.words else None
    pattern = _pattern(command.words) if exact is not None else None
    is_allowed = exact is not None and any(covers(grant, command.words) for grant in grants)
    return Judgement(is_allowed, tuple(dict.fromkeys(doubts)), dangers, exact, pattern)


def covers(grant: Grant, words: Sequence[str]) -> bool:
    """Return whether a grant allows exactly these words."""
    if not grant.takes_more:
        return tuple(words) == grant.words
    rest = words[len(grant.words) :]
    return tuple(words[: len(grant.words)]) == grant.words and all(_is_harmless(word) for word in rest)


def grant_of(words: Sequence[str]) -> Grant:
    """Return the grant a flag gives: these words, and any that follow."""
    return Grant(tuple(words), takes_more=True)


def _is_harmless(word: str) -> bool:
    """Tell a word that stays in the repository and names no other program."""
    is_away = word.startswith(("/", "~")) or ".." in word.split("/") or "=/" in word or "://" in word
    return not is_away and _TELLING_OPTIONS.match(word) is None and word not in ("-c", "-o", "-p", "-x", "-e", "-O")


def _pattern(words: Sequence[str]) -> Grant | None:
    """Return the widest grant worth offering: a program with its subcommand, whatever plain words follow."""
    program = posixpath.basename(words[0])
    if _RUNS_CODE.fullmatch(program):
        is_module = len(words) > 2 and words[1] == "-m"
        return Grant(tuple(words[:3]), takes_more=True) if is_module and len(words) > 3 else None
    if program in _SUBCOMMAND_TOOLS:
        if len(words) < 3 or words[1].startswith("-") or words[1] in _RUNNING_SUBCOMMANDS:
            return None
        if program == "git" and words[1] not in _GIT_READERS:
            return None
        return Grant(tuple(words[:2]), takes_more=True)
    return Grant((words[0],), takes_more=True) if len(words) > 1 and program not in _DESTROYERS else None


def _program_doubts(command: ParsedCommand) -> tuple[Doubt, ...]:
    if not command.words:
        return ()
    program = posixpath.basename(command.words[0])
    rest = command.words[1:]
    if program in LAUNCHERS or any(_TELLING_OPTIONS.match(word) for word in rest):
        return (Doubt.LAUNCHER,)
    if _RUNS_CODE.fullmatch(program) and (not rest or rest[0] in _CODE_OPTIONS or rest[0].startswith(("-c", "-e"))):
        return (Doubt.LAUNCHER,)
    if program == "git" and _is_git_told(rest):
        return (Doubt.LAUNCHER,)
    if program in _BUILT_INS:
        return (Doubt.BUILT_IN,)
    if "/" in command.words[0] and not command.words[0].startswith("/"):
        return (Doubt.CHANGEABLE,)
    return ()


def _is_git_told(rest: Sequence[str]) -> bool:
    """Tell options before git's subcommand, which can name programs, and subcommands that run some."""
    if not rest or rest[0].startswith("-"):
        return bool(rest) and rest[0] not in ("--version", "--help", "--no-pager")
    return rest[0] in ("bisect", "filter-branch", "rebase", "difftool", "mergetool", "submodule", "config", "grep")


def _dangers(command: ParsedCommand, places: Places) -> tuple[Danger, ...]:
    """Return what the command names and could destroy."""
    names = {posixpath.basename(word) for word in command.words}
    found: list[Danger] = []
    writes = Doubt.REDIRECT in command.doubts
    if names & _DESTROYERS or writes or ("find" in names and {"-delete", "-exec", "-execdir"} & set(command.words)):
        for word in command.words:
            found += _danger_of(word, places, only_git=not names & _DESTROYERS and not writes)
    if "git" in names and _loses_work(command.words):
        found.append(Danger.WORK)
    return tuple(dict.fromkeys(found))


def _danger_of(word: str, places: Places, *, only_git: bool) -> list[Danger]:
    path = _expanded(word.partition("=")[2] if word.startswith("-") and "=" in word else word, places)
    if path is None:
        return []
    if ".git" in path.lower().split("/"):
        return [Danger.GIT]
    if only_git:
        return []
    if path == "/":
        return [Danger.EVERYTHING]
    if _holds(path, places.home):
        return [Danger.HOME]
    if _holds(path, places.root):
        return [Danger.REPOSITORY]
    return [] if _holds(places.root, path) or path.startswith(("/dev/", "/tmp/")) else [Danger.OUTSIDE]  # noqa: S108


def _expanded(word: str, places: Places) -> str | None:
    """Return the absolute path a word stands for when a shell has filled it in; None for an option."""
    if not word or word.startswith("-"):
        return None
    for name, value in (
        ("${HOME}", places.home),
        ("$HOME", places.home),
        ("${PWD}", places.root),
        ("$PWD", places.root),
    ):
        word = word.replace(name, value)
    if word == "~" or word.startswith("~/"):
        word = places.home + word[1:]
    elif word.startswith("~"):
        return posixpath.dirname(places.home)
    # What a pattern may stand for lies in the folder before it; a lone one is all of that folder.
    parts = word.split("/")
    cut = next((place for place, part in enumerate(parts) if re.search(r"[*?\[{$`]", part)), len(parts))
    if cut < len(parts) and (parts[cut] in ("*", ".*", "**", "{*,.*}") or "$" in parts[cut] or "`" in parts[cut]):
        word = "/".join(parts[:cut]) or ("/" if word.startswith("/") else ".")
    path = posixpath.normpath(posixpath.join(places.root, word))
    return "/" if path == "//" else path


def _holds(outer: str, inner: str) -> bool:
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")


def _loses_work(words: Sequence[str]) -> bool:
    for place, word in enumerate(words):
        if word in _WORK_LOSERS and "git" in words[:place]:
            options = _WORK_LOSERS[word]
            return not options or any(option in words[place:] for option in options)
    return False
