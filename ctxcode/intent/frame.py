"""Places in pasted text: traceback frames of several languages, and what compilers, linters and people point at."""

import re
from bisect import bisect_right
from itertools import chain

from ctxcode.intent.path import clean_path, has_known_ending
from ctxcode.model.retrieval import Mention, MentionKind

_MOST_FRAMES = 30

_LETTER = r"[^\s\"'`()<>\[\]{}|,;:*?]"
_RUN = rf"{_LETTER}{{1,240}}"
# Folders in brackets are what a page's address says: ``app/[slug]/page.tsx``, ``app/(auth)/page.tsx``.
_PATH = rf"{_RUN}(?:(?:\[{{1,2}}[\w.-]{{1,60}}\]{{1,2}}|\([\w.-]{{1,60}}\))(?=/){_RUN}){{0,4}}"
_PYTHON = re.compile(r'File \\?"([^"\n]{1,400}?)\\?", line (\d{1,7})(?:, in ([\w<>.]{1,200}))?')
"""A line of JSON, as logs have it, marks the quotes: ``File \\"a.py\\", line 5``."""
_JAVA = re.compile(
    r"\bat (?:[\w.-]{1,100}@[\w.+-]{1,60}/)?([\w.$/]{1,300})\(([\w$]{1,120}\.(?:java|kt|scala|groovy)):(\d{1,7})\)"
)
_SCRIPT = re.compile(
    rf"\bat (?:async |new )?([\w$.<>]{{1,200}}) \((?:file://)?({_PATH}\.[A-Za-z]\w{{0,7}}):(\d{{1,7}})(?::\d+)?\)"
)
_FILE = rf"{_PATH}\.[A-Za-z]\w{{0,7}}"
_PYTEST = re.compile(
    rf"^({_FILE}):(\d{{1,7}}): (?:in ([\w<>]{{1,200}})|(?:[\w.]{{0,100}}(?:Error|Exception|Exit|Interrupt)\b.*)?)$",
    re.MULTILINE,
)
_WORD_LINE = r"(?:[Ll]ines?|Zeilen?|lignes?|l[ií]neas?|righ?[ae]|linhas?|строка|行)"
# One pattern, that begins where a word does: most of its time goes into looking for what reads as a file.
_PLACED = re.compile(
    rf"(?<!{_LETTER})(?:[A-Za-z]:(?=[\\/])|file=)?({_FILE})(?:(?::|#L)(\d{{1,7}})(?!\w)"
    rf"|(?:\(|:\[|: \()(\d{{1,7}})(?:, ?\d{{1,5}})?[)\]]"
    rf"|[\"'`,: ][,:]? ?(?:in [\w.<>]{{1,100}} )?(?:on |at )?{_WORD_LINE}[ =](\d{{1,7}})"
    rf"|::((?:\w{{1,200}}(?:::|\.)){{0,8}}\w{{1,200}}))"
)
"""A file with a line, or with a definition in it, as pytest names its tests."""
_NAMED_BEHIND = re.compile(
    r"(?::\d{1,5})?:[ ]?in (?:(?:function|method|upvalue|local|field) )?"
    r"[`'<](?:(?:block|rescue|ensure|each)[^'\n]{0,60} in )?([\w.:#]{1,200})[?!]?['>]"
)
"""What Ruby and Lua say that a place before it is in: ``:in `add'``, ``:in 'Cart#add'``, ``: in function 'add'``."""
_NAMED_BEFORE = re.compile(
    r"(?:^#\d{1,4}[ ]{1,4}(?:0x[0-9a-f]{1,16} in )?([\w:~]{1,200})(?:<[^\n]{0,200}>)? ?\([^\n]{0,600}\)[ ]at[ ]"
    r"|\b(?:at|bei|à|в|en|在) ([\w.`+<>]{3,300})\([^()\n]{0,400}\)[ ][^\s()]{1,12}[ ])$"
)
"""What gdb and C# say before a place: ``#1  0x12 in cart_add (id=1) at``, ``at Shop.Cart.Add(Int32 id) in``."""
_MOST_BEFORE = 800
"""Characters of a line before a place that are looked at."""
_AFTER_ARGUMENTS = re.compile(r"\)[ ][^\s()]{1,12}[ ]\Z")
_WORDED_BEFORE = re.compile(
    rf"\b{_WORD_LINE} (\d{{1,7}})(?:(?: ?[-–] ?| (?:to|bis|and) )\d{{1,7}})?"
    rf" (?:of|in|von|de|del|di)(?: file)? [\"'`]?({_FILE})"
)
_UNENDING = re.compile(
    r"(?<![\w./-])((?:[\w.@+-]{1,60}/){0,12}(?:GNUmake|[Mm]ake|Docker|Gem|Rake|Jenkins|Vagrant|Pod|[Jj]ust)file)"
    r":(\d{1,7})(?!\w)"
)
"""Files whose names have no ending."""
_ERLANG = re.compile(r'\{file,"([^"\n]{1,240})"\},\s{0,20}\{line,(\d{1,7})\}')
_HEADED = re.compile(
    rf"^({_FILE})[ \t]*$|^[ \t]{{1,8}}(\d{{1,7}}):\d{{1,6}}[ \t]+\S"
    rf"|^FILE:[ ]{{1,4}}({_FILE})[ \t]*$|^[ ]{{1,6}}(\d{{1,7}})[ ]\|[ ](?:ERR|WARN)"
    rf"|^[ ]{{1,2}}Line[ ]{{1,4}}({_FILE})[ \t]*$|^[ ]{{1,4}}:?(\d{{1,7}})[ ]{{2,}}\S",
    re.MULTILINE,
)
"""A linter's file, and below it the places in that, ``12:5  error  …``; by how a table is headed they differ.

Below ``FILE: a.php`` they are ``12 | ERROR``, below ``Line   a.php`` ``12     Method …``. The heading is an odd group,
its places are the even one behind it.
"""
_INCLUDED = re.compile(
    r"^(?:In file included|[ \t]{1,40}) ?from [^\n]{1,400}?:\d{1,7}(?::\d{1,5})?[,:][ \t]*$", re.MULTILINE
)
"""Where a compiler came from to the file with the error that it tells next."""
_SEARCHED = re.compile(rf"^({_FILE})((?:\n(?:\d{{1,7}}[:-][^\n]*|--$))+)", re.MULTILINE)
_FOUND = re.compile(r"^(\d{1,7}):(?!\d\d\b)", re.MULTILINE)
"""A file, and right below it the lines that a search has found there, with those around them: ``12:  total = 1``."""
_TELLING = re.compile(r"\d|::")
_CAUSE = "Caused by:"
_RUST = re.compile(
    r"^[ \t]*\d{1,4}:[ \t]+(?:0x[0-9a-f]+ - )?([\w<][^\n]{0,300}::[^\n]{1,200})$(?!\n[ \t]+at )", re.MULTILINE
)
_GENERIC = re.compile(r"(?:::)?<[^<>\n]{0,200}>(?=::|$| as |>)|::h[0-9a-f]{16}$|::\{\{closure\}\}")
_AS_TRAIT = re.compile(r"<([\w:]{1,200}) as [\w:]{1,200}>")
_JAVAS_OWN = ("java.", "javax.", "jdk.", "sun.")
_LIBRARIES = ("kotlin.", "scala.")
"""Of languages: what they say of themselves counts less, and is the repository's own in theirs alone."""
_UNPLACED = re.compile(
    r"^(?:[ \t]{1,9}at|[ ]{3}(?:bei|à|в|en|in|em|在)(?= [A-Z])) ([\w.`+<>$]{3,300})\([^():\n]{0,400}\)[ \t]*$",
    re.MULTILINE,
)
"""A frame of C# without its place, ``at Shop.Cart.Add(Int32 id)``, or of Java: ``at shop.Cart.add(Native Method)``.

In other languages than English its first word is one that code and sentences have, too.
"""
_PLATFORMS_OWN = (*_JAVAS_OWN, *_LIBRARIES, "System.", "Microsoft.")
_MODULES = r"(?:::\w{1,99})"
_DOTTED = r"(?:[\w+]{1,99}\.){1,20}\w{1,200}"
_FAILED = re.compile(
    rf"^(?:[ \t]{{0,40}}--- FAIL: ((?:Test|Benchmark|Example|Fuzz)\w{{0,200}})"
    rf"|test (\w{{1,99}}{_MODULES}{{0,20}}) \.\.\. FAILED"
    rf"|---- (\w{{1,99}}{_MODULES}{{0,20}}) stdout ----"
    rf"|[ ]{{4}}(?P<listed>\w{{1,99}}{_MODULES}{{1,20}})$"
    r"|(?:\[ERROR\][ ]{1,4})?([\w.$]{1,300}) (?:--|[ ]Time elapsed)[^\n]{0,99}<<< (?:FAIL|ERR)"
    r"|(?:\[ERROR\][ ]{1,4})?(?P<junit>\w{1,200})\((?P<of_junit>[\w.$]{1,300})\)[ ]{1,4}"
    r"(?:--|Time elapsed)[^\n]{0,99}<<<"
    r"|(?P<of_gradle>(?:[\w$]{1,99}\.){0,20}[A-Z][\w$]{0,200}) > (?P<gradle>[\w$]{1,200})(?:\([^)\n]{0,200}\))? FAILED$"
    r"|[ ]{0,4}\d{1,5}\) ((?:\w{1,99}\\){0,20}\w{0,99}Test\w{0,99}::\w{1,200})(?![\w:.#])"
    r"|[ ]{0,4}\d{1,5}\) (?:Failure|Error):\n([\w:]{1,200}\#\w{1,200}[?!]?)(?: \[|:$)"
    r"|(?:FAIL|ERROR): (?P<unittest>\w{1,200}) \((?:__main__\.|(?=\w{1,200}\.))"
    r"(?P<of_unittest>[\w.]{1,300})\)(?=$| [(\[])"
    rf"|[ \t]{{0,8}}Failed ([\w.+]{{3,300}})(?:\([^\n]{{0,200}}\))? \[<? ?\d"
    rf"|[ ]{{0,4}}\d{{1,5}}\) (?:Failed|Error) : ({_DOTTED})(?:\([^\n]{{0,200}}\))?[ \t]*$"
    r"|\[  FAILED  \] (\w{1,200}\.\w{1,200})|Test Case '-\[([\w. ]{1,300})\]' failed)",
    re.MULTILINE,
)
"""Tests that their runners tell to have failed, of which there need be no place; some tell what has them apart."""
_TELLS_OF_TESTS = re.compile(r"FAIL|Fail|fail|ERROR|rror[ :]|<<<|\b\d{1,5}\) ")
_LIST_OF_FAILURES = re.compile(r"^failures:$", re.MULTILINE)
"""What cargo writes above names alone."""
_RUSTS_OWN = frozenset({"std", "core", "alloc", "rust_begin_unwind", "test"})


