"""Paths as questions write them: those of other systems, those within addresses, and what may be folders."""

import re

from ctxcode.model.retrieval import Mention, MentionKind

_URL = re.compile(r"(?<![\w.-])(?!file:|webpack)[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'`]+")
_PAGE = r"(?:blob|src|raw|blame|edit|tree)/(?:(?:refs/(?:heads|tags)|branch|tag|commit)/)?[^/\s]{1,100}/(?:item/)?"
_RAW = r"(?<=raw\.githubusercontent\.com)/[^/\s]{1,100}/[^/\s]{1,100}/(?:refs/(?:heads|tags)/)?[^/\s]{1,100}/"
_LINK = re.compile(
    rf"\bhttps?://[^\s<>\"'`]{{1,300}}?(?:/{_PAGE}|{_RAW})"
    r"([\w./@+-]{1,240}\.[A-Za-z]\w{0,9})(?:\?[^\s#<>\"'`]{0,200})?(?:#(?:L|lines-)(\d{1,7}))?"
)
"""A file in a repository's web pages, at a line or not."""
_OTHER_LINK = re.compile(
    r"\bhttps?://[^\s<>\"'`?#]{1,300}?/(?:tree/([\w./@+-]{1,240})(?:\?[^\s#]{0,200})?#n(\d{1,7})"
    r"|-/blob/([\w./@+-]{1,240})\?L(\d{1,7})"
    r"|\+/(?:refs/(?:heads|tags)/)?[^/\s]{1,100}/([\w./@+-]{1,240})#(\d{1,7})"
    r"|_git/[\w.%-]{1,100}\?path=([\w./@+%-]{1,240})(?:&[^\s]{1,200}?)??&line=(\d{1,7}))"
)
"""The same where pages write it otherwise: cgit's ``#n12``, Sourcegraph's ``?L12``, Gitiles' ``#12``, ``&line=12``."""
_SERVED = re.compile(
    r"(@?)(?<![\w.-])[a-z][a-z0-9+.-]{1,20}://(?:[\w.-]{1,100}(?::\d{1,5})?)?/"
    r"([^\s<>\"'`?#]{1,240}\.[A-Za-z]\w{0,7})(?:\?[^\s():]{0,200})?:(\d{1,7})(?::\d{1,7})?(?![\w.])"
)
"""What a browser or a bundler calls a file, with a line: ``http://localhost:5173/src/App.tsx?t=17:42:13``."""

_EXTENSIONS_TEXT = """
adb adoc ads asciidoc asm astro awk axaml bash bat bzl c cc cfg cjs clj cljc cljs cmake cmd cnf coffee conf cpp cr cs
cshtml csproj css csv cts cu cxx dart dockerfile editorconfig eex ejs el erb erl ex exs f90 f95 fish fs fsproj fsx ftl
gd glsl go gql gradle graphql groovy h haml handlebars hbs heex hh hlsl hpp hrl hs htm html ini ipynb j2 jade java jinja
jinja2 jl js json jsonc jsp jsx kt kts leex less liquid lisp lock lua m mako md mdx mjs mk ml mli mm mts mustache nim
nix njk pas php phtml pl pm po postcss prisma proto ps1 psm1 pug pxd py pyi pyx r razor rb rkt rs rst sass sbt scala scm
scss sh slim sol sql storyboard styl sv svelte svh swift tcl tcss tex tf thrift toml tpl ts tsx twig txt vb vhd vhdl vim
vue wgsl xaml xhtml xib xml xsd xsl xslt yaml yml zig zsh
"""
_EXTENSIONS = frozenset(_EXTENSIONS_TEXT.split())
"""File name endings that make a dotted word a path and no name."""
_FOLDER_WORD = re.compile(
    r"(?<![\w/\\.@:~+`-])(?:\./)?((?:[\w.+-]{1,100}/){1,20}(?:[\w.+-]{0,99}[\w+-])?)(?![\w/\\*@-])"
    r"|(?<![\w/\\.@:~+`-])([\w.+-]{2,100}) (?:sub)?(?:folder|directory|package)\b"
)
"""A word with slashes, or one that is called a folder."""
_MOST_FOLDERS = 10
_NO_FOLDERS_TEXT = """
a an any base build cache current each every home its master my new no other our output parent root same target temp
temporary that the this top upstream user which working your
"""
_NO_FOLDERS = frozenset(_NO_FOLDERS_TEXT.split())


def has_known_ending(path: str) -> bool:
    """Return whether what stands behind the last dot is what files end in: a member of something may be called so."""
    return path.rpartition(".")[2].lower() in _EXTENSIONS


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
    placed = [
        Mention(MentionKind.LINE, path.replace("%2F", "/").lstrip("/"), line=int(line), is_explicit=True)
        for found in _OTHER_LINK.finditer(text)
        for path, line in [[part for part in found.groups() if part]]
    ]
    return placed + [
        Mention(MentionKind.LINE, path, line=int(line), is_explicit=True)
        if line
        else Mention(MentionKind.PATH, path, is_explicit=True)
        for path, line in _LINK.findall(_OTHER_LINK.sub(" ", text) if placed else text)
    ]


def without_addresses(text: str) -> str:
    """Return a text without its addresses; of those of a place in a file its path and line are left."""
    if "://" not in text:
        return text
    return _URL.sub(" ", _SERVED.sub(_served, text))


def _served(found: re.Match[str]) -> str:
    """Return the path and line of an address; a name with ``@`` before it, as Firefox writes it, is no part of it."""
    before, path, line = found.groups()
    return f"{before and ' '}/{path}:{line}" if has_known_ending(path) else found[0]


def folders(prose: str) -> tuple[str, ...]:
    """Return the words of a question that may be paths of folders, at most 10; whether there are such is not known."""
    found = (clean_path(path or called) for path, called in _FOLDER_WORD.findall(without_addresses(prose)))
    meant = (path for path in found if path.lower() not in _NO_FOLDERS and not has_known_ending(path))
    return tuple(dict.fromkeys(meant))[:_MOST_FOLDERS]
