"""Paths as questions write them: those of other systems, and those within addresses."""

import re

from ctxcode.model.retrieval import Mention, MentionKind

URL = re.compile(r"(?<![\w.-])(?!file:|webpack)[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'`]+")
_PAGE = r"(?:blob|src|raw|blame|edit|tree)/(?:(?:refs/(?:heads|tags)|branch|tag|commit)/)?[^/\s]{1,100}/(?:item/)?"
_RAW = r"(?<=raw\.githubusercontent\.com)/[^/\s]{1,100}/[^/\s]{1,100}/(?:refs/(?:heads|tags)/)?[^/\s]{1,100}/"
_LINK = re.compile(
    rf"\bhttps?://[^\s<>\"'`]{{1,300}}?(?:/{_PAGE}|{_RAW})"
    r"([\w./@+-]{1,240}\.[A-Za-z]\w{0,9})(?:\?[^\s#<>\"'`]{0,200})?(?:#(?:L|lines-)(\d{1,7}))?"
)
"""A file in a repository's web pages, at a line or not."""
_SERVED = re.compile(
    r"(@?)(?<![\w.-])[a-z][a-z0-9+.-]{1,20}://(?:[\w.-]{1,100}(?::\d{1,5})?)?/"
    r"([^\s<>\"'`?#]{1,240}\.[A-Za-z]\w{0,7})(?:\?[^\s():]{0,200})?:(\d{1,7})(?::\d{1,7})?(?![\w.])"
)
"""What a browser or a bundler calls a file, with a line: ``http://localhost:5173/src/App.tsx?t=17:42:13``."""


def clean_path(path: str) -> str:
    """Return a path as the index writes it: forward slashes, no scheme, no leading ``./``."""
    path = path.replace("\\", "/")
    path = re.sub(r"^(?:file|webpack|webpack-internal):(?=/)", "", path)
    path = re.sub(r"/{2,}", "/", path)
    while path.startswith("./"):
        path = path[2:]
    return path.strip()


def links(text: str) -> list[Mention]:
    """Return the files that addresses of a repository's web pages lead to."""
    return [
        Mention(MentionKind.LINE, path, line=int(line), is_explicit=True)
        if line
        else Mention(MentionKind.PATH, path, is_explicit=True)
        for path, line in _LINK.findall(text)
    ]


def without_addresses(text: str) -> str:
    """Return a text without its addresses; of those of a place in a file its path and line are left."""
    if "://" not in text:
        return text
    placed = _SERVED.sub(lambda found: f"{found[1] and ' '}/{found[2]}:{found[3]}", text)
    return URL.sub(" ", placed)
