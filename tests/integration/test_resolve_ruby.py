"""Names of Ruby: bare words, super, modules that are mixed in, readers, what is private."""

import pytest
from resolved_edges import edges_between, facts_of


def _calls(source: str, caller: str, others: dict[str, str] | None = None) -> set[tuple[str, str]]:
    """Return (called, how) of a method's edges."""
    edges = edges_between({"a.rb": source, **(others or {})})
    return {(target, how) for origin, target, how in edges if origin == f"a.rb::{caller}"}


def test_bare_words_are_calls_unless_the_method_gives_them_a_value() -> None:
    source = """
    class Cart
      def go(total, *more, key: 1)
        local = count
        total + local + key + more
        items.each { |row, (left, right)| row + left + right + tax }
      rescue Oops => error
        error
      end
      def total; end
      def local; end
      def count; end
      def items; end
      def row; end
      def left; end
      def tax; end
      def key; end
      def more; end
      def error; end
    end
    """
    assert {
        ("a.rb::Cart.count", "receiver 0.95"),
        ("a.rb::Cart.items", "receiver 0.95"),
        ("a.rb::Cart.tax", "receiver 0.95"),
    } == _calls(source, "Cart.go")


def test_super_calls_what_the_method_hides() -> None:
    source = """
    class Base
      def open(x); end
    end
    module Loud
      def close; end
    end
    class Cart < Base
      include Loud
      def open(x)
        super
      end
      def close
        super()
      end
    end
    """
    assert {("a.rb::Base.open", "receiver 0.95")} == _calls(source, "Cart.open")
    assert {("a.rb::Loud.close", "receiver 0.95")} == _calls(source, "Cart.close")


def test_a_module_calls_its_own_methods_and_those_of_what_it_is_mixed_into() -> None:
    source = """
    module Loud
      def shout
        whisper; volume; self.pitch
      end
      def whisper; end
    end
    """
    others = {"b.rb": "class Voice\n  include Loud\n  def volume; end\n  def pitch; end\nend\n"}
    assert {
        ("a.rb::Loud.whisper", "receiver 0.95"),
        ("b.rb::Voice.volume", "unique-name 0.6"),
        ("b.rb::Voice.pitch", "unique-name 0.6"),
    } == _calls(source, "Loud.shout", others)


def test_a_base_is_looked_for_around_the_class_before_it_is_in_what_is_required() -> None:
    source = """
    require "parser/base"
    module Doc
      module Writer
        class Html < Base
          def go
            warning
          end
        end
      end
    end
    """
    inner = "module Doc\n  module {}\n    class Base\n      def warning; end\n    end\n  end\nend\n"
    others = {"parser/base.rb": inner.format("Parser"), "writer/base.rb": inner.format("Writer")}
    assert {("writer/base.rb::Doc.Writer.Base.warning", "receiver 0.95")} == _calls(
        source, "Doc.Writer.Html.go", others
    )


def test_a_private_method_is_no_candidate_and_a_reader_is_one() -> None:
    source = "class Cart\n  def go(x)\n    x.secret; x.price; x.class\n  end\nend\n"
    others = {
        "b.rb": """
        class Row
          attr_reader :price
          def class; end
          private
          def secret; end
        end
        """
    }
    assert {("b.rb::Row.price", "unique-name 0.6")} == _calls(source, "Cart.go", others)


def test_an_object_that_is_made_and_its_class_are_followed() -> None:
    source = """
    class Cart
      def go
        Row.new(1, ")").draw
        self.class.make
        @sheet ||= Sheet.new
        @sheet.draw
      end
      def self.make; end
    end
    class Row
      def draw; end
    end
    class Sheet
      def draw; end
    end
    """
    assert {
        ("a.rb::Row", "scope 1"),
        ("a.rb::Row.draw", "type 0.9"),
        ("a.rb::Cart.make", "receiver 0.95"),
        ("a.rb::Sheet", "scope 1"),
        ("a.rb::Sheet.draw", "type 0.85"),
    } == _calls(source, "Cart.go")


