"""The offline navigator: answers questions about code from the graph alone. Start at ``responder.py``."""
