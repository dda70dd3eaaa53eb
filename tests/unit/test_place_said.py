"""Files whose name a question says beside their folder's."""

import pytest
from memory_graph import MemoryGraph, ask, entry_of, ids, symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.lexical import Asked
from ctxcode.retrieval.place.said import says_place


def is_said(question: str, path: str) -> bool:
    asked = Asked(parse_prompt(question))
    return says_place(path, asked.stems, asked.pairs)


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("support brotli in the gzip middleware", "shop/middleware/gzip.py"),
        ("the middleware for gzip sends no length", "shop/middleware/gzip.py"),
        ("images pipelines keep the ending", "pipeline/image.rb"),
        ("a dry run of the flush management command", "core/management/commands/flush.py"),
        ("template sensor: state is not validated", "components/template/sensor/__init__.py"),
        ("template sensor: state is not validated", "template/sensor/index.ts"),
        ("stop the queue worker in time", "src/Queue/Worker.php"),
        ("the rate limiter of http clients", "http/client/RateLimiter.java"),
    ],
)
def test_a_file_is_said_by_its_name_near_its_folders(question: str, path: str) -> None:
    assert is_said(question, path)


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("support brotli in the gzip middleware", "shop/middleware/locale.py"),
        ("support brotli in the gzip middleware", "shop/middleware/gzip_stream.py"),  # half of its name
        ("support brotli in the gzip middleware", "gzip.py"),
        ("support brotli in the gzip middleware", "middleware/a/b/gzip.py"),  # too far out
        ("the gzip answer breaks in each middleware", "shop/middleware/gzip.py"),  # too far apart
        ("support brotli in the gzip middleware", ""),
        ("", "shop/middleware/gzip.py"),
    ],
)
def test_a_file_is_not_said_by_less(question: str, path: str) -> None:
    assert not is_said(question, path)


def test_what_stands_in_the_file_that_is_said_comes_first_and_its_path_is_why() -> None:
    said, other = "shop/middleware/gzip.py::Reply.handle", "middleware/shop/old/gzip.py::Reply.handle"
    graph = MemoryGraph(
        listed=[symbol(one.partition("::")[0], "Reply.handle") for one in (other, said)],
        bodies={said: "encoding of a reply", other: "encoding of a reply"},
    )
    asked = ask("encoding of the gzip middleware", graph)
    assert ids(asked)[0] == said
    parts = [{term.name: term.value for term in entry_of(asked, one).terms} for one in (said, other)]
    assert parts[0]["path"] > parts[1]["path"]
