"""What a prompt asks, about which code."""

import pytest

from ctxcode.intent.passage import split_passages
from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.retrieval import Mention, MentionKind

PYTHON_TRACEBACK = """Why does this fail?

Traceback (most recent call last):
  File "/srv/app/manage.py", line 22, in <module>
    main()
  File "/srv/app/shop/views.py", line 41, in checkout
    raise ValueError("no cart")
ValueError: no cart
"""


def named(text: str) -> Mention:
    return Mention(MentionKind.IDENTIFIER, text, is_explicit=True)


def explicit(prompt: str) -> list[tuple[str, int]]:
    return [(mention.text, mention.line) for mention in parse_prompt(prompt).mentions if mention.is_explicit]


def implicit(prompt: str) -> set[str]:
    return {mention.text for mention in parse_prompt(prompt).mentions if not mention.is_explicit}


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("look at @src/app.py", [("src/app.py", 0)]),
        ("look at @src/app.py:12, then stop", [("src/app.py", 12)]),
        ("look at `src/app.py:12-40`", [("src/app.py", 12)]),
        ('look at @"my notes/a b.py"', [("my notes/a b.py", 0)]),
        ("why is @Queue.push slow", [("Queue.push", 0)]),
        ("why is `Queue::push()` slow", [("Queue.push", 0)]),
        ("why does `run_again` call `note`?", [("run_again", 0), ("note", 0)]),
        ("mail me@example.com about it", []),
        ("where is resolve() called, or Queue::push(), or `other`?", [("other", 0), ("resolve", 0), ("Queue.push", 0)]),
        ("does `Base.save!` ask `valid?()`, or `save`?", [("Base.save!", 0), ("valid?", 0), ("save", 0)]),
        ("does `pytest tests/ tests/test_it.py` run `a_b.py_file()`?", [("a_b.py_file", 0)]),
        ("how does `json` reach `sql`, and what holds `lock`?", [("json", 0), ("sql", 0), ("lock", 0)]),
        ("`def total(self)`, `class Cart extends Base {`", [("total", 0), ("Cart", 0)]),
        ("`pub fn draw<T>(&self) -> R`, `func (e *Engine) Run(a string) error`", [("draw", 0), ("Engine.Run", 0)]),
        (
            "`cart?.add(1)`, `.finally(..)`, `::add`, `this.#total`",
            [("cart.add", 0), ("finally", 0), ("add", 0), ("this.#total", 0)],
        ),
        (
            "`const cart = new Cart(items)` and `if (cart.total > 5) pay(cart)`",
            [("Cart", 0), ("pay", 0), ("cart.total", 0)],
        ),
        ("gives `Promise<Cart[]>`", [("Promise", 0), ("Cart", 0)]),
        (
            "`--max-size` and `no-unused-vars` of `<my-button>`",
            [("max-size", 0), ("no-unused-vars", 0), ("my-button", 0)],
        ),
        ('`if (x)`, `"cart"`, `.gitignore`, `...`, `()`', []),
    ],
)
def test_what_is_pointed_at_is_explicit(prompt: str, expected: list[tuple[str, int]]) -> None:
    assert explicit(prompt) == expected


def test_an_option_in_a_sentence_names_what_holds_it() -> None:
    assert {"max-size"} == implicit("why is --max-size ignored, as --- and a--b-c are")


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("what does `json` do", MentionKind.IDENTIFIER),
        ("lock", MentionKind.IDENTIFIER),
        ("what is in `package.json`", MentionKind.PATH),
        ("what is in `.env.php`", MentionKind.PATH),
    ],
)
def test_a_word_that_files_end_in_is_a_name_and_with_a_point_before_it_a_path(prompt: str, kind: MentionKind) -> None:
    assert [kind] == [mention.kind for mention in parse_prompt(prompt).mentions if mention.is_explicit]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("how does get_queryset work", {"get_queryset"}),
        ("how does getUserName work", {"getUserName"}),
        ("how does the HTTPServer start", {"HTTPServer"}),
        ("resolve() fails\n\nIt is called by other_name() too.", {"resolve", "other_name"}),
        ("where is the resolve method", {"resolve"}),
        ("see pkg.mod.run now", {"pkg.mod.run"}),
        ("how does $ZodType check", {"$ZodType"}),
        ("where is $value set to $1", set()),
        ("open src/flask/app.py now", {"src/flask/app.py"}),
        ("open C:\\work\\app.py now", {"C:/work/app.py"}),
        ("what is this, e.g. in prose. Nothing else", set()),
        ("see https://example.com/a/b.py?x_y=1 for that", set()),
    ],
)
def test_names_and_paths_in_prose_are_found(prompt: str, expected: set[str]) -> None:
    assert implicit(prompt) == expected


