"""Symbols of Ruby that name methods, and those that do not."""

import pytest
from resolved_edges import edges_between


def _named(line: str) -> set[tuple[str, str]]:
    """Return (method, how) of what a line in the body of a class names, or the methods that it makes."""
    source = f"""
    class Base
      def inherited; end
      def self.of_class; end
    end
    module Mixed
      def mixed; end
    end
    class Cart < Base
      include Mixed
      {line}
      def paid?; end
      def items; end
      def client; end
      private
      def own; end
    end
    """
    edges = edges_between({"a.rb": source}, "references")
    return {(target.removeprefix("a.rb::"), how) for origin, target, how in edges if origin.startswith("a.rb::Cart")}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("before_action :own, :mixed, only: [:items]", {"Cart.own", "Mixed.mixed"}),
        ("skip_before_action(:inherited, if: :paid?)", {"Base.inherited", "Cart.paid?"}),
        ("after_save *%i[own items], :unless => [:paid?]", {"Cart.own", "Cart.items", "Cart.paid?"}),
        ("validate :own", {"Cart.own"}),
        ("helper_method :own, :paid?", {"Cart.own", "Cart.paid?"}),
        ("validates :items, presence: true, if: :paid?", {"Cart.paid?"}),
        ("rescue_from Oops, with: :own", {"Cart.own"}),
        ("set_callback :items, :paid?, :own", {"Cart.own"}),
        ("with_options(if: :x) { before_save :own }", {"Cart.own"}),
        ("delegate :name, to: :client", {"Cart.client"}),
        ("def_delegators :items, :size, :paid?", {"Cart.items"}),
        ("before_action :of_class, :nobody", set()),
        ("other.before_action :own", set()),
        ("has_many :items", set()),
        ("attr_writer :items", set()),
        ("validates :items, :own, presence: true", set()),
        ("options own: :items, if: :paid?", set()),
        ("let(:items) { :own }", set()),
    ],
)
def test_symbols_in_the_body_of_a_class_name_methods_of_its_objects(line: str, names: set[str]) -> None:
    assert {(name, "receiver 0.95") for name in names} == {edge for edge in _named(line) if "." in edge[0]}


def test_who_includes_a_module_runs_what_that_names_for_it() -> None:
    source = """
    module Audited
      def self.included(base)
        base.before_save :audit
      end
      included do
        after_save :audited
      end
      def audit; end
      def audited; end
    end
    """
    assert {
        ("a.rb::Audited.included", "a.rb::Audited.audit", "receiver 0.95"),
        ("a.rb::Audited", "a.rb::Audited.audited", "receiver 0.95"),
    } == edges_between({"a.rb": source}, "references")


def test_another_name_of_a_method_refers_to_it() -> None:
    source = """
    class Cart
      def add; end
      alias_method :put, :add
      alias_method :+, :put
      alias push add
      alias :<< :add
      class << self
        def made; end
        alias_method :built, :made
      end
    end
    """
    assert {
        ("a.rb::Cart.put", "a.rb::Cart.add", "receiver 0.95"),
        ("a.rb::Cart.+", "a.rb::Cart.put", "receiver 0.95"),
        ("a.rb::Cart.push", "a.rb::Cart.add", "receiver 0.95"),
        ("a.rb::Cart.<<", "a.rb::Cart.add", "receiver 0.95"),
        ("a.rb::Cart.built", "a.rb::Cart.made", "receiver 0.95"),
    } == edges_between({"a.rb": source}, "references")


