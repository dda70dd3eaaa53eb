"""Commands that answer one question from the index. Entry point: ``command.answer``."""
