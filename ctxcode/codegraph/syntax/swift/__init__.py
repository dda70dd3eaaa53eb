"""What is Swift's alone: what its collections hold, and who gets it.

Knows nodes and pages; must not know what the graph makes of them. Entry points: `elements.held_type`, `elements.given`.
"""
