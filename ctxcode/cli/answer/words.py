"""How the commands that look into the graph name things, and what they say of a name that is spelled otherwise."""

from collections.abc import Iterable

from ctxcode.llm.navigator.absence import Written, meaning
from ctxcode.llm.navigator.lookup import Found
from ctxcode.model.symbol import Symbol, SymbolKind
from ctxcode.tui.clean import clean_name
from ctxcode.tui.number import thousands

_LONGEST_NAME = 200
"""Characters that are printed; JSON has all."""


def print_respelling(found: Found) -> None:
    """Print what a name is spelled as here, where that is otherwise."""
    if found.standing is not None:
        print(f"{meaning(found.standing, name_text)}, so {clean_name(found.name)!r} is {name_text(found.respelled)!r}.")
    elif found.is_other_spelling:
        print(f"No definition is called {clean_name(found.name)!r}; this is {name_text(found.respelled)!r}.")
    elif found.respelled:
        print(f"{clean_name(found.name)!r} means {name_text(found.respelled)!r}.")


def print_lines(lines: Iterable[Written]) -> None:
    """Print lines of files, a row each."""
    print("".join(f"  {clean_name(one.path)}:{one.line}  {name_text(one.text)}\n" for one in lines), end="")


def print_rest(count: int, noun: str, *, indent: str = "") -> None:
    """Print how many rows were left out, and how to see them."""
    if count > 0:
        print(
            f"{indent}… {thousands(count)} more {noun}{'s' if count > 1 else ''}; --limit shows more, --format json all"
        )


def place_text(one: Symbol) -> str:
    """Return where a definition stands."""
    return f"{clean_name(one.path)}:{one.header_line or one.start_line or 1}"


def title_text(one: Symbol) -> str:
    """Return the name of a definition or a file."""
    return name_text(one.module if one.kind is SymbolKind.MODULE else one.dotted)


def name_text(text: str) -> str:
    """Return a name as it is printed."""
    return clean_name(shortened(text, _LONGEST_NAME))


def shortened(text: str, limit_chars: int) -> str:
    """Return a text without its middle when it is long: names differ in how they begin and end."""
    half = limit_chars // 2
    return text if len(text) <= limit_chars else f"{text[:half]}…{text[-half:]}"
