"""The part of the app that knows its themes: which there are, which is used, and where a choice is kept."""

import asyncio
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import App
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

from ctxcode.model.errors import CtxcodeError, SettingsError
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs, glyphs_for, wants_plain_glyphs
from ctxcode.tui.terminal.complaint import sentence
from ctxcode.tui.terminal.ground import Ground, GroundSeen
from ctxcode.tui.terminal.palette import NearColours
from ctxcode.tui.terminal.setup import AUTO
from ctxcode.tui.themes import DEFAULT_THEME, GROUND_THEMES, loaded_theme, shipped_theme, taken_names, theme_names

if TYPE_CHECKING:
    from textual.css.model import RuleSet
    from textual.dom import DOMNode
    from textual.events import Resize
    from textual.filter import LineFilter
    from textual.worker import Worker

    from ctxcode.model.check import SettingRow
    from ctxcode.tui.screens.dialog.theme import ThemeDialog
    from ctxcode.tui.terminal.setup import Setup

_AT_ONCE = 4
"""Widgets that get their colours in one go: the outermost have all others drawn again, each of them."""

_PARSED: "LRUCache[frozenset[tuple[str, str]], LRUCache[tuple[object, ...], list[RuleSet]]]" = LRUCache(8)
"""What was parsed with which variables: of so many themes as one looks through."""
_LOW_ROWS = 10
_SOURCES = 512
"""More than there are classes of widgets and files of styles."""


class KnownStylesheet(Stylesheet):
    """Parses a style sheet once with the same variables.

    Textual parses all of them anew for each theme, one seen before, too, and for each screen that brings its own.
    """

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__()
        self.set_variables(variables or {})

    def set_variables(self, variables: dict[str, str]) -> None:
        """Set what stands for colours, and take up what was parsed with it."""
        self._parse_cache = LRUCache(_SOURCES)  # Textual empties the one that it finds.
        super().set_variables(variables)
        known = frozenset(variables.items())
        if (parsed := _PARSED.get(known)) is None:
            parsed = _PARSED[known] = self._parse_cache
        self._parse_cache = parsed

    def reparse(self) -> None:
        """Parse what is not parsed yet; raise as Textual does, and leave the rules as they were then."""
        self._invalid_css.clear()
        self.parse()


