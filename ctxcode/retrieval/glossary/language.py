"""Which language a question may be in, by the little words every sentence has."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ctxcode.retrieval.glossary.spelling import folded

_READ_CHARS = 4_000
_LAST_ASCII = "\x7f"
_WORD = re.compile(r"[^\W\d_]+")

_ENGLISH_TEXT = """
a an and are as at be been but by can could did do does for from had has have how if in into is it its not of on only
or should so that the these this to was were what when where which why with without would
"""
_ENGLISH = frozenset(_ENGLISH_TEXT.split())

_TELLING_TEXT = {
    "de": """
auch auf aus bei beim bis damit dann dass dem der durch ein eine einem einen einer eines fuer fur gibt haben ich ist
kann kein keine konnen mehr nach nicht noch nur obwohl oder ohne sich sind sobald sollte trotzdem uber ueber und
waehrend wahrend warum weil welche welchem welchen welcher welches wenn werden wie wieso wird wo wohin wurde wurden
zum zur zwischen
""",
    "fr": """
apres au aux avant avec ces cette chez dans depuis donc elle entre etre fait ils lequel les leur lors lorsque mais meme
nous ou pas pendant peut plusieurs pourquoi quand que quel quelle quelles quels qui quoi selon sont sous toujours une
vous
""",
    "es": """
antes aunque cada como cuales cuando debe despues desde donde durante entre esta estan este esto haber hacia hasta hay
las los muy nunca pero por porque puede que quien segun ser siempre sobre tambien tiene una unas
""",
    "pt": """
ainda antes apos ate cada como das deve dos durante entre essa esse esta este isso mas mesmo nao nas nos onde pela pelo
pode porque quais qual quando que sao sem sempre ser sobre tambem tem uma voce
""",
    "it": """
anche che cosa dai dal dalla degli dei del della delle dello deve dopo dove durante essere gli mentre nei nel nella
nelle perche prima puo quale quali quando questa questo sempre sono sul sulla tra una viene vengono
""",
    "nl": """
alleen altijd bij dan deze een geen heeft het hoe hebben kan kunnen maar moet naar niet nog omdat ook tijdens tussen uit
voor waar waarom waarvoor wanneer welke wordt worden zijn zonder
""",
    "pl": """
albo aby bez bylo czy czym dla dlaczego gdy gdzie ich jak jaki jakie jest jesli juz kiedy ktora ktore ktory lub moze
nie oraz podczas przed przez przy sie sa tylko tym wtedy zawsze zeby
""",
    "tr": """
ama bir bu cok daha degil gibi hangi icin ile kadar mi mu nasil neden nerede nereden niye olan olarak olur sadece sonra
veya ve yok zaman
""",
}
"""Words that no English text has but by chance, without accents and in small letters."""
_FURTHER_TEXT = {
    "de": "als am an das den des die es hat im in man mit so um vom von war zu",
    "fr": "a ce comment d de des du en est et il je l la le n ne on par plus pour sans se si son sur tous tout un",
    "es": "a al con de del e el en es ha la le lo mas no o para se si sin su sus un y ya",
    "pt": "a ao as com da de do e em foi ha me mais na no o os ou para por se um",
    "it": "a al alla anche come con da di e ha i il in la le lo ma nel non o per se si su un",
    "nl": "aan als alle dat de die dit en er in is met of om op over te tot van was we",
    "pl": "a co do i na nad o od po pod tak to w we z za ze",
    "tr": "da de en hem her ki ne o var",
}
"""Words that are frequent in a language, but stand in English or in code, too."""


_MISLEADING = frozenset(["au", "bis", "dan", "dos", "entre", "het", "las", "los", "nos", "per", "tem", "tra", "zaman"])
"""Names and short forms that English prose and code are full of."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What the little words of a text say of its language."""

    leads: Mapping[str, int]
    """By how many of them a language is spoken more than English, below 0 for less: those that may be meant."""
    is_told: bool
    """A word of one of these languages tells it; without, all are here."""
    has_english: bool
    """A word stands there that is only English."""


def words_said(text: str) -> frozenset[str]:
    """Return the words of a text's beginning as they are compared: folded."""
    return frozenset(map(folded, _WORD.findall(text[:_READ_CHARS])))


def is_plainly_english(text: str) -> bool:
    """Tell whether a text's beginning is English: it has such words, none that tell another language, no odd letter."""
    text = text[:_READ_CHARS]
    if not text.isascii() and any(letter > _LAST_ASCII and letter.isalpha() for letter in text):
        return False
    said = words_said(text)
    return not said.isdisjoint(_only_english()) and said.isdisjoint(_all_telling())


def speech(said: frozenset[str]) -> Speech:
    """Return what a text's words, folded, say of its language."""
    told = [code for code in _TELLING_TEXT if not said.isdisjoint(_telling(code))]
    leads = {code: _lead(code, said) for code in told or _TELLING_TEXT}
    return Speech(leads, bool(told), not said.isdisjoint(_only_english()))


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the little words of a language, folded."""
    return frozenset(f"{_TELLING_TEXT.get(language, '')} {_FURTHER_TEXT.get(language, '')}".split())


@cache
def little_words() -> frozenset[str]:
    """Return the little words of all these languages, folded."""
    return frozenset[str]().union(*map(function_words, _TELLING_TEXT))


def _lead(code: str, said: frozenset[str]) -> int:
    own = function_words(code)
    return len(said & (own - _ENGLISH)) - len(said & (_ENGLISH - own))


@cache
def _telling(code: str) -> frozenset[str]:
    return frozenset(_TELLING_TEXT[code].split()) - _MISLEADING


@cache
def _all_telling() -> frozenset[str]:
    return frozenset[str]().union(*map(_telling, _TELLING_TEXT))


@cache
def _only_english() -> frozenset[str]:
    return _ENGLISH - little_words()
