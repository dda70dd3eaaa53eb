"""What JavaScript says of types without annotations: in documentation, by defaults, by what constructors keep."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.shadows import Bound, Regions
from ctxcode.codegraph.extract.page import Page
from ctxcode.codegraph.extract.type_names import typescript_type
from ctxcode.codegraph.facts import BY_NAME_ALONE, RETURNED, ImportFact
from ctxcode.codegraph.syntax.ecmascript.casts import bind_told
from ctxcode.codegraph.syntax.ecmascript.objects import value_of

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

_TAG = re.compile(
    rb"@(param|returns?|type)[ \t]{1,9}\{(?!(?:any|bigint|boolean|function|number|object|string|undefined|void)\})"
    rb"([^{}]{1,200})\}(?:\s{1,9}\[?([A-Za-z_$][\w$]*)(?![\w$.]))?"
)
_TYPEDEF = re.compile(
    rb"@typedef[ \t]{1,9}\{import\([\"']([^\"'\n]{1,300})[\"']\)(?:\.([A-Za-z_$][\w$]*))?\}"
    rb"[ \t]{1,9}([A-Za-z_$][\w$]*)"
)
_IMPORT = re.compile(rb"@import\s{1,9}([\w$\s{},*]{1,2000}?)\s{1,9}from\s{1,9}[\"']([^\"'\n]{1,300})[\"']")
_PROMISE = re.compile(r"Promise<(.*)>", re.DOTALL)
_DESCRIBED = re.compile(rb"@(?:typedef|callback|template|external|interface)\b((?:[^*@]|\*(?!/)){0,400})")
_NAME = re.compile(rb"[A-Z]\w+")
_OF_LANGUAGE = frozenset({
    "AbortController", "AbortSignal", "AggregateError", "Animation", "Array", "ArrayBuffer", "ArrayLike",
    "AsyncFunction", "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Attr", "Audio", "AudioBuffer",
    "AudioContext", "AudioNode", "AudioParam", "Awaited", "BigInt", "Blob", "Boolean", "BroadcastChannel", "Buffer",
    "Cache", "CanvasGradient", "CanvasPattern", "CanvasRenderingContext2D", "ChildProcess", "Class", "ClientRequest",
    "Clipboard", "Comment", "Console", "Crypto", "CryptoKey", "DataTransfer", "DataView", "Date", "Dirent",
    "Document", "DocumentFragment", "Duplex", "Element", "Error", "EvalError", "Event", "EventEmitter", "EventTarget",
    "Exclude", "Extract", "FSWatcher", "Fetch", "File", "FileList", "FileReader", "FontFace", "FormData", "Function",
    "Gamepad", "Generator", "Geolocation", "Hash", "Headers", "History", "Hmac", "Image", "ImageBitmap", "ImageData",
    "Immediate", "IncomingMessage", "InstanceType", "Interface", "IntersectionObserver", "Intl", "Iterable",
    "IterableIterator", "Iterator", "JSON", "KeyObject", "Location", "Lock", "Map", "Math", "MediaStream",
    "MessageChannel", "MessagePort", "Module", "MutationObserver", "NamedNodeMap", "Navigator", "NextFunction",
    "Node", "NodeList", "NonNullable", "Notification", "Number", "Object", "OffscreenCanvas", "Omit", "Option",
    "Parameters", "Partial", "PassThrough", "Path2D", "Performance", "PerformanceObserver", "Pick", "Plugin",
    "Process", "Promise", "PromiseLike", "Proxy", "Range", "RangeError", "Readable", "ReadableStream", "Readonly",
    "ReadonlyArray", "Record", "ReferenceError", "RegExp", "Request", "Required", "ResizeObserver", "Response",
    "ReturnType", "Screen", "Selection", "Server", "ServerResponse", "ServiceWorker", "Set", "ShadowRoot",
    "SharedArrayBuffer", "Socket", "Stats", "Storage", "Stream", "String", "StringDecoder", "StyleSheet", "Symbol",
    "SyntaxError", "Text", "TextDecoder", "TextEncoder", "Thenable", "Timeout", "Timer", "Touch", "TouchList",
    "Transform", "TransformStream", "TreeWalker", "TypeError", "URIError", "URL", "URLSearchParams", "VideoFrame",
    "WeakMap", "WeakRef", "WeakSet", "WebAssembly", "WebSocket", "Window", "Worker", "Writable", "WritableStream",
    "XMLHttpRequest", "XMLSerializer",
})  # fmt: skip
"""What the language, browsers and Node give these names to, which nobody imports either."""
_OF_FAMILIES = re.compile(
    r"(?:HTML|SVG)\w*Element|\w+Event|(?:Big)?(?:Float|Int|Uint)\d+(?:Clamped)?Array|(?:CSS|DOM|GPU|IDB|RTC)[A-Z]\w+"
    r"|WebGL(?:2?RenderingContext|Buffer|Framebuffer|Program|Query|Renderbuffer|Sampler|Shader|Sync|Texture"
    r"|UniformLocation|VertexArrayObject)"
)
"""The same of names that are very many."""
_BY_NAME = "named"
"""The tag of parameters of types that the file does not know."""
_OF_PARAMETERS = frozenset({"param", _BY_NAME})
_WITHOUT_TYPES = (".js", ".jsx", ".mjs", ".cjs")
_FUNCTIONS = frozenset({"function", "method"})
_SHORTEST = len("/** @type {A} */")
_SHORTEST_NAME = 2
"""Of a class: one letter is a parameter's of a type."""
_FURTHEST = 300
"""Bytes before an assignment in which its documentation begins."""


