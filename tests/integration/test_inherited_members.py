"""Members that a name asks for of a type that has them from others, told from a real index."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexed_folder import IndexedFolder

from ctxcode.llm.navigator.lookup import find
from ctxcode.store.index.reader import SqliteIndex

PHP = """<?php
namespace Shop;

interface Priced { public function price(): int; }
interface Named { public function name(): string; }
trait Pricing { public function price(): int { return 1; } }
class Item { public function name(): string { return ''; } }
abstract class Sold extends Item implements Priced, Named { use Pricing; }
class Book extends Sold {}
interface Only { public function only(): int; }
abstract class Lone implements Only {}
"""
RUBY = """
module Shop
  module Base
    def self.included(base)
      base.extend ClassMethods
    end

    module ClassMethods
      def start; end
    end
  end

  class Runner
    include Base
  end

  class Late < Runner
  end
end
"""
BASES = [f"Base{number}" for number in range(60)]
PYTHON = "".join(f"class {base}:\n    def of_{base.lower()}(self): ...\n" for base in BASES)
PYTHON += f"class Many({', '.join(BASES)}): ...\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    folder = IndexedFolder(Path(tmp_path_factory.mktemp("tree")), tmp_path_factory.mktemp("cache"))
    folder.write("src/shop.php", PHP)
    folder.write("lib/shop.rb", RUBY)
    folder.write("many.py", PYTHON)
    folder.refresh()
    yield folder.index
    folder.close()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Book.price", "Pricing.price"),
        ("Book.name", "Item.name"),
        ("Lone.only", "Only.only"),
        ("Runner.start", "Shop.Base.ClassMethods.start"),
        ("Late.start", "Shop.Base.ClassMethods.start"),
        ("Many.of_base0", "Base0.of_base0"),
        ("Base.start", "Shop.Base.ClassMethods.start"),
    ],
)
def test_what_does_something_is_meant_before_what_is_only_declared(
    index: SqliteIndex, name: str, expected: str
) -> None:
    assert [expected] == [symbol.qualname for symbol in find(index, name).symbols]


def test_what_nothing_gives_a_type_is_proved_absent(index: SqliteIndex) -> None:
    assert find(index, "Runner.stop").is_proved_absent
