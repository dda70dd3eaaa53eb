"""What a question asks the navigator for, and about which names. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ctxcode.model.naming.renamed import new_names

_MAX_SENTENCE_CHARS = 400
_MAX_TEXT_CHARS = 8_000
_MAX_NAMES = 6


class Ask(StrEnum):
    """What the navigator can be asked."""

    LOCATE = "locate"
    CALLERS = "callers"
    CALLEES = "callees"
    CONTENTS = "contents"
    SHOW = "show"
    PATH = "path"
    CHILDREN = "children"
    PARENTS = "parents"
    HELP = "help"
    FREE = "free"
    """None of these; ``names`` are the identifiers the text mentions."""


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question."""

    ask: Ask
    names: tuple[str, ...] = ()
    """Two for ``PATH``, one for the other forms, any number for ``FREE``."""
    within: str = ""
    """The folder, file, package or type that the answer is to be of; empty for all."""


_NAME = r"(?P<a>[^?!]+?)"
_OTHER = r"(?P<b>[^?!]+?)"
_USES = r"(?:calls?|uses?|using|calling|imports?|references?|refers? to|invokes?|depends? on|needs?)"
_USED = r"(?:used|called|imported|referenced|invoked|needed)"
_INHERITS = (
    r"(?:inherits?|derives?|extends?|implements?|embeds?|includes?|mix(?:es)? in|overrides?|overriding"
    r"|sub-?class(?:es)?)"
)
_INHERITED = r"(?:inherited|derived|extended|embedded|overridden|overriden|sub-?classed)(?: from)?"
_MEMBERS = r"(?:methods?|functions?|classes|symbols?|members?|definitions?|contents?|attributes?|fields?)"

_LISTING = r"(?:(?:find|list|show|give|get|print|what are|where are)(?: me)?(?: the| all)* )?"
_SOURCE = r"(?:source|code|body|definition|implementation|signature)"
_STANDS = r"(?:defined|declared|implemented|located|is|are|live|lives|written|found|at)"

