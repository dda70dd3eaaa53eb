"""The signs the screens draw with: one per meaning, in Unicode and in ASCII."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ctxcode.tui.number import filled_cells
from ctxcode.tui.terminal.keyboard import TABLE, Keyboard


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One sign per meaning, each one cell wide unless said otherwise."""

    sticky: str
    leased: str
    ephemeral: str
    scaffold: str
    retrieved: str
    history: str
    anchor: str
    request: str
    excluded: str
    suggested: str
    stale: str
    closed: str
    open: str
    ok: str
    """One or two cells."""
    failed: str
    edited: str
    """What stands before the number of edited files; one cell, or a word."""
    used: str
    """A filled cell of a meter."""
    free: str
    """An empty cell of a meter."""
    kinds: str
    """Fills of the segmented bar: pins, scaffold, history, retrieved, message, free. They differ in ASCII."""
    levels: str
    """Rising fills of a score bar."""
    rule: str
    bar: str
    """The bar at the left of what the user said or selected."""
    ellipsis: str
    about: str
    """Almost equal."""
    dot: str
    quotes: str
    arrows: str
    """Two signs: up and down."""
    arrow: str
    """To the right."""
    current: str
    """What is open, in a list."""
    cursor: str
    """Where is typed."""
    keyboard: Keyboard = TABLE
    """The keys, as hints name them."""


UNICODE = Glyphs(
    sticky="●",
    leased="◐",
    ephemeral="○",
    scaffold="▤",
    retrieved="◇",
    history="≡",
    anchor="▣",
    request="▫",
    excluded="·",
    suggested="✦",
    stale="△",
    closed="▸",
    open="▾",
    ok="✔",
    failed="✘",
    edited="✎",
    used="▰",
    free="▱",
    kinds="━━━━━─",
    levels="╸━",
    rule="─",
    bar="▌",
    ellipsis="…",
    about="≈",
    dot="·",
    quotes="“”",
    arrows="↑↓",
    arrow="→",
    current="•",
    cursor="▏",
)

ASCII = Glyphs(
    sticky="*",
    leased="%",
    ephemeral="o",
    scaffold="#",
    retrieved="+",
    history="=",
    anchor="@",
    request="~",
    excluded="-",
    suggested="?",
    stale="!",
    closed=">",
    open="v",
    ok="ok",
    failed="x",
    edited="edits:",
    used="#",
    free=".",
    kinds="*#=+~.",
    levels="#",
    rule="-",
    bar="|",
    ellipsis="...",
    about="~",
    dot="-",
    quotes='""',
    arrows="^v",
    arrow="to",
    current="*",
    cursor="_",
)


def wants_plain_glyphs(environment: Mapping[str, str]) -> bool:
    """Return whether this terminal should get ASCII only: NO_COLOR is set, or it is the bare console."""
    return bool(environment.get("NO_COLOR")) or environment.get("TERM", "") in {"linux", "dumb", "vt100"}


def glyphs_for(keyboard: Keyboard, *, plain: bool) -> Glyphs:
    """Return the set to draw with."""
    return replace(ASCII if plain else UNICODE, keyboard=replace(keyboard, is_plain=plain))


def meter(used: int, limit: int, cells: int, glyphs: Glyphs = UNICODE) -> str:
    """Return a bar of ``cells`` cells."""
    filled = filled_cells(used, limit, cells)
    return glyphs.used * filled + glyphs.free * (cells - filled)
