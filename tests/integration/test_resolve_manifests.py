"""Names that manifests give to packages, crates and paths."""

import json

import pytest
from resolved_edges import edges_between
from updated_graph import assert_as_anew, facts_from

TOOL = "export function cut() {}\n"


def importing(specifier: str) -> str:
    return f"import {{ cut }} from '{specifier}';\nexport function go() {{ cut(); }}\n"


@pytest.mark.parametrize(
    ("manifest", "specifier", "place"),
    [
        ({"name": "@acme/kit"}, "@acme/kit", "src/index.ts"),
        ({"name": "kit"}, "kit", "index.js"),
        ({"name": "kit"}, "kit", "lib/kit.js"),
        ({"name": "kit"}, "kit/tool/cut", "src/tool/cut.ts"),
        ({"name": "kit", "main": "./lib/enter"}, "kit", "lib/enter.js"),
        ({"name": "kit", "main": "dist/enter.js"}, "kit", "src/enter.ts"),
        ({"name": "kit", "exports": "./entry.mjs"}, "kit", "entry.mjs"),
        ({"name": "kit", "exports": {"import": ["./gone.js", "./there.js"]}}, "kit", "there.js"),
        (
            {"name": "kit", "exports": {"./web": {"node": {"import": "./dist/web/main.js"}}}},
            "kit/web",
            "src/web/main.ts",
        ),
        ({"name": "kit", "exports": {"./*": "./source/*.js", "./a/*": "./first/*.js"}}, "kit/a/b", "first/b.ts"),
    ],
)
def test_a_package_of_the_repository_is_known_by_its_name(
    manifest: dict[str, object], specifier: str, place: str
) -> None:
    files = {
        "packages/one/package.json": json.dumps(manifest),
        f"packages/one/{place}": TOOL,
        "packages/two/package.json": '{"name": "two"}',
        "packages/two/src/run.ts": importing(specifier),
    }
    assert {("packages/two/src/run.ts::go", f"packages/one/{place}::cut", "import 1")} == edges_between(files)


@pytest.mark.parametrize(
    "manifest",
    [
        {"name": "kit", "exports": {".": {"types": "./types/kit.d.ts", "default": "./lib/kit.js"}}},
        {"name": "kit", "types": "./lib/kit.d.ts"},
    ],
)
def test_a_package_means_what_is_run_not_what_declares_it(manifest: dict[str, object]) -> None:
    files = {
        "kit/package.json": json.dumps(manifest),
        "kit/types/kit.d.ts": "export function cut(): void;\n",
        "kit/lib/kit.d.ts": "export function cut(): void;\n",
        "kit/lib/kit.js": TOOL,
        "run.ts": importing("kit"),
    }
    assert {("run.ts::go", "kit/lib/kit.js::cut", "import 1")} == edges_between(files)


_DECLARED = {
    "kit/package.json": json.dumps({"name": "kit", "main": "lib/kit.js", "types": "types/kit.d.ts"}),
    "kit/types/kit.d.ts": "export * from './more';\nexport interface Options { limit: number }\n",
    "kit/types/more.d.ts": "export interface More { most: number }\nexport function cut(): void;\n",
    "kit/lib/kit.js": TOOL,
    "run.ts": "import { cut, Options, More } from 'kit';\nclass Run implements Options, More { go() { cut(); } }\n",
}


def test_types_that_a_packages_script_lacks_are_those_of_the_declarations_it_names() -> None:
    assert {("run.ts::Run.go", "kit/lib/kit.js::cut", "import 1")} == edges_between(_DECLARED)
    assert {
        ("run.ts::Run", "kit/types/kit.d.ts::Options", "import 1"),
        ("run.ts::Run", "kit/types/more.d.ts::More", "import 1"),
    } == edges_between(_DECLARED, "implements")


@pytest.mark.parametrize("path", _DECLARED)
def test_such_a_packages_files_more_or_less_give_the_graph_of_all_files_joined_anew(path: str) -> None:
    whole = {each: facts_from(each, source) for each, source in _DECLARED.items()}
    without = {each: facts for each, facts in whole.items() if each != path}
    edited = whole | {path: facts_from(path, _DECLARED[path].replace("Options", "Other").replace("types/", "lib/"))}
    assert_as_anew(whole, without)
    assert_as_anew(whole, edited)


@pytest.mark.parametrize("specifier", ["kit", "kit/tool", "@acme/kit", "other", "kit/../../two/src/run"])
def test_names_of_two_packages_or_of_none_stay_outside(specifier: str) -> None:
    files = {
        "a/package.json": '{"name": "kit"}',
        "a/src/index.ts": TOOL,
        "b/package.json": '{"name": "kit"}',
        "b/src/index.ts": TOOL,
        "tests/fixture/package.json": '{"name": "other"}',
        "tests/fixture/src/index.ts": TOOL,
        "two/src/run.ts": importing(specifier),
    }
    assert set() == edges_between(files)


