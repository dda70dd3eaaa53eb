"""Questions about the project itself: which variables it reads, how it is tested and built, what it needs."""

from collections.abc import Iterator

import pytest
from indexed_folder import IndexedFolder, indexed

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.plan import ReasonType
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.retrieval.retrieve import retrieve

PACKAGE = """{
  "name": "shop",
  "engines": {"node": ">= 18"},
  "scripts": {"test": "mocha", "build": "tsc"},
  "dependencies": {"left-pad": "^1.0.0"}
}
"""
README = """# Shop

Sells things.

## Building from source

    make all

## Running tests

    make check

## License

MIT
"""
FILES = {
    "package.json": PACKAGE,
    "web/package.json": PACKAGE.replace("shop", "web"),
    "vendor/lib/package.json": PACKAGE.replace("shop", "lib"),
    "go.mod": "module example.com/shop\n\ngo 1.22\n\nrequire example.com/till v1.0.0\n",
    "README.md": README,
    "Makefile": "all:\n\tgo build ./...\n\ncheck:\n\tgo test ./...\n",
    "shop/runner.py": "class TestRunner:\n    def run_tests(self):\n        '''Run the tests.'''\n",
    "shop/versions.py": "def node_version():\n    '''Which version of node is needed.'''\n\ndef go_version(): pass\n",
    "shop/build.py": "def build_source(source):\n    '''Build it from the source.'''\n",
    "shop/depends.py": "def dependencies(graph):\n    '''Which dependencies it has.'''\n",
    "shop/settings.py": "import os\n\ndef level():\n    return os.environ.get('SHOP_LEVEL')\n",
    "shop/paint.py": "def read_variables(environment):\n    '''Read variables of an environment.'''\n",
    "till/main.go": 'package till\n\nimport "os"\n\nfunc path() string {\n\treturn os.Getenv("TILL_PATH")\n}\n',
    "web/port.js": "function port() {\n  return process.env.PORT || 80\n}\n",
    "web/print.rb": "def printer\n  ENV['PRINTER']\nend\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedFolder]:
    yield from indexed(tmp_path_factory, FILES)


def found(folder: IndexedFolder, question: str) -> RetrievalSet:
    return retrieve(parse_prompt(question), folder.index)


@pytest.mark.parametrize(
    "question",
    ["which environment variables are read?", "list all env vars", "What environment variables does it support?"],
)
def test_who_asks_for_environment_variables_finds_where_they_are_read(folder: IndexedFolder, question: str) -> None:
    names = [entry.symbol.name for entry in found(folder, question).entries]
    assert {"level", "path", "port"} <= set(names[:4])
    assert "printer" in names[:5]
    assert not found(folder, question).notice


def test_one_variable_of_the_environment_is_searched_for_by_its_name(folder: IndexedFolder) -> None:
    assert "read_variables" == found(folder, "how does paint read variables of an environment?").entries[0].symbol.name


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how do I run the tests?", ["README.md::Shop.Running tests", "Makefile::check", "package.json::scripts"]),
        ("how do I build it from source?", ["README.md::Shop.Building from source", "Makefile::all"]),
        ("which Node versions are supported?", ["package.json::engines"]),
        ("which go version is needed?", ["package.json::engines", "go.mod::go"]),
        ("which dependencies does it have?", ["package.json::dependencies", "go.mod::require"]),
    ],
)
def test_a_question_about_the_project_is_answered_by_what_stands_at_its_top(
    folder: IndexedFolder, question: str, first: list[str]
) -> None:
    entries = found(folder, question).entries
    assert first == [entry.symbol.id for entry in entries[: len(first)]]
    assert ReasonType.CENTRAL is entries[0].reasons[0].type
    assert not any(entry.symbol.path.startswith(("vendor/", "web/package")) for entry in entries[: len(first) + 1])


def test_a_question_about_the_code_is_not(folder: IndexedFolder) -> None:
    assert (
        "shop/depends.py::dependencies" == found(folder, "which dependencies does the graph skip?").entries[0].symbol.id
    )
    assert "shop/build.py::build_source" == found(folder, "what does build_source build?").entries[0].symbol.id
