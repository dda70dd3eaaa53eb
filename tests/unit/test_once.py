from ctxcode.session.plans.once import Once, OnceRead


def test_equal_parts_make_one_value() -> None:
    made: list[int] = []
    once = Once[int]()

    def make() -> int:
        made.append(1)
        return len(made)

    assert [1, 1, 2, 3] == [once.of(parts, make) for parts in ((1, ("a",)), (1, ("a",)), (1, ("b",)), (1, ("a",)))]


def test_the_last_few_are_kept_where_that_is_wanted() -> None:
    made: list[str] = []
    once = Once[int](2)

    def of(part: str) -> int:
        def make() -> int:
            made.append(part)
            return len(made)

        return once.of((part,), make)

    assert [1, 2, 1, 2, 3, 2, 4] == [of(part) for part in ("a", "b", "a", "b", "c", "b", "a")]


def test_what_is_made_of_some_of_many_things_is_made_again_when_one_of_these_is_another() -> None:
    made: list[int] = []
    once = OnceRead[int]()

    def of(**readable: str) -> int:
        def make() -> tuple[int, list[str]]:
            made.append(1)
            return len(made), ["looked at", "missing"]

        return once.of(("part",), readable, make)

    assert [1, 1] == [of(**{"looked at": "a", "other": "b"}), of(**{"looked at": "a", "other": "c"})]
    assert [2, 2] == [of(**{"looked at": "b"}), of(**{"looked at": "b", "other": "d"})]
    assert 3 == of(**{"looked at": "b", "missing": "e"})