def test_what_many_call_who_know_no_such_type_is_another_packages() -> None:
    files = {f"cop{number}.rb": f"class Cop{number}\n  def go(x)\n    x.body\n  end\nend\n" for number in range(7)}
    files["map.rb"] = "class Map\n  def body; end\nend\n"
    assert set() == edges_between(files)

    known = {path: text.replace("def go(x)", "def go(x = Map.new)") for path, text in files.items()}
    drawn = {("cop3.rb::Cop3.go", "map.rb::Map.body", "unique-name 0.6")}
    assert drawn <= edges_between(known)
    named = files | {"cop3.rb": files["cop3.rb"].replace("x", "source_map")}
    assert drawn == edges_between(named)


def test_what_is_left_of_several_candidates_is_no_surer() -> None:
    files = {f"cop{number}.rb": f"class Cop{number}\n  def go(x)\n    x.body\n  end\nend\n" for number in range(7)}
    files["map.rb"] = "class Map\n  def body; end\nend\nclass Row\n  def body; end\nend\n"
    files["cop3.rb"] = files["cop3.rb"].replace("x", "row")
    assert {("cop3.rb::Cop3.go", "map.rb::Row.body", "ambiguous 0.25")} == edges_between(files)


def test_names_that_the_language_itself_has_say_nothing_of_whose_method_is_called() -> None:
    others = {"b.rb": "class Page\n  def lines; end\n  def sheets; end\nend\n"}
    source = "class Cart\n  def go(x)\n    x.lines; x.sheets\n  end\nend\n"
    assert {("b.rb::Page.sheets", "unique-name 0.6")} == _calls(source, "Cart.go", others)


def test_a_class_that_is_named_with_all_that_is_around_it_stands_in_that() -> None:
    files = {
        "base.rb": "module Shop\n  module Cart\n    class Base\n      def pay; end\n    end\n  end\nend\n",
        "gift.rb": "class Shop::Cart::Gift < Shop::Cart::Base\n  def wrap; pay; end\nend\n",
        "use.rb": "class Order < Shop::Cart::Gift\n  def go; wrap; pay; Shop::Cart::Gift.new.wrap; end\nend\n",
    }
    assert {
        ("gift.rb::Shop.Cart.Gift.wrap", "base.rb::Shop.Cart.Base.pay", "receiver 0.95"),
        ("use.rb::Order.go", "gift.rb::Shop.Cart.Gift.wrap", "receiver 0.95"),
        ("use.rb::Order.go", "base.rb::Shop.Cart.Base.pay", "receiver 0.95"),
        ("use.rb::Order.go", "gift.rb::Shop.Cart.Gift", "receiver 0.95"),
        ("use.rb::Order.go", "gift.rb::Shop.Cart.Gift.wrap", "type 0.9"),
    } == edges_between(files)
    assert {
        ("gift.rb::Shop.Cart.Gift", "base.rb::Shop.Cart.Base"),
        ("use.rb::Order", "gift.rb::Shop.Cart.Gift"),
    } == {edge[:2] for edge in edges_between(files, "inherits")}


@pytest.mark.parametrize(
    "body",
    [
        "Shop.new.client.pay",
        "shop = Shop.new\n    shop.made.pay",
        "Shop.build.pay",
        "Shop.new.short.pay",
        "Shop.new.kept.pay",
        "Shop.shared.pay",
        "Shop.new.noted.pay",
    ],
)
def test_methods_of_ruby_give_what_they_make_and_readers_what_is_kept(body: str) -> None:
    source = f"""class Client
  def pay
  end
end
class Other
  def pay
  end
end
class Shop
  attr_reader :kept
  def initialize
    @kept = Client.new
  end
  def client
    @client ||= Client.new(1)
  end
  def made
    x = 1
    Client.new
  end
  def self.build
    Client.new
  end
  def short = Client.new
  def self.shared
    @shared ||= Client.new
  end
  def noted
    @noted = Client.new
    # for later,
    # when it is asked for
  end
end
class User
  def use
    {body}
  end
end
"""
    drawn = {edge for edge in edges_between({"a.rb": source}) if edge[0] == "a.rb::User.use" and "pay" in edge[1]}
    assert {("a.rb::User.use", "a.rb::Client.pay")} == {edge[:2] for edge in drawn}
    assert not any("ambiguous" in edge[2] for edge in drawn)


