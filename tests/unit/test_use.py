"""What counts as used of the code that was shown."""

from ctxcode.feedback.use import Doings, Lines, edited_lines, shown_sections, uses
from ctxcode.model.edit.change import ChangeKind, FileChange, FileVerdict, Hunk
from ctxcode.model.engine.activation import UseKind
from ctxcode.model.ids import ItemId
from ctxcode.model.plan import Detail, PlanItem, Section


def item(name: str, path: str, start: int, end: int, *, section: Section = Section.TOUCHPOINT) -> PlanItem:
    return PlanItem(
        id=ItemId(name),
        section=section,
        kind="function",
        title=name,
        path=path,
        start_line=start,
        end_line=end,
        detail=Detail.CARD,
        tokens=10,
        included=True,
        score=0.0,
        reasons=(),
    )


CART = item("symbol:shop/cart.py::Cart", "shop/cart.py", 5, 40)
PRICE = item("symbol:shop/price.py::total_of", "shop/price.py", 3, 9)
FILE = item("file:web/app.js", "web/app.js", 1, 0, section=Section.PIN)
SHOWN = (FILE, CART, PRICE)


def ways(done: Doings) -> dict[str, tuple[UseKind, ...]]:
    return {use.item: use.ways for use in uses(SHOWN, done)}


def test_naming_a_method_uses_its_class_and_a_symbol_its_file() -> None:
    named = (ItemId("symbol:shop/cart.py::Cart.checkout"), ItemId("symbol:web/app.js::start"))
    assert {FILE.id: (UseKind.NAMED,), CART.id: (UseKind.NAMED,)} == ways(Doings(named=named))
    assert {} == ways(Doings(named=(ItemId("symbol:shop/cart.py::Cartoon"),)))


def test_reading_counts_where_the_lines_meet() -> None:
    assert {CART.id: (UseKind.READ,)} == ways(Doings(read=(Lines("shop/cart.py", 40, 60),)))
    assert {} == ways(Doings(read=(Lines("shop/cart.py", 41, 60),)))
    assert {PRICE.id: (UseKind.READ,)} == ways(Doings(read=(Lines("shop/price.py"),)))


def test_an_edit_counts_as_far_as_it_was_accepted() -> None:
    hunks = (Hunk(3, 3, ("a\n",), ("b\n",)), Hunk(50, 50, ("c\n",), ()))
    change = FileChange("shop/price.py", ChangeKind.MODIFIED, hunks)
    assert (Lines("shop/price.py", 3, 3),) == edited_lines([(change, FileVerdict("shop/price.py", (0,)))])
    both = edited_lines([(change, FileVerdict("shop/price.py"))])
    assert (Lines("shop/price.py", 3, 3), Lines("shop/price.py", 50, 50)) == both
    done = Doings(named=(PRICE.id,), edited=both)
    assert {PRICE.id: (UseKind.NAMED, UseKind.EDITED)} == ways(done)


def test_sections_say_how_much_was_shown_and_used() -> None:
    used = uses(SHOWN, Doings(named=(PRICE.id,)))
    pins, cards = shown_sections(SHOWN, used)
    assert ("pin", 1, 10, 0, 0) == (pins.section, pins.items, pins.tokens, pins.used_items, pins.used_tokens)
    assert ("touchpoint", 2, 20, 1, 10) == (
        cards.section,
        cards.items,
        cards.tokens,
        cards.used_items,
        cards.used_tokens,
    )
