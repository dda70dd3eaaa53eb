"""What depends on a changed file in families of languages that know names without importing each of them."""
