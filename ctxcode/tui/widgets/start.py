"""What a session without turns shows: the repository, questions to begin with, earlier sessions, the model."""

import os
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from ctxcode.model.conversation import ModelInfo, SessionSummary
from ctxcode.model.naming.number import counted
from ctxcode.model.source import RepositoryInfo
from ctxcode.model.symbol import IndexStats
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import UNICODE, Glyphs
from ctxcode.tui.number import filled_cells, when
from ctxcode.tui.widgets.text.shortened import shortened

_LANGUAGE_COLOURS = ("$ctx-retrieved", "$ctx-scaffold", "$ctx-history", "$ctx-pin-leased", "$ctx-anchor", "$muted")
_SESSIONS = 4
_BAR_CELLS = 64


@dataclass(frozen=True, slots=True)
class StartView:
    """What is known so far; None and empty where nothing is known yet."""

    repository: RepositoryInfo
    model: ModelInfo | None = None
    stats: IndexStats | None = None
    is_indexing: bool = True
    is_halted: bool = False
    """Indexing is paused, or an error has stopped it: the figures may be behind."""
    sessions: tuple[SessionSummary, ...] = ()
    examples: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


class StartPage(Widget):
    """The start page, as one text."""

    view: reactive[StartView | None] = reactive(None, layout=True)

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the number of lines at a width."""
        return len(start_lines(self.view, width, self._glyphs)) if self.view else 1

    def render(self) -> Content:
        """Return the page for the width there is."""
        return Content("\n").join(start_lines(self.view, self.size.width, self._glyphs)) if self.view else Content("")


def start_lines(view: StartView, width: int, glyphs: Glyphs) -> list[Content]:
    """Return the page's lines; none is wider than ``width``."""
    repository = view.repository
    name = Content.styled(clean_line(repository.name, 80), "bold $primary")
    if repository.branch:
        name += Content.styled(f" {glyphs.dot} {clean_line(repository.branch, 60)}", "$muted")
    lines = [name, Content.styled(clean_line(home_relative(repository.root), 300), "$muted"), Content("")]
    lines += _index(view, width, glyphs)
    if view.examples:
        lines += [Content(""), _heading("Ask"), *_examples(view.examples)]
    if view.sessions:
        lines += [Content(""), _heading("Recent"), *_recent(view.sessions, min(width, 76), glyphs)]
    lines += [Content(""), _heading("Model"), *_model(view.model, glyphs)]
    lines += [line for notice in view.notices for line in _notice(notice, width, glyphs)]
    return [shortened(line, width, glyphs) for line in lines]


def home_relative(path: str) -> str:
    """Return a path with the home folder as ``~``."""
    home = str(Path.home())
    return f"~{path.removeprefix(home)}" if path == home or path.startswith(f"{home}{os.sep}") else path


def _heading(words: str) -> Content:
    return Content.styled(words, "bold")


def _index(view: StartView, width: int, glyphs: Glyphs) -> list[Content]:
    stats = view.stats
    if stats is None or not stats.files:
        nothing = "not read yet" if view.is_halted else "nothing here that can be indexed"
        return [Content.styled("reading the repository" if view.is_indexing else nothing, "$muted")]
    languages = _sized(stats)[: len(_LANGUAGE_COLOURS)]
    legend = _legend(languages, width, glyphs)
    cells = min(width, max(_BAR_CELLS, legend.cell_length))
    total = sum(size for _, size in languages)
    bar, left = Content(""), cells
    for number, (_, size) in enumerate(languages):
        share = min(left, filled_cells(size, total, cells))
        share = left if number == len(languages) - 1 else share
        left -= share
        bar += Content.styled(glyphs.kinds[number % 4] * share, _LANGUAGE_COLOURS[number])
    dot = f" {glyphs.dot} "
    if not stats.symbols:
        state = "reading them" if view.is_indexing else "not read yet"
        return [bar, legend, Content.styled(f"{counted(stats.files, 'file')}{dot}{state}", "$muted")]
    counts = [counted(stats.files, "file"), counted(stats.symbols, "symbol"), counted(stats.edges, "edge")]
    rest = "indexing has stopped" if view.is_halted else "index up to date"
    unread = f"{counted(stats.pending, 'more file')} to read" if stats.pending else ""
    rest = f"{rest}, {unread}" if unread and view.is_halted else unread or rest
    state = (unread or "looking for changes") if view.is_indexing else rest
    # Where there is little room the edges are the first to go.
    forms = [dot.join([*counts[:kept], state]) for kept in (3, 2, 1)]
    return [bar, legend, Content.styled(next((form for form in forms if len(form) <= width), forms[-1]), "$muted")]


