"""Facts as bytes."""

import struct

import pytest

from ctxcode.codegraph.codec import decode_facts, encode_facts
from ctxcode.codegraph.facts import (
    BindingFact,
    CallFact,
    FileFacts,
    ImportFact,
    PackedCalls,
    calls_of,
    packed_calls,
)
from ctxcode.codegraph.isolation.shared_names import SharedNames
from ctxcode.codegraph.languages import FACTS_VERSION
from ctxcode.codegraph.parse import parse_source

FACTS = parse_source(b"import os\n\nclass A(B):\n    x: C\n    def m(self): return os.getcwd()\n", "python", "ü.py")


def test_decoded_facts_are_the_encoded_ones() -> None:
    decoded = decode_facts(encode_facts(FACTS))
    assert decoded == FACTS
    assert isinstance(decoded, FileFacts)
    assert [CallFact(3, "getcwd", "os", 5)] == list(calls_of(decoded))


def test_symbols_share_the_words_that_are_always_the_same() -> None:
    decoded = decode_facts(encode_facts(parse_source(b"def f(): pass\ndef _g(): pass\n", "python", "a.py")))
    again = decode_facts(encode_facts(parse_source(b"def h(): pass\ndef _i(): pass\n", "python", "b.py")))
    for one, other in zip(decoded.symbols, again.symbols, strict=True):
        assert one.kind is other.kind
        assert one.visibility is other.visibility


def test_a_kind_or_visibility_there_is_not_is_refused() -> None:
    module = FACTS.symbols[0]
    for wrong in (module._replace(kind="gadget"), module._replace(visibility="privateer")):
        with pytest.raises(ValueError, match="Invalid enum value"):
            decode_facts(encode_facts(FACTS._replace(symbols=(wrong, *FACTS.symbols[1:]))))


def test_files_share_the_names_they_have_in_common() -> None:
    names, source = SharedNames(), b"from shop.stock import Article as A\n\ndef f(x: shop.Article): x.y()\n"
    facts = [decode_facts(encode_facts(parse_source(source + b"\n" * n, "python", f"{n}.py"))) for n in range(2)]
    first, second = (names.shared(one) for one in facts)
    assert facts == [first, second]
    assert isinstance(second.imports[0], ImportFact)
    assert isinstance(second.bindings[0], BindingFact)
    told = [(*one.imports[0][:3], *one.bindings[0][1:]) for one in (first, second)]
    assert all(name is other for name, other in zip(*told, strict=True))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"ctxfacts",
        encode_facts(FACTS)[:-1],
        encode_facts(FACTS) + b"x",
        b"ctxfacts" + struct.pack(">H", FACTS_VERSION + 1) + encode_facts(FACTS)[10:],
        encode_facts(FACTS)[:10] + b"\xc0",
        encode_facts(FACTS._replace(language=3)),  # type: ignore[arg-type]  # a wrong type is the point
    ],
    ids=["nothing", "mark only", "cut", "longer", "other version", "nil", "wrong type"],
)
def test_anything_but_facts_of_this_version_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_facts(data)


def test_facts_that_point_nowhere_are_refused() -> None:
    lost = FACTS._replace(calls=packed_calls([(99, "f", "")], [1]))
    with pytest.raises(ValueError, match="nowhere"):
        decode_facts(encode_facts(lost))


@pytest.mark.parametrize(
    "calls",
    [
        FACTS.calls._replace(callers=b""),
        FACTS.calls._replace(lines=b"123"),
        FACTS.calls._replace(names="a\0b"),
        FACTS.calls._replace(arguments="a\0b"),
        PackedCalls(names="a"),
    ],
)
def test_calls_whose_columns_do_not_fit_are_refused(calls: PackedCalls) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_facts(encode_facts(FACTS._replace(calls=calls)))


def test_no_calls_are_packed_as_nothing() -> None:
    assert PackedCalls() == packed_calls([], [])
    assert [] == list(calls_of(FACTS._replace(calls=PackedCalls())))


def test_facts_without_a_module_are_refused() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        decode_facts(encode_facts(FACTS._replace(symbols=(), calls=PackedCalls(), bases=(), bindings=())))
