"""What the graph says, as the plain objects the command line prints as JSON."""

from collections.abc import Sequence

from ctxcode.llm.navigator.absence import Written, grounds
from ctxcode.llm.navigator.lookup import Found
from ctxcode.model.symbol import Edge, IndexStats, Symbol
from ctxcode.session.look.graph import Chain, Map, Reference
from ctxcode.session.report import reason_object


def symbol_object(symbol: Symbol) -> dict[str, object]:
    """Return a definition; lines are 1-based and inclusive."""
    return {
        "id": symbol.id,
        "kind": symbol.kind.value,
        "name": symbol.name,
        "symbol": symbol.dotted,
        "path": symbol.path,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "line": symbol.header_line,
        "language": symbol.language,
        "visibility": symbol.visibility,
        "signature": symbol.signature,
        "doc": symbol.doc,
        "decorators": list(symbol.decorators),
        "parent": symbol.parent,
    }


def _edge_object(edge: Edge, path: str, line: int) -> dict[str, object]:
    return {
        "kind": edge.kind.value,
        "path": path,
        "line": line,
        "resolution": edge.resolution.value,
        "confidence": edge.confidence,
    }


def reference_object(reference: Reference) -> dict[str, object]:
    """Return one place that refers to a definition, with how that was found."""
    return {"symbol": reference.source.dotted, **_edge_object(reference.edge, reference.source.path, reference.line)}


def chain_object(chain: Chain) -> dict[str, object]:
    """Return how one definition reaches another; ``steps`` is empty when it does not."""
    return {
        "found": bool(chain.steps) or chain.start == chain.end,
        "reversed": chain.is_reversed,
        "start": symbol_object(chain.start),
        "end": symbol_object(chain.end),
        "steps": [
            {
                "source": step.source.dotted,
                "target": step.target.dotted,
                **_edge_object(step.edge, *step.place),
                "guess": step.is_guess,
                "value": step.is_value,
            }
            for step in chain.steps
        ],
    }


def absence_object(found: Found, stats: IndexStats, there: Sequence[Written]) -> dict[str, object]:
    """Return that no definition has a name, whether that proves its absence, what was searched and what comes near.

    ``there`` is where the name is written all the same.
    """
    searched = {"revision": stats.revision, "files": stats.files, "symbols": stats.symbols, "unread": stats.unread}
    return {
        "name": found.name,
        "exists": False,
        "proved": found.is_proved_absent and not there and stats.is_whole,
        "because": grounds(found, str, there),
        "searched": {**searched, "pending": stats.pending},
        "nearest": list(found.nearest),
        "namesakes": [symbol_object(one) for one in found.namesakes],
        "written": [one._asdict() for one in there],
    }


def map_object(made: Map, tokenizer: str) -> dict[str, object]:
    """Return the scaffold with its text as the model sees it."""
    stats = made.stats
    return {
        "mode": made.mode.value,
        "tokenizer": tokenizer,
        "tokens": made.tokens,
        "index_revision": stats.revision,
        "files": stats.files,
        "symbols": stats.symbols,
        "edges": stats.edges,
        "languages": {row.language: row.files for row in stats.languages},
        "items": [
            {
                "kind": row.kind,
                "symbol": row.dotted or row.title,
                "path": row.path or None,
                "start_line": row.start_line or None,
                "end_line": row.end_line or None,
                "tokens": row.richest.tokens,
                "reasons": [reason_object(reason) for reason in row.reasons],
                "text": row.richest.text,
            }
            for row in made.rows
        ],
    }
