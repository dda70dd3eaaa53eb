import pytest

from ctxcode.llm.navigator.question import Ask, Question, identifiers, parsed, resumed


@pytest.mark.parametrize(
    ("text", "ask", "names"),
    [
        ("where is QuerySet", Ask.LOCATE, ("QuerySet",)),
        ("Where's `QuerySet` defined?", Ask.LOCATE, ("QuerySet",)),
        ("WHERE IS queryset?", Ask.LOCATE, ("queryset",)),
        ("can you show me where QuerySet lives?", Ask.LOCATE, ("QuerySet",)),
        ("Where is the function `get_or_create` in this repository?", Ask.LOCATE, ("get_or_create",)),
        ("QuerySet", Ask.LOCATE, ("QuerySet",)),
        ("query.py:120", Ask.LOCATE, ("query.py:120",)),
        ("find the class Query", Ask.LOCATE, ("Query",)),
        ("who calls Query.join?", Ask.CALLERS, ("Query.join",)),
        ("what uses Query", Ask.CALLERS, ("Query",)),
        ("find callers of Query.join()", Ask.CALLERS, ("Query.join",)),
        ("find all references to the function resolve", Ask.CALLERS, ("resolve",)),
        ("where is Query.join used?", Ask.CALLERS, ("Query.join",)),
        ("what calls foo::bar", Ask.CALLERS, ("foo::bar",)),
        ("what does Query.join call?", Ask.CALLEES, ("Query.join",)),
        ("dependencies of models.py", Ask.CALLEES, ("models.py",)),
        ("what is in django/db/models/query.py?", Ask.CONTENTS, ("django/db/models/query.py",)),
        ("what's in the Query class?", Ask.CONTENTS, ("Query",)),
        ("list the methods of Query", Ask.CONTENTS, ("Query",)),
        ("what methods does Query have?", Ask.CONTENTS, ("Query",)),
        ("show Query.join", Ask.SHOW, ("Query.join",)),
        ("Please show me the source of `Query.join`.", Ask.SHOW, ("Query.join",)),
        ("explain Query.join", Ask.SHOW, ("Query.join",)),
        ("how does Query.join work?", Ask.SHOW, ("Query.join",)),
        ("how do QuerySet and Query connect?", Ask.PATH, ("QuerySet", "Query")),
        ("how is QuerySet related to Query", Ask.PATH, ("QuerySet", "Query")),
        ("path from QuerySet to Query", Ask.PATH, ("QuerySet", "Query")),
        ("QuerySet -> Query", Ask.PATH, ("QuerySet", "Query")),
        ("how does `Base.save!` reach `Model.valid?`?", Ask.PATH, ("Base.save!", "Model.valid?")),
        ("who calls save!?", Ask.CALLERS, ("save!",)),
        ("who calls valid??", Ask.CALLERS, ("valid?",)),
        ("what does valid?() call", Ask.CALLEES, ("valid?",)),
        ("who calls save?", Ask.CALLERS, ("save",)),
        ("who calls Model#save!", Ask.CALLERS, ("Model#save!",)),
        ("what includes Model::Validations", Ask.CHILDREN, ("Model::Validations",)),
        ("what inherits from Field?", Ask.CHILDREN, ("Field",)),
        ("subclasses of Field", Ask.CHILDREN, ("Field",)),
        ("what does CharField inherit from", Ask.PARENTS, ("CharField",)),
        ("base classes of CharField", Ask.PARENTS, ("CharField",)),
        ("what trait does Worker implement?", Ask.PARENTS, ("Worker",)),
        ("which structs embed PageCollections?", Ask.CHILDREN, ("PageCollections",)),
        ("what embeds PageCollections?", Ask.CHILDREN, ("PageCollections",)),
        ("who overrides Field.clean?", Ask.CHILDREN, ("Field.clean",)),
        ("which classes override Field.clean", Ask.CHILDREN, ("Field.clean",)),
        ("where is Field.clean overridden?", Ask.CHILDREN, ("Field.clean",)),
        ("list all overrides of Field.clean", Ask.CHILDREN, ("Field.clean",)),
        ("what does CharField.clean override?", Ask.PARENTS, ("CharField.clean",)),
        ("what implements Matcher", Ask.CHILDREN, ("Matcher",)),
        ("which classes extend Field", Ask.CHILDREN, ("Field",)),
        ("classes that inherit from Field", Ask.CHILDREN, ("Field",)),
        ("find all implementations of Matcher", Ask.CHILDREN, ("Matcher",)),
        ("HttpKernel->handle", Ask.LOCATE, ("HttpKernel->handle",)),
        ('File "/usr/lib/app/models/query.py", line 649, in get', Ask.LOCATE, ("/usr/lib/app/models/query.py:649",)),
        ("at com.shop.cache.Local.get(Local.java:39)", Ask.LOCATE, ("com/shop/cache/Local.java:39",)),
        ("    at Cart.pay (/srv/app/src/cart.ts:12:5)", Ask.LOCATE, ("/srv/app/src/cart.ts:12",)),
        ("explain how Query.join works", Ask.SHOW, ("Query.join",)),
        ("show /home/me/app/src/cart.py:12", Ask.SHOW, ("/home/me/app/src/cart.py:12",)),
        ("help", Ask.HELP, ()),
        ("What can you do?", Ask.HELP, ()),
    ],
)
def test_a_question_is_understood_in_the_words_people_use(text: str, ask: Ask, names: tuple[str, ...]) -> None:
    assert Question(ask, names) == parsed(text)


