"""What is C#'s alone: what its collections hold, and who gets it. Entry points: `elements.held_type`, `elements.given`.

Knows nodes and pages; must not know what the graph makes of them.
"""
