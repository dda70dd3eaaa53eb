"""What macros of C and C++ say of statements and types leaves their names as they are."""

from ctxcode.codegraph.facts import calls_of
from ctxcode.codegraph.parse import parse_source


def test_macros_before_one_another_do_not_swallow_the_functions_behind() -> None:
    body = "{\n    EXPECT_ABORT_BEGIN\n    ASSERT_EQUAL(&A, p0, 2);\n    VERIFY_FAILS_END\n}\n"
    facts = parse_source("".join(f"void f{row}(void)\n{body}" for row in range(3)).encode(), "c", "a.c")
    assert [("f0", 1, 6), ("f1", 7, 12), ("f2", 13, 18)] == [
        (symbol.name, symbol.start_line, symbol.end_line) for symbol in facts.symbols[1:]
    ]


def test_attributes_behind_the_parts_of_a_type_are_not_its_name() -> None:
    source = """typedef enum { A_ONE } PACKED Kind;
typedef struct { int a; } PACKED Box;
struct Wire { int w; } __packed;
enum class Mood { GOOD SWIFT_NAME(good) = 0, BAD SWIFT_NAME(bad) = 1 } CLOSED_ENUM;
struct Tag { int t; } tag;
"""
    facts = parse_source(source.encode(), "cpp", "a.hpp")
    assert [
        *("Kind", "Kind.A_ONE", "Box", "Box.a", "Wire", "Wire.w"),
        *("Mood", "CLOSED_ENUM", "Mood.GOOD", "Mood.BAD", "Tag", "tag", "Tag.t"),
    ] == [symbol.qualname for symbol in facts.symbols[1:]]


def test_what_is_declared_of_a_type_in_capitals_is_no_call_of_a_macro() -> None:
    facts = parse_source(
        b"void f(void) {\n    HWND WND(1);\n    EXPECT_ABORT_BEGIN ASSERT_EQUAL(1, 2);\n}\n", "c", "a.c"
    )
    assert ["ASSERT_EQUAL"] == [call.name for call in calls_of(facts)]
