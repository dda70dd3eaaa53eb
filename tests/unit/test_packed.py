"""What is stored compressed comes back as it was, or not at all."""

import io
import random
import sqlite3
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard

from ctxcode.store.frames import packed, unpacked
from ctxcode.store.index.packed import SCHEMA, Content, Packing

Codec = tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]

DATA = b"".join(b"def f%d(): return %d\n" % (number, number) for number in range(300))
FILES = [
    b'"""The %d. sensor."""\n\nfrom homes.helpers.entity import Entity, async_added\n\n\nclass Sensor%d(Entity):\n'
    b'    """Tells how warm room %d is."""\n\n    async def async_update(self) -> None:\n        self._value = %d\n'
    % ((number,) * 4)
    for number in range(400)
]
SAMPLES = dict.fromkeys(Content, FILES[:200])


def opened() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for statement in SCHEMA:
        connection.execute(statement)
    return connection


def codec(packing: Packing, content: Content = Content.TEXTS) -> Codec:
    return lambda data: packing.packed(content, data), lambda frame: packing.unpacked(content, frame)


@pytest.fixture(params=["alone", "without dictionary", "with dictionary"])
def codecs(request: pytest.FixtureRequest) -> Codec:
    if request.param == "alone":
        return packed, unpacked
    return codec(Packing.begun(opened(), SAMPLES) if request.param == "with dictionary" else Packing({}))


@pytest.mark.parametrize("data", [b"", b"x", DATA, bytes(1_000_000), FILES[300]])
def test_what_is_unpacked_is_what_was_packed(codecs: Codec, data: bytes) -> None:
    pack, unpack = codecs
    assert data == unpack(pack(data))


def test_no_changed_byte_goes_unnoticed(codecs: Codec) -> None:
    pack, unpack = codecs
    source = random.Random(1)  # noqa: S311 - reproducible damage
    frame = pack(DATA)
    for place in range(len(frame)):
        damaged = bytearray(frame)
        damaged[place] ^= source.randrange(1, 256)
        try:
            assert DATA == unpack(bytes(damaged))
        except ValueError:
            continue


def test_anything_but_a_whole_frame_is_refused(codecs: Codec) -> None:
    pack, unpack = codecs
    for frame in (b"", b"\0", pack(DATA)[:-1], pack(DATA) + b"\0", pack(DATA) + pack(DATA)):
        with pytest.raises(ValueError, match=r"."):
            unpack(frame)


def test_a_frame_that_claims_to_hold_gigabytes_is_refused(codecs: Codec) -> None:
    pack, unpack = codecs
    magic, one_segment_and_eight_bytes_of_size = b"\x28\xb5\x2f\xfd", b"\xe0"
    for size in (1 << 29, 1 << 40, 1 << 63):
        with pytest.raises(ValueError, match="size"):
            unpack(magic + one_segment_and_eight_bytes_of_size + struct.pack("<Q", size) + pack(DATA)[10:])


def test_a_frame_that_does_not_say_how_much_it_holds_is_refused(codecs: Codec) -> None:
    with zstandard.ZstdCompressor().stream_writer(stream := io.BytesIO(), closefd=False) as writer:
        writer.write(DATA)
    with pytest.raises(ValueError, match="size"):
        codecs[1](stream.getvalue())


def test_threads_do_not_get_into_each_others_frames(codecs: Codec) -> None:
    pack, unpack = codecs
    texts = [DATA + b"%d" % number for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert texts == list(pool.map(lambda data: unpack(pack(data)), texts))


@pytest.mark.parametrize("content", list(Content))
def test_what_one_process_packs_another_unpacks(content: Content) -> None:
    connection = opened()
    assert Packing.read(connection) is None
    pack, _ = codec(Packing.begun(connection, SAMPLES), content)
    known = Packing.read(connection)
    assert known is not None
    again, unpack = codec(known, content)
    assert [(data, data) for data in FILES] == [(unpack(pack(data)), unpack(again(data))) for data in FILES]


def test_files_that_are_alike_take_half_the_room_with_a_dictionary() -> None:
    with_it, without = codec(Packing.begun(opened(), SAMPLES)), codec(Packing({}))
    rooms = [sum(len(pack(data)) for data in FILES[200:]) for pack, _ in (with_it, without)]
    assert 2 * rooms[0] < rooms[1]


@pytest.mark.parametrize("samples", [[], [b""], [b"x"], FILES[:3], [bytes(100_000)], [b"x" * 70_000] * 9])
def test_too_little_for_a_dictionary_is_packed_without(samples: list[bytes]) -> None:
    connection = opened()
    Packing.begun(connection, dict.fromkeys(Content, samples))
    known = Packing.read(connection)
    assert known is not None
    pack, unpack = codec(known)
    assert (DATA, b"") == (unpack(pack(DATA)), unpack(pack(b"")))


def test_a_damaged_dictionary_is_refused() -> None:
    connection = opened()
    frame = codec(Packing.begun(connection, SAMPLES))[0](FILES[0])
    (data,) = connection.execute("SELECT data FROM dictionary WHERE content = ?", (Content.TEXTS,)).fetchone()
    for damaged in (data[:-700], b"\0" + data[1:], data[: len(data) // 2] + b"\0" * (len(data) // 2), b""):
        connection.execute("UPDATE dictionary SET data = ? WHERE content = ?", (damaged, Content.TEXTS))
        with pytest.raises(ValueError, match=r"."):
            (Packing.read(connection) or Packing({})).unpacked(Content.TEXTS, frame)
    connection.execute("UPDATE dictionary SET content = 'what nobody stores' WHERE content = ?", (Content.TEXTS,))
    with pytest.raises(ValueError, match=r"."):
        Packing.read(connection)
