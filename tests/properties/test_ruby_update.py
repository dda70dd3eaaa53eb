"""A graph of Ruby brought in step with what has changed equals the graph of all files joined anew."""

from collections.abc import Mapping
from itertools import permutations

from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from updated_graph import assert_as_anew, exchanged, is_updated, is_updated_and_undone, read, reworded, update

from ctxcode.codegraph.edges import RESOLUTIONS
from ctxcode.codegraph.resolve.graph import build_graph
from ctxcode.model.symbol import Resolution

LINES = (
    "",
    "",
    "class Cart < Price\n  attr_reader :price\n  def initialize; @price = Price.new; end\n  def add; pay; end\nend",
    "class Cart\n  include Paid\n  def pay!; total; add; yield_all; end\n  def self.made; new; end\nend",
    "class Cart\n  def add(one); one.pay!; one.total.add; end\n  private\n  def hidden; end\nend",
    "class Price\n  def pay; @cart = Cart.made; @cart.add; end\n  def cart?; Shop::Cart.new.pay!; end\nend",
    "class Cart < Price\n  MAX = 3\n  class Held; end\n  def most; [MAX, LEAST, Held, Part, LIMIT]; end\nend",
    "class Price\n  LEAST = 1\n  class Part < Cart\n    def few; LEAST + MAX; Held; rescue Part; end\n  end\nend",
    "module Paid\n  def total; add; pay; end\n  LIMIT = 3\nend",
    "module Shop\n  class Cart\n    def add; Price.new.pay; Line.new.total; end\n  end\nend",
    "module Shop\n  class Price < Cart\n    def cost; LIMIT; super; add; end\n  end\n  module Paid; end\nend",
    "module Shop\n  class Line\n    extend Paid\n    def total; all.map { |one| one.total }; end\n  end\nend",
    "class Line\n  def run; all.each { |one| one.pay! }; one = Cart.new; all.each { one.total; one.add }; end\nend",
    "class Line\n  def cart; @cart ||= Cart.new; end\n  def cost\n    Price.new\n  end\nend",
    "class Line\n  def self.made; Line.new; end\n  def total = Cart.new\nend",
    "class Line\n  attr_reader :cart\n  def pay; Line.made.cost.pay; cart.add; Line.new.cart.pay!; end\nend",
    "class Cart\n  def made; @cost = Price.new; end\n  def total; Line.new.cost.made.pay; Cart.new.made.pay; end\nend",
    "class Shop::Line\n  def add; Cart.new.add; Price.made; end\nend",
    (
        "module Paid\n  include Shop\n  module ClassMethods\n    def made; cost; end\n"
        "    def total; pay; end\n  end\n  cost\nend"
    ),
    "module Shop\n  module ClassMethods\n    include Paid\n    def cost; made; add; end\n  end\nend",
    "class Line < Cart\n  include Shop\n  cost :one\n  made\nend",
    "class Cart\n  def self.total; made; pay; end\n  def total; self.class.total; add; end\n  total\nend",
    (
        "class Price\n  class << self\n    def pay; cost; end\n    def add; new.pay; end\n  end\n"
        "  def cost; Cart.total; Price.pay; end\nend"
    ),
    (
        "module Paid\n  included do\n    include Shop\n    extend Line\n    pay\n  end\n"
        "  class_methods do\n    def pay; total; end\n  end\nend"
    ),
    (
        "class Line\n  include Paid, Shop\n  extend Cart\n  def self.cost; total; end\n  cost\n"
        "  def pay; super; cost; end\nend"
    ),
    "Price = Struct.new(:cost) do\n  include Paid\n  def pay; total; Cart.made; end\nend\nLine = Class.new(Cart)",
    "class Line\n  class Part\n    def pay!; end\n    def hidden; end\n  end\nend",
    "Line::Part.new.hidden; five.hidden; six.pay!",
    "class String\n  def pay; total; end\nend",
    "def total; Cart.made.pay!; Shop::Price.new.cost; end",
    "def yield_all; x.add; x.total; x.pay; y.cost; end",
    "def Cart.extra; made; end",
    "class CartTest < Base\n  def test_add; Cart.new.add; Shop::Cart.new; end\nend",
    "class LineTest\n  def test_total; line.total; Line.new; end\nend",
    "one.add; two.pay; three.total; cart.cost; Cart; Price",
    "four.pay!; price.cart?; Shop::Line",
    "Cost = Price",
    "MOST = 3\nclass Cart\n  LEAST = MOST\n  Cost = Price\n  def rate; Cost.new.pay; [MOST, LEAST, RATE]; end\nend",
    "module Shop\n  RATE = LEAST\n  Line = Shop::Cart\n  def self.rate; Line.new.add; RATE + MOST; end\nend",
    "class Price\n  Part = Line::Part\n  def part; Part.new.hidden; Shop::RATE; Cart::LEAST; end\nend",
    "LIMIT = Cart.new",
    "module Shop\n  def self.top; [::MOST, ::Price::LEAST, ::LIMIT]; ::Cart; end\nend",
    "class Line\n  LIMIT = 1\n  def top; [::Shop::Cart, ::LIMIT, ::Line::Part]; ::Shop::RATE; end\nend",
    "class Cart\n  def self.pay(one) = new(one).add\n  def self.cost; it = new; it.pay!; it.total; end\nend",
    "class Price < Cart\n  def self.made = new(1)\n  def total; Price.made.pay; Cart.pay.cost; Line.made; end\nend",
    "def extra; Shop.total; Shop::Line.new.add; it = self.class.new; Shop::Paid.pay; end",
    "class Cart\n  before_save :pay, :cost, if: :hidden\n  alias_method :total, :pay!\n  delegate :add, to: :made\nend",
    "class Line\n  delegate :pay, :cost, to: :cart\n  def_delegators :@cart, :total, :add\nend",
    "class Price\n  attr_reader 'cart'\n  def_delegator :cart, :pay, :pay!\n  delegate :add, to: :a, prefix: true\nend",
    "class Line < Price\n  after_save :cost, :total\n  def pay; send(:made); Cart.send(:total); x.send(:add); end\nend",
    "module Paid\n  included do\n    before_save :cost, :pay\n  end\n  def cost; all.map(&:add).map(&:cart?); end\nend",
    "class Shop::Line\n  validate :total\n  def pay; method(:add); Cart.new.tap(&:hidden); line.try(:cart); end\nend",
    "module Paid\n  def self.included(it)\n    it.extend(Shop, M)\n  end\n  module M\n    def cost; end\n  end\nend",
    "module Shop\n  included do\n    extend Paid\n    before_save :total\n  end\n  def made; end\nend",
    "Cart::LIMIT = 3\nShop::Line::MOST = Price\nPart = Struct.new(:add, :cost) { def total; add; end }",
    "class Line < Struct.new(:pay)\n  def cost; pay; Part.new.add; [Cart::LIMIT, Shop::Line::MOST]; end\nend",
    "Price = Data.define(:cost)\nclass Part\n  attr_reader :hidden\nend\nparts.sum(&:hidden); prices.map(&:cost)",
    "class Cart\n  scope :cost, -> { total }\n  has_many :lines\n  def add; Cart.cost.pay; lines.total; end\nend",
    'class Line\n  included do\n    scope :made, -> { pay }\n    has_one :it, class_name: "Shop::Price"\n  end\nend',
    "describe Cart do\n  let(:one) { Line.new }\n  subject { described_class.new }\n  it { one.add; subject.pay }\nend",
    "module Shop\n  refine Price do\n    def total; pay; end\n  end\nend\none = Price.new\none = Cart.new",
    "class Cart\n  attr_accessor :made, :hidden\n  attr_writer :add\n  def pay=(it); self.made = it.cost = 1; end\nend",
    "class Line < Cart\n  def fill; self.pay = 1; self.hidden += 2; Cart.new.add = 3; x.made = x.total; end\nend",
    "class Price\n  def made=(it); end\n  Part = Struct.new(:cost)\n  def total; Part.new.cost = y.pay = 2; end\nend",
    "class Line\n  def top(q); it = Cart.new; it = cost(q) if q; it.add; it = Price.made; it.pay; end\nend",
    "class Cart\n  def few(q)\n    it = Line.made; it = Price.new if q\n    it = it.made while q; it.pay\n  end\nend",
    (
        "class Price\n  def most(q)\n    if q then it = Line.new.cart else it = Cart.made end\n"
        "    it.pay!; it ||= Part.new; it.hidden; it = Shop::Line.new.total if q; it.add\n  end\nend"
    ),
    "def rate(q); one = Cart.cost; one = rate(one) if q; one.add; one = Line.new; one = one.cart if q; one.pay; end",
    'require "shop/cart"',
    'require_relative "price"',
    'require "a"',
)
PATHS = (
    *("lib/a.rb", "lib/b.rb", "lib/shop/cart.rb", "lib/shop/price.rb", "lib/shop/line.rb", "lib/c.rb", "lib/d.rb"),
    *("lib/e.rb", "lib/f.rb", "lib/g.rb", "test/cart_test.rb", "test/line_test.rb", "test/a.rb"),
)


