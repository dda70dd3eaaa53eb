"""What file names and identifiers say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.codegraph.resolve.modules.golang import GoModule, GoPaths
from ctxcode.codegraph.resolve.modules.naming import python_module
from ctxcode.codegraph.resolve.named.common_names import common_methods
from ctxcode.model.naming.folder import is_aside_package, is_aside_path, is_change_log, is_in_tests, is_side_path
from ctxcode.model.naming.words import composed, lower_words, stem, with_seams, words_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("resolve_url", ["resolve", "url"]),
        ("QuerySet", ["query", "set"]),
        ("parseHTTPResponse2", ["parse", "http", "response2"]),
        ("HTTPServer", ["http", "server"]),
        ("_private", ["private"]),
        ("src/myModule/url_conf.py", ["src", "my", "module", "url", "conf", "py"]),
        ("größe_max", ["größe", "max"]),
        ("", []),
    ],
)
def test_names_split_at_humps_and_underscores(text: str, words: list[str]) -> None:
    assert words == words_in(text)


@pytest.mark.parametrize("text", ["snake_case2 and-3 __init__, a.b\tx9", "", "_", "\x00a\x7fb"])
def test_words_are_the_same_whatever_letters_stand_elsewhere_in_a_text(text: str) -> None:
    assert [*lower_words(text), "größe"] == lower_words(f"{text} größe")


@given(st.text("abZA9_. é"))
def test_names_split_alike_whatever_letters_stand_elsewhere_in_a_text(text: str) -> None:
    assert f"{with_seams(text)} größe" == with_seams(f"{text} größe")


def test_letters_have_one_form_and_width() -> None:
    assert ("für Größe", "clear_cache1", "ファイル", "تحذف الملف", "plain…") == tuple(
        map(composed, ("fu\u0308r Größe", "ｃｌｅａｒ＿ｃａｃｈｅ１", "ﾌｧｲﾙ", "تُحذَف المـــلف", "plain…"))
    )


@pytest.mark.parametrize(
    "family",
    [
        ("retry", "retries", "retried"),
        ("file", "files"),
        ("branch", "branches"),
        ("change", "changed", "changing", "changes"),
        ("stop", "stopped", "stopping"),
        ("reload", "reloader", "reloads"),
        ("validate", "validator", "validation", "validators"),
        ("select", "selector", "selecting"),
        ("monitor", "monitoring", "monitors"),
    ],
)
def test_words_of_one_family_share_a_stem(family: tuple[str, ...]) -> None:
    assert 1 == len({stem(word) for word in family})


@pytest.mark.parametrize("word", ["speed", "größen", "go", "test", "vector", "factor"])
def test_other_words_are_their_own_stem(word: str) -> None:
    assert word == stem(word)


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "pkg/tests/a.py",
        "pkg/test_a.py",
        "conftest.py",
        "src/test/java/A.java",
        "a/B_test.go",
        "web/a.spec.ts",
        "web/__tests__/a.ts",
        "x/CartTest.java",
        "vendor/github.com/x/y.go",
        "modules/3rdparty/zlib/a.c",
        "Vendor/Shop/Cart.php",
        "ios/Pods/Shop/Cart.m",
        ".pc/fix.patch/src/cart.c",
        "public/jquery-3.6.0.js",
        "js/cart.min.js",
        "min/cart-with-locales.js",
        "lib/generated/Cart.js",
        "src/__generated__/cart.ts",
        "singleheader/shop.h",
        "single_include/shop/cart.hpp",
        "amalgamated/shop.c",
        "build-aux/install-sh",
        "etc/config.guess",
        "configure",
        "env/lib/python3.12/site-packages/shop/cart.py",
        "examples/a.rs",
        "test/a.py",
        "lib/test/a.js",
    ],
)
def test_tests_examples_and_vendored_files_stand_aside(path: str) -> None:
    assert is_aside_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "django/test/client.py",
        "pkg/testing/a.py",
        "contest.py",
        "a/latest.ts",
        "attest_a.py",
        "core/src/main/java/io/CompileSpec.java",
        "core/src/main/java/io/external/Store.java",
        "core/src/main/kotlin/io/test/Client.kt",
        "ios/HybridCameraSpec.swift",
        "src/min/cart.py",
        "core/src/main/java/generated/Cart.java",
        "src/compile.c",
        "shop/missing.py",
        "lib/configure/__init__.py",
    ],
)
def test_the_product_does_not(path: str) -> None:
    assert not is_aside_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/fs/mocks.rs",
        "internal/mocks/store.go",
        "pkg/store_mock.go",
        "packages/web/test/cart.ts",
        "spec/cart_spec.rb",
        "lib/cart_spec.rb",
        "Tests/CartTests.swift",
        "CartTests/CartSpec.swift",
        "core/src/test/scala/CartSpec.scala",
        "types/index.test-d.ts",
        "integration-tests/run.go",
        "microbench/src/main/java/io/Encode.java",
        "core/src/main/java/io/EncodeBenchmark.java",
        "testsuite/src/main/java/io/Echo.java",
        "fuzz/parse.rs",
        "website/src/index.ts",
        "pkg/testutil/clock.go",
        "packages/test-utils/src/render.ts",
        "src/main/__tests__/window.ts",
        "samples/src/main/java/io/Store.java",
        "shop/migrations/0003_add_flag.py",
        "db/migrate/20240102030405_add_flag.rb",
        "database/migrations/2014_10_12_000000_create_users.php",
        "prisma/migrations/20240102030405_init/migration.sql",
        "alembic/versions/1a2b3c4d5e_add_flag.py",
        "src/main/resources/db/migration/V1__init.sql",
        "t/t7601-merge.sh",
        "t/helper/test-date.c",
        "contrib/subtree/t/t7900.sh",
        "cpan/Shop/t/lib/Cart.pm",
        "src/androidTest/java/io/CartScreen.kt",
        "lib/src/commonTest/kotlin/io/Store.kt",
        "src/testFixtures/java/io/Carts.java",
        "Shop.UnitTests/Builders/CartBuilder.cs",
        "Shop.Test/Fakes.fs",
        "ShopUITests/Robot.swift",
        "selftests/net/run.c",
        "src/nvim/testdir/check.vim",
        "raft/rafttest/node.go",
        "pkg/kubelet/testing/clock.go",
        "pkg/store/fake/store.go",
        "pkg/store/fake_clock.go",
        "re2/testing/backtrack.cc",
        "engines/shop/spec/support/carts.rb",
        "cart/CartTest.cpp",
        "lib/cart_unittest.cc",
        "src/parser/tests.rs",
        "web/cart.cy.ts",
        "cart/CartSuite.scala",
        "Shop.Tests.ps1",
        "contrib/raftexample/raft.go",
        "code-generator/_examples/a.go",
        "web-demo/src/a.ts",
        "tests/install.bats",
        "app/test_support/clock.rb",
    ],
)
def test_what_retrieval_leaves_out_unless_asked(path: str) -> None:
    assert is_side_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "mock/mock.py",
        "django/test/client.py",
        "src/spec/openapi.py",
        "contest.py",
        "a/latest.ts",
        "src/Audit.java",
        "db/migrations/autodetector.py",
        "db/migrations/dead_ends.py",
        "jinja2/tests.py",
        "stats/regress/model.py",
        "lib/unittest/case.py",
        "internal/latest/store.go",
        "src/unittest_style.rs",
        "src/main/scala/munit/FunSuite.scala",
        "src/TestCase.ts",
        "src/t/index.ts",
        "web/src/SpeedTest.tsx",
        "web/src/abTest/split.ts",
        "internal/speedtest/run.go",
        "src/Latest/Cart.cs",
    ],
)
def test_what_retrieval_takes_for_the_product(path: str) -> None:
    assert not is_side_path(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("CHANGELOG.md", True),
        ("packages/core/CHANGELOG.md", True),
        ("docs/changes.md", True),
        ("doc/changelogs/CHANGELOG_V18.md", True),
        ("HISTORY.markdown", True),
        ("release-notes/2.1.md", True),
        ("NEWS.md", True),
        ("docs/history-api.md", False),
        ("src/history.ts", False),
        ("docs/releasing.md", False),
    ],
)
def test_what_lists_past_changes(path: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_change_log(path) is expected


def test_what_stands_in_a_module_of_tests_of_rust() -> None:
    assert all(is_in_tests("rust", name) for name in ("tests.opens", "test.opens", "a.async_tests.inner.opens"))
    assert not any(is_in_tests("rust", name) for name in ("run_tests", "tests", "latest.opens", "Tests.opens"))
    assert not is_in_tests("python", "tests.opens")


def test_what_stands_in_a_class_of_tests_of_python() -> None:
    assert all(
        is_in_tests("python", f"shop.tests.{name}") for name in ("CartTests", "TestCart.test_pay", "CartTestCase")
    )
    assert not any(is_in_tests("python", f"shop.{name}") for name in ("tests.test_odd", "cart.TestCart", "tests.Cart"))


def test_python_modules_begin_at_the_outermost_package() -> None:
    packages = {"src/a", "src/a/b"}
    assert "a.b.c" == python_module("src/a/b/c.py", packages)
    assert "a.b" == python_module("src/a/b/__init__.py", packages)
    assert "a.plain.c" == python_module("src/a/plain/c.py", packages)
    assert ("setup", "tools.c") == (python_module("setup.py", packages), python_module("tools/c.py", packages))


def test_a_go_repository_knows_its_own_prefix_by_what_most_files_import() -> None:
    imported = ["example.org/app/store", "example.org/app/net/http", "other.org/lib/store", "net/http", "fmt"]
    paths = GoPaths(["", "store", "net/http"], imported, [])
    assert ("store", "", "net/http") == tuple(
        paths.find(path, "") for path in ("example.org/app/store", "example.org/app", "example.org/app/net/http")
    )
    assert (None, None) == (paths.find("other.org/lib/store", ""), paths.find("fmt", ""))


def test_a_folder_called_like_a_package_of_the_library_is_named_with_all_that_stands_before_it() -> None:
    imported = ["sync", "example.org/shop/sync", "example.org/shop/store", "store"]
    paths = GoPaths(["sync", "store"], imported, [])
    found = [paths.find(each, "store") for each in imported]
    assert [None, "sync", "store", "store"] == found
    assert "sync" == GoPaths(["sync", "io/fs"], ["sync", "io/fs"], []).find("sync", "io/fs")


def test_modules_of_go_say_where_paths_lead() -> None:
    modules = [
        GoModule("", "example.org/app/v2"),
        GoModule("api", "example.org/app/api/v3"),
        GoModule("staging/meta", "example.org/meta"),
        GoModule("examples/shop", "example.org/shop"),
    ]
    folders = ["", "store", "errors", "api", "api/pb", "staging/meta", "examples/shop", "examples/shop/cart"]
    paths = GoPaths(folders, [], modules)

    def led(importer: str, *imported: str) -> list[str | None]:
        return [paths.find(path, importer) for path in imported]

    assert ["", "store", None] == led("", "example.org/app/v2", "example.org/app/v2/store", "example.org/app/store")
    assert ["api", "api/pb", "staging/meta"] == led(
        "store", "example.org/app/api/v3", "example.org/app/api/v3/pb", "example.org/meta"
    )
    assert ["", "api/pb"] == led("api", "example.org/app/v2", "example.org/app/api/v3/pb")
    assert [None, None] == led("", "errors", "example.org/app/v2/gone")
    # What an example is called only the example means by that.
    assert [None, "examples/shop/cart"] == [
        paths.find("example.org/shop/cart", importer) for importer in ("", "examples/shop")
    ]


def test_every_family_has_its_common_methods_and_others_have_none() -> None:
    assert "append" in common_methods("python")
    assert all(common_methods(family) for family in ("ecmascript", "rust", "go", "java"))
    assert frozenset() == common_methods("cobol")


def test_a_package_that_machines_wrote_is_one_of_the_products() -> None:
    assert not is_aside_package("packages/generated/index.js")
    assert is_aside_package("vendor/generated/index.js")
    assert is_aside_package("tests/generated/index.js")
