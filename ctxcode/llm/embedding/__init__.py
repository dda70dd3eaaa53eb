"""Texts become vectors: by the tables in wordllama's wheel. Entry point: ``static.StaticEmbedder``."""
