"""Which files import a package that the repository does not define."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run_here
from indexed_folder import IndexedFolder

from ctxcode.action.arguments import FindReferences
from ctxcode.llm.navigator.imports import importing
from ctxcode.llm.navigator.lookup import find
from ctxcode.llm.navigator.responder import Navigator
from ctxcode.model.chat import ModelRequest
from ctxcode.model.conversation import ToolStatus
from ctxcode.model.plan import PayloadMessage
from ctxcode.session.tools.desk import Answer, Desk
from ctxcode.session.tools.graph import find_references

FILES = {
    "a.py": "import requests\nfrom requests.adapters import HTTPAdapter, Retry\nimport requests_mock\n",
    "b.py": "def get():\n    from requests import get as fetch\n    return fetch()\n",
    "cart.py": "class Cart: pass\n",
    "shop/use.py": "from cart import Cart\nfrom .requests import own\n",
    "web/a.ts": "import { useState } from 'react';\nimport fs from 'node:fs';\nimport kit from '@scope/kit/dist';\n",
    "web/b.js": "const fs = require('fs');\nconst r = require('./react');\n",
    "m.go": 'package m\n\nimport (\n\t"fmt"\n\t"go.uber.org/zap/zapcore"\n)\n\nvar _ = fmt.Sprint(zapcore.New)\n',
    "src/lib.rs": "use serde_json::{json, Value};\nuse crate::inner::go;\npub mod inner { pub fn go() {} }\n",
    "A.java": "import com.google.gson.Gson;\nimport java.util.*;\nclass A {}\n",
    "a.php": "<?php\nuse Psr\\Log\\LoggerInterface;\nclass B {}\n",
    "a.c": "#include <openssl/ssl.h>\nint f(void) { return 0; }\n",
    "a.rb": "require 'rack/request'\nclass C; end\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[IndexedFolder]:
    indexed = IndexedFolder(tmp_path / "root", tmp_path / "cache")
    for path, text in FILES.items():
        indexed.write(path, text)
    indexed.refresh()
    yield indexed
    indexed.close()


def found(folder: IndexedFolder, name: str) -> list[str]:
    rows = importing(folder.index, name, find(folder.index, name))
    return [f"{one.path}:{one.line} {one.module} {' '.join(one.names)}".rstrip() for one in rows]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("requests.adapters", ["a.py:2 requests.adapters HTTPAdapter Retry"]),
        ("requests.adapters.Retry", ["a.py:2 requests.adapters Retry"]),
        ("react", ["web/a.ts:1 react useState"]),
        ("@scope/kit", ["web/a.ts:3 @scope/kit/dist default"]),
        ("zap", ["m.go:5 go.uber.org/zap/zapcore"]),
        ("go.uber.org/zap", ["m.go:5 go.uber.org/zap/zapcore"]),
        ("serde-json", ["src/lib.rs:1 serde_json Value json"]),
        ("com.google.gson", ["A.java:1 com.google.gson Gson"]),
        ("com.google.gson.Gson", ["A.java:1 com.google.gson Gson"]),
        ("java.util", ["A.java:2 java.util"]),
        ("Psr\\Log", ["a.php:2 Psr.Log LoggerInterface"]),
        ("openssl", ["a.c:1 openssl/ssl.h"]),
        ("rack", ["a.rb:1 rack/request"]),
        ("nothing", []),
        ("", []),
        ("/", []),
        ("%", []),
    ],
)
def test_files_that_import_a_package_are_found(folder: IndexedFolder, name: str, rows: list[str]) -> None:
    assert rows == found(folder, name)


def test_imports_of_whatever_language_and_depth_are_found(folder: IndexedFolder) -> None:
    assert ["a.py:1", "a.py:2", "b.py:2"] == [row.split()[0] for row in found(folder, "requests")]
    assert ["web/a.ts:2", "web/b.js:1"] == [row.split()[0] for row in found(folder, "fs")]


def test_what_leads_to_a_definition_here_is_no_import_from_elsewhere(folder: IndexedFolder) -> None:
    assert [] == found(folder, "cart")
    folder.write("other.py", "from cart import Cart\nfrom cart.extra import More\n")
    folder.write("cart_shop/sites.py", "every = []\n")
    folder.write("late.py", "def get():\n    from cart_shop.sites import every, gone\n    return every\n")
    folder.refresh()
    assert ["other.py:2 cart.extra More"] == found(folder, "cart")
    assert [] == found(folder, "cart_shop")


def test_imports_of_a_package_that_only_stands_here_lead_to_its_files(folder: IndexedFolder) -> None:
    folder.write("go.mod", "module example.com/shop\n")
    folder.write("price/price.go", "package price\n\nfunc Of() int { return 1 }\n")
    folder.write("main.go", 'package main\n\nimport "example.com/shop/price"\n\nfunc main() { price.Of() }\n')
    folder.refresh()
    assert [] == found(folder, "example.com/shop")


def test_a_package_is_found_beside_a_file_of_its_name(folder: IndexedFolder) -> None:
    folder.write("react.js", "export function own() {}\n")
    folder.write("own.js", "import { own } from './react';\nown();\n")
    folder.refresh()
    assert ["web/a.ts:1 react useState"] == found(folder, "react")


def ask(folder: IndexedFolder, question: str) -> str:
    navigator = Navigator(folder.index, folder.workspace.read_text)
    return "\n".join(navigator.reply(ModelRequest((PayloadMessage("user", question),), 1_000, question)))


def test_the_chat_knows_who_imports_a_package(folder: IndexedFolder) -> None:
    text = ask(folder, "Who imports requests?")
    assert "No definition is called `requests` among the " in text
    assert "Imports that lead to no definition here, in 2 files:" in text
    assert "- `a.py:2` `requests.adapters: HTTPAdapter, Retry`\n- `b.py:2` `requests: get`" in text
    assert "`web/a.ts:1` `react: useState`" in ask(folder, "who uses react")
    assert "There is no `nowhere` in this repository" in ask(folder, "who imports nowhere?")
    assert "Imports that lead" not in ask(folder, "who imports Cart?")
    folder.write("react.js", "export function own() {}\n")
    folder.refresh()
    both = ask(folder, "who imports react?")
    assert "Nothing in the index uses `react.js`" in both
    assert "`web/a.ts:1` `react: useState`" in both


def refer(folder: IndexedFolder, name: str) -> Answer:
    return find_references(FindReferences(name), Desk(folder.workspace, folder.index, len))


def test_the_tool_knows_who_imports_a_package(folder: IndexedFolder) -> None:
    answer = refer(folder, "requests")
    assert ToolStatus.OK == answer.status
    assert answer.text.startswith("No definition is named 'requests' in the index (")
    assert "Imports that lead to no definition here, in 2 files:\na.py:1 requests\n" in answer.text
    assert "a.py:2 requests.adapters: HTTPAdapter, Retry\n" in answer.text
    assert "Imports" not in refer(folder, "nowhere").text
    folder.write("react.js", "export function own() {}\n")
    folder.refresh()
    assert "The graph knows no use of react.js.\nImports that lead" in refer(folder, "react").text
    folder.write("own.js", "import './react';\n")
    folder.refresh()
    used = refer(folder, "react").text
    assert "own.js:1" in used
    assert used.endswith("Imports that lead to no definition here, in 1 file:\nweb/a.ts:1 react: useState\n")


def test_imports_follow_the_files(folder: IndexedFolder) -> None:
    folder.write("a.py", "import httpx\n")
    (folder.root / "b.py").unlink()
    folder.refresh()
    assert ([], ["a.py:1 httpx"]) == (found(folder, "requests.adapters"), found(folder, "httpx"))


def test_refs_tells_the_files_that_import_what_is_not_defined_here(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    repository.mkdir()
    (tmp_path / "home").mkdir()
    for path in ("a.py", "cart.py"):
        (repository / path).write_text(FILES[path])
    words = ("refs", "requests", "--repo", str(repository))
    outcome = run_here(tmp_path / "home", *words)
    assert (0, "") == (outcome.code, outcome.err)
    unknown = "No definition is called 'requests' among the 3 symbols in 2 indexed files."
    assert [
        f"{unknown} Imports that lead to no definition here, in 1 file:",
        "  a.py:1  requests",
        "  a.py:2  requests.adapters: HTTPAdapter, Retry",
    ] == outcome.out.splitlines()
    found = run_here(tmp_path / "home", *words, "--format", "json").json()
    assert (False, []) == (found["exists"], found["definitions"])
    assert {"path": "a.py", "line": 2, "module": "requests.adapters", "names": ["HTTPAdapter", "Retry"]} in found[
        "imported"
    ]
    assert 1 == run_here(tmp_path / "home", "refs", "nowhere", "--repo", str(repository)).code
