"""What modules of Ruby give to the classes that include them: a module inside, by custom called ``ClassMethods``.

So ``ActiveSupport::Concern`` has it, and so do those who write ``def self.included(base)`` themselves.
"""

from collections.abc import Callable, Iterable, Mapping

from ctxcode.codegraph.resolve.tables import CLASS_KINDS, Tables

_NAME = "ClassMethods"
_NOTHING: Mapping[str, int] = {}


def class_methods(tables: Tables, owner: int, bases_of: Callable[[int], Iterable[int]]) -> list[int]:
    """Return the modules whose methods are called where one of Ruby is written, though it inherits from none.

    These are its own, for those who include it, and for one of these the ones that the module around it brings along.
    """
    if tables.families[tables.file_of[owner]] != "ruby":
        return []
    around = tables.parents[owner]
    own = _inside(tables, owner)
    if around < 0 or tables.children.get(around, _NOTHING).get(_NAME) != owner:
        return own
    brought = [each for base in bases_of(around) if base != owner for each in _inside(tables, base)]
    return [*own, *(each for each in brought if each != owner)]


def _inside(tables: Tables, owner: int) -> list[int]:
    found = tables.children.get(owner, _NOTHING).get(_NAME)
    return [found] if found is not None and tables.kinds[found] in CLASS_KINDS else []
