from plan_inputs import words

from ctxcode.context.scaffold import module_tree
from ctxcode.model.symbol import ModuleEntry


def entry(path: str, rank: float = 0.1, *, symbols: int = 3, is_test: bool = False) -> ModuleEntry:
    return ModuleEntry(path, path.removesuffix(".py").replace("/", "."), "python", symbols, rank, is_test)


BIG = [entry(f"pkg{p}/sub{s}/mod{m}.py", rank=p + s / 10) for p in range(20) for s in range(10) for m in range(10)]


def test_a_small_tree_is_shown_whole() -> None:
    tree = module_tree([entry("a/b.py"), entry("a/c/d.py"), entry("e.py")], words, limit_tokens=100)
    assert "e.py\na/\n  b.py\n  c/\n    d.py\n" == tree


def test_a_big_tree_stays_within_its_limit_and_says_what_is_folded() -> None:
    tree = module_tree(BIG, words, limit_tokens=300)
    assert words(tree) <= 300
    assert "pkg0/ (100 files, 300 symbols)" in tree


def test_one_file_and_one_symbol_are_counted_as_one() -> None:
    tree = module_tree([*BIG, entry("aside/mod.py", 0.0, symbols=1)], words, limit_tokens=300)
    assert "aside/ (1 file, 1 symbol)" in tree


def test_the_most_central_folders_open_first() -> None:
    tree = module_tree(BIG, words, limit_tokens=200)
    assert "pkg19/\n" in tree
    assert "pkg0/ (" in tree


def test_of_very_many_folders_the_best_known_are_named_on_one_line_and_opened_first() -> None:
    parts = [entry(f"home/parts/part{n}/mod{m}.py", rank=n) for n in range(500) for m in range(4)]
    tree = module_tree([*parts, entry("home/core.py", 9.0)], words, limit_tokens=60)
    assert words(tree) <= 60
    assert "    part499/\n      mod0.py mod1.py mod2.py mod3.py\n" in tree
    assert " more folders\n" in tree
    assert "part1/" not in tree


def test_texts_and_settings_are_no_modules() -> None:
    tree = module_tree([entry("a/b.py"), entry("a/README.md"), entry("docs/x.yml")], words, limit_tokens=60)
    assert "a/\n  b.py\n" == tree


def test_test_folders_open_last() -> None:
    files = [entry("src/a.py", 0.2), entry("tests/t.py", 1.5, is_test=True)]
    tree = module_tree(files, words, limit_tokens=14)
    assert "src/\n" in tree
    assert "tests/ (" in tree


def test_a_limit_too_small_for_all_rows_says_how_many_are_missing() -> None:
    tree = module_tree([entry(f"p{n}/a.py") for n in range(50)], words, limit_tokens=40)
    assert words(tree) <= 40
    assert "more" in tree


def test_the_order_of_the_modules_does_not_matter() -> None:
    assert module_tree(BIG, words, limit_tokens=300) == module_tree(reversed(BIG), words, limit_tokens=300)


def test_no_modules_or_no_room_give_no_tree() -> None:
    assert ["", ""] == [module_tree([], words, limit_tokens=100), module_tree(BIG, words, limit_tokens=0)]


def test_folders_whose_symbols_are_not_known_yet_say_how_many_files_they_hold() -> None:
    files = [entry(f"pkg/mod{number}.py", symbols=0) for number in range(5)]
    assert "pkg/ (5 files)" in module_tree([*files, *BIG], words, limit_tokens=14)
