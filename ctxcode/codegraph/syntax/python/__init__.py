"""What Python files say: definitions, imports, calls, local types, what functions return, fixtures of pytest.

Entry point: ``extraction.extract``.
"""
