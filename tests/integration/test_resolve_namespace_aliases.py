"""Other names of C++'s namespaces: ``namespace fs = shop::files;``."""

from resolved_edges import edges_between

_FILES = {
    "shop.h": """
    namespace shop { namespace files {
    void open();
    struct Line { void add(); static Line make(); };
    } }
    """,
    "shop.cpp": """
    #include "shop.h"
    namespace shop { namespace files {
    void open() {}
    void Line::add() {}
    Line Line::make() { return Line(); }
    } }
    """,
    "names.h": '#include "shop.h"\nnamespace near = shop::files;\nnamespace out = std::filesystem;\n',
    "use.cpp": """
    #include "names.h"
    namespace fs = shop::files;
    namespace whole = shop;
    void one() { fs::open(); }
    void two() { fs::Line line; line.add(); fs::Line::make(); }
    void three() { namespace in = shop::files; in::open(); }
    void four() { near::open(); whole::files::open(); }
    void five() { out::open(); in::open(); }
    """,
}


def test_what_stands_in_a_namespace_is_meant_by_its_other_names() -> None:
    assert {
        ("use.cpp::one", "shop.cpp::shop.files.open", "receiver 0.95"),
        ("use.cpp::two", "shop.cpp::shop.files.Line.add", "type 0.9"),
        ("use.cpp::two", "shop.cpp::shop.files.Line.make", "receiver 0.95"),
        ("use.cpp::three", "shop.cpp::shop.files.open", "receiver 0.95"),
        ("use.cpp::four", "shop.cpp::shop.files.open", "receiver 0.95"),
    } == {edge for edge in edges_between(_FILES) if edge[0].startswith("use")}


def test_nobody_refers_to_the_name_itself() -> None:
    assert {("use.cpp::two", "shop.h::shop.files.Line", "receiver 0.95")} == {
        edge for edge in edges_between(_FILES, "references") if edge[0].startswith("use")
    }
