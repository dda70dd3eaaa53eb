"""What variables of modules, wherever they are imported from, and attributes of classes are bound to."""

from collections.abc import Callable

from ctxcode.codegraph.facts import RETURNED, TELLING
from ctxcode.codegraph.resolve.java.parameters import TypeParameters
from ctxcode.codegraph.resolve.lookup import Lookup
from ctxcode.codegraph.resolve.memory import Memory
from ctxcode.codegraph.resolve.modules.naming import PACKAGED
from ctxcode.codegraph.resolve.objects.value import OUTSIDE, SELF_NAMES, UNASKED, Value
from ctxcode.codegraph.resolve.tables import Tables
from ctxcode.codegraph.resolve.targets import UNKNOWN

_NO_NAMES = frozenset[str]()
_NO_BINDINGS: dict[str, str] = {}
_NO_MEMBERS: dict[str, int] = {}


def is_local(tables: Tables, scope: int, name: str) -> bool:
    """Return whether a function around gives a name to something of its own, whatever that is: no field is meant."""
    file = tables.file_of[scope]
    first, bindings = tables.first_node[file], tables.bindings[file]
    while tables.kinds[scope] in {"function", "method"}:
        if bindings.get(scope - first, _NO_BINDINGS).get(name, name) not in {name, f"={name}"}:
            return True
        scope = tables.parents[scope]
    return False


class _Bound:
    """Memoised answers over one repository; None where nothing is known."""

    def __init__(self, lookup: Lookup, memory: Memory, of_bound: Callable[[int, str], Value | None]) -> None:
        self._lookup = lookup
        self._tables = lookup.tables
        self._memory = memory
        self._of_bound = of_bound
        self._answers: dict[tuple[int, str], Value | None] = {}

    def _once(self, place: int, name: str, find: Callable[[int, str], Value | None]) -> Value | None:
        """Return what is found under a name in a place, which is looked for once."""
        key = (place, name)
        found = self._answers.get(key, UNASKED)
        return self._memory.find(self._answers, key, None, lambda: find(place, name)) if found is UNASKED else found


class Variables(_Bound):
    """What variables of modules are bound to."""

    def of(self, file: int, name: str) -> Value | None:
        """Return what a module's variable is bound to; imports are followed to where it is."""
        return self._once(file, name, self._find) if name in self._tables.variables else None

    def exported(self, file: int) -> Value | None:
        """Return the object that a module of CommonJS exports as a whole: ``module.exports = new Shop()``."""
        whole = self.of(file, "default") if self._tables.families[file] == "ecmascript" else None
        # What is a module again may lead back here.
        return whole if whole is not None and whole.node >= 0 and self._tables.parents[whole.node] >= 0 else None

    def made(self, function: int, name: str) -> Value | None:
        """Return what the object that a function makes and returns has under a name."""
        tables = self._tables
        file = tables.file_of[function]
        bound = tables.bindings[file].get(function - tables.first_node[file], _NO_BINDINGS)
        said = bound.get(f"{RETURNED}{name}" if name.isdigit() else f"{RETURNED}.{name}")
        if said is not None:
            return self._of_bound(function, said)
        # Of functions of JavaScript what their prototypes have, too.
        node = tables.kept.get(function, _NO_MEMBERS).get(name, UNKNOWN)
        if node >= 0:
            return Value(node, is_object=False)
        node = tables.children.get(function, _NO_MEMBERS).get(name, UNKNOWN)
        return Value(node, is_object=False) if node >= 0 and tables.kinds[node] == "method" else None

    def inside(self, node: int, name: str) -> Value | None:
        """Return what an object literal with a name holds that is no name itself: ``{ cart: new Cart() }``."""
        tables, file = self._tables, self._tables.file_of[node]
        said = tables.bindings[file].get(node - tables.first_node[file], _NO_BINDINGS).get(f".{name}", "=")
        return self._of_bound(node, said) if said[0] != "=" else None

    def tested(self, scope: int, tested: str, of: Callable[[int, str], Value | None]) -> int:
        """Return the type that something is tested for, by its name or by a function that tells it: ``isCart()``."""
        if tested[-1] != ")":
            return self._lookup.type_in(scope, tested)
        callee, tables = of(scope, tested.removesuffix("()")), self._tables
        if callee is None or callee.node < 0 or callee.is_object:
            return UNKNOWN
        node = self._lookup.literals.meant(callee.node)
        said = tables.bindings[tables.file_of[node]].get(node - tables.first_node[tables.file_of[node]], _NO_BINDINGS)
        return self._lookup.type_in(node, said[TELLING]) if TELLING in said else UNKNOWN

    def held(self, value: Value, name: str) -> Value | None:
        """Return what a field of a struct without a name holds."""
        tables, file = self._tables, self._tables.file_of[value.node]
        bound = tables.bindings[file].get(value.node - tables.first_node[file], _NO_BINDINGS)
        said = bound.get(f"{value.inside}.{name}") or bound.get(f"self.{value.inside}.{name}")
        return self._of_bound(value.node, said) if said is not None else OUTSIDE

    def _find(self, file: int, name: str) -> Value | None:
        tables = self._tables
        bound = tables.bindings[file].get(0, _NO_BINDINGS).get(name)
        if bound is not None:
            return self._of_bound(tables.first_node[file], bound) if bound not in {name, f"={name}"} else None
        fact = tables.imports[file].get(name)
        if fact is not None:
            if not fact.name or fact.name not in tables.variables:
                return None
            module = self._lookup.import_target(file, fact._replace(name="", alias=""))
            return self._of_module(file, module, fact.name)
        bound_there = (self._of_module(file, module, name) for module in self._lookup.stars.binding(file, name))
        return next((found for found in bound_there if found is not None), None)

    def _of_module(self, file: int, module: int, name: str) -> Value | None:
        """Return what a module's variable is bound to, for another file that imports it; a package's are named."""
        if module < 0 or self._tables.parents[module] >= 0 or (other := self._tables.file_of[module]) == file:
            return None
        return self.of(other, name) if self._tables.families[other] not in PACKAGED else None


