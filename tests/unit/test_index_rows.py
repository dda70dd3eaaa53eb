"""What workers hand to the index."""

from importlib.metadata import version

import pytest

from ctxcode.codegraph.extract.rows import file_rows
from ctxcode.codegraph.facts import calls_of, skeleton
from ctxcode.codegraph.languages import grammar_versions
from ctxcode.codegraph.parse import parse_source
from ctxcode.model.naming.folder import ASIDE_MARK
from ctxcode.store.index.documents import forget_oldest

SOURCE = b'''"""About maps."""


class HTTPMap:
    """Keeps."""

    @property
    def zoom_level(self) -> int:
        return self.scale(self.scale(1))

    def zoom_level(self) -> int:
        return self.scale(2)


def draw() -> None:
    draw_all()
    draw_all()
'''


def test_rows_name_namesakes_and_parents_by_local_ids() -> None:
    rows = file_rows(parse_source(SOURCE, "python", "app/maps.py").symbols, "app/maps.py")

    expected = [
        ("maps", "", 1, None),
        ("HTTPMap", "HTTPMap", 1, ""),
        ("zoom_level", "HTTPMap.zoom_level", 1, "HTTPMap"),
        ("zoom_level", "HTTPMap.zoom_level", 2, "HTTPMap"),
        ("draw", "draw", 1, ""),
    ]
    assert expected == [(row[0], row[1], row[2], row[12]) for row in rows.symbols]


def test_documents_hold_names_and_bodies_with_a_seam_at_each_hump() -> None:
    rows = file_rows(parse_source(SOURCE, "python", "app/maps.py").symbols, "app/maps.py")

    assert ["maps", "HTTP Map", "zoom_level", "zoom_level", "draw"] == [name for name, _, _ in rows.documents]
    place, method = "app/maps.py", "app/maps.py HTTP Map"
    assert [place, place, method, method, place] == [words for _, words, _ in rows.documents]
    assert "class HTTP Map:" in rows.documents[1][2]


def test_what_stands_in_tests_is_marked() -> None:
    rows = file_rows(parse_source(SOURCE, "python", "tests/maps.py").symbols, "tests/maps.py")
    assert f"tests/maps.py {ASIDE_MARK}" == rows.documents[0][1]


def test_tests_beside_rust_code_are_marked() -> None:
    source = b"""fn open() {}
#[cfg(all(test, unix))]
mod unix_only { fn helper() {} }
#[cfg(any(test, feature = "mock"))]
mod mock { fn fake() {} }
mod async_tests { mod inner { fn waits() {} } }
#[tokio::test]
async fn opens() {}
fn run_tests() {}
"""
    rows = file_rows(parse_source(source, "rust", "src/open.rs").symbols, "src/open.rs")
    marked = [row[1] for row, (_, place, _) in zip(rows.symbols, rows.documents, strict=True) if ASIDE_MARK in place]
    assert ["unix_only", "unix_only.helper", "async_tests", "async_tests.inner", "async_tests.inner.waits"] == marked[
        :5
    ]
    assert ["opens"] == marked[5:]


def test_a_field_has_no_document_and_leaves_its_name_to_a_method() -> None:
    source = b"struct Box { width: u32 }\nimpl Box { fn width(&self) -> u32 { self.width } }\n"
    rows = file_rows(parse_source(source, "rust", "src/box.rs").symbols, "src/box.rs")

    assert [("Box", "Box", 1), ("width", "Box.width", 2), ("width", "Box.width", 1)] == [
        row[:3] for row in rows.symbols
    ][1:]
    assert ["box", "Box", "", "width"] == [name for name, _, _ in rows.documents]
    assert ["struct Box { width: u32 }", ""] == [body for _, _, body in rows.documents][1:3]


def test_the_first_of_equal_calls_is_kept_in_order() -> None:
    facts = parse_source(SOURCE, "python", "app/maps.py")

    kept = [(call.name, call.line) for call in calls_of(skeleton(facts))]

    assert [("property", 7), ("scale", 9), ("scale", 12), ("draw_all", 16)] == kept


def test_grammar_versions_are_those_of_the_installed_distributions() -> None:
    versions = grammar_versions()

    assert version("tree-sitter-python") == versions["python"]
    assert version("tree-sitter") == versions["tree-sitter"]


def test_what_is_kept_of_an_index_is_what_was_asked_for_last() -> None:
    kept = {3: "three", 1: "one", 2: "two"}
    forget_oldest(kept, 3)
    assert [3, 1, 2] == list(kept)
    forget_oldest(kept, 2)
    assert {1: "one", 2: "two"} == kept


@pytest.mark.parametrize(
    ("source", "is_marked"),
    [
        ("class CartTests(TestCase):\n    def test_pays(self): pass\n", True),
        ("def test_odd(value):\n    return value % 2\n", False),
    ],
)
def test_tests_of_a_django_application_are_marked(source: str, is_marked: bool) -> None:  # noqa: FBT001 - a column
    rows = file_rows(parse_source(source.encode(), "python", "shop/tests.py").symbols, "shop/tests.py")
    assert [is_marked] * len(rows.documents) == [ASIDE_MARK in place for _, place, _ in rows.documents]


def test_what_stands_in_its_owners_text_has_no_document_of_its_own() -> None:
    source = b"LIMIT = 1\nshown = 2\nclass Row:\n    MOST = 3\n    name: str\n"
    rows = file_rows(parse_source(source, "python", "app/rows.py").symbols, "app/rows.py")
    silent = [row[1] for row, document in zip(rows.symbols, rows.documents, strict=True) if not any(document)]
    assert ["shown", "Row.MOST", "Row.name"] == silent
