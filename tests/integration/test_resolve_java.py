"""What calls and names of Java mean where several things go by one name, and what lambdas get."""

from resolved_edges import edges_between, edges_to_lines

SHIP = {
    "p/Ship.java": """package p;
    public class Ship {
        static final String[] PARTS = {"mast"};
        static String PARTS(int count) { return PARTS(count, 1); }
        static String PARTS(int count, int most) { return PARTS[count]; }
    }
    """
}


def test_a_call_means_the_methods_of_a_name_and_not_the_constant() -> None:
    dock = "package p;\nclass Dock {\n    void one() { Ship.PARTS(1); }\n    void two() { Ship.PARTS(1, 2); }\n}\n"
    found = edges_to_lines({**SHIP, "p/Dock.java": dock})
    assert {
        ("p/Ship.java::Ship.PARTS", "p/Ship.java::Ship.PARTS", 5, "receiver 0.95"),
        ("p/Dock.java::Dock.one", "p/Ship.java::Ship.PARTS", 4, "receiver 0.95"),
        ("p/Dock.java::Dock.two", "p/Ship.java::Ship.PARTS", 5, "receiver 0.95"),
    } == found


def test_who_names_a_constant_refers_to_it_and_not_to_the_method_of_its_name() -> None:
    dock = "package p;\nclass Dock {\n    int all() { return Ship.PARTS.length; }\n    int ALL() { return 1; }\n"
    dock += "    static final int ALL = 2;\n    int own() { return ALL; }\n}\n"
    found = edges_to_lines({**SHIP, "p/Dock.java": dock}, "references")
    assert ("p/Dock.java::Dock.all", "p/Ship.java::Ship.PARTS", 3, "receiver 0.95") in found
    assert ("p/Dock.java::Dock.own", "p/Dock.java::Dock.ALL", 5, "scope 1") in found


def test_what_is_called_on_a_text_has_the_type_that_the_language_says() -> None:
    files = {
        "p/Out.java": """package p;
        public class Out extends OutputStream {
            public void write(int one) {}
            public void put(long[] all) {}
            public void put(long[][] all) {}
            public void go(Path to) {}
            public void go(File to) {}
        }
        """,
        "p/Dock.java": """package p;
        class Dock {
            void bytes(Out out) { out.write("a".getBytes(UTF_8)); }
            void rows(Out out) { out.put(new long[][] {{1}}); }
            void path(Out out, File file) { out.go(file.toPath()); }
        }
        """,
    }
    assert {
        ("p/Dock.java::Dock.rows", "p/Out.java::Out.put", 5, "type 0.9"),
        ("p/Dock.java::Dock.path", "p/Out.java::Out.go", 6, "type 0.9"),
    } == edges_to_lines(files)


def test_a_lambda_that_is_returned_or_cast_gets_what_that_type_takes() -> None:
    files = {
        "p/Out.java": "package p;\npublic class Out {\n    public void put() {}\n}\n",
        "p/In.java": "package p;\npublic class In {\n    public void put() {}\n}\n",
        "p/Task.java": "package p;\ninterface Task {\n    void run(String name, Out out);\n}\n",
        "p/Dock.java": """package p;
        class Dock {
            static Task given(boolean isLate) {
                if (isLate) {
                    return (name, out) -> { out.put(); };
                }
                return null;
            }
            void cast() { start((Task) (name, out) -> out.put()); }
        }
        """,
    }
    assert {
        ("p/Dock.java::Dock.given", "p/Out.java::Out.put", "type 0.85"),
        ("p/Dock.java::Dock.cast", "p/Out.java::Out.put", "type 0.85"),
    } == edges_between(files)


def test_what_a_library_hands_back_is_what_it_is_given() -> None:
    files = {
        "p/Ship.java": "package p;\npublic class Ship { void sail() {} void land() {} }",
        "p/Dock.java": """package p;
        import static java.util.Objects.requireNonNull;
        import java.util.Objects;
        class Dock {
            void one(Ship it) { requireNonNull(it).sail(); }
            void two(Ship it) { Objects.requireNonNull(it, "it").sail(); }
            void four(Ship it) { verify(it).sail(); }
            void five(Ship it) { requireNonNull(it, it.name()).sail(); Own.requireNonNull(it).land(); }
        }
        class Own { static Dock requireNonNull(Ship it) { return null; } }
        """,
        "p/DockTest.java": """package p;
        import static org.mockito.Mockito.*;
        class DockTest {
            void one(Ship it) { verify(it, times(2)).sail(); }
            void two(Ship it) { doNothing().when(it).land(); mock(Ship.class).sail(); }
        }
        """,
    }
    found = {
        edge[:2] for edge in edges_between(files) if edge[1].startswith("p/Ship.java::Ship.") and "type" in edge[2]
    }
    sailing = {f"p/Dock.java::Dock.{name}" for name in ("one", "two", "five")}
    sailing |= {"p/DockTest.java::DockTest.one", "p/DockTest.java::DockTest.two"}
    landing = ("p/DockTest.java::DockTest.two", "p/Ship.java::Ship.land")
    assert {(each, "p/Ship.java::Ship.sail") for each in sailing} | {landing} == found


def test_what_stands_above_is_a_class_and_no_interface() -> None:
    files = {
        "p/Ship.java": """package p;
        public class Ship {
            void sail() {}
            Ship self() { return this; }
        }
        interface Named { default String name() { return ""; } default void sail() {} }
        class Ferry extends Ship {
            void sail() {}
            Ferry self() { return this; }
            class Deck { void go() { Ferry.super.sail(); } void stay() { Ferry.this.self().sail(); } }
        }
        class Gone extends Thread implements Named {
            String own() { return super.name(); }
            void sail() { Named.super.sail(); }
        }
        """,
    }
    assert {
        ("p/Ship.java::Ferry.Deck.go", "p/Ship.java::Ship.sail", 3, "type 0.9"),
        ("p/Ship.java::Ferry.Deck.stay", "p/Ship.java::Ferry.self", 9, "type 0.9"),
        ("p/Ship.java::Ferry.Deck.stay", "p/Ship.java::Ferry.sail", 8, "type 0.9"),
        ("p/Ship.java::Gone.sail", "p/Ship.java::Named.sail", 6, "type 0.9"),
    } == edges_to_lines(files)
