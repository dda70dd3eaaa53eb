"""Telling a build's output from what somebody wrote, by names alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcode.model.naming.built import built_files, scripts_beside

PACKAGE = ["src/v4/core.ts", "v4/core.js", "v4/core.cjs", "v4/core.d.ts", "v4/core.d.cts", "src/index.ts", "index.js"]


def test_a_compiled_package_beside_its_source_is_output_where_declarations_say_so() -> None:
    expected = dict.fromkeys(["v4/core.js", "v4/core.cjs", "v4/core.d.ts", "v4/core.d.cts"], "src/v4/core.ts")

    assert expected == built_files(PACKAGE)


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("app/cart.js", "app/cart.ts"),
        ("app/cart.d.ts", "app/cart.ts"),
        ("app/view.js", "app/view.tsx"),
        ("lib/cart.js", "src/cart.ts"),
        ("dist/types/cart.d.ts", "src/cart.ts"),
        ("build/legacy/cart.js", "src/cart.ts"),
        ("dist/src/cart.js", "src/cart.ts"),
        ("packages/shop/dist/esm/web/http.mjs", "packages/shop/src/web/http.mts"),
    ],
)
def test_what_a_source_compiles_to_is_output(output: str, source: str) -> None:
    assert {output: source} == built_files([source, output])


def test_of_a_module_in_several_module_systems_one_stays() -> None:
    paths = ["lib/cart.js", "lib/cart.cjs", "lib/cart.d.ts", "lib/cart.d.cts"]

    assert {"lib/cart.cjs": "lib/cart.js", "lib/cart.d.cts": "lib/cart.d.ts"} == built_files(paths)


def test_declarations_are_about_the_script_beside_them() -> None:
    assert ("a/cart.js", "a/cart.mjs", "a/cart.cjs", "a/cart.jsx") == scripts_beside("a/cart.d.mts")
    assert () == scripts_beside("a/cart.ts")


MODULES = ("cart", "web/http", "web/page")


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        ("__cjs", ""),
        ("lib-esm", "lib"),
        ("es6", "lib"),
        ("_esm5", ""),
        ("es", "lib"),
        ("dist/cjs", "dist/esm"),
        ("dist-cjs", "dist-es"),
        ("lib/commonjs", "lib/module"),
        ("packages/shop/umd", "packages/shop/dist"),
    ],
)
def test_of_a_package_in_a_folder_for_each_module_system_one_stays(form: str, kept: str) -> None:
    pairs = {f"{form}/{name}.js": f"{kept}/{name}.js".removeprefix("/") for name in MODULES}
    declared = {f"{form}/cart.d.ts": f"{kept}/cart.d.ts".removeprefix("/")}

    paths = [*pairs, *pairs.values(), *declared, *declared.values(), f"{form}/own.d.ts"]
    assert pairs | declared == built_files(paths)


def test_forms_of_a_package_are_held_against_the_one_that_stays() -> None:
    forms = [f"dist/{form}/{name}.js" for form in ("cjs", "esm", "umd") for name in MODULES]

    expected = {f"dist/{form}/{name}.js": f"dist/esm/{name}.js" for form in ("cjs", "umd") for name in MODULES}
    assert expected == built_files(forms)


@pytest.mark.parametrize(
    ("form", "other"),
    [("es", ""), ("module", ""), ("legacy", ""), ("tests/cjs", "tests/esm"), ("web/cjs", "web/old")],
)
def test_folders_of_one_form_are_no_output(form: str, other: str) -> None:
    assert {} == built_files([f"{folder}/{name}.js".removeprefix("/") for folder in (form, other) for name in MODULES])


@pytest.mark.parametrize(("count", "is_form"), [(19, False), (20, True)])
def test_what_is_written_for_browsers_is_a_form_of_a_package_where_it_is_many_files(
    count: int, *, is_form: bool
) -> None:
    names = [f"part{number}.js" for number in range(count)]
    paths = [*names, *(f"browser/{name}" for name in names)]
    assert built_files(paths) == ({f"browser/{name}": name for name in names} if is_form else {})


def test_folders_that_share_few_files_are_no_forms_of_one_package() -> None:
    assert {} == built_files(["cjs/a.js", "cjs/b.js", "a.js", "b.js"])
    assert {} == built_files([f"cjs/{name}.js" for name in "abcd"] + [f"{name}.js" for name in "abc"])


@pytest.mark.parametrize(
    "paths",
    [
        ["lib/cart.js", "lib/price.ts"],
        ["cart.js", "src/cart.ts"],
        ["legacy/cart.js", "src/cart.ts"],
        ["types/cart.d.ts", "src/cart.ts"],
        ["node/cart.js", "cart.ts"],
        ["cart.js", "cart.mjs"],
        ["cart.js", "cart.d.ts"],
        ["web/cart.js", "src/shop/cart.ts", "web/cart.d.ts"],
        ["src/cart.ts", "src/cart.test.ts", "src/cart.py", "cart.d.py", "d.ts"],
    ],
)
def test_what_may_be_written_by_hand_is_no_output(paths: list[str]) -> None:
    assert {} == built_files(paths)


_NAMES = st.lists(st.sampled_from(["src", "lib", "dist", "esm", "cjs", "a", "b", ".d", ""]), min_size=1, max_size=4)
_PATHS = st.builds(
    lambda names, suffix: "/".join(names) + suffix,
    _NAMES,
    st.sampled_from([".ts", ".tsx", ".d.ts", ".d.cts", ".js", ".cjs", ".mjs", ".py", ""]),
)


@given(st.lists(_PATHS, unique=True, max_size=30))
def test_what_stands_for_output_is_there_and_no_output_itself(paths: list[str]) -> None:
    built = built_files(paths)

    assert built == built_files(reversed(paths))
    assert set(built) <= set(paths)
    assert set(built.values()) <= set(paths) - set(built)
