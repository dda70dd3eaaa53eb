"""A graph of languages that are read by patterns, in step with a change, equals that of all files joined anew."""

from collections.abc import Mapping
from random import Random

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import exchanged_by_chance, is_updated, read

ELIXIR = (
    "",
    "defmodule Cart do\n  def add(cart), do: total(cart)\n  defp total(cart), do: Price.total(cart)\nend",
    "defmodule Shop.Price do\n  def total(x), do: add_all(x)\n  def add_all(x), do: Cart.add(x)\nend",
    "defmodule Shop.Cart do\n  def add_all(x), do: x\n  def total(x), do: Shop.Price.add_all(x)\nend",
    "defmodule More do\n  def run(cart) do\n    cart.total()\n    add_all(cart)\n    Cart.add(cart)\n  end\nend",
    "def add_all(x), do: with_tax!(x)",
    "def with_tax!(x), do: More.run(x)",
    "defp add_all(x), do: x",
    "defmacro with_tax!(x), do: add_all(x)",
)
DART = (
    "",
    "class Cart {\n  void add(x) {\n    total(x);\n    x.withTax();\n  }\n}",
    "class Price {\n  int withTax(x) => total(x);\n  int addAll(x) => this.withTax(x);\n}",
    "int total(x) {\n  return Cart().addAll(x) + price.withTax(x);\n}",
    "int addAll(x) => Price.addAll(x);",
    "class Cart extends Price {\n  int addAll(x) => x.addAll(x);\n}",
    "Price.withTax(x) => addAll(x);",
    "void withTax(x) {\n  total(Cart(x), Price(x));\n}",
)
LISP = ("", "(defun cart-add (x) (with-tax x))", "(defun with-tax (x) (cart-add x))", "(defmacro cart-add (x) x)")
TASKS = (
    "",
    "- name: restart nginx\n  service: nginx\n  notify: tell all",
    "- name: tell all\n  notify:\n    - restart nginx\n    - tell all",
    "- hosts: all\n  tasks:\n    - name: restart nginx\n      notify: tell all",
    "---\nkind: Service\nmetadata:\n  name: shop\nspec:\n  serviceName: tell all",
    "---\nkind: Ingress\nmetadata:\n  name: tell all\nspec:\n  service:\n    name: shop",
)
LINES = {"ex": ELIXIR, "dart": DART, "el": LISP, "yml": TASKS}
PATHS = (
    "a.ex",
    "price.ex",
    "test/more_test.exs",
    "a.dart",
    "lib/b.dart",
    "test/b_test.dart",
    "a.el",
    "b.el",
    "k8s/a.yml",
    "site.yml",
)


def lines_of(path: str) -> tuple[str, ...]:
    return LINES[path.rpartition(".")[2].removesuffix("s")]


def trees() -> st.SearchStrategy[Mapping[str, str]]:
    """Return the sources of some files, piece by piece, of which not all are there."""
    sources = {path: st.lists(st.sampled_from(lines_of(path)), min_size=1, max_size=4).map("\n".join) for path in PATHS}
    first = {path: sources.pop(path) for path in PATHS[:2]}
    return st.fixed_dictionaries(first, optional=sources)


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), st.sampled_from(PATHS), st.integers(0, 8), st.integers(0, 3))
    def check(tree: Mapping[str, str], path: str, which: int, at: int) -> None:
        pieces = tree.get(path, "").split("\n")
        piece = lines_of(path)[which % len(lines_of(path))]
        # An empty piece stands for taking a line out.
        pieces[at : at + (not piece)] = [piece] if piece else []
        joined.append(is_updated(read(tree), read({**tree, path: "\n".join(pieces)})))

    check()
    assert sum(joined) * 5 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees(), trees(), st.randoms(use_true_random=False))
    def check(tree: Mapping[str, str], other: Mapping[str, str], chance: Random) -> None:
        joined.append(is_updated(read(tree), read(exchanged_by_chance(tree, other, chance))))

    check()
    assert sum(joined) * 5 > len(joined)
