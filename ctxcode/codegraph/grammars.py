"""Whether the grammars work that are installed."""

from collections.abc import Mapping

from ctxcode.codegraph.languages import LANGUAGES, grammar_versions, load_grammar, open_grammar

TRIED = {
    "tree-sitter": "0.26.1",
    "python": "0.25.0",
    "javascript": "0.25.0",
    "typescript": "0.23.2",
    "tsx": "0.23.2",
    "rust": "0.24.2",
    "go": "0.25.0",
    "java": "0.23.5",
    "c": "0.24.2",
    "cpp": "0.23.4",
    "csharp": "0.23.5",
    "ruby": "0.23.1",
    "php": "0.25.1",
    "kotlin": "1.1.0",
    "swift": "0.7.4",
    "scala": "0.26.3",
    "bash": "0.25.1",
    "lua": "0.5.0",
}
"""The versions with which all queries are known to compile: those of ``uv.lock``, with which the tests run."""


def check_grammars(tried: Mapping[str, str] = TRIED) -> list[tuple[str, bool, str]]:
    """Return (language, ok, detail): whether the grammar works, and its version or the error.

    Every grammar is loaded. That its query compiles, which takes up to a third of a second, is tried where the grammar
    or the parser is of another version than it was tried with.
    """
    versions = grammar_versions()
    in_doubt = untried(versions, tried)
    rows = []
    for language in LANGUAGES:
        try:
            _ = load_grammar(language) if language in in_doubt else open_grammar(language)
        except (ImportError, OSError, ValueError, AttributeError, TypeError) as error:
            rows.append((language, False, f"{type(error).__name__}: {error}"))
        else:
            rows.append((language, True, versions[language]))
    return rows


def untried(versions: Mapping[str, str], tried: Mapping[str, str] = TRIED) -> frozenset[str]:
    """Return the languages whose queries may not compile, by what is installed.

    A grammar may change with every version of its own, what the parser makes of queries only with its minor ones.
    """
    parser, known = (one.get("tree-sitter", "").rpartition(".")[0] for one in (versions, tried))
    return frozenset(name for name in LANGUAGES if parser != known or versions.get(name) != tried.get(name))