@pytest.mark.parametrize(
    ("source", "heirs"),
    [
        ("class A\n  include Loud\nend\n", {"A"}),
        ("module A\n  self.extend Loud\nend\n", {"A"}),
        ("module A\n  included do\n    include Loud\n  end\nend\n", {"A"}),
        ("module A\n  def self.included(base)\n    base.include Loud\n  end\nend\n", {"A"}),
        ("module A\n  def self.included(base)\n    base.extend Loud\n  end\nend\n", set()),
        ("module A\n  included do\n    extend Loud\n  end\nend\n", set()),
        ("A = Struct.new(:x) do\n  include Loud\nend\n", {"A"}),
        ("A = Class.new { include Loud }\n", {"A"}),
        ("class A\n  other do\n    include Loud\n  end\nend\n", set()),
        ("class A\n  Other.include(Loud)\nend\n", set()),
        ("module A\n  Other.prepend Loud\n  def self.made(base)\n    base.extend Loud\n  end\nend\n", set()),
        ("include Loud\nclass A\nend\n", set()),
    ],
)
def test_a_module_is_mixed_into_the_type_around_and_into_no_other(source: str, heirs: set[str]) -> None:
    files = {"a.rb": source, "loud.rb": "module Loud\n  def shout; end\nend\n"}
    drawn = edges_between(files, "inherits") | edges_between(files, "implements")
    assert {(f"a.rb::{heir}", "loud.rb::Loud") for heir in heirs} == {edge[:2] for edge in drawn}


def test_constants_of_other_files_and_other_names_of_classes_are_followed() -> None:
    files = {
        "shop/consts.rb": """
        MOST = 9
        module Shop
          MAX = 3
          class Cart
            SIZE = 4
            def add; end
          end
          module OID
            class Money; end
          end
          Basket = Cart
        end
        """,
        "shop/use.rb": """
        module Shop
          class Use
            OID = Shop::OID
            LEAST = Shop::MAX
            def one; [MAX, MOST]; end
            def two; "#{Shop::MAX}"; end
            def three; Basket.new.add; end
            def four; Basket::SIZE; end
            def five; OID::Money.new; end
            def six(max = MAX); end
          end
        end
        """,
        "other.rb": "class Other\n  def one; MAX; end\n  def two; Shop::MAX; end\nend\n",
    }
    assert {
        ("shop/consts.rb::Shop.Basket", "shop/consts.rb::Shop.Cart"),
        ("shop/use.rb::Shop.Use.OID", "shop/consts.rb::Shop.OID"),
        ("shop/use.rb::Shop.Use.LEAST", "shop/consts.rb::Shop.MAX"),
        ("shop/use.rb::Shop.Use.one", "shop/consts.rb::Shop.MAX"),
        ("shop/use.rb::Shop.Use.one", "shop/consts.rb::MOST"),
        ("shop/use.rb::Shop.Use.two", "shop/consts.rb::Shop.MAX"),
        ("shop/use.rb::Shop.Use.four", "shop/consts.rb::Shop.Cart.SIZE"),
        ("shop/use.rb::Shop.Use.six", "shop/consts.rb::Shop.MAX"),
        ("other.rb::Other.two", "shop/consts.rb::Shop.MAX"),
    } == {edge[:2] for edge in edges_between(files, "references")}
    assert {
        ("shop/use.rb::Shop.Use.three", "shop/consts.rb::Shop.Basket"),
        ("shop/use.rb::Shop.Use.three", "shop/consts.rb::Shop.Cart.add"),
        ("shop/use.rb::Shop.Use.five", "shop/consts.rb::Shop.OID.Money"),
    } == {edge[:2] for edge in edges_between(files)}
    kinds = {symbol.qualname: symbol.kind for facts in facts_of(files).values() for symbol in facts.symbols}
    assert [kinds[name] for name in ("Shop.Basket", "Shop.Use.OID", "Shop.Use.LEAST")] == ["type", "type", "constant"]


