"""Arabic words without what is written together with them: the article, short words before, endings."""

from collections.abc import Iterator

_MOST_CHARS = 40
_SHORTEST = 3
_LETTERS = str.maketrans({"ى": "ي", "ـ": None})
_ARTICLES = ("وبال", "وال", "بال", "كال", "فال", "ولل", "لل", "ال")
_ENDINGS = ("هما", "تين", "ها", "هم", "نا", "ات", "ان", "ون", "ين", "وا", "ية", "ه", "ة", "ي", "ا")
_PARTICLES = "وفبلكس"
"""And, so, with, for, like, will."""
_PERSONS = "يتنا"
"""What a verb in the present begins with."""


def bare(word: str) -> str:
    """Return a folded word without articles and endings; three letters stay at least."""
    word = word.translate(_LETTERS)
    while (article := next((one for one in _ARTICLES if word.startswith(one)), "")) and _leaves(word, article):
        word = word[len(article) :]
    while ending := next((one for one in _ENDINGS if word.endswith(one) and _leaves(word, one)), ""):
        word = word[: -len(ending)]
    return word


def forms(word: str) -> Iterator[str]:
    """Yield what a folded word may be an inflection of, the likeliest first; nothing for what is too long for one."""
    if len(word) > _MOST_CHARS:
        return
    yield bare(word)
    rest = word[1:] if word[:1] in _PARTICLES and _leaves(word, word[:1]) else word
    if rest != word:
        yield bare(rest)
    if rest[:1] in _PERSONS and _leaves(rest, rest[:1]):
        yield bare(rest[1:])


def _leaves(word: str, part: str) -> bool:
    return len(word) - len(part) >= _SHORTEST
