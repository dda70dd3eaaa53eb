"""Packages that only name what their parts hold, imported by the part: of a thousand modules a call meets a hundred.

What such a package's ``__init__.py`` imports from its parts is looked up there, part by part, when it is asked for.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


@contextmanager
def parts_later(*packages: str) -> Iterator[None]:
    """Let packages of these names, and those below, import their parts one by one where they first come by inside.

    A package that does anything but import from its parts is run as ever.
    """
    finder = _Finder(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Package(ModuleType):
    """A package that imports a part when it is first asked for something of it."""

    def __init__(self, name: str, homes: dict[str, tuple[str, str]]) -> None:
        """Take what each name it offers is called in which of its parts; "" is called what is the part itself."""
        super().__init__(name)
        self._homes = homes
        self.__all__ = [offered for offered in homes if not offered.startswith("_")]

    def __getattr__(self, name: str) -> Any:
        home = self._homes.get(name)
        if home is None:
            reason = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(reason)
        part, inside = home
        module = import_module(part, self.__name__)
        value = getattr(module, inside) if inside else module
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


class _Loader(Loader):
    """Makes a package of which nothing is run."""

    def __init__(self, homes: dict[str, tuple[str, str]]) -> None:
        self._homes = homes

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Package(spec.name, self._homes)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it as it is."""


class _Finder(MetaPathFinder):
    """Finds packages whose parts come later, and nothing else."""

    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages
        self._below = tuple(f"{package}." for package in packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to make a package whose parts come later; None for whatever is imported as ever."""
        if fullname not in self._packages and not fullname.startswith(self._below):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.submodule_search_locations is None or not isinstance(spec.loader, InspectLoader):
            return spec
        homes = _homes(spec.loader.get_source(fullname) or "")
        if homes is not None:
            spec.loader = _Loader(homes)
        return spec


def _homes(source: str) -> dict[str, tuple[str, str]] | None:
    """Return which part holds what a package offers, and by which name; None where it does anything else."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    homes: dict[str, tuple[str, str]] = {}
    parts: dict[str, tuple[str, str]] = {}
    for statement in statements:
        if not isinstance(statement, ast.ImportFrom):
            if _says_nothing(statement):
                continue
            return None
        if statement.module == "__future__":
            continue
        if statement.level != 1 or any(alias.name == "*" for alias in statement.names):
            return None
        for alias in statement.names:
            offered = alias.asname or alias.name
            if statement.module is None:
                homes[offered] = (f".{alias.name}", "")
            else:
                part = statement.module.partition(".")[0]
                homes[offered] = (f".{statement.module}", alias.name)
                parts[part] = (f".{part}", "")
    # A part that is called like what it holds hides that once somebody else imports it.
    return {**parts, **homes} if all(homes.get(part, home) == home for part, home in parts.items()) else None


def _says_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is a text, or lists what the package offers."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Assign) and [getattr(name, "id", "") for name in statement.targets] == ["__all__"]