def test_a_constant_of_the_top_is_referred_to_past_what_is_called_alike_around() -> None:
    files = {
        "tool.rb": """
        LIMIT = 3
        module Tool
          LIMIT = 4
          class Error < StandardError; end
        end
        """,
        "shop.rb": """
        module Shop
          LIMIT = 5
          module Tool; end
          class Cart
            def own = [LIMIT, Tool]
            def most = ::LIMIT
            def named = ::Tool
            def deep = ::Tool::LIMIT
            def checked(x)
              x.is_a?(::Tool::Error)
            end
            def away = ::Elsewhere::Error
            def itself = ::Shop::Cart
            def of_core = ::Object
          end
        end
        class ::Tool::More
          def what = nil
        end
        """,
    }
    assert {
        ("shop.rb::Shop.Cart.own", "shop.rb::Shop.LIMIT", "scope 1"),
        ("shop.rb::Shop.Cart.own", "shop.rb::Shop.Tool", "scope 1"),
        ("shop.rb::Shop.Cart.most", "tool.rb::LIMIT", "unique-name 0.6"),
        ("shop.rb::Shop.Cart.named", "tool.rb::Tool", "unique-name 0.6"),
        ("shop.rb::Shop.Cart.deep", "tool.rb::Tool.LIMIT", "receiver 0.95"),
        ("shop.rb::Shop.Cart.checked", "tool.rb::Tool.Error", "receiver 0.95"),
    } == {edge[:3] for edge in edges_between(files, "references")}


@pytest.mark.parametrize(
    "method", ["", "def self.logger = @logger", "def logger; end", "class << self\n    attr_accessor :logger\n  end"]
)
def test_a_class_is_made_whose_module_has_methods_in_another_file(method: str) -> None:
    files = {
        "lib/shop.rb": f"module Shop\n  {method}\nend\n",
        "lib/shop/cart.rb": "module Shop\n  class Cart\n    def total = 1\n  end\nend\n",
        "lib/runner.rb": "class Runner\n  def run\n    x = Shop::Cart.new\n    x.total\n  end\nend\n",
        "test/cart_test.rb": "class CartTest < Test\n  def test_cart\n    Shop::Cart.new\n  end\nend\n",
    }
    assert {
        ("lib/runner.rb::Runner.run", "lib/shop/cart.rb::Shop.Cart", "receiver 0.95"),
        ("lib/runner.rb::Runner.run", "lib/shop/cart.rb::Shop.Cart.total", "type 0.9"),
        ("test/cart_test.rb::CartTest.test_cart", "lib/shop/cart.rb::Shop.Cart", "receiver 0.95"),
    } == edges_between(files)


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("def self.go(x) = new(x).pay", {"Pay", "Pay.pay"}),
        ("def self.go; new.pay; end", {"Pay", "Pay.pay"}),
        ("def self.go(x); it = new(x); it.pay; end", {"Pay", "Pay.pay"}),
        ("def self.go; it = new; it.pay; end", {"Pay", "Pay.pay"}),
        ("def self.go(all) = all.map { |x| new(x).pay }", {"Pay", "Pay.pay"}),
        ("class << self\n    private def go(x); new(x).pay; end\n  end", {"Pay", "Pay.pay"}),
        ("def go(x); it = self.class.new(x); it.pay; end", {"Pay", "Pay.pay"}),
        ("def self.made(x) = new(x)\n  def self.go(x) = made(x).pay", {"Pay.made", "Pay.pay"}),
        ("def self.go(x) = new(x).own\n  def self.own = 1", {"Pay"}),
        ("def self.go; it = new.pay; it.pay; end", {"Pay", "Pay.pay"}),
        ("def self.go(it); all = it.pay(new); all.pay; end", {"Pay"}),
        ("def self.go(old, new) = new.pay", set()),
        ("def self.go; new = x; new.pay; end", set()),
        ("def go(x) = new(x).pay", set()),
        ("def Other.go(x) = new(x).pay", set()),
        ("class << other\n    def go(x) = new(x).pay\n  end", set()),
    ],
)
def test_a_class_that_says_new_makes_an_object_of_its_own(body: str, called: set[str]) -> None:
    source = f"class Pay\n  {body}\n  def pay; end\nend\nclass Other\n  def pay; end\nend\n"
    drawn = edges_between({"a.rb": source})
    assert {f"a.rb::{name}" for name in called} == {
        target for origin, target, how in drawn if origin.endswith(".go") and "ambiguous" not in how
    }


