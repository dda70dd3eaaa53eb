import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui.fake_door import FakeDoor

from ctxcode.model.conversation import StoppedBy, ToolCall, ToolResult, ToolRound, ToolStatus, Turn, Usage
from ctxcode.model.errors import UsageError
from ctxcode.model.ids import PlanId
from ctxcode.model.plan import ContextPlan
from ctxcode.tui.export.conversation import (
    Conversation,
    Exchange,
    ExportFormat,
    conversation_json,
    export_wanted,
    file_name,
    written,
)


class Tags(HTMLParser):
    """Collects the tags and attributes of a page, and complains of what is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in {"meta", "br", "hr"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


async def plan() -> ContextPlan:
    return await FakeDoor().preview("how are joins decided?")


def conversation(prompt: str, reply: str, made: ContextPlan | None = None) -> Conversation:
    turn = Turn(1, prompt, reply, PlanId("p"), StoppedBy.ANSWER, "gpt-x", Usage(1_900, 1_905, 200, 0.006))
    return Conversation("s1", "How are joins decided?", "django", "main", (Exchange(turn, made),))


async def test_json_holds_each_turn_with_its_plan() -> None:
    made = json.loads(conversation_json(conversation("why?", "because", await plan())))
    assert ("s1", "django", "main") == (made["session"], made["repository"], made["branch"])
    turn = made["turns"][0]
    assert ("why?", "because", 1_905) == (turn["prompt"], turn["reply"], turn["usage"]["prompt"])
    assert any(item["included"] for item in turn["plan"]["items"])


async def test_markdown_holds_question_answer_and_what_the_model_saw() -> None:
    text = written(conversation("why?\nreally", "because\n\n* one", await plan()), ExportFormat.MARKDOWN)
    assert "# How are joins decided?" in text
    assert "> why?\n> really\n" in text
    assert "because\n\n* one\n" in text
    assert "| Query.setup\\_joins |" in text
    assert "Left out: " in text


@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.HTML])
def test_a_command_that_was_run_here_is_said_to_be(form: ExportFormat) -> None:
    ran = Turn(1, "!make", "```text\nexit code 0\n```", None, StoppedBy.ANSWER, "", None)
    text = written(Conversation("s1", "!make", "django", "main", (Exchange(ran, None),)), form)
    assert "run here" in text
    assert "**" not in text


async def test_the_page_loads_nothing_and_shows_each_plan_row_by_row() -> None:
    page = written(conversation("why?", "**because**", await plan()), ExportFormat.HTML)
    tags = Tags(page)
    assert [] == tags.open
    assert {"script", "img", "link", "iframe"}.isdisjoint(tags.tags)
    assert {"src", "onclick", "onerror"}.isdisjoint(tags.attributes)
    assert "<strong>because</strong>" in page
    assert "<td>Query.setup_joins</td>" in page
    assert "left out: " in page


def test_tool_calls_are_told_in_every_form() -> None:
    call = ToolCall("1", "read_file", '{"path": "</pre><script>"}')
    made = conversation("why?", "because")
    turn = replace(
        made.exchanges[0].turn, rounds=(ToolRound("let me look", (call,), (ToolResult(ToolStatus.OK, "text"),)),)
    )
    made = replace(made, exchanges=(Exchange(turn, None),))
    assert "    let me look\n" in written(made, ExportFormat.MARKDOWN)
    page = written(made, ExportFormat.HTML)
    assert "read_file" in page
    assert "script" not in Tags(page).tags
    [told] = json.loads(written(made, ExportFormat.JSON))["turns"][0]["tool_calls"]
    assert ("read_file", "ok", "text") == (told["name"], told["status"], told["result"])


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/pixel.png)",
    "[x](javascript:alert(1))",
    "</details></section></main>",
    "\x1b[31mred\x1b[0m \u202eevil",
    "```html\n<script>\n```",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_on_the_page(text: str) -> None:
    page = written(conversation(text, text), ExportFormat.HTML)
    tags = Tags(page)
    assert {"script", "img"}.isdisjoint(tags.tags)
    assert "onerror" not in tags.attributes
    assert 'href="javascript' not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_exported_in_any_form(prompt: str, reply: str) -> None:
    made = conversation(prompt, reply)
    assert Tags(written(made, ExportFormat.HTML)).open == []
    assert json.loads(written(made, ExportFormat.JSON))["turns"][0]["prompt"] == prompt
    assert written(made, ExportFormat.MARKDOWN).endswith("\n")


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        ("", (ExportFormat.MARKDOWN, "")),
        ("html", (ExportFormat.HTML, "")),
        ("md", (ExportFormat.MARKDOWN, "")),
        ("JSON a b", (ExportFormat.JSON, "a b")),
        ("notes.html", (ExportFormat.HTML, "notes.html")),
        ("my notes", (ExportFormat.MARKDOWN, "my notes")),
    ],
)
def test_form_and_file_are_read_from_what_was_typed(argument: str, wanted: tuple[ExportFormat, str]) -> None:
    assert wanted == export_wanted(argument)


@pytest.mark.parametrize("argument", ["pdf", "talk.PDF", "x.docx"])
def test_a_form_nothing_is_exported_in_is_refused(argument: str) -> None:
    with pytest.raises(UsageError, match="Nothing is exported as"):
        export_wanted(argument)


def test_a_file_is_named_after_the_conversation() -> None:
    assert "ctxcode-how-are-joins-decided.md" == file_name(conversation("", ""), ExportFormat.MARKDOWN)
    unnamed = Conversation("s", "\u202e…/../", "django", "main", ())
    assert "ctxcode-conversation.html" == file_name(unnamed, ExportFormat.HTML)
