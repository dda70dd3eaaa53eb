"""Paths of files as a question writes them."""

from ctxcode.model.naming.folder import is_foreign_path
from ctxcode.retrieval.graph_port import SearchableGraph

_MOST_PARTS = 12
_SYSTEM = ("/usr/", "/opt/")
"""Below them is other people's code."""


def indexed_paths(text: str, graph: SearchableGraph) -> tuple[str, ...]:
    """Return indexed paths for a written one; a foreign root (``/home/me/app/``) is taken off step by step."""
    parts = [part for part in text.split("/") if part not in {"", ".", ".."}][-_MOST_PARTS:]
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        paths = tuple(path for path in graph.paths_like(tail) if path == tail or path.endswith(f"/{tail}"))
        # A bare file name at the end of a longer path says which file if there is no second one, else the outermost:
        # what another is in would stand in that path too.
        is_bare_name = 0 < start == len(parts) - 1
        if paths and (not is_bare_name or len(paths) == 1):
            return paths
        if tail in paths and not is_foreign_path(text) and not text.startswith(_SYSTEM):
            return (tail,)
    return graph.paths_like(text) if len(parts) == 1 else ()
