"""Code the user pointed at: paths, names and lines, the explicit ones first."""

import re
from functools import cache

from ctxcode.intent.diff import diff_places
from ctxcode.intent.frame import frames
from ctxcode.intent.passage import Passages
from ctxcode.intent.path import clean_path, has_known_ending, links, without_addresses
from ctxcode.intent.word import is_identifier
from ctxcode.model.naming.telling import STOP_WORDS
from ctxcode.model.naming.written import as_written, bare_name
from ctxcode.model.retrieval import Mention, MentionKind

_MOST_MENTIONS = 40
_LONGEST_WORD = 240

_LONGEST_RUN = 400
_GENERIC = re.compile(r"(?<=\w)(?:::)?<(?:[\w ,:&'\[\]]|<[\w ,:&'\[\]]{0,60}>){1,80}>(?=::\w)")
_RECEIVER = re.compile(r"(?<![\w)\]])\(\*?([\w.]{1,200})(?:\[[^\[\]\n]{0,200}\])?\)\.(?=[^\W\d])")
"""How Go writes what a method is of: ``(*Engine).Run``, in traces ``(*Box[...]).Get``."""
_AT = re.compile(r"(?<![\w@/.])@(?:\"([^\"\n]{1,240})\"|([\w$./\\:~+#-]{1,240}))")
_TICKED = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_PATH_WORD = re.compile(
    r"(?<![\w/\\.@-])(?:[A-Za-z]:[\\/]|[~.]{0,2}[\\/])?(?:(?:[\w.@+-]{1,100}|\[{1,2}[\w.-]{1,60}\]{1,2}|\([\w.-]{1,60}\))[\\/]){0,20}[\w.@+-]{1,120}\.[A-Za-z]\w{0,9}(?!\w)"
)
_NAME = re.compile(r"\$?[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*(\(\))?")
_WHOLE_NAME = re.compile(r"\$?[^\W\d][\w$]*(?:(?:\.|::|#|->)#?[^\W\d][\w$]*)*[!?]?")
_TYPE_ARGUMENT = re.compile(r"[<\[,&] ?([A-Z][a-z]\w{0,80})(?=[\w<>\[\], &?]{0,80}[>\]])")
"""``Cart`` in ``Promise<Cart[]>``."""
_NOT_CALLED = frozenset({"if", "for", "while", "switch", "match", "catch", "function", "async", "def", "fn", "func"})
"""What stands in front of brackets and is no name."""
_JOINED = re.compile(r"(?:--|</?)?([A-Za-z]\w+(?:-\w+)+)(?: ?/?>)?")
"""An option, a rule or a component: ``--max-size``, ``no-unused-vars``, ``<cart-item>``."""
_OPTION = re.compile(r"(?<![\w-])--([A-Za-z]\w{1,40}(?:-\w{1,40}){1,8})(?![\w-])")
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")
_NAMED_KIND = re.compile(
    r"\b([^\W\d]\w{1,80}) "
    r"(?:function|method|class|struct|trait|enum|interface|module|constructor|decorator|macro|type)\b"
)
_NO_NAMES = STOP_WORDS | {"none", "true", "false", "null", "undefined", "base", "abstract", "english"}
_PLACE = re.compile(r"^(.+?)(?::|#L)(\d{1,7})(?:[-:,L\d]*)$")


def mentions(passages: Passages, *, with_lone_word: bool = True) -> tuple[Mention, ...]:
    """Return what a prompt points at, explicit mentions first, each group in order of appearance; at most 40.

    ``with_lone_word``: a prompt of a single word points at it.
    """
    linked = links(passages.prose) if "://" in passages.prose else []
    prose, pasted = (_plain(_without_data(text)) for text in (passages.prose, passages.pasted))
    whole = f"{prose}\n{pasted}"
    lone = _alone(prose, pasted) if with_lone_word else []
    marked = [*_at_signs(prose), *_ticked(prose), *_called(prose)]
    explicit = [*lone, *linked, *marked, *frames(whole), *diff_places(whole)]
    implicit = [*_paths(whole), *_names(prose, is_prose=True), *_names(pasted, is_prose=False)]
    found: dict[tuple[str, int], Mention] = {}
    for mention in (*explicit, *implicit):
        if not _is_covered(mention, found):
            found.setdefault((mention.text, mention.line), mention)
    return tuple(found.values())[:_MOST_MENTIONS]


def _plain(text: str) -> str:
    """Return a text without addresses, with ``Sender<T>::send`` as ``Sender::send``, ``(*T).m`` as ``T.m``."""
    text = as_written(without_addresses(text))
    text = _RECEIVER.sub(r"\1.", text) if ")." in text else text
    return _GENERIC.sub("", text) if ">::" in text else text


def _without_data(text: str) -> str:
    """Return a text without its long runs: data, not words (save in scripts without spaces), and slow to search."""
    return text if len(text) < _LONGEST_RUN else _long_run().sub(" ", text)


@cache
def _long_run() -> re.Pattern[str]:
    # Few questions are long enough to hold one, and it is slow to compile.
    return re.compile(rf"[^\s\u2e80-\uffff]{{{_LONGEST_RUN},}}")


def _is_covered(mention: Mention, found: dict[tuple[str, int], Mention]) -> bool:
    """Tell whether a bare path says nothing more, as that file or a line in it is pointed at."""
    if mention.kind is not MentionKind.PATH or mention.is_explicit:
        return False
    bare = mention.text.removeprefix("a/").removeprefix("b/")
    return any(
        known.kind is not MentionKind.IDENTIFIER and (known.text == bare or known.text.endswith(f"/{bare}"))
        for known in found.values()
    )