def test_a_class_that_something_is_asked_of_without_brackets_is_referred_to() -> None:
    source = "class Top\n  def self.size(x = 1) = 1\nend\nclass Cart\n  def cost = Top.size\nend\n"
    assert {("a.rb::Cart.cost", "a.rb::Top.size", "receiver 0.95")} == edges_between({"a.rb": source})
    assert {("a.rb::Cart.cost", "a.rb::Top", "scope 1")} == edges_between({"a.rb": source}, "references")


def test_a_module_gives_methods_to_the_classes_that_include_it_and_not_to_their_objects() -> None:
    files = {
        "a.rb": """
        module Audited
          def self.included(base)
            base.extend(ClassMethods)
            base.extend Macros, Far
          end
          module ClassMethods
            def audit_all; end
          end
          module Macros
            def macro; end
          end
        end
        class User
          include Audited
        end
        """,
        "far.rb": "module Far\n  def far; end\nend\n",
        "use.rb": """
        class Use
          def go
            User.audit_all; User.macro; User.far
          end
          def objects
            User.new.audit_all; User.new.macro
          end
        end
        """,
    }
    assert {("a.rb::User", "a.rb::Audited")} == {
        edge[:2] for kind in ("inherits", "implements") for edge in edges_between(files, kind)
    }
    called = {edge[:2] for edge in edges_between(files) if "User" not in edge[1]}
    assert {
        ("use.rb::Use.go", "a.rb::Audited.ClassMethods.audit_all"),
        ("use.rb::Use.go", "a.rb::Audited.Macros.macro"),
        ("use.rb::Use.go", "far.rb::Far.far"),
    } == called


def test_a_constant_that_is_given_to_a_class_from_outside_is_that_classs() -> None:
    files = {
        "money.rb": """
        class Money
          def sign; Money::SIGNS; end
        end
        Money::SIGNS = {}.freeze
        module Deep
          class Inner; end
        end
        """,
        "more.rb": "Deep::Inner::MOST = 3\nDeep::Pair = Struct.new(:left)\n",
        "use.rb": "class Use\n  def go; [Money::SIGNS, Deep::Inner::MOST, Deep::Pair.new(1).left]; end\nend\n",
    }
    assert {
        ("money.rb::Money.sign", "money.rb::Money.SIGNS"),
        ("use.rb::Use.go", "money.rb::Money.SIGNS"),
        ("use.rb::Use.go", "more.rb::Deep.Inner.MOST"),
    } == {edge[:2] for edge in edges_between(files, "references")}
    assert ("use.rb::Use.go", "more.rb::Deep.Pair.left") in {edge[:2] for edge in edges_between(files)}


def test_members_of_a_struct_are_meant_by_what_is_called_after_it_only() -> None:
    files = {
        "a.rb": "Loc = Struct.new(:expression, :line)\nSummary = Struct.new(:line, :count_all)\n",
        "b.rb": "class Offense\n  attr_reader :line, :severity\nend\n",
        "use.rb": """
        class Use
          def far(node) = node.loc.line + node.count_all
          def near(summary) = summary.count_all
          def each(offenses) = offenses.max_by(&:severity)
          def any(found) = found.max_by(&:severity)
        end
        """,
    }
    assert {
        # Two Structs have a line, too.
        ("use.rb::Use.far", "b.rb::Offense.line", "ambiguous 0.167"),
        ("use.rb::Use.near", "a.rb::Summary.count_all", "unique-name 0.6"),
        ("use.rb::Use.each", "b.rb::Offense.severity", "unique-name 0.6"),
        ("use.rb::Use.any", "b.rb::Offense.severity", "ambiguous 0.25"),
    } == edges_between(files)


