"""Which questions are about the project itself."""

import pytest

from ctxcode.intent.project import project_topic
from ctxcode.model.retrieval import ProjectTopic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("how do I run the tests?", ProjectTopic.TESTS),
        ("How can we run all tests locally", ProjectTopic.TESTS),
        ("how to run the test suite?", ProjectTopic.TESTS),
        ("how are the tests run?", ProjectTopic.TESTS),
        ("how do I build it from source?", ProjectTopic.BUILD),
        ("how do I build ripgrep from source?", ProjectTopic.BUILD),
        ("How to compile this project", ProjectTopic.BUILD),
        ("how is it built?", ProjectTopic.BUILD),
        ("which go version is needed?", ProjectTopic.VERSIONS),
        ("which Node versions are supported?", ProjectTopic.VERSIONS),
        ("what is the minimum supported Rust version?", ProjectTopic.VERSIONS),
        ("which versions of Python does it support?", ProjectTopic.VERSIONS),
        ("which dependencies does it have?", ProjectTopic.DEPENDENCIES),
        ("what are the dependencies of this project?", ProjectTopic.DEPENDENCIES),
        ("what does this library depend on?", ProjectTopic.DEPENDENCIES),
    ],
)
def test_a_question_about_the_project_is_known_by_its_form(text: str, topic: ProjectTopic) -> None:
    assert topic is project_topic(text)


@pytest.mark.parametrize(
    "text",
    [
        "how does the runner run tests in parallel?",
        "how do I run the tests of the cart in a thread?",
        "which tests cover the cart?",
        "how is the query built?",
        "how do I build a query from a string?",
        "which version does the parser write?",
        "which node is visited first?",
        "which dependencies does the resolver skip?",
        "what does the cart depend on?",
        "fix the failing tests",
        "which packages are sorted by the installer?",
        "",
        "how do I run the tests? " * 20,
    ],
)
def test_any_other_question_is_about_the_code(text: str) -> None:
    assert project_topic(text) is None