def test_what_an_entry_names_outside_of_the_repository_is_nowhere() -> None:
    files = {
        "package.json": '{"name": "kit", "main": "../other/src/index.ts", "exports": {"./*": "/etc/*"}}',
        "src/run.ts": importing("kit") + "import { passwd } from 'kit/passwd';\nexport function on() { passwd(); }\n",
    }
    assert set() == edges_between(files)


def test_a_compilers_paths_hold_below_their_folder_and_the_nearest_count() -> None:
    settings = '{"compilerOptions": {"baseUrl": "./src", /* ours */ "paths": {"@tool": ["%s",], "~%s/*": ["deep/*"]}}}'
    files = {
        "tsconfig.base.json": settings % ("tool", "all"),
        "app/tsconfig.json": settings % ("own", "app"),
        "src/tool.ts": TOOL,
        "src/deep/tool.ts": TOOL,
        "app/src/own.ts": TOOL,
        "app/src/deep/own.tsx": TOOL,
        "app/run.ts": importing("@tool"),
        "app/mapped.ts": importing("~app/own"),
        "app/above.ts": importing("~all/tool"),
        "app/based.ts": importing("deep/own"),
        "run.ts": importing("@tool"),
        "mapped.ts": importing("~app/own"),
    }
    assert {
        ("app/run.ts::go", "app/src/own.ts::cut", "import 1"),
        ("app/mapped.ts::go", "app/src/deep/own.tsx::cut", "import 1"),
        ("app/above.ts::go", "src/deep/tool.ts::cut", "import 1"),
        ("app/based.ts::go", "app/src/deep/own.tsx::cut", "import 1"),
        ("run.ts::go", "src/tool.ts::cut", "import 1"),
    } == edges_between(files)


def test_a_compilers_settings_may_name_their_own_folder() -> None:
    own = "${configDir}"
    settings = {"baseUrl": f"{own}/src", "paths": {"@/*": [f"{own}/app/*"]}}
    files = {
        "tsconfig.json": json.dumps({"compilerOptions": settings}),
        "app/tool.ts": TOOL,
        "src/own.ts": TOOL,
        "run.ts": importing("@/tool"),
        "based.ts": importing("own"),
    }
    assert {("run.ts::go", "app/tool.ts::cut", "import 1"), ("based.ts::go", "src/own.ts::cut", "import 1")} == (
        edges_between(files)
    )


def test_a_crate_is_known_by_the_name_its_manifest_gives_it() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "big-kit"\n',
        "src/lib.rs": "pub fn cut() {}\n",
        "crates/first/Cargo.toml": '[package]\nname = "kit-core"\n[lib]\nname = "core_of_kit"\n',
        "crates/first/src/lib.rs": "pub mod tool;\n",
        "crates/first/src/tool.rs": "pub fn cut() {}\n",
        "crates/second/src/lib.rs": "use big_kit::cut;\nuse core_of_kit::tool;\n"
        "pub fn go() { cut(); }\npub fn on() { tool::cut(); first::tool::cut(); }\n",
    }
    assert {
        ("crates/second/src/lib.rs::go", "src/lib.rs::cut", "import 1"),
        ("crates/second/src/lib.rs::on", "crates/first/src/tool.rs::cut", "receiver 0.95"),
    } == edges_between(files)


@pytest.mark.parametrize("manifest", ["Cargo.toml", "crates/tool/Cargo.toml"])
def test_a_crate_may_begin_outside_of_src(manifest: str) -> None:
    files = {
        manifest: '[package]\nname = "rt"\n[[bin]]\nname = "rt"\npath = "crates/tool/main.rs"\n',
        "crates/tool/main.rs": "mod args;\nmod work;\nuse args::Args;\ntype Result<T> = ::std::result::Result<T, ()>;\n"
        "fn go(args: &Args) { let mut one = args.worker()?; one.run(); }\n",
        "crates/tool/args.rs": "use crate::work::Worker;\nuse crate::Result;\npub struct Args;\n"
        "impl Args { pub fn worker(&self) -> Result<Worker> { crate::work::made() } }\n",
        "crates/tool/work.rs": "use crate::Result;\npub struct Worker;\nimpl Worker { pub fn run(&self) {} }\n"
        "pub fn made() -> Result<Worker> { Ok(Worker) }\n",
        "crates/other/run.rs": "pub struct Other;\nimpl Other { pub fn run(&self) {} pub fn made() {} }\n",
    }
    assert {
        ("crates/tool/args.rs::Args.worker", "crates/tool/work.rs::made", "receiver 0.95"),
        ("crates/tool/main.rs::go", "crates/tool/args.rs::Args.worker", "type 0.9"),
        ("crates/tool/main.rs::go", "crates/tool/work.rs::Worker.run", "type 0.85"),
    } <= edges_between(files)


