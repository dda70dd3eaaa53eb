"""Words as they are compared: whatever accents, widths and forms they are typed with."""

import unicodedata

_PLAIN = str.maketrans({"ß": "ss", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_FIRST_UNSPACED = "\u2e80"


def folded(word: str) -> str:
    """Return a word in small letters without accents: ``Größe`` gives ``grosse``, ``Й`` gives ``и``.

    In scripts that are written without spaces a mark makes another letter, and is kept.
    """
    if word.isascii():
        return word.lower()
    if max(word) >= _FIRST_UNSPACED:
        return unicodedata.normalize("NFKC", word).lower()
    plain = unicodedata.normalize("NFKD", word.lower()).translate(_PLAIN)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def with_digraphs(word: str) -> str:
    """Return a German word as it is typed without umlauts: ``Größe`` gives ``groesse``."""
    return folded(unicodedata.normalize("NFC", word).lower().translate(_DIGRAPHS))
