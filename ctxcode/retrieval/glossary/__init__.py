"""What words of other languages mean in programming, so that questions in them find code whose words are English.

Owns the vocabulary (a file for each language) and how words are looked up in it; knows no repository. ``translated`` in
``translate`` is its entry point. Nothing is read before a question is in another language.
"""
