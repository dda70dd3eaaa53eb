"""Which names of a file another symbol can mean, so that their uses are of interest."""

from ctxcode.codegraph.extract.findings import Definition, Findings
from ctxcode.codegraph.extract.names.uses import Names
from ctxcode.codegraph.facts import ImportFact

_TYPES_WITHOUT_IMPORT = frozenset({"c", "cpp", "csharp", "go", "java", "kotlin", "php", "ruby", "scala", "swift"})
_ATTRIBUTES = {"csharp": "Attribute"}
"""What the names of attributes end in where they are defined, and not where they are used."""
_STANDARD_CRATES = frozenset({"alloc", "core", "std"})
_NAMING_ALIKE = frozenset({"tsx", "typescript"})
"""Languages in which types may be called like values."""
_NAMES_OF_MODULES = {"rust": frozenset({"crate", "super"})}
_VALUE_KINDS = frozenset({"constant", "variable"})
_OWN_KINDS = frozenset({"constant", "variant"})
"""What objects name of their class beside its methods."""
_OUTSIDE = frozenset({
    "__future__", "abc", "argparse", "asyncio", "base64", "collections", "contextlib", "copy", "dataclasses",
    "datetime", "decimal", "enum", "functools", "hashlib", "importlib", "inspect", "io", "itertools", "json",
    "logging", "math", "os", "pathlib", "random", "re", "shutil", "string", "subprocess", "sys", "tempfile",
    "threading", "time", "traceback", "types", "typing", "typing_extensions", "unittest", "urllib", "uuid",
    "warnings", "weakref",
})  # fmt: skip
"""Modules of Python's that half of all imports name."""
_CALLED_BY_WORDS = "ruby"
"""The language whose bare words with a small letter are calls or variables: none of them uses a method otherwise."""
_WITHOUT_USES = frozenset({"bash"})
"""Languages whose bare words are texts."""


def looked_for(
    findings: Findings, definitions: list[Definition], placed: tuple[list[int], list[str]], language: str
) -> Names | None:
    """Return the names whose uses are of interest: those another symbol can mean; None for none."""
    parents, kinds = placed
    if language in _WITHOUT_USES:
        return None
    known = {
        fact.alias
        for fact in findings.imports
        if fact.name != "*" and (fact.level or fact.module.partition(".")[0] not in _OUTSIDE)
    }
    known.update([found.name for found, parent in zip(definitions, parents[1:], strict=True) if parent == 0])
    if language == "cpp":
        # What stands in a namespace is known in it by its own name.
        spaces = {index for index, found in enumerate(definitions, start=1) if found.kind == "namespace"}
        inside = zip(definitions, parents[1:], strict=True)
        known.update([found.name for found, parent in inside if parent in spaces and found.kind in _VALUE_KINDS])
    if language == _CALLED_BY_WORDS:
        known = {name for name in known if not name[:1].islower()}
    return Names(
        frozenset(known | _NAMES_OF_MODULES.get(language, frozenset())) - {""},
        frozenset([*findings.fields, *[found.header for found in definitions]]),
        language in _TYPES_WITHOUT_IMPORT or (language == "rust" and any(map(_takes_types, findings.imports))),
        findings.import_spans,
        _ATTRIBUTES.get(language, ""),
        frozenset(
            [
                found.name
                for found, kind, parent in zip(definitions, kinds[1:], parents[1:], strict=True)
                if kind == "method" or (kind in _OWN_KINDS and kinds[parent] == "class")
            ]
        ),
        language in _NAMING_ALIKE,
    )


def _takes_types(fact: ImportFact) -> bool:
    """Whether a file of Rust gets capitalised names by an import of everything."""
    return fact.name == "*" and not fact.level and fact.module.partition("::")[0] not in _STANDARD_CRATES