def frames(text: str) -> list[Mention]:
    """Return the places a text points at with a line, nearest to the failure first, at most thirty."""
    # Python prints the innermost call last, the others first.
    python = [_line(*found.groups()) for pattern in (_PYTHON, _PYTEST) for found in pattern.finditer(text)]
    rest = _blanked(_PYTEST, _blanked(_PYTHON, text))
    java = _java(rest)
    rest = _blanked(_JAVA, rest)
    script = [(found.start(), _line(found[2], found[3], found[1])) for found in _SCRIPT.finditer(rest)]
    rest = _blanked(_SCRIPT, rest)
    included = "\n".join(_INCLUDED.findall(rest)) if " from " in rest else ""
    rest = _blanked(_INCLUDED, rest) if included else rest
    on_the_way = [(len(text) + at, place) for at, place in _located(included)]
    named = [*_rust(rest), *_unplaced(rest), *_failed(rest)]
    others = sorted([*script, *_located(rest), *_headed(rest), *named, *on_the_way], key=lambda placed: placed[0])
    merged = sorted([*java, *(((at, 0, at), place) for at, place in others)], key=lambda placed: placed[0])
    places = [*reversed(python[-_MOST_FRAMES:]), *(place for _, place in merged)]
    meant = [place for place in places if place.text and (place.line > 0 or place.name)]
    return list(dict.fromkeys(meant))[:_MOST_FRAMES]


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with what a pattern finds taken out, everything else where it was."""
    return pattern.sub(lambda found: " " * len(found.group()), text)


def _located(text: str) -> list[tuple[int, Mention]]:
    """Return the places that are a path and a line, or a name in a file, with where they stand in the text."""
    placed = list[tuple[int, str, str, str]]()
    for found in _PLACED.finditer(text) if _TELLING.search(text) else ():
        path, *lines, name = found.groups(default="")
        if not name or has_known_ending(path):
            placed.append((found.start(), path, "".join(lines) or "0", name or _said_beside(text, found)))
    numbered = (_UNENDING, _ERLANG) if "file" in text else ()
    for found in chain.from_iterable(pattern.finditer(text) for pattern in numbered):
        placed.append((found.start(), found[1], found[2], ""))
    for found in _WORDED_BEFORE.finditer(text):
        if has_known_ending(found[2]):
            placed.append((found.start(), found[2], found[1], ""))
    return [(at, _line(path, line, name)) for at, path, line, name in placed if not path.startswith("/rustc/")]


def _said_beside(text: str, found: re.Match[str]) -> str:
    """Return the function that a place is said to be in, behind or before it; its line may be another one since."""
    behind = _NAMED_BEHIND.match(text, found.end())
    if behind is not None:
        return behind[1]
    at = found.start()
    if _AFTER_ARGUMENTS.search(text[max(at - 16, 0) : at]) is None:
        return ""
    start = max(text.rfind("\n", max(at - _MOST_BEFORE, 0), at) + 1, at - _MOST_BEFORE)
    before = _NAMED_BEFORE.search(text[start:at])
    return (before[1] or before[2]) if before is not None else ""


def _java(text: str) -> list[tuple[tuple[int, int, int], Mention]]:
    """Return the places of Java's traces with their order: what a failure was caused by comes before it."""
    starts, orders = _causes(text)
    placed = list[tuple[tuple[int, int, int], Mention]]()
    for found in _JAVA.finditer(text):
        if not found[1].startswith(_JAVAS_OWN):
            at = found.start()
            known = bisect_right(starts, at) - 1
            order = (*orders[known], at) if known >= 0 else (at, 0, at)
            if found[1].startswith(_LIBRARIES):
                order = (len(text) + order[0], *order[1:])
            placed.append((order, _line(_java_path(found[1], found[2]), found[3], found[1])))
    return placed


