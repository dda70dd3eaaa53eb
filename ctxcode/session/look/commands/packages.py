"""Where the packages of a repository with several stand."""

from posixpath import basename

from ctxcode.model.naming.folder import is_helper_path
from ctxcode.session.look.routes.own import entries_below, is_own_path
from ctxcode.session.ports import CodeGraph

_MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py", "package.json", "Cargo.toml", "go.mod")
_MOST_MANIFESTS = 500
"""Of a kind that are looked through for the product's own."""
_MOST_PACKAGES = 20


def packages(graph: CodeGraph) -> list[str]:
    """Return the folders of the product's packages below the repository's own, with a slash behind each.

    Those farthest out come first, then those with most code.
    """
    paths = [path for name in _MANIFESTS for path in graph.paths_like(name, _MOST_MANIFESTS) if basename(path) == name]
    folders = {path.removesuffix(basename(path)) for path in paths} - {""}
    # What a manifest is tells nothing of its package: settings are no program.
    own = [folder for folder in folders if is_own_path(f"{folder}a") and not is_helper_path(f"{folder}a")]
    depths = sorted(folder.count("/") for folder in own)[:_MOST_PACKAGES]
    outer = [folder for folder in own if folder.count("/") <= depths[-1]]
    modules = graph.modules()
    sizes = {folder: sum(entry.symbols for entry in entries_below(modules, folder)) for folder in outer}
    return sorted(outer, key=lambda folder: (folder.count("/"), -sizes[folder], folder))[:_MOST_PACKAGES]
