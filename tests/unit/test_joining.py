"""What joining remembers from one refresh to the next."""

from ctxcode.codegraph.codec import decode_facts, encode_facts
from ctxcode.codegraph.facts import skeleton
from ctxcode.codegraph.parse import parse_source
from ctxcode.session.index.joining import DecodedFacts


def encoded(source: str) -> bytes:
    return encode_facts(skeleton(parse_source(source.encode(), "python", "a.py")))


def test_the_same_bytes_are_decoded_once() -> None:
    data, decoded = encoded("def f(): pass\n"), DecodedFacts(decode_facts)
    assert decode_facts(data) == decoded.of(1, data)
    assert decoded.of(1, data) is decoded.of(1, data)


def test_a_row_of_another_file_is_decoded_anew() -> None:
    decoded = DecodedFacts(decode_facts)
    decoded.of(1, encoded("def f(): pass\n"))
    data = encoded("def g(): pass\n")
    assert decode_facts(data) == decoded.of(1, data)


def test_only_so_much_is_kept() -> None:
    data, kept = encoded("".join(f"def f{number}(): pass\n" for number in range(5_000))), DecodedFacts(decode_facts)
    first = kept.of(0, data)
    for row in range(1, 20):
        kept.of(row, data)
    assert first is not kept.of(0, data)
