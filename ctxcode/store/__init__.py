"""SQLite: the index cache and the conversation database. All SQL of the product is here."""
