"""What of a product answers requests, as frameworks for the web have it said.

It is looked for when it is asked for: nothing of it is kept. Owns how each framework tells; ``known.routes`` is the
entry point.
"""
