"""The words of one language and what they say in English."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ctxcode.retrieval.glossary import arabic
from ctxcode.retrieval.glossary.spelling import folded, with_digraphs

Concepts = tuple[str, ...]
"""English words, as the first column of the files has them."""

ARABIC = "ar"
_SHORTEST = 2
_SHORT_ENDINGS = {2: 0, 3: 1, 4: 3}
_LONGEST_ENDING = 8
_SHORTEST_PART = 4
_SURE_ENDING = 3
_SHORT_LINK = 2
_LONGEST_LINK = 7
"""Letters between the parts of a compound that belong to the first: ``s``, ``en``, ``ations``; after more of them only
a longer part is one."""
_COMPOUNDING = frozenset({"de", "nl"})
_PREFIXED = {
    "de": "ab an auf aus ein fest heraus herunter hinzu hoch um vor weiter wieder zuruck zurueck zusammen",
    "nl": "aan af bij door in om op toe uit weer weg",
}
"""What stands before the ``ge`` of a participle, or the ``zu`` of an infinitive."""
_INFIXES = ("ge", "zu", "te")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What words of a language begin with, folded, and the concepts they stand for."""

    code: str
    entries: dict[str, Concepts]
    longest: int

    def find(self, word: str) -> Concepts:
        """Return what a folded word says: its own concepts, or those of its parts; empty for nothing known."""
        if self.code == ARABIC:
            return next((found for form in arabic.forms(word) if (found := self.entries.get(form))), ())
        found = self._inflected(word) or self._compound(word)
        if found or self.code not in _PREFIXED:
            return found
        for prefix in ("", *_PREFIXED[self.code].split()):
            for infix in _INFIXES:
                if word.startswith(prefix + infix) and (inner := self._inflected(prefix + word[len(prefix + infix) :])):
                    return inner
        return ()

    def find_surely(self, word: str) -> Concepts:
        """Return what a folded word says if hardly another language has it: an entry and a short ending, or two."""
        found = self._inflected(word, _SURE_ENDING)
        if found or self.code not in _COMPOUNDING:
            return found
        parts = self._compound(word)
        return parts if len(parts) > 1 else ()

    def segments(self, run: str) -> list[tuple[str, Concepts]]:
        """Return the words in a run of letters without spaces, at each place the longest entry, with what they say."""
        found = []
        at = 0
        while at < len(run):
            size = next(
                (n for n in range(min(self.longest, len(run) - at), 0, -1) if run[at : at + n] in self.entries), 0
            )
            if size:
                found.append((run[at : at + size], self.entries[run[at : at + size]]))
            at += size or 1
        return found

    def _inflected(self, word: str, longest: int = _LONGEST_ENDING) -> Concepts:
        """Return the concepts of the longest entry a word begins with, if what is left is short enough an ending."""
        for size in range(min(len(word), self.longest), _SHORTEST - 1, -1):
            found = self.entries.get(word[:size])
            if found is not None and len(word) - size <= min(_ending(size), longest):
                is_compound = self.code in _COMPOUNDING and bool(self._parts_from(word, size))
                return () if is_compound else found
        return ()

    def _compound(self, word: str) -> Concepts:
        """Return the concepts of a compound's parts: of its first, if it is known, and of what follows."""
        if self.code not in _COMPOUNDING:
            return ()
        for size in range(min(len(word), self.longest), _SHORTEST_PART - 1, -1):
            found = self.entries.get(word[:size])
            if found is not None:
                rest = self._parts_from(word, size)
                return tuple(dict.fromkeys((*found[:1], *rest))) if rest or size > _SHORTEST_PART else ()
        for at in range(_SHORTEST_PART - 1, len(word) - _SHORTEST_PART):
            if found := self._inflected(word[at:]):
                return found
        return ()

    def _parts_from(self, word: str, at: int) -> Concepts:
        """Return what a compound says from a place on, the end of its first part left out."""
        for skipped in range(_LONGEST_LINK + 1):
            rest = word[at + skipped :]
            least = _SHORTEST_PART if skipped <= _SHORT_LINK else _SHORTEST_PART + 1
            for size in range(min(len(rest), self.longest), least - 1, -1):
                found = self.entries.get(rest[:size])
                if found is not None and len(rest) - size <= _ending(size):
                    return found[:1]
        return ()


def _ending(size: int) -> int:
    """Return how many letters may follow an entry of so many: short ones begin too many words."""
    return _SHORT_ENDINGS[size] if size in _SHORT_ENDINGS else min(size + 1, _LONGEST_ENDING)


@cache
def vocabulary(code: str) -> Vocabulary:
    """Return the words of a language; a file is read once."""
    entries: dict[str, list[str]] = {}
    for concept, words in _rows(code):
        for word in words:
            for form in _forms(word, code):
                entries.setdefault(form, []).append(concept)
    listed = {form: tuple(dict.fromkeys(concepts)) for form, concepts in entries.items()}
    return Vocabulary(code, listed, max(map(len, listed), default=0))


def _forms(word: str, code: str) -> set[str]:
    """Return what a word of a file is looked up by."""
    if code == ARABIC:
        return {arabic.bare(folded(word))}
    return {folded(word), with_digraphs(word)} if code == "de" else {folded(word)}


@cache
def further_words() -> dict[str, Concepts]:
    """Return the further words code says for a concept."""
    return {concept: tuple(words) for concept, words in _rows("english")}


def _rows(name: str) -> list[tuple[str, list[str]]]:
    text = Path(__file__).with_name(f"{name}.txt").read_text("utf-8")
    pairs = (line.partition(":") for line in text.splitlines() if line and not line.startswith("#"))
    return [(concept, words.split()) for concept, _, words in pairs]