_ROWS = """
class Row
  def self.load; end
  def draw; end
  def price; end
  def size_of; end
  private
  def secret; end
end
class Sheet
  def size_of; end
end
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("rows.map(&:price)", {("Row.price", "unique-name 0.6")}),
        ("@rows.select { |x| x.y }.each(&:price)", {("Row.price", "ambiguous 0.25")}),
        ("Row.new.tap(&:draw)", {("Row.draw", "type 0.9")}),
        ("rows.map(&:size_of)", set()),
        ("rows.map(&:secret)", set()),
        ("rows.map(&:first)", set()),
        ("Row.send(:load)", {("Row.load", "receiver 0.95")}),
        ("row = Row.new; row.send(:secret, 1)", {("Row.secret", "type 0.85")}),
        ("row.send(:price)", set()),
        ("row.public_send :price", {("Row.price", "unique-name 0.6")}),
        ("row.try(:price)", {("Row.price", "unique-name 0.6")}),
        ("Row.method(:load).call", {("Row.load", "receiver 0.95")}),
        ("expect(row).to receive(:price)", set()),
        ("row.respond_to?(:price); { price: :draw }", set()),
        ("row.send(name, :price)", set()),
    ],
)
def test_symbols_name_what_is_called(body: str, called: set[tuple[str, str]]) -> None:
    files = {"b.rb": _ROWS, "a.rb": f"class Use\n  def go(name, rows, row)\n    {body}\n  end\nend\n"}
    drawn = {(target.removeprefix("b.rb::"), how) for origin, target, how in edges_between(files) if origin[:1] == "a"}
    assert called == {edge for edge in drawn if edge[0] != "Row"}


def test_what_is_said_to_the_object_itself_by_a_symbol_is_called_of_it() -> None:
    source = """
    class Cart
      def go
        list.each(&method(:add))
        send(:pay)
        self.send(:hidden)
        public_send(:total)
      end
      def self.make
        method(:built)
      end
      def self.built; end
      def add; end
      def pay; end
      def total; end
      private
      def hidden; end
    end
    """
    edges = {edge[:2] for edge in edges_between({"a.rb": source})}
    assert {("a.rb::Cart.go", f"a.rb::Cart.{name}") for name in ("add", "pay", "hidden", "total")} | {
        ("a.rb::Cart.make", "a.rb::Cart.built")
    } == edges


def test_what_a_class_hands_on_is_called_of_what_gives_the_object() -> None:
    source = """
    class Client
      def pay; end
      def name_of; end
    end
    class Other
      def pay; end
    end
    class Cart
      delegate :pay, to: :client
      def_delegators :@client, :name_of
      def_delegator :client, :pay, :settle
      delegate :pay, to: :class
      def client
        @client ||= Client.new
      end
    end
    """
    assert {
        ("a.rb::Cart.pay", "a.rb::Client.pay", "type 0.85"),
        ("a.rb::Cart.settle", "a.rb::Client.pay", "type 0.85"),
        ("a.rb::Cart.name_of", "a.rb::Client.name_of", "type 0.85"),
        ("a.rb::Cart.client", "a.rb::Client", "scope 1"),
    } == {edge for edge in edges_between({"a.rb": source}) if edge[0].startswith("a.rb::Cart")}


@pytest.mark.parametrize(
    ("line", "models"),
    [
        ("belongs_to :order_line, optional: true", {"OrderLine"}),
        ("has_many :order_lines, dependent: :destroy", {"OrderLine"}),
        ("has_one :status", {"Status"}),
        ("has_many :statuses; has_many :people; has_many :boxes", {"Status", "Person", "Box"}),
        ("has_many :entries, through: :boxes", {"Entry"}),
        ('belongs_to :owner, class_name: "Person"', {"Person"}),
        ('belongs_to :box, class_name: "::Shop::Box"', {"Shop.Box"}),
        ("included do\n    has_many :boxes\n  end", {"Box"}),
        ("belongs_to :box, polymorphic: true", set()),
        ("has_many :boxes, through: :entries, source: :owner", set()),
        ("belongs_to :box, class_name: name_of(:box)", set()),
        ("other.has_many :boxes", set()),
        ("has_many :shoes", set()),
    ],
)
def test_an_association_refers_to_the_model_that_it_is_called_after(line: str, models: set[str]) -> None:
    names = ("OrderLine", "Status", "Person", "Box", "Entry")
    classes = "".join([f"class {name} < Record\nend\n" for name in names])
    others = {"line.rb": classes, "shop.rb": "module Shop\n  class Box < Record\n  end\nend\n"}
    edges = edges_between({"cart.rb": f"class Cart < Record\n  {line}\nend\n", **others}, "references")
    assert models == {target.partition("::")[2] for origin, target, _ in edges if origin == "cart.rb::Cart"}
