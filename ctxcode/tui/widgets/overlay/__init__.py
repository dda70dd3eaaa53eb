"""Parts of the context overlay."""