def add_documented(findings: Findings, captures: Captures, page: Page, path: str) -> None:
    """Add types that nothing but documentation and default values of JavaScript tell, of names the file knows."""
    if not path.endswith(_WITHOUT_TYPES):
        return
    findings.told_imports = list(_imported(findings, page))
    known = {fact.alias for fact in (*findings.imports, *findings.told_imports)} | {
        found.name for found in findings.definitions
    }
    known.discard("")
    parameters = [row for node in captures.get("defaulted", ()) for row in _defaulted(node, page)]
    said = list(_of_definitions(findings, page, known))
    # All else that is told of a parameter is surer than the only class of a name.
    parameters[:0] = [
        (found.header, name, type_name)
        for found, tag, type_name, name in said
        if tag == _BY_NAME and name and found.kind in _FUNCTIONS
    ]
    # What a comment says is surer than what another function may give.
    told = {at for at, name, bound in findings.parameters if name == RETURNED and bound[-1] != ")"}
    documented = set[int]()
    for found, tag, type_name, name in said:
        if tag == "type":
            _add_typed(findings, found, type_name)
        elif found.kind in _FUNCTIONS and tag == "param" and name:
            parameters.append((found.header, name, type_name))
        elif found.kind in _FUNCTIONS and tag not in _OF_PARAMETERS and found.header not in told:
            documented.add(found.header)
            parameters.append((found.header, RETURNED, type_name))
    if documented:
        rows = [row for row in findings.parameters if row[1] != RETURNED or row[0] not in documented]
        findings.parameters = rows
    findings.parameters += parameters
    if b"@type" in page.source:
        bind_told(findings, captures, page, known)
    assigned = [*captures.get("kept", ()), *captures.get("this_bound", ())]
    kept = [*_kept(findings, assigned, parameters, page), *_said(assigned, page, known)]
    findings.bindings += kept
    makers = {one.start: one for one in findings.definitions if one.kind == "function" and one.name[:1].isupper()}
    if makers and assigned:
        findings.parameters += _of_functions(findings, makers, [*kept, *_made(captures, page)])


def _imported(findings: Findings, page: Page) -> Iterator[ImportFact]:
    """Yield what comments bring, where nothing else has that name.

    ``@typedef {import("m").A} A``, ``@import A, { B as C } from "m"``.
    """
    if b"@typedef" not in page.source and b"@import" not in page.source:
        return
    known = {fact.alias for fact in findings.imports} | {found.name for found in findings.definitions}
    found: list[tuple[int, str, str, str]] = []
    for match in _TYPEDEF.finditer(page.source):
        module, name, alias = ((part or b"").decode("utf-8", "replace") for part in match.groups())
        found.append((match.start(), module, name, alias))
    for match in _IMPORT.finditer(page.source):
        clause, module = (part.decode("utf-8", "replace") for part in match.groups())
        found += [(match.start(), module, name, alias) for name, alias in _clause(clause)]
    for at, module, name, alias in found:
        if alias not in known:
            known.add(alias)
            yield ImportFact(module, name, alias, 0, page.line(at), is_reexport=False)


def _clause(written: str) -> Iterator[tuple[str, str]]:
    """Yield (name, alias) of what stands between ``@import`` and ``from``."""
    whole, _, named = written.replace("*", " ").partition("{")
    default = whole.strip(" ,\n\r\t")
    if default.isidentifier():
        yield "default", default
    for part in named.rstrip("} \n\r\t").split(","):
        words = part.split()
        if words:
            yield words[0], words[-1]


def _of_definitions(findings: Findings, page: Page, known: set[str]) -> Iterator[tuple[Definition, str, str, str]]:
    """Yield (definition, tag, type, name) of what documentation of definitions says."""
    documented = [one for one in findings.definitions if one.header - one.start >= _SHORTEST]
    documented.sort(key=attrgetter("start"))
    starts = [one.start for one in documented]
    for at, tag, type_name, name in _tags(page.source, known, _Unimported(page.source)) if documented else ():
        row = bisect_right(starts, at) - 1
        if row >= 0 and at < documented[row].header:
            yield documented[row], tag, type_name, name


