"""What a file says by which others' definitions can be meant: words, and of Python how they are said."""

import re
from collections.abc import Collection, Iterator

from ctxcode.codegraph.facts import OFFERED, SCRIPT, FileFacts, call_rows
from ctxcode.codegraph.resolve.again.bound import words_in
from ctxcode.codegraph.resolve.again.told import ATTACHED, BOUND, EVERYTHING, RENAMED, holders
from ctxcode.codegraph.resolve.dependents.linked import is_of_family, outer_words, words_of_signs
from ctxcode.codegraph.resolve.relations.tested import tested_type
from ctxcode.codegraph.resolve.tables import CLASS_KINDS, EXTENDED

PYTHON = "python"
MEMBER = "."
"""What stands before the name of what stands in a type or a module, or of what an object has: who means it in Python
says a dot before it."""
IMPORTED = "from "
"""What stands before a name of Python that is imported from somewhere."""
TAKEN = "* "
"""What stands before any word of a file of Python that takes in all of another one."""
CALLED = "()"
"""What stands behind a member's name where what its call gives is meant: who only calls a method that gives something
else means what was meant before."""
_NAMED = re.compile(r"[^\W\d]\w*")
_MEMBER_NAME = re.compile(r"\.[\w$]+")
_CALLED_MEMBER = re.compile(r"\.[\w$]+(?=\()")


def words_said(facts: FileFacts) -> set[str]:
    """Return the words a file says where they can mean what another file defines."""
    written = [facts.calls.names, facts.calls.receivers, facts.calls.arguments, facts.uses.names]
    written += [f"{fact.module} {fact.name} {fact.alias}" for fact in facts.imports]
    written += [base.name for base in facts.bases]
    written += [binding.type for binding in facts.bindings if binding.name != OFFERED]
    written += [tested_type(symbol.name) for symbol in facts.symbols if symbol.kind in CLASS_KINDS]
    if is_of_family(facts):
        written += words_of_signs(" ".join(written))
    if is_of_family(facts) or facts.language in ATTACHED:
        written += outer_words(facts.symbols)
    if facts.package == SCRIPT:
        # What something is added to may stand in another script, which nothing imports.
        written += holders(facts)
    words = words_in(" ".join(written))
    if any(binding.type.startswith(EXTENDED) for binding in facts.bindings):
        words.add(EXTENDED)
    return words | _words_of_python(facts, words) if facts.language == PYTHON else words


def word_of(name: str) -> str:
    """Return the word that is written where something is said, without what stands before and behind it."""
    return name.rpartition(" ")[2].removeprefix(MEMBER).removesuffix(CALLED)


def _words_of_python(facts: FileFacts, words: Collection[str]) -> set[str]:
    """Return how a file of Python says what it says, given the words alone."""
    found = _bound_by(facts)
    found.update([f"{IMPORTED}{fact.name}" for fact in facts.imports if fact.name])
    found.update([name for text in dotted_names(facts) for name in _MEMBER_NAME.findall(text)])
    # What is called last is only called.
    used = [name for _, _, receiver, _ in call_rows(facts) for name in _CALLED_MEMBER.findall(receiver)]
    used += [name for binding in facts.bindings for name in _MEMBER_NAME.findall(binding.type)]
    found.update([f"{name}{CALLED}" for name in used])
    return found | {f"{TAKEN}{word}" for word in words} if EVERYTHING in found else found


def _bound_by(facts: FileFacts) -> set[str]:
    """Return what a file of Python says that it binds: to a module as well as to what stands in one."""
    bound = bound_names(facts)
    found = {f"{BOUND}{name}" for name, _ in bound} | {f"{RENAMED}{name}" for name, other in bound if name != other}
    return found | {EVERYTHING} if any(fact.name == "*" for fact in facts.imports) else found


def bound_names(facts: FileFacts) -> list[tuple[str, str]]:
    """Return what a file of Python binds as a whole, by the last part of its name, each with what it is called there.

    ``import a.b as c``, ``c = a.b``; ``import a.b`` gives it no other name.
    """
    found = list[tuple[str, str]]()
    for fact in facts.imports:
        name = fact.name or fact.module.rpartition(".")[2]
        is_as_written = not fact.name and fact.module.startswith(f"{fact.alias}.")
        found.append((name, name if is_as_written else fact.alias))
    found += [
        (name, binding.name.rpartition(".")[2])
        for binding in facts.bindings
        for each in binding.type.split("|")
        if each.lstrip("?%@^").startswith("=")
        for name in _NAMED.findall(each.rpartition(".")[2])
    ]
    return found


def dotted_names(facts: FileFacts) -> Iterator[str]:
    """Yield the dotted names a file says, also several in one."""
    for _, name, receiver, _ in call_rows(facts):
        if receiver:
            yield f"{receiver}.{name}"
    yield facts.calls.arguments
    yield facts.uses.names
    yield from (base.name for base in facts.bases)
    yield from (binding.type for binding in facts.bindings)