class Attributes(_Bound):
    """What the attributes of classes' objects are bound to."""

    def __init__(
        self,
        lookup: Lookup,
        memory: Memory,
        of_bound: Callable[[int, str], Value | None],
        parameters: TypeParameters,
    ) -> None:
        super().__init__(lookup, memory, of_bound)
        self._parameters = parameters

    def of(self, owner: int, name: str) -> Value | None:
        """Return what an attribute of a class's objects is bound to, in the class or what it inherits from.

        By ``constructor`` objects of JavaScript have their class.
        """
        found = self._once(owner, name, self._find) if name in self._tables.attributes else None
        if found is None and name == "constructor" and self._tables.kinds[owner] == "class":
            is_known = self._tables.families[self._tables.file_of[owner]] == "ecmascript"
            return Value(owner, is_object=False) if is_known else None
        return found

    def _find(self, owner: int, name: str) -> Value | None:
        tables = self._tables
        beside = tables.companions.of(owner)
        for link in (*self._lookup.mro(owner), *([beside] if beside >= 0 else ())):
            file = tables.file_of[link]
            bindings = tables.bindings[file].get(link - tables.first_node[file])
            bound = (bindings.get(f"self.{name}") or bindings.get(name)) if bindings is not None else None
            if bound is not None:
                if link != owner and (kept := self._parameters.kept(link, name, owner)) is not None:
                    return kept
                head = bound.lstrip("=").partition(".")[0].removesuffix("()")
                is_own = head in SELF_NAMES.get(tables.families[file], _NO_NAMES)
                method = self._method(file, link, bound)
                return (
                    Value(method, is_object=False) if method >= 0 else self._of_bound(owner if is_own else link, bound)
                )
        return None

    def _method(self, file: int, owner: int, bound: str) -> int:
        """Return the method that goes by another name in a class, too: ``info = status``, ``use T { a as b; }``."""
        name, family = bound[1:], self._tables.families[file]
        if bound[0] == "=" and family == "php":
            trait, _, method = name.rpartition(".")
            # The class's own method of that name is another one.
            links = [self._lookup.type_in(owner, trait)] if trait else self._lookup.mro(owner)[1:]
            found = [self._tables.children.get(link, {}).get(method, UNKNOWN) for link in links]
            return next((node for node in found if node >= 0), UNKNOWN)
        if bound[0] != "=" or family != "python" or not name.isidentifier():
            return UNKNOWN
        is_of_module = self._lookup.visible(file, name) != UNKNOWN
        return UNKNOWN if is_of_module else self._tables.children.get(owner, {}).get(name, UNKNOWN)
