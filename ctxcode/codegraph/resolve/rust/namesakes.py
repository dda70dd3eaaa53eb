"""Modules of Rust that are called like what stands in them: ``mod sleep; pub use sleep::sleep;``."""

from ctxcode.codegraph.facts import ImportFact


def is_module_of_file(fact: ImportFact) -> bool:
    """Whether an import is Rust's ``mod x;``: a module may share its name with a function."""
    return fact.module == "self" and not fact.level and fact.name == fact.alias


def names_module(fact: ImportFact) -> bool:
    """Whether what imports say of a name is that it is a module's, or that of what stands in such a module."""
    return fact.module == "self" or is_out_of_namesake(fact)


def is_rather_meant(fact: ImportFact, known: ImportFact) -> bool:
    """Whether an import hides an earlier one: Rust's ``mod x;`` hides all but a ``use x::x;``, wherever that stands."""
    if is_module_of_file(fact):
        return not is_out_of_namesake(known)
    return not is_module_of_file(known) or is_out_of_namesake(fact)


def is_out_of_namesake(fact: ImportFact) -> bool:
    """Whether an import is of what is called like the module that it stands in: ``use x::x;``."""
    return fact.module.rpartition("::")[2] == fact.name == fact.alias
