"""Methods of Java that nobody writes, and the labels of its switches."""

from resolved_edges import edges_between

_USER = """
package shop;
import lombok.*;
@Data @Builder
public class User {
    private String name;
    private boolean active, isPaid;
    private final Place place;
    @Getter(AccessLevel.NONE) private int hidden;
    private static int COUNT;
    public String getName(String form) { return form; }
}
class Guest extends User {}
class Place { void show() {} }
"""


def _called(use: str, others: dict[str, str]) -> set[tuple[str, str]]:
    """Return (called, how) of what a method of the package calls."""
    source = f"package shop;\nclass Use {{\n void go(User it, Point at, Guest guest) {{ {use} }}\n}}\n"
    edges = edges_between({**others, "Use.java": source})
    return {(target, how) for origin, target, how in edges if origin == "Use.java::Use.go"}


def test_what_gives_a_component_of_a_record_leads_to_it_unless_it_is_written() -> None:
    point = """
    package shop;
    record Point(int x, Place place) {
        int sum() { return x() + this.place().size(); }
        Place place() { return place; }
    }
    class Place { int size() { return 1; } }
    """
    files = {"Point.java": point}
    own = edges_between(files)
    assert ("Point.java::Point.sum", "Point.java::Point.x", "type 0.85") in own
    assert {
        ("Point.java::Point.x", "type 0.85"),
        ("Point.java::Point.place", "type 0.9"),
        ("Point.java::Place.size", "type 0.9"),
    } == _called("at.x(); at.place().size();", files)


def test_what_lombok_adds_leads_to_the_fields() -> None:
    files = {"User.java": _USER}
    assert {
        ("User.java::User.active", "type 0.85"),
        ("User.java::User.isPaid", "type 0.85"),
        ("User.java::User.place", "type 0.85"),
        ("User.java::Place.show", "type 0.9"),
        ("User.java::User", "receiver 0.95"),
    } == _called("it.isActive(); it.setPaid(true); guest.getPlace().show(); User.builder().build();", files)
    assert {("User.java::User.getName", "type 0.9")} == _called('it.getName("long");', files)


def test_nothing_leads_to_what_lombok_leaves_out() -> None:
    files = {"User.java": _USER}
    assert set() == _called("it.getHidden(); it.setPlace(null); it.getCOUNT(); it.getActive();", files)
    elsewhere = {"User.java": _USER.replace("import lombok.*;", "import other.Data;")}
    assert set() == _called("it.isActive(); User.builder();", elsewhere)


def test_enums_and_fields_alone_have_getters_too() -> None:
    kind = """
    package shop;
    import lombok.Getter;
    @Getter enum Guest { NEW("n"); private final String code; Guest(String code) { this.code = code; } }
    class User { @Getter private String name; private String other; }
    """
    assert {
        ("Kind.java::Guest.code", "type 0.85"),
        ("Kind.java::User.name", "type 0.85"),
    } == _called("guest.getCode(); it.getName(); it.getOther(); it.setName(null);", {"Kind.java": kind})


def test_a_label_of_a_switch_is_a_value_of_what_that_asks() -> None:
    files = {
        "Kind.java": "package shop;\npublic enum Kind { NEW, PAID, GONE }\nenum Other { NEW }\n",
        "Use.java": """
        package shop;
        class Use {
            Kind kind;
            int one(Kind of) { switch (of) { case NEW: return 1; default: return 2; } }
            int two() { return switch (this.kind) { case PAID, GONE -> 1; default -> 2; }; }
            int three(Object of) { return switch (of) { case NEW -> 1; default -> 2; }; }
        }
        """,
    }
    assert {
        ("Use.java::Use.one", "Kind.java::Kind.NEW", "receiver 0.95"),
        ("Use.java::Use.two", "Kind.java::Kind.PAID", "receiver 0.95"),
        ("Use.java::Use.two", "Kind.java::Kind.GONE", "receiver 0.95"),
    } == {edge for edge in edges_between(files, "references") if edge[1].count(".") > 1}
