"""The keys: one table from which bindings, help and the README are made."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.binding import BindingType


@dataclass(frozen=True, slots=True)
class Key:
    """One binding."""

    id: str
    """Stable name, for rebinding: ``context.pin``."""
    keys: str
    """Textual's names, separated by commas."""
    action: str
    label: str
    tooltip: str
    has_priority: bool = False
    """Works also while a text is being typed."""

    @property
    def shown(self) -> str:
        """The keys as help shows them: ``Ctrl+F, Shift+Tab``."""
        return shown_keys(self.keys)


_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "plus": "+",
    "minus": "-",
    "slash": "/",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "question_mark": "?",
    "full_stop": ".",
    "comma": ",",
    "semicolon": ";",
    "colon": ":",
    "backslash": "\\",
    "asterisk": "*",
    "number_sign": "#",
    "exclamation_mark": "!",
}


def shown_keys(keys: str, *, is_plain: bool = False) -> str:
    """Return Textual's names, separated by commas, as people write them; in ASCII where that is ``plain``."""
    return ", ".join(_shown(key, is_plain=is_plain) for key in keys.split(","))


def _shown(key: str, *, is_plain: bool) -> str:
    *modifiers, last = key.split("+")
    name = _NAMES.get(
        last, last if len(last) == 1 and not modifiers else last.upper() if len(last) == 1 else last.title()
    )
    name = last.title() if is_plain and not name.isascii() else name
    return "+".join([*(modifier.title() for modifier in modifiers), name])