def _alone(prose: str, pasted: str) -> list[Mention]:
    """Return what a prompt of one word points at: a bare path, a place or a name."""
    word = prose.strip()
    if pasted.strip() or not word or any(letter.isspace() for letter in word) or len(word) > _LONGEST_WORD:
        return []
    mention = _pointed(word.strip("`'\"@").rstrip("?!.,;:"), is_quoted=False)
    return [mention] if mention else []


def _at_signs(text: str) -> list[Mention]:
    return [
        mention
        for quoted, bare in _AT.findall(text)
        if (mention := _pointed(quoted or bare.rstrip(".:,#-"), is_quoted=bool(quoted)))
    ]


def _ticked(text: str) -> list[Mention]:
    listed: list[Mention] = []
    for inner in _TICKED.findall(text)[:_MOST_MENTIONS]:
        stripped = inner.strip()
        is_single = " " not in stripped
        mention = _pointed(stripped.lstrip("@"), is_quoted=False) if is_single else _written(stripped)
        listed += [mention] if mention else []
        if not (is_single and mention):
            listed += [_named(found.group().removesuffix("()"), is_explicit=True) for found in _telling_names(stripped)]
        listed += [_named(name, is_explicit=True) for name in _TYPE_ARGUMENT.findall(stripped)]
    return listed


def _written(text: str) -> Mention | None:
    """Return the name that a declaration, a call or a use is of: ``def total(self)``, ``.then(done)``."""
    name = _RECEIVER.sub(r"\1.", bare_name(text)) if text[:1] not in {'"', "'"} else ""
    # A file may be called ``.then``, too.
    name = name.lstrip(".:#" if "(" in text or not name.startswith(".") else "")
    is_name = _WHOLE_NAME.fullmatch(name) is not None and name.lower() not in _NO_NAMES | _NOT_CALLED
    return _named(name, is_explicit=True) if is_name else None


def _pointed(text: str, *, is_quoted: bool) -> Mention | None:
    """Return what ``path``, ``path:12`` or ``Name`` points at; None for nothing."""
    place = _PLACE.match(text)
    if place and _is_path(place[1]):
        return Mention(MentionKind.LINE, clean_path(place[1]), line=int(place[2]), is_explicit=True)
    if is_quoted or _is_path(text):
        path = clean_path(text)
        return Mention(MentionKind.PATH, path, is_explicit=True) if path else None
    if joined := _JOINED.fullmatch(text):
        return _named(joined[1], is_explicit=True)
    name = _NAME.match(text)
    if (name is None or name.end() < len(text)) and (written := _written(text)):
        return written
    if name is None:
        return None
    # Names of Ruby's may end in a sign: ``save!``, ``valid?()``.
    sign = text[name.end() : name.end() + 1] if text[name.end() + 1 :] in {"", "()"} else ""
    return _named(name.group().removesuffix("()") + (sign if sign in {"!", "?"} else ""), is_explicit=True)


def _is_path(text: str) -> bool:
    """Tell a path from a name: ``json``, ``lock`` and ``sql`` alone are names, though files end in them."""
    return "/" in text or "\\" in text or _is_file_name(text)


def _paths(text: str) -> list[Mention]:
    found = []
    for match in _PATH_WORD.finditer(text):
        path = match.group()
        if has_known_ending(path) and path.lower() not in {"node.js", "next.js", "vue.js"}:
            found.append(Mention(MentionKind.PATH, clean_path(path)))
        if len(found) >= _MOST_MENTIONS:
            break
    return found


def _names(text: str, *, is_prose: bool) -> list[Mention]:
    listed = [_named(found.group().removesuffix("()"), is_explicit=False) for found in _telling_names(text)]
    if is_prose:
        listed += [_named(name, is_explicit=False) for name in _OPTION.findall(text)[:_MOST_MENTIONS]]
        listed += [
            _named(name, is_explicit=False) for name in _NAMED_KIND.findall(text) if name.lower() not in _NO_NAMES
        ]
        listed += _capitalised(text)
    return listed


def _called(text: str) -> list[Mention]:
    """Return what a single paragraph names as it is called, ``name()``: a longer text tells more than it asks."""
    if _PARAGRAPHS.search(text.strip()):
        return []
    called = [found for found in _telling_names(text) if found[1]]
    return [_named(found.group().removesuffix("()"), is_explicit=True) for found in called]


def _telling_names(text: str) -> list[re.Match[str]]:
    listed: list[re.Match[str]] = []
    for found in _NAME.finditer(text):
        # A sign in front is a part of the name in some code, in other it stands before every variable.
        name = found.group().lstrip("$")
        if found[1] or _is_dotted_name(name) or (is_identifier(name) and not _is_file_name(name)):
            listed.append(found)
        if len(listed) >= _MOST_MENTIONS:
            break
    return listed


def _is_file_name(name: str) -> bool:
    """Tell whether a name reads as one of a file, ``test_it.py``; a path is looked for, and a member called so."""
    return "." in name and has_known_ending(name)


def _is_dotted_name(name: str) -> bool:
    parts = re.split(r"\.|::|#|->", name)
    if len(parts) < 2 or has_known_ending(parts[-1]):
        return False
    # "e.g.", "i.e." and a full stop without a space are no names.
    return all(len(part) > 1 for part in parts) and not (parts[0].islower() and parts[1].istitle() and len(parts) == 2)


def _capitalised(text: str) -> list[Mention]:
    """Return capitalised words inside sentences: ``the Field class``, ``a Model``."""
    words = re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,60}\b", text)
    return [_named(word, is_explicit=False) for word in words[:_MOST_MENTIONS] if word.lower() not in _NO_NAMES]


def _named(name: str, *, is_explicit: bool) -> Mention:
    return Mention(MentionKind.IDENTIFIER, re.sub(r"::|(?<!\.)#|->", ".", name), is_explicit=is_explicit)
