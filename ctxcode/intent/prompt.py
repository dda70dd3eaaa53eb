"""What a prompt asks, and about which code."""

import re
from dataclasses import replace

from ctxcode.intent.mention import mentions
from ctxcode.intent.passage import Passages, bounded, split_passages
from ctxcode.intent.path import folders
from ctxcode.intent.prefix import prefixes
from ctxcode.intent.project import project_topic
from ctxcode.intent.term import terms
from ctxcode.intent.word import WORD
from ctxcode.model.naming.words import composed
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
_ALSO_CODE = frozenset({"carry", "continue", "finish", "forward", "keep", "next", "proceed", "resume", "retry", "try"})
"""Those of them that code is called after too: where there is nothing to go on with, one alone asks for that."""

_ASKS_FOR_TESTS = re.compile(
    r"\b(?:tests|test[ -]?(?:cases?|files?|suites?|modules?|folders?|director(?:y|ies)|coverage|fixtures?|helpers?)"
    r"|(?:unit|integration|regression|e2e|end-to-end|failing|flaky|broken|new|existing) tests?"
    r"|(?:is|are|was|were|gets?|being) (?:\w+ ){0,3}tested"
    r"|(?:which|what|add an?|write an?|fix the|is there an?|no) test|test (?:for|of|that|which)"
    r"|(?:which|what|add an?|write an?|(?:last|latest|newest|first|initial)|is there an?|new) migrations?"
    r"|migrations? (?:files?|for|of|that|which)"
    r"|(?:proto|protobuf) (?:files?|messages?|definitions?|schemas?)|protobufs|graphql schemas?"
    r"|makefiles?|make targets?|dockerfiles?|cmakelists|pom\.xml|(?:properties|ini|xml|cmake) files?"
    r"|unittests|conftest|docs|documentation|readme|benchmarks?|examples|samples|tutorials?)\b",
    re.IGNORECASE,
)
"""Tests and the like as what is wanted; in a test framework the bare word is its subject."""
_FOR_EXAMPLE = re.compile(r"\bfor example\b|\bby example\b|\bexample\.(?:com|org|net)\b", re.IGNORECASE)
_SHORT_PROMPT_WORDS = 40
_LONGEST_ANSWER = 80
"""Characters of a prompt that says only to go on."""


def parse_prompt(text: str) -> Query:
    """Return a prompt as a query: mentions, weighted terms, and whether it asks for anything at all.

    Total and deterministic for any string; linear in its length, of which 40,000 characters count.
    """
    passages = split_passages(composed(bounded(text)))
    says_nothing = is_contentless(text)
    found = mentions(passages, with_lone_word=not says_nothing)
    return Query(
        text=text,
        terms=terms(passages),
        mentions=found,
        prefixes=prefixes(passages.prose),
        folders=folders(passages.prose),
        wants_tests=_wants_tests(passages),
        project=project_topic(text),
        is_contentless=says_nothing and not any(mention.is_explicit for mention in found),
    )


def is_contentless(text: str) -> bool:
    """Tell whether a prompt only says to go on: ``continue``, ``yes please``, ``weiter``, or nothing."""
    if len(text) > _LONGEST_ANSWER:
        return not text.strip()
    words = _words(text)
    return len(words) <= 8 and all(word in _CONTENTLESS or not WORD.search(word) for word in words)


def as_first(query: Query) -> Query | None:
    """Return what a prompt asks that no question came before; None for nothing.

    A lone ``retry`` is then about the code: it points at what is called exactly so, and at nothing that is like it.
    """
    if not query.is_contentless:
        return query
    words = _words(query.text)
    if len(query.text) > _LONGEST_ANSWER or len(words) != 1 or words[0] not in _ALSO_CODE:
        return None
    named = tuple(replace(one, is_explicit=False) for one in mentions(split_passages(composed(query.text))))
    return replace(query, mentions=named, is_contentless=False)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s.,;:!?…。！？、-]+", text.casefold()) if word]


def _wants_tests(passages: Passages) -> bool:
    """Long prompts often close with a remark on tests; there only the first sentence tells what is wanted."""
    is_short = len(WORD.findall(passages.prose)) <= _SHORT_PROMPT_WORDS
    said = passages.prose if is_short else passages.focus
    return _ASKS_FOR_TESTS.search(_FOR_EXAMPLE.sub(" ", said)) is not None