APP_KEYS = (
    Key("app.quit", "ctrl+q", "quit", "Quit", "Quit; the session is kept", has_priority=True),
    Key("app.cancel", "ctrl+c", "cancel", "Copy, stop", "Copy the selection, else interrupt, else clear; twice quits"),
    Key("app.palette", "ctrl+p", "command_palette", "Commands", "All commands by name", has_priority=True),
    Key("app.redraw", "ctrl+l", "redraw", "Redraw", "Draw the screen anew", has_priority=True),
    Key("app.help", "f1", "help", "Help", "Keys and commands", has_priority=True),
)
CHAT_KEYS = (
    Key("chat.mode", "ctrl+f,shift+tab", "cycle_mode", "Mode", "Context mode: Off, Light, Heavy", has_priority=True),
    Key("chat.context", "f2,ctrl+b", "toggle_context", "Context", "What the model sees, and why", has_priority=True),
    Key("chat.sessions", "ctrl+s", "open_sessions", "Sessions", "Open another session", has_priority=True),
    Key(
        "chat.history", "ctrl+r", "search_history", "History", "Find an earlier prompt by its words", has_priority=True
    ),
    Key("chat.details", "ctrl+o", "toggle_details", "Details", "Show or hide what tools answered", has_priority=True),
    Key("chat.editor", "ctrl+g", "edit_prompt", "Editor", "Write the prompt in your editor", has_priority=True),
    Key("chat.good", "alt+up", "mark('good')", "Good", "Mark the last answer as a good one; again takes it back"),
    Key("chat.bad", "alt+down", "mark('bad')", "Bad", "Mark the last answer as a bad one; again takes it back"),
    Key(
        "chat.escape",
        "escape",
        "step_back",
        "Back",
        "Close the menu, else interrupt, else close the overlay; twice rewinds",
    ),
    Key("chat.quit_empty", "ctrl+d", "quit_on_empty", "Quit", "Quit when the prompt is empty"),
)
PROMPT_KEYS = (
    Key("prompt.newline", "ctrl+j,shift+enter,alt+enter", "new_line", "New line", "Begin a new line"),
    Key(
        "prompt.delete", "ctrl+d", "delete_right_or_quit", "Delete", "Delete to the right; quits when there is no text"
    ),
    Key(
        "prompt.undo", "ctrl+z", "undo_or_suspend", "Undo", "Undo; with nothing left, suspend: fg in the shell resumes"
    ),
    Key("prompt.older", "pageup", "screen.scroll_chat(-1)", "Page up", "Scroll the conversation up"),
    Key("prompt.newer", "pagedown", "screen.scroll_chat(1)", "Page down", "Scroll the conversation down"),
    Key("prompt.overlay", "tab", "screen.focus_context", "To the overlay", "To the context overlay, when it is open"),
    Key("prompt.word_left", "alt+b", "cursor_word_left", "Word left", "Move one word to the left"),
    Key("prompt.word_right", "alt+f", "cursor_word_right", "Word right", "Move one word to the right"),
    Key("prompt.delete_word", "alt+d", "delete_word_right", "Delete word", "Delete the word to the right"),
)
CONTEXT_KEYS = (
    Key("context.up", "up,k", "move(-1)", "Up", "Select the row above"),
    Key("context.down", "down,j", "move(1)", "Down", "Select the row below"),
    Key("context.page_up", "pageup", "page(-1)", "Page up", "Move one page up"),
    Key("context.page_down", "pagedown", "page(1)", "Page down", "Move one page down"),
    Key("context.first", "home,g", "edge(-1)", "First", "Select the first row"),
    Key("context.last", "end,G", "edge(1)", "Last", "Select the last row"),
    Key("context.preview", "enter,space", "act('preview')", "Preview", "Show exactly what the model gets of it"),
    Key("context.pin", "p", "act('pin')", "Pin", "Pin for five turns, or unpin"),
    Key("context.lease", "l", "act('lease')", "Lease", "Pin for 1, 3, 5, 10 turns or the task"),
    Key("context.sticky", "s", "act('sticky')", "Sticky", "Pin until unpinned"),
    Key("context.drop", "d", "act('drop')", "Drop", "Keep it out, or let it in again"),
    Key("context.more", "plus", "act('more')", "More", "Show more of it: signature, card, excerpt, body"),
    Key("context.less", "minus", "act('less')", "Less", "Show less of it"),
    Key("context.auto", "0", "act('auto')", "Automatic", "Leave to the planner how much of it is shown"),
    Key(
        "context.why",
        "w",
        "act('why')",
        "Why",
        "All that speaks for it, and what each level costs",
    ),
    Key("context.edit", "e", "act('edit')", "Edit", "Open it in your editor"),
    Key("context.accept", "a", "act('accept')", "Accept", "Make a suggested pin sticky"),
    Key("context.dismiss", "x", "act('dismiss')", "Dismiss", "Do not suggest this pin again"),
    Key("context.find", "slash", "act('find')", "Find", "Find any symbol or file and pin it"),
    Key("context.filter", "f", "act('filter')", "Filter", "Show everything, what is sent, what is left out"),
    Key("context.sort", "o", "act('sort')", "Sort", "Order as sent, by tokens, by score, by file"),
    Key("context.group", "b", "act('group')", "Group", "Group by file, by reason, by kind"),
    Key("context.wider", "greater_than_sign", "act('wider')", "Wider", "Give the overlay more room"),
    Key("context.narrower", "less_than_sign", "act('narrower')", "Narrower", "Give the overlay less room"),
    Key("context.fold", "left", "fold(True)", "Fold", "Close the section or group"),
    Key("context.unfold", "right", "fold(False)", "Unfold", "Open the section or group"),
    Key("context.earlier", "H", "act('earlier')", "Earlier plan", "The plan of the request before"),
    Key("context.later", "L", "act('later')", "Later plan", "The plan of the request after"),
    Key("context.difference", "equals_sign", "act('difference')", "Difference", "What changed since the plan before"),
    Key("context.compare", "m", "act('compare')", "Compare", "What differs from any other plan of the session"),
    Key("context.dock", "tab", "act('dock')", "Type on", "To the prompt; the overlay stays open beside it"),
    Key("context.close", "escape,q", "act('close')", "Close", "Back to the prompt"),
)
REVIEW_KEYS = (
    Key("review.up", "up,k", "move(-1)", "Up", "Select the hunk above"),
    Key("review.down", "down,j", "move(1)", "Down", "Select the hunk below"),
    Key("review.page_up", "pageup", "page(-1)", "Page up", "Scroll one page up"),
    Key("review.page_down", "pagedown,space", "page(1)", "Page down", "Scroll one page down"),
    Key("review.yes", "y", "answer(True)", "Accept", "Accept the hunk"),
    Key("review.no", "n", "answer(False)", "Reject", "Reject the hunk"),
    Key("review.yes_file", "f", "answer_file(True)", "Accept file", "Accept all hunks of the file"),
    Key("review.no_file", "F", "answer_file(False)", "Reject file", "Reject all hunks of the file"),
    Key("review.all", "A", "answer_all('set')", "Accept all", "Accept everything and write it"),
    Key("review.turn", "T", "answer_all('turn')", "For the turn", "Accept this and all edits until the turn ends"),
    Key("review.session", "S", "answer_all('session')", "For the session", "Accept this and all edits of the session"),
    Key("review.none", "R", "reject", "Reject all", "Reject everything, and say why"),
    Key("review.edit", "e", "edit", "Edit", "Edit the proposed text in your editor, then look at it again"),
    Key("review.done", "enter", "send", "Done", "Write what was accepted, when every hunk has its answer"),
)
APPROVAL_KEYS = (
    Key("approval.once", "y", "answer('once')", "Once", "Run it this once"),
    Key("approval.exact", "a", "answer('exact')", "Always", "Always allow exactly this command here"),
    Key("approval.pattern", "p", "answer('pattern')", "Always so", "Always allow it with other plain arguments too"),
    Key("approval.network", "w", "answer('network')", "Network", "Run it this once, with network"),
    Key("approval.trust", "t", "answer('trust')", "Trust", "Trust the repository as it is now, and run it"),
    Key("approval.no", "n", "answer('no')", "No", "Refuse, and say why"),
    Key("approval.refuse", "escape", "refuse", "Refuse", "Refuse"),
    Key("approval.down", "down,pagedown", "scroll_command(3)", "Down", "Show more of a long command"),
    Key("approval.up", "up,pageup", "scroll_command(-3)", "Up", "Show what stands above"),
)
GROUPS = (
    ("Everywhere", APP_KEYS),
    ("Conversation", CHAT_KEYS),
    ("Prompt", (Key("", "enter", "", "Send", "Send the message"), *PROMPT_KEYS)),
    ("Context overlay", CONTEXT_KEYS),
    ("Proposed edits", REVIEW_KEYS),
    ("A command asks", APPROVAL_KEYS),
)


def bindings(keys: tuple[Key, ...]) -> "list[BindingType]":
    """Return Textual's bindings for a part of the table."""
    from textual.binding import Binding  # noqa: PLC0415 - the table itself is also what hints and help are made of

    return [
        Binding(key.keys, key.action, key.label, show=False, priority=key.has_priority, id=key.id, tooltip=key.tooltip)
        for key in keys
    ]


def keys_table() -> str:
    """Return the keys as a Markdown table, for the README."""
    lines = ["| where | key | does |", "|---|---|---|"]
    for where, keys in GROUPS:
        lines += [f"| {where} | {key.shown} | {key.tooltip} |" for key in keys]
    return "\n".join(lines)
