"""The keys as the user has them: the table's own, and what the settings put in their place."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

from ctxcode.model.errors import SettingsError
from ctxcode.tui.keys import APP_KEYS, CHAT_KEYS, CONTEXT_KEYS, GROUPS, PROMPT_KEYS, Key, shown_keys

_CHAINS = ((*PROMPT_KEYS, *CHAT_KEYS, *APP_KEYS), (*CONTEXT_KEYS, *CHAT_KEYS, *APP_KEYS))
"""The keys that are listened for together: in the prompt, and in the overlay."""
_REBINDABLE = {key.id: key for _, keys in GROUPS for key in keys if key.action}
_TYPING = {key.id for key in (*PROMPT_KEYS, *CHAT_KEYS, *APP_KEYS)}
_MODIFIERS = ("alt", "ctrl", "shift", "super")
_WORDS = {
    "esc": "escape", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", "pgdown": "pagedown", "del": "delete",
    "ins": "insert", "spacebar": "space", "↑": "up", "↓": "down", "←": "left", "→": "right",
}  # fmt: skip
_NAMED = frozenset(
    {"escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"}
    | {"up", "down", "left", "right"}
    | {f"f{number}" for number in range(1, 25)}
)
_INDISTINGUISHABLE = {"ctrl+i": "Tab", "ctrl+m": "Enter", "ctrl+h": "Backspace", "ctrl+[": "Esc"}
"""What a terminal sends for these is another key."""
_WHERE = "Mend it under [keys] in settings.toml; F1 lists the names."


@dataclass(frozen=True, slots=True)
class Keyboard:
    """Which keys do what."""

    rebound: Mapping[str, str] = field(default_factory=dict)
    """Keys in Textual's names, by the id of what they do; the others are the table's own."""
    is_plain: bool = False
    """Keys are shown in ASCII: Up for an arrow."""

    def shown(self, name: str) -> str:
        """Return the keys of an id as help shows them: ``Ctrl+F, Shift+Tab``."""
        return self.named(self._keys(name))

    def short(self, name: str) -> str:
        """Return the first key of an id as a hint shows it: ``^F``."""
        return self.named(self._keys(name).partition(",")[0]).replace("Ctrl+", "^")

    def shown_for(self, key: Key) -> str:
        """Return the keys of a row of the table as help shows them."""
        return self.shown(key.id) if key.id in self.rebound else self.named(key.keys)

    @property
    def arrows(self) -> str:
        """The keys that scroll, as a hint shows them."""
        return f"{self.named('up')} {self.named('down')}"

    def named(self, keys: str) -> str:
        """Return keys in Textual's names as they are shown."""
        return shown_keys(keys, is_plain=self.is_plain)

    def _keys(self, name: str) -> str:
        return self.rebound.get(name) or _REBINDABLE[name].keys


TABLE = Keyboard()
"""Nothing is rebound."""


def keyboard(wanted: Mapping[str, str]) -> Keyboard:
    """Return the keyboard with what the settings want: keys separated by commas, by id.

    Raises SettingsError for an id or a key that is none, one that could no longer be typed, and one that is taken.
    """
    rebound: dict[str, str] = {}
    for name, keys in wanted.items():
        if name not in _REBINDABLE:
            alike = [known for known in _REBINDABLE if known.partition(".")[2] == name.rpartition(".")[2]]
            near = difflib.get_close_matches(name, alike or _REBINDABLE, n=1, cutoff=0.0 if alike else 0.5)
            hint = f"Did you mean {near[0]!r}? {_WHERE}" if near else _WHERE
            raise SettingsError(f"No key is called {name!r}.", hint)
        rebound[name] = ",".join(_key(part, name) for part in _parts(keys))
    for chain in _CHAINS:
        _check_taken(chain, rebound)
    return Keyboard(rebound)


def _parts(keys: str) -> list[str]:
    """Return the keys of a list; a comma that stands for itself is written ``comma``."""
    return [part.strip() for part in keys.split(",")]


def _key(written: str, name: str) -> str:
    """Return a key in Textual's name: ``ctrl+f`` for ``Ctrl+F``, ``question_mark`` for ``?``."""
    *modifiers, last = written.split("+") if written != "+" and not written.endswith("++") else (written[:-2], "+")
    modifiers = [modifier.strip().lower() for modifier in modifiers if modifier.strip()]
    base = last.strip()
    base = base if len(base) == 1 and not modifiers else base.lower()
    base = _WORDS.get(base, base)
    is_key = len(base) == 1 or base in _NAMED or base == "comma"
    if not is_key or set(modifiers) - set(_MODIFIERS) or not base.isprintable():
        raise SettingsError(f"{name}: {written!r} is no key.", f"Keys are written f5, ctrl+o, alt+up or ?. {_WHERE}")
    plain = "+".join([*sorted(modifiers), base])
    if plain in _INDISTINGUISHABLE:
        raise SettingsError(f"{name}: a terminal sends {_INDISTINGUISHABLE[plain]} for {written!r}.", _WHERE)
    types = (len(base) == 1 or base in {"space", "enter", "backspace", "comma"}) and not {"ctrl", "alt"} & set(
        modifiers
    )
    if types and name in _TYPING:
        raise SettingsError(f"{name}: {written!r} is needed for typing.", f"Add ctrl or alt, or use f5. {_WHERE}")
    # Textual's own table of names.
    from textual.keys import _character_to_key  # noqa: PLC0415 - public nowhere; no setting, no import

    named = _character_to_key(base) if len(base) == 1 else base
    return "+".join([*sorted(modifiers), named])


def _check_taken(chain: tuple[Key, ...], rebound: Mapping[str, str]) -> None:
    owners: dict[str, str] = {}
    for row in chain:
        for key in rebound.get(row.id, row.keys).split(","):
            other = owners.setdefault(key, row.id)
            if other != row.id and {other, row.id} & set(rebound):
                hint = f"Give one of them another key. {_WHERE}"
                raise SettingsError(f"{shown_keys(key)} is both {other!r} and {row.id!r}.", hint)
