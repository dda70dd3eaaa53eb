"""What holds for every command line, however odd."""

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcode.action.command_policy import Places, grant_of, judged
from ctxcode.model.command.approval import Grant
from ctxcode.workspace.command.output import HEAD_BYTES, TAIL_BYTES, Output, visible
from ctxcode.workspace.command.parse import parse_command

EXAMPLES = settings(max_examples=300, deadline=None)
PLACES = Places("/home/ann/shop", "/home/ann")
PIECES = [
    *(
        "ls",
        "rm",
        "-rf",
        "$(id)",
        "`id`",
        "|",
        ";",
        "&&",
        ">",
        "<",
        "$HOME",
        "~",
        "*",
        "'a b'",
        '"c"',
        "\\",
        "\n",
        " ",
        "\t",
    ),
    *(
        "x=1",
        "{a,b}",
        "(",
        ")",
        "!",
        "#",
        "$'x'",
        "git",
        "-c",
        "<<E",
        "&",
        "--",
        "=",
        "é",
        "\u202e",
        "\x1b",
        "[[",
        "]]",
        "[",
    ),
]
pieces = st.sampled_from(PIECES)
lines = st.lists(pieces | st.text(max_size=6), max_size=10).map(" ".join) | st.lists(pieces, max_size=10).map("".join)


@EXAMPLES
@given(lines)
def test_a_simple_command_means_the_same_to_every_shell(text: str) -> None:
    parsed = parse_command(text)
    if parsed.is_simple:
        assert list(parsed.words) == shlex.split(text)
        assert not set(text.strip()) & set("$`|;&<>(){}*?~\\\n") or "'" in text or '"' in text


@EXAMPLES
@given(lines)
def test_what_is_not_simple_or_is_dangerous_is_never_allowed(text: str) -> None:
    parsed = parse_command(text)
    grants = [Grant(parsed.words), grant_of(()), *(grant_of(parsed.words[:n]) for n in range(len(parsed.words)))]
    found = judged(parsed, grants, PLACES)
    if found.is_allowed:
        assert parsed.is_simple
        assert not found.doubts
        assert not found.dangers


@EXAMPLES
@given(st.binary(max_size=400))
def test_no_output_byte_can_reach_a_terminal_as_a_command(data: bytes) -> None:
    text = visible(data)
    assert all(character in "\n\t" or ord(character) >= 0x20 for character in text)
    assert not any(0x7F <= ord(character) <= 0x9F or 0x202A <= ord(character) <= 0x202E for character in text)
    text.encode()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 300_000), max_size=8))
def test_an_output_keeps_its_head_and_tail_and_counts_every_byte(sizes: list[int]) -> None:
    output, whole = Output(), b""
    for number, size in enumerate(sizes):
        data = bytes([97 + number]) * size
        output.add(data)
        whole += data
    text = output.text()
    assert len(whole) == output.total_bytes
    if len(whole) <= HEAD_BYTES + TAIL_BYTES:
        assert whole.decode() == text
    else:
        assert text.startswith(whole[:HEAD_BYTES].decode())
        assert text.endswith(whole[-TAIL_BYTES:].decode())
        assert f"{len(whole) - HEAD_BYTES - TAIL_BYTES:,} bytes left out" in text