trees = st.dictionaries(
    st.sampled_from(PATHS), st.lists(st.sampled_from(LINES), min_size=1, max_size=6).map("\n".join), min_size=4
)


WORDS = (
    "add",
    "total",
    "pay",
    "pay!",
    "cost",
    "made",
    "made=",
    "Cart",
    "Price",
    "Line",
    "one",
    "end\nend",
    "cart?",
    "hidden",
)


def test_edited_files_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(
        trees,
        st.lists(
            st.tuples(st.sampled_from(PATHS), st.sampled_from(["", *WORDS]), st.sampled_from([*LINES[2:], *WORDS])),
            min_size=1,
            max_size=2,
        ),
    )
    def check(tree: Mapping[str, str], changes: list[tuple[str, str, str]]) -> None:
        joined.append(is_updated(read(tree), read(reworded(tree, changes))))

    check()
    assert sum(joined) * 4 > len(joined)


def test_files_that_come_and_go_give_the_graph_of_all_files_joined_anew() -> None:
    joined = []

    @examples(60)
    @given(trees, st.sets(st.sampled_from(PATHS), max_size=1), trees)
    def check(tree: Mapping[str, str], gone: set[str], come: Mapping[str, str]) -> None:
        kept = exchanged(tree, gone, come)
        joined.append(is_updated(read(tree), read(kept)))

    check()
    assert sum(joined) * 8 > len(joined)


