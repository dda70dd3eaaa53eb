"""What a name that was copied from code, a trace or a text asks for: without what stands around it there."""

import re
from typing import NamedTuple

_LONGEST = 1_000
"""Characters: what is longer is no name."""
_MOST_PASSES = 8
_AROUND = " \t\r\n\f\v'\"`“”‘’«»,;"
_BEHIND = ".:{"
_DECLARED = re.compile(
    r"(?:(?:pub|public|private|protected|internal|export|default|static|abstract|final|async|const|unsafe|open|override"
    r"|data|case|sealed|partial|readonly|suspend|operator|inline)(?:\([\w ]{1,40}\))? )*"
    r"(?:(?P<is_function>(?:def|func|function|fn|fun|method|macro)) "
    r"|(?:(?:class|interface|struct|enum|trait|type|module|namespace|object|record|protocol) )+)(?=\S)"
)
_PART, _GIVEN_TYPES = r"[\w$.]{1,400}(?:::?(?=\w)[\w$.]{1,400}){0,20}", r"(?:<[^()]{0,400}>|\[[^()]{0,400}\])?"
_FUNCTION = re.compile(rf"((?:\(\*?[\w.]{{1,200}}\)\.)?{_PART}[!?]?){_GIVEN_TYPES} ?(?:$|[(:={{]|->)")
"""A declared function in front of its parameters: ``(*Engine).Run(a string) (int, error)``."""
_TYPE = re.compile(
    rf"({_PART})(?:$|[<\[]| ?[({{=<:]| (?:extends|implements|with|permits|where|final|struct|interface|func|derives)\b)"
)
"""A declared type in front of what it is made of: ``Cart<T> extends Base``."""
_RECEIVER = re.compile(r"\((?:\w{1,100} )?(\*?[\w.]{1,200})(?:\[[^\[\]()]{0,200}\])?\) ?\.? ?(?=\w)")
"""What a declaration of Go has its method on: ``func (e *Engine) Run``."""
_AS_TRAIT = re.compile(r"<([\w:.]{1,400}) as [\w:.]{1,400}>")
_TYPE_ARGUMENTS = re.compile(r"(?:::)?(?<!operator)<(?:(?! as )[^<>]){0,400}>")
_MADE_METHOD = re.compile(r"(?<=\.)<(\w{1,200})>[a-z]__[\w|]{1,100}(?:\.MoveNext)?")
"""What C#'s compiler makes of asynchronous methods, generators and local functions: ``<Pay>d__5.MoveNext``."""
_LED = re.compile(r"(?:new|await|return|throw|raise|yield|import|use|impl|let|const|var|val|&mut) (?=\S)")
"""A word in front of a name that is used."""
_TAG = re.compile(r"</?([A-Z][\w.:]{0,200})(?: [^<>]{0,400})?/?>|\[([\w.:\\]{1,200})\]")
"""A name in the brackets of a component or a link: ``<Cart size={1} />``, ``[Cart]``."""
_LAMBDA = re.compile(r"(?<=\.)lambda\$(\w{1,200}?)\$\d{1,4}$")
"""What Java's compiler makes of a function without a name: ``Cart.lambda$add$0``."""
_AFTER_CALL = re.compile(r"(?<=\))[?!]{1,2}$")
_ARITY = re.compile(r"(?<=\w)`\d{1,2}(?=[.+\[( ])")
_MADE = re.compile(
    r"<locals>\.|::\{\{?[\w#-]{1,40}\}\}?|::h[0-9a-f]{16}$|(?:\.func\d{1,4}(?:\.\d{1,4})*)+$|`\d{1,2}"
    r"|(?<=\w)\.(?:Companion|prototype)(?=\.\w)|(?<=\w)Kt(?=\.[a-z_])|(?<=\w)\$(?=\.|$)|(?<=::)\$(?=\w)|\[[^\[\]]{0,400}\]$"
)
"""What compilers, runtimes and calls add to names: of closures, companions, hidden classes, static properties."""
_DOTTED = re.compile(r"(?<=\w)(?:\+(?=[A-Za-z_])|(?:[?!]{1,2}|&)\.(?=\w))")
"""What stands for a dot in front of C#'s inner classes and of members of what may be nothing: ``cart?.add``."""
_DOTS = re.compile(r"\.{2,}")
_BEHIND_ARGUMENTS = re.compile(r"\) ?(?:->|:|=>|const\b|noexcept\b|throws\b|override\b|where\b|\{|=)[^()]{0,400}$")
_PLACE = re.compile(
    r"(?:File )?[\"']?(?P<path>(?:[A-Za-z]:(?=[\\/]))?[^:\"'#\n]{1,1000})"
    r"(?::|(?<=\.\w)#L|(?<=\.\w\w)#L|(?<=\.\w\w\w)#L|[\"'], line )(?P<line>\d{1,9})"
    r"(?:(?:[:,]\d{1,9}|-L?\d{1,9}):?|:in [^\n]{1,400}|, in [^\n]{1,400}|:)?"
)
_OF_ANY_MACHINE = re.compile(r"(?:[A-Za-z]:)?[\\/]|~/|[ab]/")