@pytest.mark.parametrize(
    ("text", "ask", "names", "within"),
    [
        ("who calls Query.join in cache", Ask.CALLERS, ("Query.join",), "cache"),
        ("where is get_or_create used in django/db?", Ask.CALLERS, ("get_or_create",), "django/db"),
        ("who uses `save` inside the folder tests/orders", Ask.CALLERS, ("save",), "tests/orders"),
        ("callers of join from the Compiler class", Ask.CALLERS, ("join",), "Compiler"),
        ("where is save in the module base", Ask.LOCATE, ("save",), "base"),
        ("subclasses of Model in django/contrib", Ask.CHILDREN, ("Model",), "django/contrib"),
        ("what inherits from Record in shop", Ask.CHILDREN, ("Record",), "shop"),
        ("show save in base.py", Ask.SHOW, ("save",), "base.py"),
        ("who calls save in this repository", Ask.CALLERS, ("save",), ""),
        ("what inherits from Record", Ask.CHILDREN, ("Record",), ""),
        ("list the methods in Query", Ask.CONTENTS, ("Query",), ""),
        ("path from Query to Model", Ask.PATH, ("Query", "Model"), ""),
    ],
)
def test_what_a_question_is_restricted_to_is_understood(
    text: str, ask: Ask, names: tuple[str, ...], within: str
) -> None:
    assert Question(ask, names, within) == parsed(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Wo ist `QuerySet` definiert?", ("QuerySet",)),
        ("Wer ruft resolve_lookup_value auf?", ("resolve_lookup_value",)),
        ("où est défini QuerySet ?", ("QuerySet",)),
        ("add a parameter to Query.join and update all callers", ("Query.join",)),
        ("find the class that handles migrations", ()),
        ("why is it slow", ()),
        ("where are HTTP/2 frames decoded?", ()),
        ("where is the lock file written?", ()),
        ("where is pyproject.toml configuration resolved?", ("pyproject.toml",)),
        ("how are has_many associations loaded?", ("has_many",)),
        ("how is HTTP/1.1 or TCP/IP spoken between client/server", ()),
        ("why does net/http.py fail on /etc/hosts", ("net/http.py", "/etc/hosts")),
        ("", ()),
        ("???", ()),
    ],
)
def test_any_other_text_falls_through_to_the_identifiers_in_it(text: str, names: tuple[str, ...]) -> None:
    assert Question(Ask.FREE, names) == parsed(text)


def test_a_long_text_is_no_question_of_a_known_form() -> None:
    assert Ask.FREE is parsed("where is " + "Query " * 200).ask


def test_what_looks_like_code_is_found_with_quoted_names_first() -> None:
    text = "In src/app/main.py the call HttpClient.send(request) e.g. passes max_retries to `retry`, see lib.rs:12."
    assert ("retry", "src/app/main.py", "HttpClient.send", "max_retries", "lib.rs:12") == identifiers(text)


def test_of_a_pasted_trace_the_innermost_place_comes_first() -> None:
    outer, inner = 'File "a.py", line 3, in <module>\n    run()', 'File "b.py", line 5, in run\n    raise ValueError(x)'
    trace = f"Traceback (most recent call last):\n  {outer}\n  {inner}\nValueError: 1"
    assert ("b.py:5", "a.py:3") == parsed(trace).names[:2]


@pytest.mark.parametrize(
    ("text", "ask", "names"),
    [
        ("who calls it?", Ask.CALLERS, ("Query.join",)),
        ("and what does that function call?", Ask.CALLEES, ("Query.join",)),
        ("show it", Ask.SHOW, ("Query.join",)),
        ("how do it and Query.add connect?", Ask.PATH, ("Query.join", "Query.add")),
        ("who calls `it`?", Ask.CALLERS, ("it",)),
        ("who calls setup_joins?", Ask.CALLERS, ("setup_joins",)),
    ],
)
def test_it_is_what_was_named_last(text: str, ask: Ask, names: tuple[str, ...]) -> None:
    assert Question(ask, names) == resumed(text, ["where is Model?", "who calls Query.join?", "show that"])
    assert Question(Ask.CALLERS, ("it",)) == resumed("who calls it?", ["why is everything slow since last week?"])


@pytest.mark.parametrize(
    "request_text", ["rename it to skip_dir", "please rename this into `skip_dir`", "call it skip_dir instead"]
)
def test_it_stays_what_is_there_when_another_name_is_wanted_for_it(request_text: str) -> None:
    before = ["where is skip?", request_text]
    assert Question(Ask.CALLERS, ("skip",)) == resumed("who calls it?", before)
    assert Question(Ask.CALLERS, ("skip_dir",)) == resumed("who calls it?", before, {"skip_dir"}.__contains__)
    assert Question(Ask.CALLERS, ("old",)) == resumed("who calls it?", ["rename the function `old` to `new_one`"])
