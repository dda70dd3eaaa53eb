"""Definitions that stand in several files word for word, as what was built or vendored does beside its source."""

from collections.abc import Iterable, Mapping

from ctxcode.model.symbol import Symbol


def said_again(ranked: Iterable[tuple[int, Symbol]], texts: Mapping[int, str]) -> set[int]:
    """Return the nodes that say what one before them says in another file; ``texts`` are as a graph gives them."""
    seen: dict[tuple[str, ...], str] = {}
    found = set[int]()
    for node, symbol in ranked:
        name, _, said = texts[node].split("\n", 2)
        if seen.setdefault((symbol.qualname, name, said), symbol.path) != symbol.path:
            found.add(node)
    return found
