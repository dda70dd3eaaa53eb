"""Stage 3: the model's reply becomes checked tool calls and proposed edits. Pure."""
