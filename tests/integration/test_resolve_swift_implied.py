"""Members of Swift whose type is not said, and what properties are wrapped in."""

from resolved_edges import edges_between

_ROUTE = """
enum Route { case home, cart(Int), gone
    func show() {} }
enum Other { case home }
@propertyWrapper struct Clamped { var wrappedValue: Int; init(wrappedValue: Int, _ top: Int) {} }
"""


def _named(source: str) -> set[tuple[str, str]]:
    """Return (user, target) of the references to members, and to what wraps properties."""
    edges = edges_between({"Route.swift": _ROUTE, "Use.swift": source}, "references")
    named = {(user, target.partition("::")[2]) for user, target, _ in edges if user.startswith("Use.swift")}
    return {(user.partition("::")[2], target) for user, target in named if "." in target or target == "Clamped"}


def test_a_member_is_one_of_the_type_that_is_declared_or_given_or_switched() -> None:
    source = """
    class Use {
        var first: Route = .home
        var second: Route = .cart(1)
        var third = 1
        func give() { first = .gone; self.second = .cart(2) }
        func ask(route: Route) { switch route { case .home: break; case .cart(let x): show(x); default: break } }
        func same(route: Route) -> Bool { return route == .gone }
        func local() { let other: Other = .home }
    }
    """
    assert {
        ("Use", "Route.home"),
        ("Use", "Route.cart"),
        ("Use.give", "Route.gone"),
        ("Use.give", "Route.cart"),
        ("Use.ask", "Route.home"),
        ("Use.ask", "Route.cart"),
        ("Use.same", "Route.gone"),
        ("Use.local", "Other.home"),
    } == _named(source)


def test_nothing_is_meant_where_no_type_is_told() -> None:
    source = """
    func run(any: Any, names: [Route]) {
        let x = make(.home)
        any = .home; names = .home; unknown = .gone
        switch any { case home: break; default: break }
        switch pair(any) { case .gone: break; default: break }
        let all: [Route] = .home
    }
    """
    assert set() == _named(source)


def test_what_wraps_a_property_is_used() -> None:
    source = "struct Use {\n    @Clamped(10) var level: Int = 3\n    @objc func run() {}\n}\n"
    assert {("Use", "Clamped")} == _named(source)


def test_a_member_is_one_of_what_a_function_or_property_gives_and_a_parameter_is_without_an_argument() -> None:
    source = """
    class Use {
        var kind: Route? { if busy { return .home }; return busy ? .gone : .cart(1) }
        var other: Other { get { .home } set { pass = .gone } }
        init(route: Route = .gone, busy: Bool) {}
        func pick(x: Int) -> Route { switch x { case 1: .home
            default: return known ?? .gone } }
        func each() -> Route { names.map { return .home }; if busy { return wrap(.gone) } else { return .cart(2) } }
        func ask(route: Route, pair: Pair) -> Bool { guard route != .home, pair.total + .gone else { return true } }
        func any() -> [Route] { return .home }
        func fail() throws -> Route { guard busy else { throw .home }; for name in .gone { if .home { return known } } }
        func loop() -> Route { for name in names { while busy { return .gone } }; do { return .cart(2) } catch { } }
    }
    """
    assert {
        ("Use.kind", "Route.home"),
        ("Use.kind", "Route.gone"),
        ("Use.kind", "Route.cart"),
        ("Use.other", "Other.home"),
        ("Use.init", "Route.gone"),
        ("Use.pick", "Route.home"),
        ("Use.pick", "Route.gone"),
        ("Use.each", "Route.cart"),
        ("Use.ask", "Route.home"),
        ("Use.loop", "Route.gone"),
        ("Use.loop", "Route.cart"),
    } == _named(source)