def _sized(stats: IndexStats) -> list[tuple[str, int]]:
    """Return languages with their symbols, or with their files while those are being read; the largest first."""
    sizes = [(each.language, each.symbols if stats.symbols else each.files) for each in stats.languages]
    return sorted([row for row in sizes if row[1]], key=lambda row: (-row[1], row[0]))


def _legend(languages: list[tuple[str, int]], width: int, glyphs: Glyphs) -> Content:
    """Return the languages' names and shares, those that fit whole."""
    total = sum(size for _, size in languages)
    legend = Content("")
    for number, (language, size) in enumerate(languages):
        fill = Content.styled(glyphs.kinds[number % 4] * 2, _LANGUAGE_COLOURS[number])
        share = Content.styled(_share(size, total), "$muted")
        longer = legend + ("   " if number else "") + fill + f" {language} " + share
        if number and longer.cell_length > width:
            break
        legend = longer
    return legend


def _share(part: int, whole: int) -> str:
    share = round(100 * part / whole) if whole else 0
    return f"{share}%" if share else "<1%"


def _examples(examples: tuple[str, ...]) -> list[Content]:
    return [
        Content.styled(f"  {number}", "bold $primary") + Content("  ") + _with_code(clean_line(example, 200))
        for number, example in enumerate(examples, 1)
    ]


def _with_code(text: str) -> Content:
    """Return a text in which what stands in backticks is code."""
    parts = text.split("`")
    return Content("").join(Content.styled(part, "$inline-code" if at % 2 else "") for at, part in enumerate(parts))


def _recent(sessions: tuple[SessionSummary, ...], width: int, glyphs: Glyphs) -> list[Content]:
    lines = []
    for session in sessions[:_SESSIONS]:
        right = f"{counted(session.turns, 'turn')}  {when(session.updated_at):>12}"
        title = Content(f"  {clean_line(session.title, 200) or 'untitled'}")
        room = max(8, width - len(right) - 2)
        title = shortened(title, room, glyphs)
        lines.append(title.pad_right(max(2, room + 2 - title.cell_length)) + Content.styled(right, "$muted"))
    return lines


def _notice(notice: str, width: int, glyphs: Glyphs) -> list[Content]:
    """Return a notice whole: what to do stands at its end."""
    first, *rest = Content.styled(clean_line(notice), "$warning").wrap(max(20, width - 4))
    mark = Content.styled(f"  {glyphs.suggested} ", "$warning")
    return [mark + first, *(Content("    ") + line for line in rest)]


def _model(model: ModelInfo | None, glyphs: Glyphs) -> list[Content]:
    if model is None:
        return []
    if model.is_offline:
        return [
            Content("  offline navigator ")
            + Content.styled(f"{glyphs.dot} answers from the graph, not a language model", "$muted"),
            Content.styled("  /model NAME uses one; ctxcode doctor says what is there", "$muted"),
        ]
    context = f"{glyphs.dot} {counted(model.context_tokens, 'token')} of context"
    guess = "" if model.is_known else ", a cautious guess"
    return [Content(f"  {clean_line(model.name, 80)} ") + Content.styled(context + guess, "$muted")]