def test_what_one_file_more_calls_is_taken_for_another_packages_everywhere() -> None:
    calling = {f"lib/{letter}.rb": f"def {letter}; one.close!; end\n" for letter in "abcdef"}
    tree = {**calling, "lib/door.rb": "class Door\n  def close!; end\nend\n"}
    few = read(tree)
    many = read({**tree, "lib/g.rb": "def g; two.close!; end\n"})
    doors = [graph.edge_count for graph in (build_graph(few), build_graph(many))]
    assert doors[0] > doors[1]
    assert update(few, many) == build_graph(many)
    assert update(many, few) == build_graph(few)


def test_who_speaks_of_a_type_inside_of_another_speaks_of_that_one_too() -> None:
    calling = {f"lib/{letter}.rb": f"def {letter}; Base.new; one.close!; end\n" for letter in "abcdefgh"}
    door = {"lib/door.rb": "class Door\n  class Base\n    def close!; end\n  end\nend\n"}
    naming = {f"lib/{letter}.rb": "Door::Base.new\n" for letter in "xyz"}
    without, with_two = read({**calling, **door}), read({**calling, **door, "lib/x.rb": "Door\n"})
    with_three = read({**calling, **door, **naming})
    closing = [
        sum(graph.resolutions.count(RESOLUTIONS.index(kind)) for kind in (Resolution.UNIQUE_NAME, Resolution.AMBIGUOUS))
        for graph in map(build_graph, (without, with_three))
    ]
    assert closing[1] > closing[0]
    for before, after in permutations((without, with_two, with_three), 2):
        assert update(before, after) in {None, build_graph(after)}


def test_what_a_class_includes_may_stand_in_one_that_inherits_from_it() -> None:
    tree = {
        "lib/cost.rb": (
            "module Shop\n  module Till\n    class Cost < Price\n      module Methods\n        def pay\n        end\n"
            "      end\n    end\n  end\n  class Till::Price\n    include Till::Cost::Methods\n  end\nend\n"
        ),
        "lib/tax.rb": "module Shop\n  module Till\n    class Tax < Price\n      shown :rate\n    end\n  end\nend\n",
        "lib/till.rb": (
            "module Shop\n  module Till\n    class Thing\n      class << self\n        def shown(name)\n        end\n"
            "      end\n    end\n    class Price < Thing\n    end\n  end\nend\n"
        ),
    }
    shown = {**tree, "lib/tax.rb": f"{tree['lib/tax.rb']}Shop::Till::Tax.new\n"}
    assert is_updated_and_undone(read(tree), read(shown))


def test_what_belongs_to_a_class_that_is_written_twice_is_not_told_by_what_else_stands_outside_of_it() -> None:
    line = "class Line\n  def cart; end\n  def cost; end\nend\nclass Line\n  LIMIT = 1\n  def top; end\nend\n"
    tree = {"lib/a.rb": f"{line}Shop::Line::MOST = Price\n", "lib/b.rb": "Line.new.top\n"}
    more = {**tree, "lib/shop.rb": "Shop::Line::MOST = Price\nShop::Line::LEAST = 1\n"}
    assert is_updated_and_undone(read(tree), read(more))


def test_what_is_given_to_a_class_from_outside_knows_what_that_includes() -> None:
    tree = {
        "lib/line.rb": "class Line\n  include Shop\nend\n",
        "lib/most.rb": "Line::LEAST = 1\n",
        "lib/shop.rb": "module Shop\n  class Price\n  end\nend\n",
    }
    more = {**tree, "lib/most.rb": "Line::LEAST = 1\nLine::MOST = Price\n"}
    assert is_updated_and_undone(read(tree), read(more))


def test_a_class_may_get_what_a_module_for_its_own_methods_includes() -> None:
    tree = {
        "lib/cart.rb": "class Cart\nend\n",
        "lib/line.rb": "def pay; Cart.made; end\n",
        "lib/paid.rb": "module Paid\n  def made; end\nend\n",
        "lib/part.rb": "class Part\n  def made; end\nend\n",
    }
    more = {**tree, "lib/cart.rb": "class Cart\n  module ClassMethods\n    include Paid\n  end\nend\n"}
    assert_as_anew(read(tree), read(more))


def test_what_a_module_gives_to_those_who_include_it_may_be_another() -> None:
    tree = {
        "lib/cart.rb": "class Cart\n  def self.made; end\nend\n",
        "lib/part.rb": "class Part\n  include Paid\n  made\nend\n",
        "lib/paid.rb": "module Paid\n  included do\n    extend Line\n  end\nend\n",
    }
    more = {**tree, "lib/line.rb": "class Line < Cart\nend\n"}
    assert_as_anew(read(tree), read(more))
