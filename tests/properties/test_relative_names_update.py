"""Dotted names of C# begin in namespaces around them, whichever of these come and go."""

from collections.abc import Mapping

from examples import examples
from hypothesis import given
from trees_of_lines import variants_of
from updated_graph import is_updated, read

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
trees = variants_of(TEXTS)


def test_namespaces_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, trees)
    def check(before: Mapping[str, str], after: Mapping[str, str]) -> None:
        joined.append(is_updated(read(before), read(after)))

    check()
    assert any(joined)
