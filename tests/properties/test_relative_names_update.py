"""Dotted names of C# begin in namespaces around them, whichever of these come and go."""

from functools import cache

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import facts_from, is_updated

from ctxcode.codegraph.facts import FileFacts

_RECORD = "{ public static void Add(string a) {} public class Inner { public static void Deep() {} } }"
_OWN = "{ public static Tools Record; public void Add(string a) {} }"
_USE = 'Tools.Record own; void A() { Tools.Record.Add("a"); Tools.Record.Inner.Deep(); own.Add("b"); }'
TEXTS = {
    "A.cs": (
        f"namespace Shop.Tools {{ public class Record {_RECORD} }}\n",
        f"namespace Shop.Sales.Tools {{ public class Record {_RECORD} }}\n",
        "namespace Shop.Tools { class Other {} }\n",
        "",
    ),
    "B.cs": (f"namespace Tools {{ public class Record {_RECORD} }}\n", "namespace Tools { enum Kind { One } }\n", ""),
    "C.cs": (f"namespace Shop {{ class Tools {_OWN} }}\n", "namespace Shop.Sales { class Other {} }\n", ""),
    "U.cs": (f"namespace Shop.Sales {{ class Use {{ {_USE} }} }}\n", f"namespace Shop {{ class Use {{ {_USE} }} }}\n"),
    "V.cs": ('namespace Shop { class V : Sales.Use { void A() { own.Add("c"); Sales.Use u = null; u.A(); } } }\n',),
}


@cache
def facts_in(path: str, source: str) -> FileFacts:
    return facts_from(path, source)


def trees() -> st.SearchStrategy[dict[str, FileFacts]]:
    """Return the facts of a small repository, of which the empty files are not there."""
    texts = st.fixed_dictionaries({path: st.sampled_from(each) for path, each in TEXTS.items()})
    return texts.map(lambda chosen: {path: facts_in(path, text) for path, text in chosen.items() if text})


def test_namespaces_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), trees())
    def check(before: dict[str, FileFacts], after: dict[str, FileFacts]) -> None:
        joined.append(is_updated(before, after))

    check()
    assert any(joined)
