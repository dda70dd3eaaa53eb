"""Which definition a written name means."""

import pytest

from ctxcode.model.naming.qualified import skipped_parts, spellings

GUAVA = "com.google.common.collect.ImmutableList"


@pytest.mark.parametrize(
    ("skipped", "name", "module", "qualname"),
    [
        (0, "Query.join", "db.sql.query", "Query.join"),
        (0, "query.Query.join", "db.sql.query", "Query.join"),
        (0, "sql.query", "db.sql.query", ""),
        (1, "db.models.Model", "db.models.base", "Model"),
        (1, "models.Model.save", "db.models.base", "Model.save"),
        (2, "pandas.DataFrame", "pandas.core.frame", "DataFrame"),
        (1, "commands.Execute", "commands.hugo", "Execute"),
        (1, f"{GUAVA}.Builder", GUAVA, "ImmutableList.Builder"),
        (1, GUAVA, GUAVA, "ImmutableList"),
        (0, "crate.args.Args", "crates.core.args", "Args"),
    ],
)
def test_a_name_may_leave_out_parts_of_the_path_to_a_file(skipped: int, name: str, module: str, qualname: str) -> None:
    assert skipped == skipped_parts(name, module, qualname)


@pytest.mark.parametrize(
    ("name", "module", "qualname"),
    [
        ("Query.join", "db.sql.query", "Query.Inner.join"),
        ("sql.join", "db.sql.query", "Query.join"),
        ("sql.db.join", "db.sql.query", "join"),
        ("db.db.join", "db.sql.query", "join"),
        ("ql.join", "db.sql.query", "join"),
        ("os.path.join", "tests.paths", "join"),
        ("db.query", "db.sql.query", ""),
    ],
)
def test_a_name_never_leaves_out_what_a_definition_stands_in(name: str, module: str, qualname: str) -> None:
    assert skipped_parts(name, module, qualname) is None


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (["shop.Cart.add", "shop:Cart:add"], "shop::Cart.add"),
        (["Cart.add", "Cart.#add", "Cart:add"], "Cart#add"),
        (["#add", "add"], "#add"),
        (["Cart.#add", "Cart..add", "Cart::add"], "Cart.#add"),
        (["a.b", "a:b"], "/a/b/"),
        (["add"], "add"),
    ],
)
def test_a_name_may_be_written_in_many_ways_and_hold_the_sign_of_what_is_private(
    expected: list[str], name: str
) -> None:
    assert expected == list(spellings(name))
