"""What floats over the session: the look all dialogs share, and the choice of one row."""
