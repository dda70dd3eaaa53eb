"""What local names of Rust hide, and what they do not."""

from resolved_edges import edges_between


def test_a_name_that_hides_a_module_hides_it_from_then_on() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "x"\n',
        "src/lib.rs": "mod pair;\nmod flat;\n",
        "src/pair.rs": """
        pub struct Pair;
        pub unsafe fn new(a: i32) -> Pair { Pair }
        pub fn plain() -> Pair { Pair }
        impl Pair { pub fn go(&self) {} }
        """,
        "src/flat.rs": """
        use super::pair::{self, Pair};
        pub fn hidden() { let pair = unsafe { pair::new(1) }; pair.go(); }
        pub fn inner(is_late: bool) {
            if is_late { let pair = pair::plain(); pair.go(); }
            pair::plain().go();
        }
        pub fn made_of_itself(pair: Pair) { let pair = pair.go(); }
        """,
    }
    assert {
        ("src/flat.rs::hidden", "src/pair.rs::new", "receiver 0.95"),
        ("src/flat.rs::hidden", "src/pair.rs::Pair.go", "type 0.85"),
        ("src/flat.rs::inner", "src/pair.rs::plain", "receiver 0.95"),
        ("src/flat.rs::inner", "src/pair.rs::Pair.go", "type 0.85"),
        ("src/flat.rs::made_of_itself", "src/pair.rs::Pair.go", "type 0.9"),
    } == edges_between(files)
