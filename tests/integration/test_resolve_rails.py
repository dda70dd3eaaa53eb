"""What Rails and RSpec say of a program in Ruby: scopes, refinements, what tests describe and keep."""

import pytest
from resolved_edges import edges_between, facts_of


def _calls(source: str, caller: str) -> set[tuple[str, str]]:
    """Return (called, how) of a method's edges."""
    edges = edges_between({"a.rb": source})
    return {(target, how) for origin, target, how in edges if origin == f"a.rb::{caller}"}


def test_a_scope_of_rails_is_a_method_of_its_class() -> None:
    source = """
    class Cart < Record
      scope :paid, -> { where(paid: true) }
      scope :recent, lambda { |count| paid.limit(count) }
      scope :admin, path: "admin"
      def self.newest; recent(1).first; end
      def paid_before?; paid; end
    end
    module Shown
      included do
        scope :shown, -> { where(shown: true) }
      end
    end
    class Row < Record
      include Shown
      has_many :carts
      def go; Cart.paid.recent(3); Row.shown; Cart.admin; end
      def all_paid; carts.paid; end
    end
    routes.draw do
      scope :paid, paths do
        get "x"
      end
    end
    """
    assert {("a.rb::Cart.paid", "receiver 0.95")} == _calls(source, "Cart.recent")
    assert {("a.rb::Cart.recent", "receiver 0.95")} == _calls(source, "Cart.newest")
    assert {
        ("a.rb::Cart.paid", "receiver 0.95"),
        ("a.rb::Cart.recent", "unique-name 0.6"),
        ("a.rb::Shown.shown", "receiver 0.95"),
    } == _calls(source, "Row.go")
    assert {("a.rb::Cart.paid", "unique-name 0.6")} == _calls(source, "Row.all_paid")
    names = {one.name for one in facts_of({"a.rb": source})["a.rb"].symbols}
    assert {"admin", "shown"} - names == {"admin"}


def test_what_a_module_refines_has_its_methods() -> None:
    source = "module Loud\n  refine String do\n    def shout; louder; end\n    def louder; end\n  end\nend\n"
    others = {"b.rb": "using Loud\ndef go(text); text.shout; end\n"}
    assert {("a.rb::Loud.louder", "receiver 0.95")} == _calls(source, "Loud.shout")
    assert ("b.rb::go", "a.rb::Loud.shout", "unique-name 0.6") in edges_between({"a.rb": source, **others})


def test_tests_of_a_class_know_what_they_describe_and_what_they_keep() -> None:
    names = ("Cart", "Row", "Sheet")
    classes = "".join([f"class {name}\n  def self.made; end\n  def draw; end\nend\n" for name in names])
    source = """
    RSpec.describe Cart do
      subject { described_class.new }
      let(:row) { Row.new(1) }
      let(:sheet) { build(Sheet.new) }
      it { subject.draw }
      context "with a row" do
        it { row.draw; described_class.made }
      end
      describe Row do
        it { described_class.made }
      end
    end
    """
    edges = edges_between({"cart.rb": classes, "spec/carts_spec.rb": source})
    assert {
        ("cart.rb::Cart", "unique-name 0.6"),
        ("cart.rb::Row", "unique-name 0.6"),
        ("cart.rb::Sheet", "unique-name 0.6"),
        ("cart.rb::Cart.draw", "type 0.9"),
        ("cart.rb::Row.draw", "type 0.9"),
        ("cart.rb::Cart.made", "receiver 0.95"),
        ("cart.rb::Row.made", "receiver 0.95"),
    } == {(target, how) for origin, target, how in edges if origin == "spec/carts_spec.rb"}


def test_a_test_class_is_called_after_what_it_requires_wherever_that_stands() -> None:
    files = {
        "lib/shop.rb": "module Shop; end\nrequire 'shop/till'\n",
        "lib/shop/till.rb": "module Shop\n  class Till; def open; end; end\n  class Time; end\nend\n",
        "lib/other.rb": "module Other\n  class Till; end\nend\n",
        "test/till_test.rb": "require 'shop/till'\nclass TillTest < Base\n  def test_it; Time.new; end\nend\n",
    }
    edges = edges_between(files, "tests")
    assert ("test/till_test.rb::TillTest", "lib/shop/till.rb::Shop.Till", "naming 0.9") in edges
    assert not {edge for edge in edges if edge[1].endswith("Time")}


@pytest.mark.parametrize(("modules", "tested"), [(100, {"lib/shop/m0.rb::M0.Cart"}), (101, set[str]())])
def test_a_test_of_what_very_many_modules_have_is_not_told_whose_it_is(modules: int, tested: set[str]) -> None:
    files = {f"lib/shop/m{n}.rb": f"module M{n}\n  class Cart\n  end\nend\n" for n in range(modules)}
    files["test/cart_test.rb"] = 'require "shop/m0"\nclass CartTest < Minitest::Test\nend\n'
    assert tested == {target for _, target, _ in edges_between(files, "tests")}
