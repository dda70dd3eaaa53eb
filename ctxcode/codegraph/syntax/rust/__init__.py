"""What Rust files say: items and impl blocks, uses, calls, local types, what macros hold.

Entry point: ``extraction.extract``.
"""
