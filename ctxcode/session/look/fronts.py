"""Files that are run as they stand, by a server of PHP or by a shell."""

from collections.abc import Iterator

from ctxcode.model.naming.folder import is_build_script, is_helper_path
from ctxcode.model.symbol import Symbol
from ctxcode.session.look.routes.own import entries_below, is_own_path
from ctxcode.session.ports import CodeGraph

_PAGES = ("public/index.php", "web/index.php", "index.php")
_FOLDERS = ("bin/", "src/bin/")
_SCRIPTS = frozenset({"python", "javascript", "php", "bash", "lua"})
"""What a file without an ending in a folder of programs may be written in; of Ruby gems say what they install."""
_FOR_DEVELOPERS = frozenset(
    {"setup", "test", "tests", "lint", "ci", "format", "fmt", "check", "build", "release", "dev"}
)


def fronts(graph: CodeGraph) -> Iterator[Symbol]:
    """Yield the product's own of them, each as its module."""
    for path in _PAGES:
        yield from graph.symbols_in(path)[:1]
    modules = graph.modules()
    for folder in _FOLDERS:
        for entry in entries_below(modules, folder):
            name = entry.path.removeprefix(folder)
            is_command = "." not in name and "/" not in name and name not in _FOR_DEVELOPERS
            if is_command and entry.language in _SCRIPTS and _is_for_users(entry.path):
                yield from graph.symbols_in(entry.path)[:1]


def _is_for_users(path: str) -> bool:
    return is_own_path(path) and not is_helper_path(path) and not is_build_script(path)