def test_a_main_file_inside_a_crate_is_no_crate_of_its_own() -> None:
    files = {
        "src/lib.rs": "pub mod tool;\npub fn cut() {}\n",
        "src/tool/main.rs": "use crate::cut;\npub fn go() { cut(); }\n",
    }
    assert {("src/tool/main.rs::go", "src/lib.rs::cut", "import 1")} == edges_between(files)


_RENAMING = {
    "Cargo.toml": '[workspace]\n[workspace.dependencies]\naids = { package = "my-util", path = "util" }\n',
    "core/Cargo.toml": '[package]\nname = "my-core"\n[lib]\nname = "kernel"\n',
    "core/src/lib.rs": "pub struct Cart;\nimpl Cart { pub fn new() -> Cart { Cart } }\n",
    "util/Cargo.toml": '[package]\nname = "my-util"\n',
    "util/src/lib.rs": "pub fn help() {}\n",
    "app/Cargo.toml": """
[package]
name = "app"
[dependencies]
core = { package = "my-core", path = "../core" }
aids = { workspace = true }
app_util = { package = "serde" }
[target.'cfg(unix)'.dependencies.deep-core]
package = "my-util"
[[bin]]
name = "runner"
path = "tools/run.rs"
""",
    "app/src/lib.rs": """
#[path = "sys/unix.rs"]
mod platform;
use core::Cart;
pub fn go() { Cart::new(); aids::help(); app_util::help(); platform::boot(); }
pub fn again() { deep_core::help(); }
""",
    "app/src/sys/unix.rs": "pub fn boot() { super::go(); }\n",
    "app/tools/run.rs": "mod local;\nfn main() { local::inner(); app::go(); }\nfn near() {}\n",
    "app/tools/local.rs": "pub fn inner() { crate::near(); }\n",
    "app/tests/shop.rs": "mod common;\nfn t() { common::set_up(); }\n",
    "app/tests/common/mod.rs": "pub fn set_up() {}\n",
}


def test_crates_go_by_the_names_that_a_manifest_gives_them_and_programs_begin_where_it_says() -> None:
    calls = {(source, target) for source, target, _ in edges_between(_RENAMING)}
    assert {
        ("app/src/lib.rs::go", "core/src/lib.rs::Cart.new"),
        ("app/src/lib.rs::go", "util/src/lib.rs::help"),
        ("app/src/lib.rs::go", "app/src/sys/unix.rs::boot"),
        ("app/src/lib.rs::again", "util/src/lib.rs::help"),
        ("app/src/sys/unix.rs::boot", "app/src/lib.rs::go"),
        ("app/tools/run.rs::main", "app/tools/local.rs::inner"),
        ("app/tools/run.rs::main", "app/src/lib.rs::go"),
        ("app/tools/local.rs::inner", "app/tools/run.rs::near"),
        ("app/tests/shop.rs::t", "app/tests/common/mod.rs::set_up"),
    } == calls


@pytest.mark.parametrize("path", [path for path in _RENAMING if path != "Cargo.toml"])
def test_a_file_of_such_crates_more_or_less_gives_the_graph_of_all_files_joined_anew(path: str) -> None:
    whole = {each: facts_from(each, source) for each, source in _RENAMING.items()}
    without = {each: facts for each, facts in whole.items() if each != path}
    edited = whole | {path: facts_from(path, _RENAMING[path].replace("package =", "other =") + "\n# \n")}
    assert_as_anew(whole, without)
    assert_as_anew(whole, edited)


def test_a_packages_own_names_begin_with_a_hash() -> None:
    files = {
        "a/package.json": '{"imports": {"#tool": {"node": "./src/tool.js"}, "#in/*": "./src/*.js", "plain": "./x.js"}}',
        "a/src/tool.ts": TOOL,
        "a/x.js": TOOL,
        "a/run.ts": importing("#tool"),
        "a/src/deep/run.ts": importing("#in/tool"),
        "a/plain.ts": importing("plain"),
        "b/run.ts": importing("#tool"),
    }
    assert {
        ("a/run.ts::go", "a/src/tool.ts::cut", "import 1"),
        ("a/src/deep/run.ts::go", "a/src/tool.ts::cut", "import 1"),
    } == edges_between(files)
