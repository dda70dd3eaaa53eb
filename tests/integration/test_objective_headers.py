"""Headers of Objective-C: their names say C++, what is in them says otherwise."""

from collections.abc import Mapping
from pathlib import Path

from command import run_here
from resolved_edges import edges_between

HEADER = "@interface Cart : NSObject\n- (void)addItem:(int)item;\n@end\n"
FILES: Mapping[str, str] = {
    "Cart.h": HEADER,
    "Cart.m": "@implementation Cart\n- (void)addItem:(int)item {\n}\n@end\n",
    "Use.mm": "void run(Cart *cart) {\n  [cart addItem:1];\n}\n",
}


def test_a_header_is_read_by_what_is_in_it_and_only_once(tmp_path: Path) -> None:
    repository = tmp_path / "app"
    repository.mkdir()
    for path, text in FILES.items():
        (repository / path).write_text(text, "utf-8")

    def indexed() -> tuple[object, object]:
        report = run_here(tmp_path, "index", "--format", "json", str(repository)).json()
        return report["languages"], report["parsed"]

    assert ({"objc": 3}, 3) == indexed()
    assert ({"objc": 3}, 0) == indexed()
    (repository / "Cart.h").write_text("namespace shop { class Cart {}; }\n", "utf-8")
    assert ({"objc": 2, "cpp": 1}, 1) == indexed()
    (repository / "Cart.h").write_text(HEADER, "utf-8")
    assert ({"objc": 3}, 1) == indexed()
    assert ({"objc": 3}, 0) == indexed()


def test_what_a_header_declares_and_another_file_defines_is_called_there() -> None:
    assert {("Use.mm::run", "Cart.m::Cart.addItem", "unique-name 0.6")} == edges_between(dict(FILES))
