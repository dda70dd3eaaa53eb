"""The rows of a dialog: one is selected, and stays in view."""

from textual.widgets import OptionList


class RowList(OptionList):
    """Textual's list, whose selected row is in view whatever size the list gets."""

    def on_resize(self) -> None:
        """Scroll to the selected row once there is room for it, or no longer."""
        self.call_after_refresh(self.scroll_to_highlight)
