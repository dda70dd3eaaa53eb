"""Files as they are: reading one, listing a folder, finding a text."""

from collections import Counter
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from ctxcode.action.arguments import ListFiles, ReadFile, SearchCode
from ctxcode.context.render import numbered_line
from ctxcode.model.errors import AbsentPathError
from ctxcode.model.naming.number import counted
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.source import FoundLine
from ctxcode.session.tools.desk import Answer, Desk, absent, call_text

_FILE_LINES = 8
"""How many lines of one file a search shows before the other files had their turn."""


def read_file(asked: ReadFile, desk: Desk) -> Answer:
    """Return numbered lines of a file. Raises RepositoryError for what is never read or can't be."""
    try:
        text = desk.workspace.read_text(asked.path)
    except AbsentPathError:
        return absent(f"There is no file {asked.path!r}.{_nearest_paths(asked.path, desk)}\n")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return Answer(desk.sheet().done().status, f"{asked.path} is empty.\n")
    start = asked.start_line or 1
    if start > len(lines):
        return absent(f"{asked.path} has {counted(len(lines), 'line')}; there is no line {start:,}.\n")
    end = min(asked.end_line or len(lines), len(lines))
    sheet = desk.sheet()
    sheet.add(f"### {on_one_line(asked.path)} (lines {start} to {end} of {len(lines)})\n")
    shown = sheet.add_all(numbered_line(number, lines[number - 1]) for number in range(start, end + 1))
    following = start + shown
    if following > end:
        return sheet.done()
    rest = call_text("read_file", path=asked.path, start_line=following, **_end(asked))
    return sheet.done(f"{end - following + 1:,} more of these lines: {rest}")


def _end(asked: ReadFile) -> dict[str, int]:
    return {} if asked.end_line is None else {"end_line": asked.end_line}


def list_files(asked: ListFiles, desk: Desk) -> Answer:
    """Return a folder's folders and files, or every file below it that fits the pattern."""
    folder = _folder(asked.path)
    paths = [path for path in desk.workspace.file_paths() if path.startswith(folder)]
    if not paths:
        where = folder.rstrip("/") or "the repository"
        return absent(f"There is no folder {where!r} with files.{_nearest_paths(folder.rstrip('/'), desk)}\n")
    if asked.pattern is not None:
        paths = [path for path in paths if _fits(path, folder, asked.pattern)]
        if not paths:
            return absent(f"No file below {folder or './'} fits {asked.pattern!r}.\n")
        rows = [f"{on_one_line(path)}\n" for path in paths]
        fits = f"fits {asked.pattern!r}" if len(paths) == 1 else f"fit {asked.pattern!r}"
        head = f"{counted(len(paths), 'file')} below {folder or './'} {fits}:\n"
        hint = "narrow path or pattern"
    else:
        rows = _children(paths, folder)
        head, hint = f"{folder or './'} holds:\n", f"narrow it: {call_text('list_files', path=folder, pattern='a*')}"
    sheet = desk.sheet()
    sheet.add(head)
    shown = sheet.add_all(rows)
    return sheet.done(f"{len(rows) - shown:,} more; {hint}" if shown < len(rows) else "")


def _folder(path: str | None) -> str:
    """Return a folder as the prefix of its files' paths; empty for the repository itself."""
    cleaned = (path or "").strip().removeprefix("./").strip("/")
    return "" if cleaned in ("", ".") else f"{cleaned}/"


def _fits(path: str, folder: str, pattern: str) -> bool:
    inside = path[len(folder) :]
    return fnmatchcase(inside, pattern) or fnmatchcase(inside.rpartition("/")[2], pattern.removeprefix("**/"))


def _children(paths: list[str], folder: str) -> list[str]:
    inside = [path[len(folder) :] for path in paths]
    folders = Counter(path.partition("/")[0] for path in inside if "/" in path)
    rows = [f"{on_one_line(name)}/  ({counted(number, 'file')})\n" for name, number in sorted(folders.items())]
    return rows + [f"{on_one_line(path)}\n" for path in inside if "/" not in path]


def search_code(asked: SearchCode, desk: Desk) -> Answer:
    """Return the lines that hold a text, the files that matter most first."""
    folder = _folder(asked.path)
    every = desk.workspace.file_paths()
    paths = [path for path in every if path.startswith(folder) or path == folder.rstrip("/")]
    if not paths:
        return absent(f"There is nothing at {asked.path!r}.{_nearest_paths(folder.rstrip('/'), desk)}\n")
    ranks = {entry.path: (entry.is_test, -entry.rank) for entry in desk.graph.modules()}
    paths.sort(key=lambda path: (*ranks.get(path, (True, 0.0)), path))
    found = desk.workspace.search(asked.query, paths, desk.is_cancelled)
    where = f"below {folder.rstrip('/')!r}" if folder else "in the repository"
    if not found:
        searched = counted(len(paths), "file")
        return absent(
            f"No line {where} holds {asked.query!r} ({searched} searched). The text is taken literally, on one line. "
            f"By meaning: {call_text('request_code_context', query=asked.query)}\n"
        )
    files = _by_file(found)
    sheet = desk.sheet()
    holds = f"holds {asked.query!r}" if len(found) == 1 else f"hold {asked.query!r}"
    sheet.add(f"{counted(len(found), 'line')} in {counted(len(files), 'file')} {where} {holds}:\n")
    shown = sum(_write_file(sheet.add, path, lines) for path, lines in files.items())
    rest = len(found) - shown
    again = call_text("search_code", query=asked.query, path=_common(files))
    foot = f"{counted(rest, 'more line')}; narrow it: {again}"
    return sheet.done(foot if rest else "")


def _by_file(found: Iterable[FoundLine]) -> dict[str, list[FoundLine]]:
    files: dict[str, list[FoundLine]] = {}
    for line in found:
        files.setdefault(line.path, []).append(line)
    return files


def _write_file(add: Callable[[str], bool], path: str, lines: list[FoundLine]) -> int:
    """Write a file's first lines; return how many fitted."""
    rows = [f"{line.line:>5} {line.text.strip()}\n" for line in lines[:_FILE_LINES]]
    more = len(lines) - len(rows)
    tail = f"      and {more:,} more in this file\n" if more > 0 else ""
    return len(rows) if add(f"{on_one_line(path)}\n{''.join(rows)}{tail}") else 0


def _common(files: dict[str, list[FoundLine]]) -> str:
    """Return the folder that holds the most of what was found."""
    folders = Counter[str]()
    for path, lines in files.items():
        folders[path.rpartition("/")[0] or path] += len(lines)
    return folders.most_common(1)[0][0]


def _nearest_paths(path: str, desk: Desk) -> str:
    last = path.rstrip("/").rpartition("/")[2]
    near = desk.graph.paths_like(last, 5) if last else ()
    return f" Files of that name: {', '.join(near)}." if near else ""
