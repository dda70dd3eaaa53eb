from textual.binding import Binding

from ctxcode.tui.keys import GROUPS, bindings, keys_table
from ctxcode.tui.screens.dialog.picker import PickerDialog
from ctxcode.tui.screens.help import HelpScreen
from ctxcode.tui.screens.session_dialog import SessionDialog

UNREACHABLE = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+left_square_bracket", "ctrl+["}
"""A terminal sends Tab, Enter, Backspace and Escape for these."""


def test_no_key_is_bound_that_a_terminal_cannot_send() -> None:
    bound = {key for _, keys in GROUPS for row in keys for key in row.keys.split(",")}
    assert set() == bound & UNREACHABLE


def test_every_binding_has_an_id_a_label_and_a_tooltip() -> None:
    made = [
        binding for _, keys in GROUPS for binding in bindings(keys) if isinstance(binding, Binding) and binding.action
    ]
    made += [
        binding
        for screen in (HelpScreen, PickerDialog, SessionDialog)
        for binding in screen.BINDINGS
        if isinstance(binding, Binding)
    ]
    assert [] == [binding.key for binding in made if not (binding.id and binding.description and binding.tooltip)]
    ids = [binding.id for binding in made]
    assert sorted(set(map(str, ids))) == sorted(map(str, ids))


def test_the_contracts_keys_are_bound() -> None:
    bound = {key for _, keys in GROUPS for row in keys for key in row.keys.split(",")}
    contract = {"ctrl+f", "shift+tab", "f2", "ctrl+b", "ctrl+j", "escape", "ctrl+c", "ctrl+d", "ctrl+q", "ctrl+p"}
    contract |= {"ctrl+s", "ctrl+l", "f1", "up", "down", "j", "k", "p", "s", "d", "w", "H", "L"}
    assert set() == contract - bound


def test_the_table_shows_keys_as_people_write_them() -> None:
    assert "| Conversation | Ctrl+F, Shift+Tab | Context mode: Off, Light, Heavy |" in keys_table()