def test_python_frames_come_innermost_first() -> None:
    assert explicit(PYTHON_TRACEBACK)[:2] == [("/srv/app/shop/views.py", 41), ("/srv/app/manage.py", 22)]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("    at checkout (/srv/app/src/cart.ts:10:5)", ("/srv/app/src/cart.ts", 10)),
        ("    at file:///srv/app/cart.mjs:7:3", ("/srv/app/cart.mjs", 7)),
        ("thread 'main' panicked at src/main.rs:5:9:", ("src/main.rs", 5)),
        ("  --> src/lib.rs:31:14", ("src/lib.rs", 31)),
        ("\t/home/ann/shop/cart.go:88 +0x1d", ("/home/ann/shop/cart.go", 88)),
        ("  at org.shop.Cart.total(Cart.java:64)", ("org/shop/Cart.java", 64)),
        ("tests/test_cart.py:12: AssertionError", ("tests/test_cart.py", 12)),
        ("src/cart.ts(4,17): error TS2322", ("src/cart.ts", 4)),
        ("in src/cart.py on line 9", ("src/cart.py", 9)),
    ],
)
def test_frames_of_other_languages_point_at_a_line(frame: str, expected: tuple[str, int]) -> None:
    assert expected in explicit(f"It breaks:\n{frame}\n")


def test_files_of_a_pasted_diff_are_mentioned_once() -> None:
    diff = "Is this right?\ndiff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert [mention.text for mention in parse_prompt(diff).mentions] == ["src/x.py"]


def test_explicit_mentions_come_before_all_others() -> None:
    flags = [mention.is_explicit for mention in parse_prompt("is get_user in src/a.py like `load_user`?").mentions]
    assert sorted(flags, reverse=True) == flags
    assert len(flags) == 3


def test_identifiers_become_terms_whole_and_in_parts() -> None:
    terms = dict(parse_prompt("where is getUserName").terms)
    assert ["get_user_name", "user", "name"] == list(terms)
    assert terms["get_user_name"] > terms["user"]


def test_the_first_sentence_counts_double_and_pasted_text_less_than_half() -> None:
    terms = dict(parse_prompt("The cache expires early. Perhaps the clock?\n```\nsocket\n```").terms)
    assert terms["cache"] == 2 * terms["clock"]
    assert terms["socket"] < terms["clock"] / 2


@pytest.mark.parametrize("prompt", ["Fix the cache", "update cache", "Remove support for the old cache."])
def test_what_is_to_be_done_says_less_than_what_with(prompt: str) -> None:
    weights = dict(parse_prompt(prompt).terms)
    assert weights.pop("cache") >= 5 * max(weights.values())


@pytest.mark.parametrize(
    "prompt",
    ["Why does `update` hang?", "update() hangs", "It hangs:\n```\nupdate(cart)\n```", "CartView.update hangs"],
)
def test_a_name_that_says_what_is_to_be_done_counts_like_any_other(prompt: str) -> None:
    other = prompt.replace("update", "rotate")
    assert dict(parse_prompt(other).terms).get("rotate") == dict(parse_prompt(prompt).terms).get("update")


