"""What each door imports, seen in a fresh interpreter."""

import subprocess
import sys

import pytest

HEAVY = ("litellm", "numpy", "tree_sitter", "textual", "rich", "pydantic", "openai", "aiohttp")


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(' '.join(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(run.stdout.split())


def packages_after(statement: str) -> set[str]:
    return {name.partition(".")[0] for name in loaded_after(statement)}


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import ctxcode.cli.main", ()),
        ("import ctxcode.bootstrap.application", ()),
        ("import ctxcode.session.session", ()),
        ("import ctxcode.tui.format", ()),
        ("import ctxcode.tui.app", ("textual", "rich", "tree_sitter")),  # Textual tries tree-sitter for its text area
    ],
)
def test_a_door_imports_nothing_heavy_it_does_not_need(statement: str, allowed: tuple[str, ...]) -> None:
    assert set() == packages_after(statement) & (set(HEAVY) - set(allowed))


def test_the_vocabulary_needs_the_standard_library_only() -> None:
    names = packages_after("import ctxcode.model.event, ctxcode.model.retrieval, ctxcode.model.canonical")
    outside = names - set(sys.stdlib_module_names) - {"ctxcode", "__main__"}
    assert set() == {name for name in outside if not name.startswith("_")}


@pytest.mark.parametrize(
    ("statement", "late"),
    [
        # A question on a warm index is answered in the time its imports take.
        (
            "import ctxcode.cli.answer.context",
            (
                *(
                    "asyncio",
                    "regex",
                    "difflib",
                    "ctxcode.model.event",
                    "ctxcode.session.session",
                    "ctxcode.tui.format",
                ),
                *("ctxcode.model.engine.capsule", "ctxcode.reflection.capsules", "ctxcode.session.capsule.gather"),
                *("ctxcode.retrieval.glossary.translate", "ctxcode.retrieval.glossary.vocabulary"),
            ),
        ),
        # Parsers start before these load.
        (
            "import ctxcode.cli.index.command",
            ("msgspec", "sqlite3", "ctxcode.model.source", "ctxcode.settings.settings"),
        ),
        (
            "import ctxcode.cli.index.building",
            ("asyncio", "ctxcode.bootstrap.application", "ctxcode.llm.catalogue", "ctxcode.retrieval.semantic"),
        ),
        ("import ctxcode.llm.embedding.static", ("importlib.metadata", "email", "tokenizers", "wordllama")),
        (
            "import ctxcode.cli.screen.app, ctxcode.tui.start",
            ("ctxcode.bootstrap.application", "ctxcode.model.event", "ctxcode.tui.state.fold"),
        ),
    ],
)
def test_what_comes_first_does_not_wait_for_what_may_never_come(statement: str, late: tuple[str, ...]) -> None:
    assert set() == loaded_after(statement) & set(late)
