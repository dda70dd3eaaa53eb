"""Words that a question writes apart and the code as one, and the other way round, on a real index."""

from collections.abc import Iterator

import pytest
from indexed_folder import IndexedFolder, indexed

from ctxcode.intent.prompt import parse_prompt
from ctxcode.model.retrieval import RetrievalSet
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.retrieval.wording.joined import taken_apart, with_joined

FILES = {
    "net/http2.py": "class Http2FrameReader:\n    def read_frame(self): pass\n",
    "net/websocket.py": "class FrameReader:\n    def read_frames(self, http): pass\n",
    "shop/menu.py": "def paint(menu):\n    color_map = menu.colors\n    return color_map\n\ndef colors(): pass\n",
    "shop/worktree.py": "def prune_worktree(): pass\n\ndef prune_forest(): pass\n",
    "net/openssl.py": "def handshake(peer): pass\n",
    "shop/sums.py": "def sums(data):\n    return hashed(data, 'sha-256')\n\ndef hashed(data, kind): pass\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedFolder]:
    yield from indexed(tmp_path_factory, FILES)


def found(folder: IndexedFolder, question: str) -> RetrievalSet:
    return retrieve(parse_prompt(question), folder.index)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where are HTTP/2 frames read?", "net/http2.py::Http2FrameReader.read_frame"),
        ("which code prunes a work tree?", "shop/worktree.py::prune_worktree"),
        ("who makes the colormap?", "shop/menu.py::paint"),
        ("who makes the sha256?", "shop/sums.py::sums"),
    ],
)
def test_words_are_found_that_the_code_writes_otherwise(folder: IndexedFolder, question: str, first: str) -> None:
    assert first == found(folder, question).entries[0].symbol.id


def test_what_was_read_as_two_words_is_told(folder: IndexedFolder) -> None:
    told = found(folder, "who makes the colormap?").notice
    assert "Not a word of this code, so it was read otherwise: “colormap” as “color map”." == told
    assert not found(folder, "which code prunes a work tree?").notice


def test_a_pair_weighs_less_than_its_words_and_is_of_the_code(folder: IndexedFolder) -> None:
    query = parse_prompt("prune the work tree, all of it")
    weights = dict(with_joined(query, folder.index).terms)
    assert dict(query.terms).items() < weights.items()
    assert {"worktree"} == weights.keys() - dict(query.terms).keys()
    assert weights["worktree"] < weights["tree"]


def test_a_name_that_stands_together_is_one_word_where_the_code_has_that(folder: IndexedFolder) -> None:
    query = parse_prompt("the handshake of OpenSSL and of MenuPainter")
    weights = dict(with_joined(query, folder.index).terms)
    assert {"openssl"} == weights.keys() - dict(query.terms).keys()
    assert weights["openssl"] < weights["open_ssl"]


def test_words_are_taken_apart_in_any_form(folder: IndexedFolder) -> None:
    assert {"colormaps": "color_maps"} == taken_apart(["colormaps"], folder.index)


@pytest.mark.parametrize("word", ["painted", "xy", "", "a" * 25, "color_map", "99", "zebrahorse"])
def test_other_words_stay_whole(folder: IndexedFolder, word: str) -> None:
    assert {} == taken_apart([word], folder.index)
