"""What each language's syntax says, told in the same words.

Owns one extractor per family of languages: query captures in, ``Findings`` out. Must not know nesting, files or
processes. Entry point: the ``extract`` function of each module, chosen by ``parse.py``.
"""
