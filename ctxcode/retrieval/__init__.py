"""A query becomes a RetrievalSet: lexical, then spread over the graph, fused. Entry point: ``retrieve.retrieve``."""