def test_stop_words_and_traceback_boilerplate_are_no_terms() -> None:
    terms = dict(parse_prompt(PYTHON_TRACEBACK).terms)
    assert {"why", "this", "traceback", "recent", "22", "py"}.isdisjoint(terms)
    assert {"value_error", "checkout"} <= terms.keys()


def test_words_that_tell_nothing_are_a_term_where_they_are_marked_as_one_name() -> None:
    for prompt in ("`why-not` exits with 0", "`shop why-not` exits with 0"):
        assert "why_not" in dict(parse_prompt(prompt).terms)
    for prompt in ("why-not exits with 0", "`why` not exits `with` 0", "is it `--so` or what"):
        assert not {"why", "not", "why_not", "with"} & dict(parse_prompt(prompt).terms).keys()


def test_words_of_other_languages_are_kept() -> None:
    assert dict(parse_prompt("wo wird die Größenänderung geprüft?").terms).keys() == {"größenänderung", "geprüft"}
    assert dict(parse_prompt("где проверяется размер").terms).keys() >= {"проверяется", "размер"}


@pytest.mark.parametrize(
    "prompt",
    ["continue", "go on", "Yes!", "ok", "weiter", "", "  \n", "yes, please continue.", "👍", "好的", "Ja, weiter…"],
)
def test_going_on_is_no_query(prompt: str) -> None:
    assert parse_prompt(prompt).is_contentless


@pytest.mark.parametrize("prompt", ["continue with the parser", "yes, in `run`", "ok, why does it retry?", "cache"])
def test_a_word_of_substance_makes_a_query(prompt: str) -> None:
    assert not parse_prompt(prompt).is_contentless


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("which tests cover the cart?", True),
        ("update the docs of the cart", True),
        ("is there a test for the cart?", True),
        ("fix the failing test of the cart", True),
        ("which migration added the flag?", True),
        ("change the default in the latest migration", True),
        ("why does the autodetector make no migrations here?", False),
        ("the migration autodetector forgets a rename", False),
        ("squashing migrations keeps their order", False),
        ("why is the latest cart empty?", False),
        ("hide a parameter set from the test name", False),
        ("use the invocation directory in fixture-printing code", False),
        ("round the total, for example to cents", False),
        ("Round the total. " + "It has to be exact in every currency. " * 8 + "Add tests.", False),
    ],
)
def test_only_a_question_about_tests_wants_tests(prompt: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    assert parse_prompt(prompt).wants_tests is expected


def test_a_name_inside_a_script_without_spaces_is_found() -> None:
    assert "get_user" in {mention.text for mention in parse_prompt("修复get_user函数的错误").mentions}
    assert "get_user" in dict(parse_prompt("なぜget_userは遅いのですか").terms)


@pytest.mark.parametrize(
    ("body", "line"), [(" a\n b\n-c\n", 42), (" a\n b\n+c\n", 41), ("+c\n", 39), ("", 40), (" a\n b", 40)]
)
def test_a_hunk_points_at_what_it_changes_first(body: str, line: int) -> None:
    (mention,) = parse_prompt(f"--- a/x.go\n+++ b/x.go\n@@ -40,9 +41,9 @@\n{body}").mentions
    assert ("x.go", line) == (mention.text, mention.line)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://github.com/a/b/blob/main/src/v3/types.ts#L213", ("src/v3/types.ts", 213)),
        ("https://git.kernel.org/pub/scm/a.git/tree/src/a.c?h=v6.1#n165", ("src/a.c", 165)),
        ("https://sourcegraph.com/github.com/a/b@v1/-/blob/src/a.c?L165-180", ("src/a.c", 165)),
        ("https://android.googlesource.com/platform/a/+/refs/heads/main/src/a.c#165", ("src/a.c", 165)),
        ("https://dev.azure.com/a/b/_git/c?path=/src/a.c&version=GBmain&line=165&lineEnd=180", ("src/a.c", 165)),
        ("https://gitlab.com/a/b/-/blob/v1.0/src/x.py#L3-9", ("src/x.py", 3)),
        ("https://bitbucket.org/a/b/src/main/x.py#lines-7:9", ("x.py", 7)),
        ("https://github.com/a/b/blob/main/src/x.py", ("src/x.py", 0)),
        ("https://github.com/a/b/blob/main/src/x.py?plain=1#L3", ("src/x.py", 3)),
        ("https://github.com/a/b/blame/v1/src/x.py#L3-L9", ("src/x.py", 3)),
        ("https://codeberg.org/a/b/src/branch/main/src/x.py#L3", ("src/x.py", 3)),
        ("https://git.sr.ht/~a/b/tree/main/item/src/x.py#L3", ("src/x.py", 3)),
        ("https://raw.githubusercontent.com/a/b/refs/heads/main/src/x.py", ("src/x.py", 0)),
    ],
)
def test_a_link_to_a_file_in_a_repositorys_pages_points_at_it(link: str, expected: tuple[str, int]) -> None:
    (mention,) = (one for one in parse_prompt(f"what is wrong in {link} ?").mentions if one.is_explicit)
    assert expected == (mention.text, mention.line)