class _Unimported:
    """The names of types that a file does not describe and no language gives, if it neither has nor imports them."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    @cached_property
    def _described(self) -> set[str]:
        return {each.decode() for said in _DESCRIBED.findall(self._source) for each in _NAME.findall(said)}

    def has(self, name: str) -> bool:
        """Return whether a name may be that of a class of another file."""
        if len(name) < _SHORTEST_NAME or not name[0].isupper() or not name.isidentifier():
            return False
        return name not in _OF_LANGUAGE and not _OF_FAMILIES.fullmatch(name) and name not in self._described


def _tags(source: bytes, known: set[str], unimported: _Unimported | None = None) -> Iterator[tuple[int, str, str, str]]:
    """Yield (byte, tag, type, name) of the tags whose types are known, and of parameters by the only class of a name.

    Tools that read such comments know a class by its name wherever it stands.
    """
    for match in _TAG.finditer(source):
        written = match[2].decode("utf-8", "replace")
        tag = match[1].decode()
        type_name = written if written.isidentifier() else _type(written, is_returned=tag[0] == "r")
        bare = type_name.lstrip("?%")
        if bare.partition(".")[0] in known:
            yield match.start(), tag, type_name, (match[3] or b"").decode("utf-8", "replace")
        elif tag == "param" and unimported is not None and unimported.has(bare):
            yield match.start(), _BY_NAME, f"{BY_NAME_ALONE}{type_name}", (match[3] or b"").decode("utf-8", "replace")


@lru_cache(maxsize=2_000)
def _type(written: str, *, is_returned: bool) -> str:
    text = written.strip().lstrip("!?").removesuffix("=").replace(".<", "<")
    promised = _PROMISE.fullmatch(text) if is_returned else None
    return typescript_type(promised[1] if promised else text)


def _add_typed(findings: Findings, found: Definition, type_name: str) -> None:
    if found.kind == "field":
        findings.bindings.append((found.header, f"self.{found.name}", type_name))
    elif found.kind in {"constant", "variable"}:
        findings.bindings.append((found.header, found.name, type_name))


def _defaulted(node: "Node", page: Page) -> Iterator[Bound]:
    """Yield what a parameter is that is made when it is not given: ``f(at = new Point())``."""
    name, made = node.child_by_field_name("left"), value_of(node.child_by_field_name("right"), page)
    if name is not None and made:
        yield name.start_byte, page.of(name), made


def _kept(findings: Findings, nodes: Iterable["Node"], parameters: list[Bound], page: Page) -> Iterator[Bound]:
    """Yield the types of parameters that functions keep: ``this.x = x``."""
    if not parameters:
        return
    around = _functions([one for one in findings.definitions if one.kind in _FUNCTIONS])
    types = {(around.name(at), name): bound for at, name, bound in parameters}
    for node in nodes:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or right.type != "identifier":
            continue
        bound = types.get((around.name(node.start_byte), page.of(right)))
        if bound is not None:
            yield node.start_byte, _own_name(left, page), bound


def _said(assigned: Iterable["Node"], page: Page, known: set[str]) -> Iterator[Bound]:
    """Yield what documentation says of ``this.x`` where it is assigned."""
    for node in assigned if b"@type" in page.source else ():
        before = page.source[max(0, node.start_byte - _FURTHEST) : node.start_byte].rstrip()
        left = node.child_by_field_name("left")
        if not before.endswith(b"*/") or left is None:
            continue
        for _, tag, type_name, _ in _tags(before[max(0, before.rfind(b"/**")) :], known):
            if tag == "type":
                yield node.start_byte, _own_name(left, page), type_name


def _made(captures: Captures, page: Page) -> Iterator[Bound]:
    """Yield what ``this.x = new A()`` makes."""
    for node in captures.get("this_bound", ()):
        left, made = node.child_by_field_name("left"), value_of(node.child_by_field_name("right"), page)
        if left is not None and made:
            yield node.start_byte, _own_name(left, page), made


def _functions(definitions: list[Definition]) -> Regions:
    """Return where functions begin that stand around a byte."""
    spans = sorted([(one.start, one.end) for one in definitions], key=lambda one: (one[0], -one[1]))
    return Regions((start, end, str(start)) for start, end in spans)


def _own_name(left: "Node", page: Page) -> str:
    return f"self.{page.of(left).removeprefix('this.')}"


def _of_functions(findings: Findings, makers: dict[int, Definition], kept: list[Bound]) -> Iterator[Bound]:
    """Yield what the objects have that a function makes which is called with ``new``."""
    around = _functions([one for one in findings.definitions if one.kind in _FUNCTIONS])
    for at, name, bound in kept:
        maker = makers.get(int(around.name(at) or -1))
        if maker is not None:
            yield maker.header, f"{RETURNED}.{name.removeprefix('self.')}", bound
