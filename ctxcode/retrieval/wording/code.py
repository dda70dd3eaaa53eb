"""A question with what code writes in the place of its words, where the code has that."""

from ctxcode.model.retrieval import Query
from ctxcode.retrieval.graph_port import SearchableGraph
from ctxcode.retrieval.wording.idiom import with_idioms
from ctxcode.retrieval.wording.joined import with_joined
from ctxcode.retrieval.wording.past import with_base_forms


def as_code_says(query: Query, graph: SearchableGraph) -> Query:
    """Return the question with further terms: two words as one, idioms of languages, verbs as they are called."""
    return with_base_forms(with_idioms(with_joined(query, graph), graph), graph)
