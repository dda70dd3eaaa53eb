"""A file, folder, symbol or model as an entry of a menu."""

from collections.abc import Sequence

from textual.content import Content

from ctxcode.model.conversation import ModelOffer
from ctxcode.model.symbol import Symbol
from ctxcode.tui.clean import clean_line
from ctxcode.tui.glyphs import Glyphs
from ctxcode.tui.number import short_count
from ctxcode.tui.prompt.completing import code_name
from ctxcode.tui.widgets.code import coloured, language_of
from ctxcode.tui.widgets.menu import MenuEntry

_DOC_CHARS = 300
_SIGNATURE_CHARS = 300


def symbol_entry(symbol: Symbol, among: Sequence[Symbol], glyphs: Glyphs) -> MenuEntry:
    """Return the entry for a file or symbol, with its signature and documentation as the card."""
    doc = clean_line(symbol.doc, _DOC_CHARS)
    said = (Content(doc),) if doc else ()
    if not symbol.qualname:
        folder, _, name = symbol.path.rpartition("/")
        sign, role = glyphs.scaffold, "$ctx-scaffold"
        return MenuEntry(symbol.path, name, folder, is_place=True, sign=sign, role=role, card=said)
    signature = coloured(clean_line(symbol.signature, _SIGNATURE_CHARS), language_of(symbol.path))
    return MenuEntry(
        code_name(symbol, among),
        symbol.qualname,
        f"{symbol.path}:{symbol.start_line}",
        is_place=True,
        sign=glyphs.retrieved,
        role="$ctx-retrieved",
        card=(signature, *said),
    )


def folder_entry(folder: str, glyphs: Glyphs) -> MenuEntry:
    """Return the entry for a folder, which ends with a slash."""
    outer, _, name = folder.rstrip("/").rpartition("/")
    return MenuEntry(folder, f"{name}/", outer, is_place=True, sign=glyphs.scaffold, role="$ctx-scaffold")


def model_entry(offer: ModelOffer, glyphs: Glyphs) -> MenuEntry:
    """Return the entry for a model: its window, its price for a million tokens, and what it would need."""
    info = offer.info
    window = f"{short_count(info.context_tokens)} tokens" if info.is_known else "window not known"
    prices = (info.input_cost_per_token, info.output_cost_per_token)
    price = ""
    if prices[0] is not None and prices[1] is not None:
        price = f"${prices[0] * 1e6:.2f} in, ${prices[1] * 1e6:.2f} out" if any(prices) else "free"
    needed = f"{offer.missing_key} is not set" if offer.missing_key else ""
    at = f"at {clean_line(offer.address, 60)}" if offer.address else ""
    note = f" {glyphs.dot} ".join(filter(None, (window, price, needed, at)))
    return MenuEntry(info.name, info.name, note, right=clean_line(offer.origin, 40))
