"""What a place in the code knows of a value's class beyond what its declaration says: tests that hold there, casts.

Takes nodes, gives findings other receivers and more bindings. Entry points: `tests.narrow`, `renaming.rename`.
"""
