import pytest

from ctxcode.tui.terminal.pastes import Pasted, PasteReader

PASTE = "a \x1b[31mlog\r\nwith \x1b[13u keys\r"


@pytest.mark.parametrize("cut", range(len("\x1b[200~")))
@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_a_paste_is_one_piece_however_it_comes_in(size: int, cut: int) -> None:
    begin, rest = "x\x1b[A\x1b[200~", f"{PASTE}\x1b[201~y"
    reader = PasteReader()
    reads = [
        begin[: len(begin) - cut],
        begin[len(begin) - cut :],
        *(rest[at : at + size] for at in range(0, len(rest), size)),
        "\x1b[200~\x1b[201~\r",
    ]
    pieces = [piece for read in reads for piece in reader.pieces(read)]
    assert [PASTE, ""] == [piece for piece in pieces if isinstance(piece, Pasted)]
    assert "x\x1b[Ay\r" == "".join(piece for piece in pieces if not isinstance(piece, Pasted))


@pytest.mark.parametrize(
    "typed",
    ["\r", "why?\r", "\r\r", "\r\x1b[<35;10;4M", "\x1b[B\rx", "a\rb\rc\x03", "go on\rnext\r", "\n", "\x1b", "\x1b[20~"],
)
def test_keys_are_no_lines(typed: str) -> None:
    reader = PasteReader()
    assert [typed] == list(reader.pieces(typed))
    assert not reader.is_gathering


@pytest.mark.parametrize("lines", ["one\rtwo\rthree", "one\r\r\ttwo\r", "\r\rtwo", "y\ny\ny\n", "a\r\nb\r\nc"])
def test_lines_that_come_at_once_were_pasted_and_so_was_what_follows_at_once(lines: str) -> None:
    reader = PasteReader()
    assert [] == [*reader.pieces(lines), *reader.pieces("\r"), *reader.pieces("more")]
    assert reader.is_gathering
    [paste] = reader.gathered()
    assert f"{lines}\rmore" == paste
    assert isinstance(paste, Pasted)
    assert ["\r"] == [*reader.gathered(), *reader.pieces("\r")]


def test_a_key_behind_pasted_lines_comes_behind_them() -> None:
    reader = PasteReader()
    assert ["a\rb\rc", "\x03"] == [*reader.pieces("a\rb\rc"), *reader.pieces("\x03")]


def test_what_could_begin_a_paste_and_does_not_is_keys_after_a_moment() -> None:
    reader = PasteReader()
    assert ["go"] == list(reader.pieces("go\x1b["))
    assert reader.is_gathering
    assert ["\x1b["] == list(reader.gathered())
    assert ["x"] == list(reader.pieces("x\x1b[2"))
    assert not reader.is_gathering
    assert [] == list(reader.gathered())
    assert ["\x1b[20~"] == list(reader.pieces("0~"))


def test_a_paste_that_never_ends_ends_with_ctrl_c() -> None:
    reader = PasteReader()
    assert [] == [*reader.pieces("\x1b[200~lost"), *reader.pieces(" line\r")]
    assert ["lost line\r", "\x03"] == list(reader.pieces("\x03"))
    assert ["x"] == list(reader.pieces("x"))
