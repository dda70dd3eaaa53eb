"""Questions about the project itself: which variables it reads."""

from collections.abc import Iterator

import pytest
from indexed_folder import IndexedFolder

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.retrieval.retrieve import retrieve

FILES = {
    "shop/settings.py": "import os\n\ndef level():\n    return os.environ.get('SHOP_LEVEL')\n",
    "shop/paint.py": "def read_variables(environment):\n    '''Read variables of an environment.'''\n",
    "till/main.go": 'package till\n\nimport "os"\n\nfunc path() string {\n\treturn os.Getenv("TILL_PATH")\n}\n',
    "web/port.js": "function port() {\n  return process.env.PORT || 80\n}\n",
    "web/print.rb": "def printer\n  ENV['PRINTER']\nend\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("cache"))
    for path, text in FILES.items():
        made.write(path, text)
    made.refresh()
    yield made
    made.close()


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
