"""Names in a file's code: where they are used, and what blocks and functions give to something of their own."""
