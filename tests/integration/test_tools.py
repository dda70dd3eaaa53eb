"""The tools on a real repository with a real index."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sample_repository import write_sample
from tmux_terminal import private_home

from ctxcode.action.arguments import Arguments, FindReferences, ListFiles, ReadFile, RequestCodeContext, SearchCode
from ctxcode.bootstrap.application import open_application
from ctxcode.model.conversation import ToolCall, ToolResult, ToolStatus
from ctxcode.model.engine.vector import Vector
from ctxcode.model.errors import ModelError
from ctxcode.retrieval.semantic import Semantic
from ctxcode.session.tools.desk import LIMIT_CHARS, LIMIT_TOKENS, Desk
from ctxcode.session.tools.runner import ToolRunner


@pytest.fixture
def runner(tmp_path: Path) -> ToolRunner:
    repository = write_sample(tmp_path / "shop")
    (tmp_path / "outside.txt").write_text("root:x:0:0\n")
    (repository / ".env").write_text("TOKEN=vat_secret\n")
    (repository / "link").symlink_to("/etc")
    (repository / "linked.txt").symlink_to(tmp_path / "outside.txt")
    (repository / "crlf.txt").write_bytes(b"one\r\ntwo\r\n")
    (repository / "shop/long.py").write_text("".join(f"x{number} = 'line of code'\n" for number in range(1000)))
    return tools_of(tmp_path)


def tools_of(home: Path) -> ToolRunner:
    app = open_application(home / "shop", overrides={}, environment=private_home(home))
    app.adapters.indexer.refresh(lambda _done, _total, _phase: None, lambda: False)
    count = app.adapters.counter_for("o200k_base").count
    return ToolRunner(Desk(app.adapters.workspace, app.adapters.graph, count))


async def ask(runner: ToolRunner, arguments: Arguments) -> ToolResult:
    result = await runner.run(ToolCall("c", type(arguments).__name__, "{}"), arguments)
    assert result.tokens <= LIMIT_TOKENS
    assert len(result.text) <= LIMIT_CHARS
    return result


async def test_code_context_shows_the_body_of_a_symbol(runner: ToolRunner) -> None:
    result = await ask(runner, RequestCodeContext(symbol="Cart.checkout"))
    assert ToolStatus.OK == result.status
    assert "### shop/cart.py:" in result.text
    assert "return total_of(self.prices)" in result.text


async def test_code_context_shows_less_when_asked(runner: ToolRunner) -> None:
    texts = [
        (await ask(runner, RequestCodeContext(symbol="Cart", detail=detail))).text
        for detail in ("signature", "card", "body")
    ]
    assert "class Cart" in texts[0]
    assert "self.prices.append(price)" not in texts[0] + texts[1]
    assert "self.prices.append(price)" in texts[2]


async def test_code_context_of_a_file_is_its_outline(runner: ToolRunner) -> None:
    result = await ask(runner, RequestCodeContext(symbol="shop/price.py"))
    assert "Price" in result.text
    assert "def total_of" in result.text


async def test_code_context_finds_by_words(runner: ToolRunner) -> None:
    result = await ask(runner, RequestCodeContext(query="sum of prices with tax"))
    assert (ToolStatus.OK, True) == (result.status, "total_of" in result.text)


async def test_a_question_of_the_model_is_compared_by_meaning_as_the_users_is(runner: ToolRunner) -> None:
    asked: list[str] = []

    class Failing:
        id = "failing"

        def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
            asked.extend(texts)
            raise ModelError("No vectors.")

    runner.desk = replace(runner.desk, semantic=Semantic(Failing))
    result = await ask(runner, RequestCodeContext(query="sum of prices with tax"))
    assert "sum of prices with tax" == asked[0]
    assert ("Found by words only: No vectors.", True) == (result.text.split("\n")[0], "total_of" in result.text)


async def test_absence_is_proved_with_the_nearest_names(runner: ToolRunner) -> None:
    result = await ask(runner, RequestCodeContext(symbol="Cart.chekout"))
    assert (ToolStatus.ABSENT, True) == (result.status, "No definition is named 'Cart.chekout'" in result.text)
    assert "checkout" in result.text.partition("Nearest names")[2]
    nothing = await ask(runner, RequestCodeContext(query="qqqzzz wwwyyy"))
    assert ToolStatus.ABSENT == nothing.status


async def test_files_that_could_not_be_read_leave_a_name_unproved(tmp_path: Path) -> None:
    (write_sample(tmp_path / "shop") / os.fsdecode(b"bad\xff.py")).touch()
    runner = tools_of(tmp_path)
    for asked in (RequestCodeContext(symbol="Cart.total_of"), FindReferences(symbol="Cart.total_of")):
        text = (await ask(runner, asked)).text
        assert " 1 file could not be read: ctxcode index says why. That is no proof: total_of by itself is " in text


async def test_references_come_with_their_lines(runner: ToolRunner) -> None:
    result = await ask(runner, FindReferences(symbol="total_of"))
    assert "shop/cart.py:18 Cart.checkout calls it: return total_of(self.prices)" in result.text
    assert ToolStatus.ABSENT == (await ask(runner, FindReferences(symbol="no_such_thing"))).status


async def test_the_uses_of_a_namesake_are_told_where_the_first_has_none(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    (tmp_path / "shop/shop/desk.py").write_text("def checkout() -> int: return 0\n")
    found = await ask(tools_of(tmp_path), FindReferences(symbol="checkout"))
    assert found.text.startswith("The graph knows no use of shop/desk.py::checkout.\n1 use of Cart.checkout (")


async def test_uses_of_overloads_are_told_together(tmp_path: Path) -> None:
    write_sample(tmp_path / "shop")
    java = "class Money {\n  void add(int a) {}\n  void add(String a) {}\n  void use() { add(1); }\n"
    (tmp_path / "shop/Money.java").write_text(java + '  void say() { add("1"); }\n}\n')
    found = await ask(tools_of(tmp_path), FindReferences(symbol="Money.add"))
    assert "2 uses of Money.add (Money.java:2 and 1 overload beside it):\n" in found.text


async def test_a_name_leads_to_what_an_import_stands_for_and_is_not_called_absent_where_it_may_mean_something(
    tmp_path: Path,
) -> None:
    write_sample(tmp_path / "shop")
    (tmp_path / "shop/shop/names.py").write_text("import numpy as np\nimport shop.cart as c\n")
    tools = tools_of(tmp_path)
    found = await ask(tools, RequestCodeContext(symbol="c.Cart.checkout"))
    assert found.text.startswith("c stands for shop.cart in shop/names.py:2.\n### shop/cart.py:16-18 ")
    found = await ask(tools, FindReferences(symbol="np.checkout"))
    assert ToolStatus.ABSENT == found.status
    assert "np stands for numpy in shop/names.py:1, which leads to nothing in the index." in found.text
    assert "That is no proof: checkout by itself is defined 1 time: shop/cart.py::Cart.checkout." in found.text


async def test_searching_is_literal_and_folds_case_without_capitals(runner: ToolRunner) -> None:
    assert "VAT_PERCENT = 19" in (await ask(runner, SearchCode(query="vat_percent = "))).text
    assert ToolStatus.ABSENT == (await ask(runner, SearchCode(query="Vat_Percent"))).status
    assert ToolStatus.ABSENT == (await ask(runner, SearchCode(query="vat_.*"))).status
    assert "LICENSE" in (await ask(runner, SearchCode(query="# Shop"))).text


async def test_one_of_a_thing_is_not_told_as_many(runner: ToolRunner) -> None:
    line = await ask(runner, SearchCode(query="VAT_PERCENT = "))
    assert "1 line in 1 file in the repository holds 'VAT_PERCENT = ':\n" in line.text
    assert "2 lines in 1 file below 'shop' hold " in (await ask(runner, SearchCode(query="VAT_P", path="shop"))).text
    assert "1 file below shop/ fits 'cart*':\n" in (await ask(runner, ListFiles(path="shop", pattern="cart*"))).text
    assert "1 use of Cart.checkout " in (await ask(runner, FindReferences(symbol="Cart.checkout"))).text


async def test_searching_passes_secrets_and_links_over(runner: ToolRunner) -> None:
    for query in ("vat_secret", "root:x"):
        assert ToolStatus.ABSENT == (await ask(runner, SearchCode(query=query))).status


async def test_a_search_can_be_kept_to_a_folder(runner: ToolRunner) -> None:
    result = await ask(runner, SearchCode(query="checkout", path="tests/"))
    assert "tests/test_cart.py" in result.text
    assert ToolStatus.ABSENT == (await ask(runner, SearchCode(query="checkout", path="shop/price.py"))).status
    assert "There is nothing at 'nowhere'" in (await ask(runner, SearchCode(query="x", path="nowhere"))).text


async def test_a_file_is_read_with_line_numbers_and_the_rest_is_named(runner: ToolRunner) -> None:
    part = await ask(runner, ReadFile(path="shop/price.py", start_line=5, end_line=5))
    assert "### shop/price.py (lines 5 to 5 of 21)\n    5 VAT_PERCENT = 19\n" == part.text.replace("\r", "")
    long = await ask(runner, ReadFile(path="shop/long.py"))
    following = long.text.rpartition('"start_line": ')[2].rstrip("}\n")
    assert f"\n{int(following) - 1:>5} x" in long.text
    more = await ask(runner, ReadFile(path="shop/long.py", start_line=int(following)))
    assert f"\n{int(following):>5} x" in more.text
    assert "    1 one\n    2 two\n" in (await ask(runner, ReadFile(path="crlf.txt"))).text


async def test_what_is_not_there_is_said(runner: ToolRunner) -> None:
    gone = await ask(runner, ReadFile(path="src/price.py"))
    assert (ToolStatus.ABSENT, True) == (gone.status, "shop/price.py" in gone.text)
    late = await ask(runner, ReadFile(path="shop/price.py", start_line=900))
    assert (ToolStatus.ABSENT, True) == (late.status, "has 21 lines" in late.text)
    assert ToolStatus.ABSENT == (await ask(runner, ListFiles(path="nowhere"))).status
    assert ToolStatus.ABSENT == (await ask(runner, ListFiles(pattern="*.cobol"))).status
    assert ToolStatus.FAILED == (await ask(runner, ReadFile(path="logo.png"))).status


@pytest.mark.parametrize(
    "path",
    [
        *("../outside.txt", "../../etc/passwd", "/etc/passwd", "link/passwd", "linked.txt", "shop/../../outside.txt"),
        *(".env", "a\0b", "~/.ssh/id_rsa", "shop/.ENV", ".git/config", "\\..\\x", "//etc/passwd", "./../outside.txt"),
    ],
)
async def test_no_path_leads_out_or_to_a_secret(runner: ToolRunner, path: str) -> None:
    result = await ask(runner, ReadFile(path=path))
    assert result.status in (ToolStatus.REFUSED, ToolStatus.ABSENT)
    assert not {"root:", "TOKEN"} & set(result.text.replace("=", " ").split())
    listed = await ask(runner, ListFiles(path=path))
    assert ToolStatus.ABSENT == listed.status


async def test_a_folder_is_listed_one_level_deep_or_by_pattern(runner: ToolRunner) -> None:
    top = await ask(runner, ListFiles())
    assert "shop/  (4 files)\n" in top.text
    assert ".env" not in top.text
    assert "tests/test_cart.py" in (await ask(runner, ListFiles(pattern="test_*.py"))).text
    assert "price.py\n" in (await ask(runner, ListFiles(path="./shop"))).text


async def test_the_same_call_again_is_answered_from_the_first(runner: ToolRunner) -> None:
    first = await ask(runner, RequestCodeContext(symbol="Cart.checkout"))
    again = await ask(runner, RequestCodeContext(symbol="Cart.checkout"))
    assert (ToolStatus.REPEATED, True) == (again.status, "asked exactly this before" in again.text)
    assert first.text not in again.text
    for number in range(5):
        await ask(runner, SearchCode(query=f"price {number}"))
    late = await ask(runner, RequestCodeContext(symbol="Cart.checkout"))
    assert first.text in late.text
