"""Scroll bars in plain ASCII."""

from hypothesis import given
from hypothesis import strategies as st

from ctxcode.tui.terminal.scroll_bar import WholeCells


@given(st.integers(1, 60), st.integers(61, 5_000), st.floats(0.0, 1.0))
def test_a_bar_of_whole_cells_is_drawn_without_signs(size: int, virtual_size: int, share: float) -> None:
    position = share * (virtual_size - size)
    bar = WholeCells.render_bar(size, virtual_size, size, position)
    assert {" "} == {segment.text for segment in bar.segments}
    assert any(segment.style is not None and segment.style.reverse for segment in bar.segments)