@pytest.mark.parametrize(
    "frame",
    [
        "    at pay (http://localhost:5173/src/a.ts?t=1699:213:7)",
        "pay@http://localhost:3000/src/a.ts:213:7",
        "    at new Price (webpack:///./src/a.ts?abcd:213:7)",
        "    at Page (webpack-internal:///(app-pages-browser)/./src/a.ts:213:7)",
        "  at pay(app:///src/a.ts:213:7)",
        "vscode://file/w/src/a.ts:213",
    ],
)
def test_what_a_browser_calls_a_file_is_a_place_in_it(frame: str) -> None:
    places = [one for one in parse_prompt(f"why?\n{frame}").mentions if one.is_explicit]
    assert [213] == [place.line for place in places]
    assert places[0].text.endswith("src/a.ts")


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m213\x1b[0m:\x1b[93m7\x1b[0m - error",
        "\x1b[0m\x1b[1m\x1b[38;5;12m--> \x1b[0msrc/a.ts:213:22\x1b[0m",
        "\x1b]8;;file:///w/src/a.ts\x07src/a.ts\x1b]8;;\x1b\\:213: no",
        "\x1b[01m\x1b[Ksrc/a.ts:213:29:\x1b[m\x1b[K warning",
    ],
)
def test_colours_of_a_terminal_hide_no_place(text: str) -> None:
    assert ("src/a.ts", 213) in [(mention.text, mention.line) for mention in parse_prompt(text).mentions]


def test_other_links_point_at_nothing() -> None:
    assert () == parse_prompt("see https://example.org/src/main.py and http://a.b/c").mentions


def test_type_arguments_do_not_cut_a_path_in_two() -> None:
    (mention,) = parse_prompt("crate::sync::Sender<Arc<T>, 'a>::send").mentions[:1]
    assert "crate.sync.Sender.send" == mention.text


def test_a_hunk_is_a_line_of_the_file_as_it_was_with_the_definition_around_it() -> None:
    diff = "diff --git a/x.go b/x.go\n@@ -40,9 +41,9 @@ func (s *Store) Get(key string) error {\n a\n-b\n+c\n"
    (mention,) = parse_prompt(diff).mentions
    assert ("x.go", 41, "Get") == (mention.text, mention.line, mention.name)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("remove `builtins.Any`", "builtins_any"),
        ("what does --no-verify do", "no_verify"),
        ("why std::vec::Vec", "std_vec_vec"),
        ("where is `raise ValueError`", "raise_value_error"),
        ("who sets self->next", "self_next"),
    ],
)
def test_what_stands_together_is_a_term_beside_its_words(prompt: str, expected: str) -> None:
    terms = dict(parse_prompt(prompt).terms)
    assert expected in terms
    assert terms[expected] >= max(terms.values())


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("fixtures: keep their order", ("fixtures",)),
        ("net/http: close idle connections", ("net/http",)),
        ("python, unittest: don't collect abstract classes", ("python", "unittest")),
        ("fix(router): match the longest path first", ("router",)),
        ("**storage:** retry when the disk is full", ("storage",)),
        ("[parser] accept trailing commas", ("parser",)),
        ("src/shop/order.py: the total is off by a cent", ("src/shop/order",)),
        ("fix: match the longest path first", ()),
        ("[info] server started", ()),
        ("why is the total wrong?", ()),
        ("see https://example.org/a: is it down", ()),
        ("the rule is simple: round half up", ()),
        ("**: empty", ()),
        ("./: nothing", ()),
    ],
)
def test_what_stands_before_a_colon_at_the_beginning_is_the_prefix(prompt: str, expected: tuple[str, ...]) -> None:
    assert parse_prompt(prompt).prefixes == expected


