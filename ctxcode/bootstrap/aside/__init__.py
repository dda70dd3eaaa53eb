"""Work that would hold the screen up, done in processes of its own; entry points ``IndexingAside`` and the child's."""
