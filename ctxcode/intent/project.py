"""Questions about the project itself, not its code: how its tests are run, how it is built, what it needs."""

import re
from functools import cache

from ctxcode.model.retrieval import ProjectTopic

_LONGEST_CHARS = 160
_HOW = r"\bhow (?:(?:do|can|could|should|would|must) (?:i|we|you|one)|to|are|is)\b"
_PROJECT = (
    r"(?:it|this|everything|(?:the|this) (?:project|repo|repository|code|codebase|app|application|library|package"
    r"|binary|program|tool))"
)
_HERE = r"(?: (?:locally|here|myself|(?:for|of|in) (?:it|(?:this|the) (?:project|repo|repository))))?"
_SOURCE = r"from (?:the )?sources?"
_LANGUAGE = (
    r"(?:go|golang|node(?:\.?js)?|deno|bun|npm|python|ruby|rust|rustc|java|jdk|jre|php|perl|scala|kotlin|swift|lua"
    r"|elixir|erlang|dotnet|\.net|typescript|c\+\+|compiler|toolchain)(?!\w)"
)
_TESTS = (
    rf"{_HOW}(?: (?:run|execute|start))? (?:all )?(?:the |its |your )?(?:unit |integration )?"
    rf"(?:tests?|specs|test[ -]?suite)(?: (?:run|executed|started))?{_HERE}\W*$"
)
_BUILD = (
    rf"{_HOW} (?:build|compile|install)(?: (?:and|or) (?:run|install|compile))? "
    rf"(?:{_PROJECT}(?: {_SOURCE})?|(?:(?:the )?[\w.-]+ )?{_SOURCE}){_HERE}\W*$"
    rf"|{_HOW} {_PROJECT} (?:built|compiled|installed)(?: {_SOURCE})?\W*$"
)
_VERSIONS = (
    rf"\b(?:which|what)\b(?: \w+){{0,3}} {_LANGUAGE}(?: \w+)? versions?\b"
    rf"|\b(?:which|what)\b(?: \w+){{0,4}} versions? of {_LANGUAGE}"
    rf"|\b(?:minimum|minimal|oldest)(?: \w+)? {_LANGUAGE}(?: \w+)? version\b|\b(?:what is|what's|which) (?:the )?msrv\b"
)
_DEPENDENCIES = (
    r"\b(?:which|what|list)\b(?: (?:are|all|third[- ]party|external|other|the|its|runtime|direct))* "
    r"(?:dependencies|packages|libraries)(?: (?:does|do|has|have|is|are|need|needs|use|uses|require|requires|needed"
    rf"|required|used|there|depend|on|of|{_PROJECT}))*\W*$|\bwhat does {_PROJECT} depend on\W*$"
)
_FORMS = (
    (ProjectTopic.TESTS, _TESTS),
    (ProjectTopic.BUILD, _BUILD),
    (ProjectTopic.VERSIONS, _VERSIONS),
    (ProjectTopic.DEPENDENCIES, _DEPENDENCIES),
)


def project_topic(text: str) -> ProjectTopic | None:
    """Return what a short question wants to know of the project itself; None for any other."""
    if len(text) > _LONGEST_CHARS:
        return None
    line = " ".join(text.split())
    return next((topic for topic, form in _compiled() if form.search(line)), None)


@cache
def _compiled() -> tuple[tuple[ProjectTopic, re.Pattern[str]], ...]:
    # Made when a first question is asked: nothing before needs it.
    return tuple((topic, re.compile(form, re.IGNORECASE)) for topic, form in _FORMS)
