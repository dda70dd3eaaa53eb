"""Stored plans looked at again: replayed, exported. Reads the journal and the work tree, writes nothing."""
