"""Past forms of a question's verbs that code writes otherwise: who asks where it is *written* looks for ``write``."""

from dataclasses import replace

from ctxcode.model.naming.words import base_form
from ctxcode.model.retrieval import Query
from ctxcode.retrieval.graph_port import SearchableGraph


def with_base_forms(query: Query, graph: SearchableGraph) -> Query:
    """Return the question with the verbs it says in an irregular past form, where the code has those."""
    weights = dict(query.terms)
    bases = {base: weight for term, weight in query.terms if (base := base_form(term)) is not None}
    bases = {base: weight for base, weight in bases.items() if base not in weights}
    nowhere = graph.unknown_words(bases) if bases else bases
    more = tuple((base, weight) for base, weight in bases.items() if base not in nowhere)
    return replace(query, terms=(*query.terms, *more)) if more else query
