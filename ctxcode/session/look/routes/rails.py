"""What Rails' lists of addresses name: actions of controllers, found by where their files stand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ctxcode.model.errors import RepositoryError
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.session.look.routes.own import is_own, is_own_path
from ctxcode.session.ports import CodeGraph, FileTexts

_LIST = "config/routes.rb"
_MOST_LISTS = 10
_LONGEST_FILE = 200_000
_MOST_CONTROLLERS = 40
"""Looked into for one list."""

_LONGEST_STATEMENT = 1_000
_LONGEST_FOLDER = 200

_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_STATEMENT = re.compile(
    r"(root|get|post|put|patch|delete|match|resources?|namespace|scope|controller)\b(?!\.)[ (]*(.*)\Z"
)
_OPENS = re.compile(r"\bdo\b(?:\s*\|[^|]*\|)?\Z|\{(?:\s*\|[^|]*\|)?\Z|\A(?:if|unless|case|begin|def|while)\b")
_CLOSES = re.compile(r"end\b|\}")
_TARGET = re.compile(r"(?:\A|\bto:\s*|=>\s*)(['\"])([\w/]+)#(\w+)\1")
_NAME = re.compile(r"(?::|['\"]/?)([\w/]+)['\"]?\s*(?:,\s*|(?=\)|\Z|do\b|\{))")
_OPTION = r"(?:\b{0}:|:{0}\s*=>)\s*"
_GIVEN = {
    word: re.compile(_OPTION.format(word) + r"[:'\"]([\w/]+)") for word in ("controller", "action", "module", "to")
}
_CHOICE = {word: re.compile(_OPTION.format(word) + r"(?:%i)?(\[[^\]]*\]|[:'\"]\w+)") for word in ("only", "except")}
_WORD = re.compile(r"\w+")
_ACTIONS = ("index", "show", "new", "create", "edit", "update", "destroy")


@dataclass(frozen=True, slots=True)
class _Scope:
    """What the blocks around a statement say."""

    folder: str = ""
    """Of controllers, with a slash behind."""
    controller: str = ""
    """With its folder; what ``get :preview`` is an action of."""


def drawn(graph: CodeGraph, workspace: FileTexts) -> Iterator[Symbol]:
    """Yield the actions that the product's own lists name, in their order."""
    paths = [path for path in graph.paths_like(_LIST) if path.endswith(_LIST) and is_own_path(path)]
    for path in paths[:_MOST_LISTS]:
        try:
            text = workspace.read_text(path)[:_LONGEST_FILE]
        except RepositoryError:
            continue
        yield from _found(graph, path.removesuffix(_LIST), _actions(text))


def _found(graph: CodeGraph, folder: str, actions: Iterable[tuple[str, str]]) -> Iterator[Symbol]:
    known: dict[str, dict[str, Symbol]] = {}
    for controller, action in actions:
        if controller not in known:
            if len(known) == _MOST_CONTROLLERS:
                return
            symbols = graph.symbols_in(f"{folder}app/controllers/{controller}_controller.rb")
            public = [one for one in symbols if one.kind is SymbolKind.METHOD and one.visibility == "public"]
            known[controller] = {one.name: one for one in public if is_own(one)}
        found = known[controller].get(action)
        if found is not None:
            yield found


def _actions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the (controller with its folder, action) that a list of addresses names."""
    scopes = [_Scope()]
    for line in _lines(text):
        statement, inner = _STATEMENT.match(line), scopes[-1]
        if statement is not None:
            inner = _inside(scopes[-1], *statement.groups())
            yield from _named(scopes[-1], *statement.groups())
        if _CLOSES.match(line) and len(scopes) > 1:
            scopes.pop()
        if _OPENS.search(line):
            scopes.append(inner)


def _lines(text: str) -> Iterator[str]:
    """Yield a text's statements, each on a line of its own; no comments."""
    pending = ""
    for line in text.splitlines():
        pending = f"{pending} {_COMMENT.sub('', line[:_LONGEST_STATEMENT]).strip()}".strip()
        goes_on = pending.endswith((",", "=>")) or pending.count("[") > pending.count("]")
        if pending and (not goes_on or len(pending) > _LONGEST_STATEMENT):
            yield pending
            pending = ""


def _inside(scope: _Scope, word: str, rest: str) -> _Scope:
    """Return what holds in the block of a statement."""
    names, module = _names(rest), _given("module", rest)
    if word == "namespace":
        module = module or (names[0] if names else "")
    folder = f"{scope.folder}{module}/" if module and len(scope.folder) < _LONGEST_FOLDER else scope.folder
    if word in {"resources", "resource"}:
        return _Scope(folder, next(iter(_controllers(scope, word, rest)), ""))
    controller = names[0] if word == "controller" and names else _given("controller", rest)
    return _Scope(folder, f"{folder}{controller}" if controller else scope.controller if folder == scope.folder else "")


def _named(scope: _Scope, word: str, rest: str) -> Iterator[tuple[str, str]]:
    """Yield the actions that one statement names."""
    if word in {"namespace", "scope", "controller"}:
        return
    if word in {"resources", "resource"}:
        actions = [action for action in _ACTIONS if word == "resources" or action != "index"]
        for choice, is_kept in (("only", True), ("except", False)):
            chosen = _CHOICE[choice].search(rest)
            if chosen is not None:
                actions = [action for action in actions if (action in _WORD.findall(chosen[1])) is is_kept]
        yield from ((controller, action) for controller in _controllers(scope, word, rest) for action in actions)
        return
    target, names = _TARGET.search(rest), _names(rest)
    if target is not None:
        yield f"{scope.folder}{target[2]}", target[3]
        return
    given = _given("controller", rest)
    controller = f"{scope.folder}{given}" if given else scope.controller
    action = _given("action", rest) or _given("to", rest)
    for name in [action] if action else names:
        # ``get "photos/show"`` names both.
        folder, _, last = name.rpartition("/")
        if controller or folder:
            yield controller or f"{scope.folder}{folder}", last


def _controllers(scope: _Scope, word: str, rest: str) -> list[str]:
    """Return the controllers of what a statement calls resources."""
    module, given = _given("module", rest), _given("controller", rest)
    folder = f"{scope.folder}{module}/" if module else scope.folder
    return [f"{folder}{given or (name if word == 'resources' else _plural(name))}" for name in _names(rest)]


def _names(rest: str) -> list[str]:
    """Return the names that a statement begins with, before its options."""
    names, name = list[str](), _NAME.match(rest)
    while name is not None:
        names.append(name[1])
        name = _NAME.match(rest, name.end())
    return names


def _given(word: str, rest: str) -> str:
    found = _GIVEN[word].search(rest)
    return found[1] if found is not None else ""


def _plural(name: str) -> str:
    """Return what the controller of one thing is called; some are called by a plural as they are."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    if name.endswith(("ss", "us", "x", "ch", "sh")):
        return f"{name}es"
    return name if name.endswith("s") else f"{name}s"
