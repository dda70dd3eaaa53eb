"""What keeps long answers cheap: where a Markdown text may be cut, and code coloured beside the event loop."""