def _causes(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Return where traces and their causes begin, and of each the trace's place and how far it is from the first."""
    starts, orders = list[int](), list[tuple[int, int]]()
    at = trace = cause = 0
    for line in text.splitlines(keepends=True) if _CAUSE in text else ():
        is_cause = _CAUSE in line
        if is_cause or not (line[0].isspace() or line.startswith("...") or _JAVA.search(line)):
            cause = cause - 1 if is_cause else 0
            trace = trace if is_cause else at
            starts.append(at)
            orders.append((trace, cause))
        at += len(line)
    return starts, orders


def _headed(text: str) -> list[tuple[int, Mention]]:
    """Return the places a linter or a search tells below the name of their file, with where they stand in the text."""
    path, heading, placed = "", 0, list[tuple[int, Mention]]()
    for found in _HEADED.finditer(text):
        group = found.lastindex or 0
        if group % 2:
            path, heading = found[group], group
        elif group == heading + 1:
            placed.append((found.start(), _line(path, found[group])))
    for found in _SEARCHED.finditer(text) if _FOUND.search(text) else ():
        placed += [(found.start(), _line(found[1], line)) for line in _FOUND.findall(found[2])]
    return placed


def _rust(text: str) -> list[tuple[int, Mention]]:
    """Return the functions of a backtrace without places, ``4: crate::module::Type<T>::name``, as names."""
    placed = list[tuple[int, Mention]]()
    for found in _RUST.finditer(text):
        name, before = found[1].strip(), ""
        while name != before:
            before, name = name, _GENERIC.sub("", _AS_TRAIT.sub(r"\1", name))
        parts = name.split("::")
        if parts[0] not in _RUSTS_OWN and len(parts) > 1 and all(part.isidentifier() for part in parts):
            dotted = ".".join(parts[1:] if len(parts) > 2 else parts)
            placed.append((found.start(), Mention(MentionKind.IDENTIFIER, dotted, is_explicit=True, name=parts[-1])))
    return placed


def _unplaced(text: str) -> list[tuple[int, Mention]]:
    """Return the functions of traces of C# and Java that tell no places, as names."""
    found = ((each.start(), each[1]) for each in _UNPLACED.finditer(text) if not each[1].startswith(_PLATFORMS_OWN))
    return [(at, _named(name)) for at, name in found if "." in name]


def _failed(text: str) -> list[tuple[int, Mention]]:
    """Return the tests that are told to have failed, as names."""
    if _TELLS_OF_TESTS.search(text) is None:
        return []
    placed = list[tuple[int, Mention]]()
    has_list = _LIST_OF_FAILURES.search(text) is not None
    for found in _FAILED.finditer(text):
        if found["listed"] and not has_list:
            continue
        owner = found["of_junit"] or found["of_gradle"] or found["of_unittest"] or ""
        test = found["junit"] or found["gradle"] or found["unittest"] or found[found.lastindex or 0]
        test = re.sub(r"::|[#\\ $+]", ".", test)
        is_whole = not owner or owner.endswith(f".{test}")
        placed.append((found.start(), _named((owner or test) if is_whole else f"{owner}.{test}")))
    return placed


def _named(name: str) -> Mention:
    return Mention(MentionKind.IDENTIFIER, name.strip("."), is_explicit=True, name=_last(name))


def _line(path: str, number: str, name: str | None = "") -> Mention:
    name = _last(re.sub(r"::|#", ".", name or ""))
    name = name if name.isidentifier() else ""
    return Mention(MentionKind.LINE, clean_path(path.lstrip("@")), line=int(number), is_explicit=True, name=name)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _java_path(method: str, file: str) -> str:
    """Return ``com/x/Bar.java`` for ``com.x.Bar.run`` in ``Bar.java``; a module prefix ends with a slash."""
    package = method.rpartition("/")[2].split(".")[:-2]
    return "/".join([*package, file])
