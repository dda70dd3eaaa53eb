"""What code says where a question says what it does: who asks which environment variables are read looks for getenv."""

import re
from dataclasses import replace

from ctxcode.model.retrieval import Query
from ctxcode.retrieval.graph_port import SearchableGraph

_MOST_CHARACTERS = 200
"""Of a question that asks for all there are; in a longer one they are beside the point."""
_ASKS = re.compile(
    r"\b(?:which|what|any|all|list|where|how many)\b[^\n.?!]{0,60}\b(?:environment|env) var(?:iable)?s\b", re.IGNORECASE
)
_OWN_TEXT = """
environment env variables variable vars var environment_variables environment_variable env_vars env_var read reads
reading get set sets support supported respect respected exist check checked
"""
_OWN = frozenset(_OWN_TEXT.split())
_IDIOMS = ("os_environ", "getenv", "process_env", "env_var", "env_var_os", "lookup_env", "env_fetch", "env_get", "env")
"""``os.environ``, ``process.env``, ``env::var``, ``os.LookupEnv``, ``ENV.fetch`` and the like."""
_PLAIN = "env"
_PLAIN_FACTOR = 0.5
_OWN_FACTOR = 0.2
"""What is left of the question's own words for it."""


def with_idioms(query: Query, graph: SearchableGraph) -> Query:
    """Return a question for the environment variables a program reads with what code says there, where it does."""
    text = query.text[:_MOST_CHARACTERS]
    if len(query.text) > _MOST_CHARACTERS or not query.terms or _ASKS.search(text) is None:
        return query
    nowhere = graph.unknown_words(_IDIOMS)
    most = max(weight for _, weight in query.terms)
    terms = {term: weight * (_OWN_FACTOR if term in _OWN else 1.0) for term, weight in query.terms}
    for idiom in _IDIOMS:
        if idiom not in nowhere:
            terms[idiom] = most * (_PLAIN_FACTOR if idiom == _PLAIN else 1.0)
    return replace(query, terms=tuple((term, round(weight, 4)) for term, weight in terms.items()))
