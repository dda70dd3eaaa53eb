"""Questions to begin with, in words."""

from ctxcode.session.look.starters import Starters


def example_questions(starters: Starters) -> tuple[str, ...]:
    """Return up to three questions the graph can answer; empty where it holds nothing to ask about."""
    questions: list[str] = []
    if starters.reaches is not None:
        first, second = starters.reaches
        questions.append(f"how does `{first.qualname}` reach `{second.qualname}`?")
    if starters.called is not None:
        questions.append(f"who calls `{starters.called.qualname}`?")
    if starters.place is not None:
        questions.append(f"what is in `{starters.place.module}`?")
    return tuple(questions)