class Place(NamedTuple):
    """A file and a line in it, from 1."""

    path: str
    line: int


def place_of(text: str) -> Place | None:
    """Return the place a text is: ``a.py:12``, ``a.py:12:4``, ``a.ts#L12-L20``, ``File "a.py", line 12``."""
    found = _PLACE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    return Place(found["path"].replace("\\", "/"), int(found["line"])) if found is not None else None


def is_from_outside(path: str) -> bool:
    """Return whether a path begins at the top of a disk, a home or one side of a diff, so that its end counts."""
    return _OF_ANY_MACHINE.match(path) is not None


def bare_name(text: str) -> str:
    """Return the name in a written one, without quotes, arguments, the word that declares it and what compilers add.

    Of ``class Cart`` as of ``"Cart"`` it is ``Cart``, of ``Cart.add(1)`` and ``def Cart.add(x) -> int`` ``Cart.add``.
    """
    if len(text) > _LONGEST:
        return text
    name = _AFTER_CALL.sub("", text.strip(_AROUND).removeprefix("@").rstrip(_BEHIND + _AROUND))
    tag = _TAG.fullmatch(name)
    name = (tag[1] or tag[2]) if tag is not None else _without_arguments(_declared(_LED.sub("", name, count=1)))
    name = _LAMBDA.sub(r"\1", _MADE_METHOD.sub(r"\1", name))
    for _ in range(_MOST_PASSES):
        before, name = name, _TYPE_ARGUMENTS.sub("", _AS_TRAIT.sub(r"\1", _MADE.sub("", name)))
        if name == before:
            break
    return _DOTS.sub(".", _DOTTED.sub(".", name)).strip(_AROUND)


def as_written(text: str) -> str:
    """Return a text with C#'s methods as code has them: ``Box`1.<Pay>d__5.MoveNext()`` is ``Box.Pay()``."""
    return _MADE_METHOD.sub(r"\1", _ARITY.sub("", text)) if "`" in text or ">d__" in text or ">g__" in text else text


def _declared(name: str) -> str:
    """Return what a declaration declares, in front of its parameters, or the name as it is where that is not told."""
    found = _DECLARED.match(name)
    declared = name[found.end() :] if found is not None else name
    if declared.startswith("("):
        declared = _RECEIVER.sub(r"(\1).", declared, count=1)
    if found is None:
        return declared
    head = (_FUNCTION if found["is_function"] else _TYPE).match(declared)
    return head[1] if head is not None else declared


def _without_arguments(name: str) -> str:
    """Return a name without the arguments or parameters at its end; those of a receiver and an operator's sign stay."""
    name = _BEHIND_ARGUMENTS.sub(")", name)
    if not name.endswith(")"):
        return name
    depth = 0
    for at in range(len(name) - 1, 0, -1):
        depth += (name[at] == ")") - (name[at] == "(")
        if depth == 0:
            outer = name[:at].rstrip()
            if "operator" in outer:
                return name if outer.endswith("operator") else outer
            # In front of a name with parameters stands what it gives: ``int total(Cart cart)``.
            return outer.split()[-1].lstrip("*&") if outer else name
    return name