_PATH_FORMS = (
    rf"how (?:do|does|is|are) {_NAME} (?:and|with|to) {_OTHER} (?:connect|relate|link|interact|talk|work)\w*.*",
    rf"how (?:is|are) {_NAME} (?:connected|related|linked|tied) (?:to|with) {_OTHER}",
    rf"how does {_NAME} (?:connect to|relate to|reach|get to|lead to|end up in|depend on|call|use) {_OTHER}",
    (
        rf"{_LISTING}(?:what is (?:the )?)?(?:shortest )?(?:path|route|chain|connection|link)s? (?:from|between) "
        rf"{_NAME} (?:to|and) {_OTHER}"
    ),
    rf"connect {_NAME} (?:to|and|with) {_OTHER}",
    rf"{_NAME} ?(?: -> |→| => ) ?{_OTHER}",
)
_PARENT_FORMS = (
    (
        rf"(?:who|(?:what|which)(?: \w+)?) (?:does|do|is) {_NAME} "
        r"(?:inherit|derive|extend|implement|embed|override|subclass)(?:ed|d|ing|s)?"
        r"(?: from)?"
    ),
    rf"(?:what (?:is|are) (?:the )?)?(?:base|parent|super) ?-?(?:class(?:es)?|types?)?(?: of| for) {_NAME}",
)
_CHILD_FORMS = (
    rf"(?:what|who|which(?: \w+)?|find(?: what)?|list what)(?: all| else)? {_INHERITS}(?: from)? {_NAME}",
    rf"(?:what|who|which(?: \w+)?|where) (?:is|are) {_NAME} {_INHERITED}(?: by)?",
    (
        rf"{_LISTING}(?:(?:direct|known|all) )*(?:sub-?classes|subtypes|implementations|implementors|implementers"
        rf"|children|descendants|heirs|overrides|overriders) (?:of|for) {_NAME}"
    ),
    rf"{_LISTING}(?:\w+ )?(?:that|which|who) {_INHERITS}(?: from)? {_NAME}",
)
_CALLER_FORMS = (
    rf"(?:what|who|whom|which(?: \w+)?|where|find (?:what|who|where))(?: all| else)? {_USES} {_NAME}",
    rf"{_LISTING}(?:callers?|users?|usages?|uses|references|refs|importers|call sites) (?:of|to|for) {_NAME}",
    rf"where (?:is|are|do we|does anything|do you|does it) {_NAME} (?:being )?{_USED}(?: from)?",
    rf"where (?:do we|does (?:anything|anyone)) {_USES} {_NAME}",
    rf"(?:who|what) is {_NAME} {_USED} by",
    rf"(?:refs|references|find references|callers|usages) {_NAME}",
)
_CALLEE_FORMS = (
    rf"(?:what|which \w+|whom?) (?:does|do) {_NAME} {_USES}",
    rf"(?:what|which \w+) (?:is|are) {_USED} (?:by|in|from) {_NAME}",
    rf"{_LISTING}(?:callees|dependencies|calls|imports) (?:of|from|in) {_NAME}",
)
_CONTENT_FORMS = (
    rf"what(?:'s|s| is| are)?(?: there| defined)* (?:inside|in|within) {_NAME}",
    rf"what (?:does|do) {_NAME} (?:contain|define|hold|export|offer)s?",
    rf"(?:what|which) {_MEMBERS} (?:does|do|are in|are there in|has) {_NAME}(?: have| contain| define)?",
    rf"{_LISTING}(?:{_MEMBERS}|outline|overview) (?:of|in|for) {_NAME}",
    rf"(?:outline|ls|list) {_NAME}",
)
_LOCATE_FORMS = (
    (
        rf"(?:where|in (?:which|what) (?:file|module))(?:'s|s| is| are| can i find| do i find| do we have| does| do)? "
        rf"{_NAME}(?: {_STANDS})?"
    ),
    rf"(?:find|locate|search(?: for)?|look(?:ing)? (?:up|for)|definition of|go ?to|grep(?: for)?)(?: me)? {_NAME}",
)
_SHOW_FORMS = (
    rf"(?:explain|describe|show|understand)(?: me| to me| us)? (?:how|what) {_NAME} (?:works?|does|is|is for|means?)",
    (
        rf"(?:show|explain|print|display|open|cat|view|read|describe|define|see)(?: me| to me| us)?(?: the)?"
        rf"(?: (?:full|whole))?(?: {_SOURCE})*(?: (?:of|for))? {_NAME}"
    ),
    rf"(?:the )?{_SOURCE}(?: code)? (?:of|for) {_NAME}",
    rf"(?:what|how) (?:is|are|does|do|was) {_NAME}(?: (?:do|doing|work|works|for|about|mean))?",
    rf"what'?s {_NAME}",
)
_HELP_FORM = r"help|hi|hello|hey|hallo|who are you|what are you|what can (?:you|i) (?:do|ask).*"
_FORMS: tuple[tuple[Ask, re.Pattern[str]], ...] = tuple(
    (ask, re.compile(form, re.IGNORECASE))
    for ask, forms in (
        (Ask.HELP, (_HELP_FORM,)),
        (Ask.PATH, _PATH_FORMS),
        (Ask.PARENTS, _PARENT_FORMS),
        (Ask.CHILDREN, _CHILD_FORMS),
        (Ask.CALLERS, _CALLER_FORMS),
        (Ask.CALLEES, _CALLEE_FORMS),
        (Ask.CONTENTS, _CONTENT_FORMS),
        (Ask.LOCATE, _LOCATE_FORMS),
        (Ask.SHOW, _SHOW_FORMS),
    )
    for form in forms
)
_SCOPED = frozenset({Ask.CALLERS, Ask.CHILDREN, Ask.LOCATE, Ask.SHOW})
"""What may be asked of a part of the repository."""
_WHOLE = frozenset({Ask.LOCATE, Ask.SHOW})
"""What is asked of a name itself: where pyproject.toml is *read* is another question."""
_WRITES = re.compile(r"\bfiles? (?:being )?written$", re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|now|please|then|well)[,:]?\s+)*"
    r"(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:please )?"
    r"(?:tell me|show me (?=where|who|what|how)|i(?:'d| would) like to know|i want to know|do you know)?[,:]?\s*",
    re.IGNORECASE,
)
_KIND = (
    r"(?:function|method|class|module|file|package|symbol|struct|trait|interface|type|constant|const|macro|variable"
    r"|enum|folder|directory|definition|code|fn|def)"
)
_BEFORE_NAME = re.compile(
    rf"^(?:(?:the|a|an|this|that|our|all|any|every|{_KIND}|called|named|of|for)\s+)+", re.IGNORECASE
)
_AFTER_NAME = re.compile(
    rf"(?:\s+(?:{_KIND}|defined|declared|implemented|please|now|here"
    r"|in (?:this|the) (?:repo|repository|code|project)))+$",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"(?P<asked>.+\S) (?:in|inside|inside of|within|under|below|from) (?:the |our )?(?:{_KIND} )?"
    rf"(?P<within>[^\s`'\"]+)(?: {_KIND})?",
    re.IGNORECASE,
)
_EVERYWHERE = frozenset({"repo", "repository", "project", "code", "codebase", "it", "this", "that", "here", "general"})
_CALL = re.compile(r"\([^()]*\)$")
_BARE_NAME = re.compile(r"[^\s`'\"]+")
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_SIGNED = re.compile(r"(?<=\w)(?:[!?](?=`|\(|[?!]\Z| (?:in|from|and|to) )|!\Z)")
"""The end of a name of Ruby's, as ``save!``: within quotes, before what goes on, or before a question's own sign.

Questions do not end in an exclamation mark; where one does, the name is looked for without it, too.
"""
_AS_LETTERS, _AS_SIGNS = str.maketrans("!?", "ǃʔ"), str.maketrans("ǃʔ", "!?")
"""Such signs count as letters while a question is read: as these two, which no names have."""
_FRAME = re.compile(
    r"File \"(?P<python>[^\"\n]{1,400})\", line (?P<line>\d{1,7})(?:, in [\w<>.]+)?"
    r"|\bat (?P<method>[\w.$/]{1,300})\((?P<file>[\w$]{1,120}\.\w+):(?P<at>\d{1,7})\)"
    r"|\bat (?:[^\s()]{1,200} \()?(?P<script>[\w./@:-]{1,300}\.[cm]?[jt]sx?):(?P<row>\d{1,7})(?::\d+)?\)?"
)
"""A line of a trace of Python, of Java and its like, and of JavaScript."""
_CODE_WORD = re.compile(
    r"(?<![\w./:-])@?("
    r"/?[\w.-]+(?:/[\w.-]+){2,}(?::\d+)?|/[\w.-]+/[\w.-]+|\.\.?/[\w.-]+"  # a path
    r"|[\w.-]+/[\w-]*(?:\.[\w.-]*[A-Za-z_]\w*(?::\d+)?|:\d+)"  # a file in a folder, but not HTTP/1.1
    r"|\w+\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|rs|go|java)\b(?::\d+)?"  # a file
    r"|[A-Za-z_]\w*(?:(?:\.|::|#)[A-Za-z_]\w*)+"  # a qualified name
    r"|_*[A-Za-z]\w*_\w+|_+[A-Za-z]\w*"  # snake_case
    r"|[A-Z]+[a-z0-9]+[A-Z]\w*|[a-z][a-z0-9]*+[A-Z]\w*"  # CamelCase and camelCase
    r")(?:\(\))?"
)
_POINTING_TEXT = """
it this that these those them they one function method class struct trait interface type module file package symbol
"""
_POINTING = frozenset(_POINTING_TEXT.split())
"""Words that stand in the place of a name: *it*, and what is left of *that function*."""
_NO_CODE = frozenset({"e.g", "i.e", "etc.", "and/or", "z.b", "d.h", "JavaScript", "TypeScript", "GitHub", "README"})


