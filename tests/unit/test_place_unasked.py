"""What is left of a score where a question says in which language the code is that it is about."""

from dataclasses import replace

import pytest
from memory_graph import symbol

from ctxcode.intent.prompt import parse_prompt
from ctxcode.retrieval.place.unasked import languages_said, place_factor


def factor(question: str, path: str, language: str) -> float:
    found = replace(symbol(path, "add"), language=language)
    return place_factor(found, parse_prompt(question), languages_said(question))


@pytest.mark.parametrize(
    ("question", "languages"),
    [
        ("how are numbers read in C++?", {"cpp"}),
        ("where does the C# implementation read JSON", {"csharp"}),
        ("retries of the Python client", {"python"}),
        ("bindings for Ruby and the Java side", {"ruby", "java"}),
        ("how is it done in Go.", {"go"}),
        ("in golang, where is it closed", {"go"}),
        ("in the TypeScript client", {"javascript", "typescript", "tsx"}),
        ("how are numbers read in C", {"c", "cpp"}),
        ("which Python versions are supported", {"python"}),
        ("highlight Python code", {"python"}),
        ("how do I go back in history", set()),
        ("in Python.tokens what is read", set()),
        ("a class of Rust", set()),
        ("the c-style comments in go-mod", set()),
    ],
)
def test_a_question_says_in_which_language_the_code_is(question: str, languages: set[str]) -> None:
    assert languages == languages_said(question)


def test_code_in_another_language_stands_behind() -> None:
    question = "how are numbers read in C++?"
    assert 1.0 == factor(question, "src/number.cc", "cpp")
    assert factor(question, "python/number.py", "python") < 1.0
    assert 1.0 == factor("how are numbers read?", "python/number.py", "python")


def test_what_is_no_code_is_in_no_other_language() -> None:
    assert 1.0 == factor("how are numbers read in C++?", "deploy/run.tf", "terraform")
    assert factor("how are tests run in C++?", "README.md", "markdown") == factor(
        "how are tests run?", "README.md", "markdown"
    )
