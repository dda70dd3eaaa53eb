"""What of the scaffold is told in words, not drawn from the graph: capsules. Pure; see ``capsules.py``."""
