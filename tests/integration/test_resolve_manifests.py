"""Names that manifests give to packages, crates and paths."""

import json

import pytest
from resolved_edges import edges_between

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
