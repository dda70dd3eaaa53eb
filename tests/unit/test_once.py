from ctxcode.session.plans.once import Once


def test_equal_parts_make_one_value() -> None:
    made: list[int] = []
    once = Once[int]()

    def make() -> int:
        made.append(1)
        return len(made)

    assert [1, 1, 2, 3] == [once.of(parts, make) for parts in ((1, ("a",)), (1, ("a",)), (1, ("b",)), (1, ("a",)))]