@pytest.mark.parametrize(
    "prompt",
    [
        "what is foo.baseline 3 for?",
        "set args.multiline 1 and self.deadline 30",
        "why is self.state::Ready or std.fmt::Display or a.b::c no trait?",
        "on line 3 in e.g. the parser",
        "Zeile 3 in z.B. dem Parser",
        "see `pallets/flask#123`",
        "docker://ghcr.io/app.web:12 does not start",
        "cart.py\n\n1: what does it do\n2: why",
    ],
)
def test_what_only_looks_like_a_place_is_none(prompt: str) -> None:
    assert [] == [one for one in parse_prompt(prompt).mentions if one.kind is MentionKind.LINE]


@pytest.mark.parametrize(
    "run", ["中文", "データベース", "a.b ", "a.py ", "line 1 of ", "--- a\n+++ b\n@@ -1 +1 @@\n", "[a]/"]
)
def test_a_long_run_points_nowhere(run: str) -> None:
    """What is wrong here shows as a test that does not end."""
    assert not [one for one in parse_prompt(f"why {run * (100_000 // len(run))}").mentions if one.line > 1]


def test_a_name_beside_letters_of_another_script_ends_there() -> None:
    assert {"Cart.addItem"} <= implicit("Почему Cart.addItemвозвращает 404?")


def test_what_go_has_a_method_of_is_a_part_of_its_name() -> None:
    assert {"shop.Cart.Add", "shop.Box.Get"} <= implicit("slow: a/shop.(*Cart).Add-fm 43%, a/shop.(*Box[...]).Get")


def test_functions_of_a_backtrace_stay_with_their_places() -> None:
    trace = (
        "   2: app::Cart<T>::add\n             at ./src/cart.rs:3:14\n   3: app::run\n             at ./src/app.rs:9:5"
    )
    assert [("src/cart.rs", 3), ("src/app.rs", 9)] == explicit(f"Why?\n\nstack backtrace:\n{trace}")


@pytest.mark.parametrize("name", ["src/папка/x.py", "документы/план_a.md", "مجلد/x.py", "имя_поля", "user_имя"])
def test_paths_and_names_in_a_script_with_spaces_stay_whole(name: str) -> None:
    assert name in implicit(f"см. {name} здесь")


def test_brackets_around_a_part_of_a_name_are_those_of_go_only_where_nothing_is_called() -> None:
    assert {"Box.Get"} <= implicit("why is (Box).Get slow?")
    assert set() == implicit("why is read(*rows).size odd?")


def test_a_numbered_list_of_names_is_prose_and_a_backtrace_is_not() -> None:
    passages = split_passages("Do this:\n  1: use Cart::add here\nand why?\n  4: shop::Cart<T>::add\n")
    assert "use Cart::add" in passages.prose
    assert "  4: shop::Cart<T>::add" == passages.pasted


def test_a_diff_in_the_normal_format_is_pasted_and_points_at_its_hunks() -> None:
    prompt = "Why?\ndiff -r a/x.py b/x.py\n12,14c12\n< cart.add()\n---\n> pay()\ndiff -r a/y.py b/y.py\n3d2\n< 1"
    assert "Why?" == split_passages(prompt).prose
    assert [("x.py", 12), ("y.py", 3)] == explicit(prompt)
