import pytest

from ctxcode.tui.terminal.pastes import Pasted, PasteReader

PASTE = "a \x1b[31mlog\r\nwith \x1b[13u keys\r"


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_a_paste_is_one_piece_however_it_comes_in(size: int) -> None:
    begin, rest = "x\x1b[A\x1b[200~", f"{PASTE}\x1b[201~y"
    reader = PasteReader()
    reads = [begin, *(rest[at : at + size] for at in range(0, len(rest), size)), "\x1b[200~\x1b[201~\r"]
    pieces = [piece for read in reads for piece in reader.pieces(read)]
    assert [PASTE, ""] == [piece for piece in pieces if isinstance(piece, Pasted)]
    assert "x\x1b[Ay\r" == "".join(piece for piece in pieces if not isinstance(piece, Pasted))


@pytest.mark.parametrize("typed", ["\r", "why?\r", "\r\r", "\r\x1b[<35;10;4M", "\x1b[B\r", "a\x1bOB\r"])
def test_keys_are_no_lines(typed: str) -> None:
    assert not PasteReader().are_lines(typed, 0.0)


@pytest.mark.parametrize("lines", ["one\rtwo", "one\r\r\rtwo\r", "\rtwo", "\x1b[31mone\r\x1b[0mtwo"])
def test_lines_that_come_at_once_were_pasted_and_so_was_what_follows_at_once(lines: str) -> None:
    reader = PasteReader()
    assert reader.are_lines(lines, 1.0)
    assert reader.are_lines("\r", 1.05)
    assert not reader.are_lines("\r", 1.5)
