"""``ctxcode plan``: stored plans listed, shown, compared, replayed and exported."""
