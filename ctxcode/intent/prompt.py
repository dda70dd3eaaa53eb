"""What a prompt asks, and about which code."""

import re

from ctxcode.intent.mention import mentions
from ctxcode.intent.passage import Passages, bounded, split_passages
from ctxcode.intent.term import terms
from ctxcode.intent.word import WORD
from ctxcode.model.retrieval import Query

_CONTENTLESS_TEXT = """
again ahead alright and carry continue continued cool correct do exactly fine finish forward go going good great it k
keep looks more next nice nope no now ok okay on perfect please proceed resume retry right sounds sure thank thanks
that then this try up very with y yeah yep yes you danke fort genau gut ja los mach machen mal nein nochmal weiter
weitermachen bitte so continuez d'accord merci non oui poursuis vas-y vas adelante claro continúa continua dale
gracias perfecto sí si sigue siguiente vale avanti certo grazie prosegui va bene obrigado prossiga sim doorgaan ga
verder graag dalej dobrze kontynuuj tak да давай дальше ок продолжай спасибо хорошо 继续 好 好的 是 是的 下一步
可以 谢谢
続けて はい お願いします 次 계속 네
"""
_CONTENTLESS = frozenset(_CONTENTLESS_TEXT.split())
"""Words which, alone or among themselves, ask for nothing new."""

_TEST_WORDS_TEXT = """
bench benchmark benchmarks conftest doc docs documentation documented example examples fixture fixtures pytest readme
sample samples spec specs test tested testcase testcases testing tests tutorial tutorials unittest unittests
"""
_TEST_WORDS = frozenset(_TEST_WORDS_TEXT.split())
_FOR_EXAMPLE = re.compile(r"\bfor example\b|\bby example\b|\bexample\.(?:com|org|net)\b", re.IGNORECASE)
_SHORT_PROMPT_WORDS = 40


def parse_prompt(text: str) -> Query:
    """Return a prompt as a query: mentions, weighted terms, and whether it asks for anything at all.

    Total and deterministic for any string; linear in its length, of which 40,000 characters count.
    """
    passages = split_passages(bounded(text))
    found = mentions(passages)
    return Query(
        text=text,
        terms=terms(passages),
        mentions=found,
        wants_tests=_wants_tests(passages),
        is_contentless=not any(mention.is_explicit for mention in found) and is_contentless(text),
    )


def is_contentless(text: str) -> bool:
    """Tell whether a prompt only says to go on: ``continue``, ``yes please``, ``weiter``, or nothing."""
    if len(text) > 80:
        return not text.strip()
    words = [word for word in re.split(r"[\s.,;:!?…。！？、-]+", text.casefold()) if word]
    return len(words) <= 8 and all(word in _CONTENTLESS or not WORD.search(word) for word in words)


def _wants_tests(passages: Passages) -> bool:
    """Long prompts often close with a remark on tests; there only the first sentence tells what is wanted."""
    words = WORD.findall(_FOR_EXAMPLE.sub(" ", passages.prose).lower())
    if len(words) > _SHORT_PROMPT_WORDS:
        words = WORD.findall(_FOR_EXAMPLE.sub(" ", passages.focus).lower())
    return not _TEST_WORDS.isdisjoint(words)
