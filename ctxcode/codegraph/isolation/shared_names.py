"""Names that many files say, kept once."""

from functools import partial

from ctxcode.codegraph.facts import BindingFact, FileFacts, ImportFact, SymbolFact

_as_symbol = partial(tuple.__new__, SymbolFact)
_as_import = partial(tuple.__new__, ImportFact)
_as_binding = partial(tuple.__new__, BindingFact)


class SharedNames:
    """Lets files share what they name alike: facts that come over a border hold each name as often as it is said.

    Of a large repository that would be a tenth of the memory joining takes. Not for two threads at once.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def shared(self, facts: FileFacts) -> FileFacts:
        """Return the same facts, with the symbols', imports' and bindings' names that are known already."""
        if not facts.symbols:
            return facts
        known = self._known.setdefault
        # By columns: all loops stay in C. Kinds and the like are shared by who decodes them.
        names, wholes, *rest = zip(*facts.symbols, strict=True)
        columns = map(known, names, names), map(known, wholes, wholes), *rest
        symbols = map(_as_symbol, zip(*columns, strict=True))
        imports, bindings = iter(facts.imports), iter(facts.bindings)
        if facts.imports:
            *said, levels, lines, are_reexports = zip(*facts.imports, strict=True)
            shared = [map(known, column, column) for column in said]
            imports = map(_as_import, zip(*shared, levels, lines, are_reexports, strict=True))
        if facts.bindings:
            scopes, bound, types = zip(*facts.bindings, strict=True)
            bindings = map(_as_binding, zip(scopes, map(known, bound, bound), map(known, types, types), strict=True))
        return facts._replace(symbols=tuple(symbols), imports=tuple(imports), bindings=tuple(bindings))
