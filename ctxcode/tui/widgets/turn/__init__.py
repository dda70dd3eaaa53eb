"""Parts of one turn in the conversation."""
