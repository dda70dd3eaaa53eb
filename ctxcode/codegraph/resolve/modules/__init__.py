"""Which file a written name leads to, per family of languages."""
