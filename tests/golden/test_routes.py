"""Small repositories of frameworks for the web, with what of them answers requests, as data beside this test."""

import tomllib
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.session.look.routes.known import routes

CASES = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "cases" / "routes").glob("*.toml"))
}


def known(folder: IndexedFolder) -> list[str]:
    return [one.id for one in routes(folder.index, folder.workspace)]


@pytest.mark.parametrize("name", CASES)
def test_what_answers_requests_is_known(tmp_path: Path, name: str) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    for path, text in CASES[name]["files"].items():
        folder.write(path, text)
    folder.refresh()
    assert CASES[name]["routes"] == known(folder)
    folder.close()


def test_an_edit_leads_to_what_a_fresh_index_tells(tmp_path: Path) -> None:
    files = CASES["gin"]["files"]
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    for path, text in files.items():
        folder.write(path, text.replace("r.GET(", "r.USE("))
    folder.refresh()
    before = known(folder)
    for path, text in files.items():
        folder.write(path, text)
    folder.refresh()
    assert before != known(folder) == CASES["gin"]["routes"]
    folder.close()


def test_of_very_many_routes_only_some_are_told(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    written = "".join(f'\tr.GET("/{number}", answer{number})\n' for number in range(1_000))
    defined = "".join(f"func answer{number}(c *gin.Context) {{}}\n" for number in range(1_000))
    folder.write("main.go", f"package main\n\nfunc serve(r *gin.Engine) {{\n{written}}}\n\n{defined}")
    folder.write("config/routes.rb", "".join(f"namespace :a{number} do\n" for number in range(20_000)))
    folder.write("made.ts", "".join(f"app.get('/{number}', (a) => {{}});\n" for number in range(20_000)))
    folder.refresh()
    assert [f"main.go::answer{number}" for number in range(12)] == known(folder)
    folder.close()


def test_controllers_are_found_among_many_that_speak_of_them(tmp_path: Path) -> None:
    folder = IndexedFolder(tmp_path / "tree", tmp_path / "cache")
    for number in range(70):
        folder.write(f"src/s{number}.ts", "// the controller\nexport class Service {\n  controller() {}\n}\n")
    folder.write("src/cats.controller.ts", "@Controller('cats')\nexport class Cats {\n  @Get()\n  list() {}\n}\n")
    folder.refresh()
    assert ["src/cats.controller.ts::Cats.list"] == known(folder)
    folder.close()