def test_members_of_a_struct_are_methods_of_it() -> None:
    source = """
    Point = Struct.new(:left, :top, keyword_init: true) do
      def sum; left + top; end
    end
    class Size < Data.define(:width)
      def half; width / 2; end
    end
    class Use
      def go(it)
        Point.new.top; Size.new.width; it.width
        Struct.new(:other).new(1)
        made = Struct.new(:more); it.more; it.other
      end
    end
    """
    assert {
        ("a.rb::Point.sum", "a.rb::Point.left"),
        ("a.rb::Point.sum", "a.rb::Point.top"),
        ("a.rb::Size.half", "a.rb::Size.width"),
        ("a.rb::Use.go", "a.rb::Point.top"),
        ("a.rb::Use.go", "a.rb::Size.width"),
    } == {edge[:2] for edge in edges_between({"a.rb": source}) if edge[1].count(".") > 1}
    [members] = [facts.symbols for facts in facts_of({"a.rb": source}).values()]
    assert [("left", 2, "method"), ("top", 2, "method"), ("width", 5, "method")] == [
        (symbol.name, symbol.end_line, symbol.kind) for symbol in members if symbol.signature[:1] == ":"
    ]


def test_a_name_that_blocks_give_to_several_things_is_one_of_these() -> None:
    blocks = "it do\n  one = {0}.new\n  one.stay\n  one.{1}\nend\n"
    classes = "".join([f"class {name}\n  def stay; end\n  def {name.lower()}; end\nend\n" for name in ("Cart", "Row")])
    source = f"{blocks.format('Cart', 'cart')}{blocks.format('Row', 'row')}{classes}"
    assert {
        ("a.rb", "a.rb::Cart", "scope 1"),
        ("a.rb", "a.rb::Row", "scope 1"),
        ("a.rb", "a.rb::Cart.stay", "ambiguous 0.25"),
        ("a.rb", "a.rb::Row.stay", "ambiguous 0.25"),
        ("a.rb", "a.rb::Cart.cart", "unique-name 0.6"),
        ("a.rb", "a.rb::Row.row", "unique-name 0.6"),
    } == edges_between({"a.rb": source})


def test_of_a_name_that_is_given_to_many_things_nothing_is_known() -> None:
    source = "".join([f"one = Many{row}.new\nclass Many{row}\n  def stay; end\nend\n" for row in range(9)])
    made = {("a.rb", f"a.rb::Many{row}", "scope 1") for row in range(9)}
    assert made == edges_between({"a.rb": f"{source}one.stay\n"})


def test_a_parameter_is_no_use_of_the_method_it_hides() -> None:
    source = """
    def cart; end
    def show(all)
      all.each { |cart| use(cart) }
    end
    def draw(cart) = use(cart)
    def use(one); one; end
    """
    assert set() == edges_between({"a.rb": source}, "references")
    assert {
        ("a.rb::draw", "a.rb::use", "scope 1"),
        ("a.rb::show", "a.rb::use", "scope 1"),
    } == edges_between({"a.rb": source})


def test_a_parameter_of_a_block_is_not_what_the_method_gives_that_name_elsewhere() -> None:
    source = """
    class Cart; def pay; end; def ship; end; end
    class Box; def pay; end; def ship; end; end
    class Shop
      def run(all)
        all.each { |cart| cart.pay }
        all.each do |one|
          cart = Cart.new
          all.each { |other| cart.ship }
        end
      end
    end
    """
    surely = {row for row in _calls(source, "Shop.run") if row[1].startswith("type")}
    assert {("a.rb::Cart.ship", "type 0.9")} == surely


def test_a_parameter_of_a_block_is_not_the_attribute_it_hides() -> None:
    source = """
    class Cart; def pay; end; end
    class Box; def pay; end; end
    class Shop
      attr_reader :cart
      def initialize; @cart = Cart.new; end
      def run(all) = all.each { |cart| cart.pay }
      def own(all) = all.each { |one| cart.pay }
    end
    """
    assert set() == {row for row in _calls(source, "Shop.run") if row[1].startswith("type")}
    assert ("a.rb::Cart.pay", "type 0.85") in _calls(source, "Shop.own")
