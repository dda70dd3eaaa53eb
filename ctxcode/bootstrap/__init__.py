"""The composition root: the only package that names concrete adapters."""
