"""Base forms of inflected English words, as code names things: ``changed`` says ``change``, ``retries`` ``retry``."""

_SHORTEST = 5
_VOWELS = frozenset("aeiouy")
_HISSING = ("ss", "sh", "ch", "x", "zz")
_NO_PLURALS = ("ss", "us", "is", "as", "os")


def base_forms(word: str) -> tuple[str, ...]:
    """Return what a lower-case word may be inflected from, likeliest first, at most two; empty for a base form."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return ()
    if word.endswith("ies"):
        return (f"{word[:-3]}y",)
    if word.endswith("s") and not word.endswith(_NO_PLURALS):
        return (word[:-2],) if word.endswith("es") and word[:-2].endswith(_HISSING) else (word[:-1],)
    for ending in ("ing", "ed", "er"):
        if word.endswith(ending) and not word.endswith("eed"):
            return _verb_forms(word.removesuffix(ending))
    return ()


def _verb_forms(stem: str) -> tuple[str, ...]:
    if len(stem) < 3 or _VOWELS.isdisjoint(stem):
        return ()
    if stem.endswith("i"):
        return (f"{stem[:-1]}y",)
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return (stem[:-1],)
    return (stem, f"{stem}e")