def parsed(text: str) -> Question:
    """Return what a text asks for; anything that fits no form is ``FREE`` with the identifiers found in it."""
    frames = _frames(text)
    if frames and not _FRAME.sub("", text).strip():
        return Question(Ask.LOCATE, frames) if len(frames) == 1 else Question(Ask.FREE, frames[:_MAX_NAMES])
    text = _with_signs_as_letters(text)
    sentence = _sentence(text)
    restricted = _WITHIN.fullmatch(sentence)
    within = _name(restricted["within"]) if restricted and restricted["within"].lower() not in _EVERYWHERE else None
    for ask, form in _FORMS:
        if restricted and within and ask in _SCOPED and (names := _names(form, restricted["asked"])):
            return Question(ask, names, within)
        names = _names(form, sentence)
        if names is not None and (names or ask is Ask.HELP):
            is_whole = ask not in _WHOLE or _is_whole(form, sentence)
            return Question(ask, names) if is_whole else Question(Ask.FREE, identifiers(text))
    if sentence and _BARE_NAME.fullmatch(sentence) and _name(sentence):
        return Question(Ask.LOCATE, (_name(sentence) or "",))
    return Question(Ask.FREE, identifiers(text))


def _frames(text: str) -> tuple[str, ...]:
    """Return the places that a pasted trace tells, ``path:line``, the innermost call first: Python tells it last."""
    python, others = list[str](), list[str]()
    for frame in _FRAME.finditer(text[:_MAX_TEXT_CHARS]):
        if frame["python"]:
            python.append(f"{frame['python']}:{frame['line']}")
        elif frame["file"]:
            package = frame["method"].rpartition("/")[2].split(".")[:-2]
            others.append(f"{'/'.join([*package, frame['file']])}:{frame['at']}")
        else:
            others.append(f"{frame['script'].removeprefix('file://')}:{frame['row']}")
    return tuple(dict.fromkeys([*reversed(python), *others]))


