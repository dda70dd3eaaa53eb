"""Questions to begin with, made from the names in the graph."""

from ctxcode.model.symbol import Symbol, SymbolKind

_ACTING = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.TRAIT, SymbolKind.INTERFACE, SymbolKind.ENUM})


def example_questions(symbols: tuple[Symbol, ...]) -> tuple[str, ...]:
    """Return up to three questions the graph can answer, about the first symbols given; empty without any."""
    named = [symbol for symbol in symbols if symbol.qualname and not symbol.name.startswith("_")]
    types = [symbol for symbol in named if symbol.kind in _TYPES]
    acting = [symbol for symbol in named if symbol.kind in _ACTING]
    questions: list[str] = []
    first = types[0] if types else acting[0] if acting else None
    if first is not None:
        second = next((symbol for symbol in (*acting, *types) if symbol.path != first.path), None)
        if second is not None:
            questions.append(f"how do `{first.qualname}` and `{second.qualname}` connect?")
    if acting:
        questions.append(f"who calls `{acting[0].qualname}`?")
    if first is not None:
        questions.append(f"what is in `{first.module}`?")
    return tuple(questions)
