"""What the model wants remembered: suggested pins and its notes. Nothing takes effect before the turn completes."""

from dataclasses import dataclass, field

from ctxcode.action.arguments import PinWish, SuggestPins, UpdateNotes
from ctxcode.llm.navigator.lookup import find
from ctxcode.model.conversation import ToolStatus
from ctxcode.model.engine.activation import Promotion
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.model.ids import ItemId, file_item, symbol_item
from ctxcode.model.secret.path import is_secret
from ctxcode.session.memory.pins import placed_item
from ctxcode.session.tools.desk import Answer, Desk

_WHY_CHARS = 200
_SHOWN = 4


@dataclass(slots=True)
class Wishes:
    """What a turn's calls want remembered."""

    notes: str | None = None
    """The model's notes, the last ones; None where it wrote none."""
    suggested: dict[ItemId, Promotion] = field(default_factory=dict)
    """By item, the last reason counts."""

    def update_notes(self, asked: UpdateNotes, desk: Desk) -> Answer:
        """Take notes over."""
        self.notes = desk.secrets.cleared(asked.text.strip()).text
        return Answer(
            ToolStatus.OK, "Noted. The notes replace the old ones and are shown to you from the next turn on.\n"
        )

    def suggest_pins(self, asked: SuggestPins, desk: Desk) -> Answer:
        """Suggest items to the user; what does not exist is said."""
        lines, is_any = [], False
        for wish in asked.items:
            name = wish.symbol or wish.path or ""
            try:
                item = _item(wish, desk)
            except CtxcodeError as error:
                lines.append(f"Not suggested: {error} {error.hint}\n")
                continue
            self.suggested[item] = Promotion(item, f"suggested by the model: {_plain(wish.why)}")
            is_any = True
            lines.append(f"Suggested: {name}.\n")
        lines.append("The user sees suggestions and decides; nothing is pinned by this.\n" if is_any else "")
        return Answer(ToolStatus.OK if is_any else ToolStatus.ABSENT, "".join(lines))

    @property
    def suggestions(self) -> tuple[Promotion, ...]:
        """What was suggested, by item id."""
        return tuple(self.suggested[item] for item in sorted(self.suggested))


def _item(wish: PinWish, desk: Desk) -> ItemId:
    """Return the item of a wish. Raises CtxcodeError when there is none, or several."""
    if wish.path is not None:
        if is_secret(wish.path):
            raise UsageError(f"{wish.path!r} looks like a secret.")
        item = placed_item(wish.path, desk.workspace)
        if item is None:
            raise UsageError(f"There is no file {wish.path!r}.")
        return item
    found = find(desk.graph, wish.symbol or "")
    if found.respelled or not found.symbols:
        near = f" Near it: {', '.join(found.nearest)}." if found.nearest else ""
        raise UsageError(f"There is no definition {wish.symbol!r}.{near}")
    if len(found.symbols) > 1:
        ids = ", ".join(one.id for one in found.symbols[:_SHOWN])
        raise UsageError(f"{wish.symbol!r} is {len(found.symbols)} definitions. Name one by its id: {ids}.")
    (only,) = found.symbols
    return symbol_item(only.id) if only.qualname else file_item(only.path)


def _plain(text: str) -> str:
    """Return a reason on one line, without what could do something to a terminal."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:_WHY_CHARS]