def _names(form: re.Pattern[str], sentence: str) -> tuple[str, ...] | None:
    """Return the names in a sentence of a form, none where a part of it is no name; None for another form."""
    match = form.fullmatch(sentence)
    if match is None:
        return None
    names = [_name(part) for part in match.groups() if part is not None]
    return tuple(name for name in names if name) if all(names) else ()


def _is_whole(form: re.Pattern[str], sentence: str) -> bool:
    """Return whether a sentence of a form is about a name itself, not about something that is said of it."""
    match = form.fullmatch(sentence) if not _WRITES.search(sentence) else None
    return match is not None and all(_bare(part) is not None for part in match.groups() if part is not None)


def _is_unknown(_name: str) -> bool:
    return False


def resumed(text: str, before: Sequence[str], is_there: Callable[[str], bool] = _is_unknown) -> Question:
    """Return what a text asks for after earlier ones, oldest first: *it* is what the last of them named.

    A name in back-ticks is meant as it stands. What one of them wants something to be called is meant only when
    ``is_there`` knows a definition of that name.
    """
    question = parsed(text)
    pointing = [name for name in question.names if name.casefold() in _POINTING and f"`{name}`" not in text]
    if not pointing:
        return question
    earlier = (
        name
        for asked in reversed(before)
        for name in parsed(asked).names
        if name not in new_names(asked) or is_there(name)
    )
    meant = next((name for name in earlier if name.casefold() not in _POINTING), None)
    if meant is None:
        return question
    names = tuple(meant if name in pointing else name for name in question.names)
    return Question(question.ask, names, question.within)


def identifiers(text: str) -> tuple[str, ...]:
    """Return what looks like code in a text, quoted names first, at most six."""
    text = text[:_MAX_TEXT_CHARS]
    frames = _frames(text)
    text = _with_signs_as_letters(_FRAME.sub(" ", text))
    found = [*frames]
    found += [name for quoted in _QUOTED.findall(text) if (name := _name(quoted))]
    found += [word.rstrip(".") for word in _CODE_WORD.findall(text)]
    kept = [word.translate(_AS_SIGNS) for word in dict.fromkeys(found) if word not in _NO_CODE]
    return tuple(kept[:_MAX_NAMES])


def _sentence(text: str) -> str:
    """Return a question on one line without politeness, quotes and closing punctuation; empty for a long text."""
    if len(text) > _MAX_SENTENCE_CHARS:
        return ""
    line = " ".join(text.split())
    line = line.replace("`", "").replace("“", "").replace("”", "").replace('"', "").replace("’", "'")
    line = _POLITE.sub("", line, count=1)
    return line.rstrip(" ?!.,;:¿").strip()


def _with_signs_as_letters(text: str) -> str:
    return _SIGNED.sub(lambda sign: sign[0].translate(_AS_LETTERS), text)


def _name(part: str) -> str | None:
    """Return the one name a part of a question stands for; None when it is prose."""
    bare = _bare(part)
    if bare is not None:
        return bare.translate(_AS_SIGNS)
    code = [word.rstrip(".") for word in _CODE_WORD.findall(part)]
    return code[0].translate(_AS_SIGNS) if len(set(code)) == 1 else None


def _bare(part: str) -> str | None:
    """Return what is left of a part of a question without what stands around a name; None when that is no name."""
    bare = part.strip().strip("'\"`*@<>").strip(" ,;")
    for _ in range(2):
        bare = _AFTER_NAME.sub("", _BEFORE_NAME.sub("", bare)).strip()
    bare = _CALL.sub("", bare).strip("'\"`*@<>,;")
    return bare if bare and _BARE_NAME.fullmatch(bare) and re.search(r"\w", bare) else None
