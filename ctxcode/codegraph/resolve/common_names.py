"""Method names that the languages' own types have: alone, they say nothing of whose method is called."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def common_methods(family: str) -> frozenset[str]:
    """Return those of a family of languages; empty for one without a list."""
    return _tables().get(family, frozenset())


@cache
def _tables() -> dict[str, frozenset[str]]:
    text = files("ctxcode.codegraph.resolve").joinpath("common_methods.toml").read_text("utf-8")
    return {family: frozenset(words.split()) for family, words in tomllib.loads(text).items()}