class ThemedApp(App[None]):
    """An app in one of our themes."""

    def __init__(self, setup: "Setup") -> None:
        self.setup = setup
        # Textual takes NO_COLOR out of the environment when it starts.
        self.is_plain = setup.plain_glyphs or wants_plain_glyphs(os.environ)
        # Textual asks for the roles while it starts.
        self._default_roles = shipped_theme(DEFAULT_THEME).variables
        super().__init__()
        self._palette = NearColours() if self.console.color_system == "256" else None
        self._used_themes: set[str] = set()
        self._theme_complaint = ""
        self.theme_names = theme_names(setup.user_themes)
        """The themes that can be chosen, the default first."""
        self._ground = setup.ground or Ground.DARK
        if not self.use_theme(setup.theme or AUTO):
            self.use_theme(AUTO)
        elif taken := taken_names(setup.user_themes):
            listed = ", ".join(repr(clean_line(f"{name}.toml", 40)) for name in taken)
            self._theme_complaint = f"Not used of your themes: {listed}. Another theme has that name; rename yours."
        # Textual's own has the variables of its own theme; with ours, what the start parses need not be parsed again.
        self.stylesheet = KnownStylesheet(variables=self.get_css_variables())

    def on_resize(self, event: "Resize") -> None:
        """Do without frames in few rows: the prompt would be pushed out."""
        self.set_class(event.size.height < _LOW_ROWS, "-low")

    @property
    def glyphs(self) -> Glyphs:
        """The glyphs this terminal gets."""
        return glyphs_for(self.setup.keyboard, plain=self.is_plain)

    def say(self, words: str, *, is_error: bool = False) -> None:
        """Put a sentence where it is seen; an app with a screen for it has a better place than the log."""
        (self.log.error if is_error else self.log)(words)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the default theme's roles, for Textual's own themes, which lack them."""
        return self._default_roles

    def get_line_filters(self) -> "list[LineFilter]":
        """Return Textual's filters and, where the terminal has few colours, one that takes the nearest."""
        return [*super().get_line_filters(), *([self._palette] if self._palette is not None else [])]

    def use_theme(self, name: str) -> bool:
        """Show a theme, loading it when it is first used; return False with a complaint for one that is none."""
        name = GROUND_THEMES[self._ground] if name == AUTO else name
        if name not in self._used_themes:
            try:
                theme = loaded_theme(name, self.setup.user_themes) if name in self.theme_names else None
            except SettingsError as error:
                return self._complain(sentence(error))
            if theme is None:
                listed = ", ".join((AUTO, *self.theme_names))
                return self._complain(f"There is no theme {clean_line(name, 40)!r}; there are {listed}.")
            self.register_theme(theme)
            self._used_themes.add(name)
        self.theme = name
        return True

    def refresh_css(self, animate: bool = True) -> None:  # noqa: FBT001, FBT002 - Textual's signature
        """Take up the colours of a theme; once there is something on the screen in steps, with keys in between."""
        if self.screen_stack and self.screen.is_mounted:
            _: Worker[None] = self.run_worker(self._recolour, group="colours", exclusive=True, exit_on_error=False)
        else:
            super().refresh_css(animate)

    async def _recolour(self) -> None:
        """Do what Textual does at once, which takes longer than a key may wait, and paint when all of it is done."""
        with self.batch_update():
            self.stylesheet.set_variables(self.get_css_variables())
            self.stylesheet.reparse()
            nodes: list[DOMNode] = [self]
            nodes += [node for screen in self.screen_stack for node in screen.walk_children(with_self=True)]
            for first in range(0, len(nodes), _AT_ONCE):
                await asyncio.sleep(0)
                self.stylesheet.update_nodes([node for node in nodes[first : first + _AT_ONCE] if node.is_attached])
        for screen in self.screen_stack:
            # Textual's note that a screen has these colours; without it, they are looked up when it comes up again.
            screen._css_update_count = self._css_update_count  # noqa: SLF001 - there is no other way to say so
        self.screen.refresh(layout=True)

    def _complain(self, words: str) -> bool:
        self._theme_complaint = words
        if self.is_running:
            self.say(words, is_error=True)
        return False

    def on_mount(self) -> None:
        """Say what is wrong with the theme that was asked for."""
        self.say_complaint()

    def say_complaint(self) -> None:
        """Say what was wrong with the theme that was asked for."""
        if self._theme_complaint:
            self.say(self._theme_complaint, is_error=True)

    def on_ground_seen(self, event: GroundSeen) -> None:
        """Follow the terminal's background where no theme was chosen."""
        self._ground = event.ground
        if self.setup.follows_ground:
            self.use_theme(AUTO)
            self.setup.keep_ground(event.ground.value)

    async def action_theme(self, name: str = "") -> None:
        """Use a theme, or offer all of them."""
        if name:
            self._choose_theme(name)
            return
        from ctxcode.tui.screens.dialog.theme import (  # noqa: PLC0415 - not for the first paint
            ThemeDialog,
            origin_words,
            theme_choices,
        )

        choices = await asyncio.to_thread(theme_choices, (AUTO, *self.theme_names), self.setup.user_themes)
        before, shown = AUTO if self.setup.follows_ground else self.theme, self.theme
        told = origin_words(await asyncio.to_thread(self._setting_rows), before)

        def chosen(taken: str | None) -> None:
            if taken:
                self._choose_theme(taken)
            else:
                self.use_theme(shown)

        self.push_screen(ThemeDialog(choices, before, told, self.glyphs), chosen)

    def on_theme_dialog_previewed(self, event: "ThemeDialog.Previewed") -> None:
        """Show a theme while it is considered."""
        self.use_theme(event.name)

    def _choose_theme(self, name: str) -> None:
        if not self.use_theme(name):
            return
        from ctxcode.tui.screens.dialog.theme import origin_words  # noqa: PLC0415 - not for the first paint

        self.setup = replace(self.setup, theme=name)
        try:
            self.setup.keep_theme(name)
        except CtxcodeError as error:
            self.say(sentence(error), is_error=True)
            return
        if (told := origin_words(self._setting_rows(), name)).startswith("next start"):
            self.say(f"{name} for now; {told}")

    def _setting_rows(self) -> "tuple[SettingRow, ...]":
        """Return the settings as they are now; none where the user's own are broken. Blocks."""
        try:
            return self.setup.settings.rows()
        except CtxcodeError:
            return ()
