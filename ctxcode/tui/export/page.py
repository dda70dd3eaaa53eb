"""A conversation as one HTML page: no script, nothing loaded from anywhere."""

from html import escape

from markdown_it import MarkdownIt

from ctxcode.model.naming.number import counted
from ctxcode.model.plan import ContextPlan, PlanItem
from ctxcode.tui.clean import clean, clean_line
from ctxcode.tui.export.conversation import Conversation, Exchange
from ctxcode.tui.export.words import meter_words, row_words, tool_words
from ctxcode.tui.number import thousands
from ctxcode.tui.rows import Part, part_of
from ctxcode.tui.themes import shipped_theme
from ctxcode.tui.widgets.text.parser import markdown_parser

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_LIGHT, _DARK = "paper", "ember"
_STYLE = """
body{background:var(--ground);color:var(--text);font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:52rem;
padding:2rem 1rem 6rem}
h1{font-size:1.4rem;margin:0}header p,.meter,summary,.out{color:var(--muted);font-size:.85rem}
.ask{background:var(--block);border-left:4px solid var(--accent);margin:3rem 0 1rem;padding:.7rem 1rem}
.ask p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}.ask .meter{margin-top:.4rem}
pre{background:var(--block);overflow-x:auto;padding:.8rem 1rem}code{font:.88em/1.5 ui-monospace,monospace}
table{border-collapse:collapse;font-size:.85rem;width:100%}
td,th{border-bottom:1px solid var(--rule);padding:.25rem .5rem;text-align:left;vertical-align:top}
td{overflow-wrap:anywhere}td:nth-child(2){min-width:9rem}td:nth-child(2),td:nth-child(3){overflow-wrap:break-word}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
th{color:var(--muted);font-weight:600}th.part{color:var(--accent);padding-top:.8rem}details{margin:1rem 0}
"""


def _colours() -> str:
    """Return the page's colours for light and dark: those of two of our themes."""
    light, dark = shipped_theme(_LIGHT), shipped_theme(_DARK)
    pairs = {
        "ground": (light.background, dark.background),
        "text": (light.foreground, dark.foreground),
        "accent": (light.primary, dark.primary),
        "block": (light.variables["user-block"], dark.variables["user-block"]),
        "muted": (light.variables["muted"], dark.variables["muted"]),
        "rule": (light.variables["faint"], dark.variables["faint"]),
    }
    made = "".join(f"--{name}:light-dark({day},{night});" for name, (day, night) in pairs.items())
    return f":root{{color-scheme:light dark;{made}}}"


def conversation_page(conversation: Conversation) -> str:
    """Return each turn with its question, its plan row by row, and the answer."""
    title = escape(clean_line(conversation.title, 200) or "Conversation")
    where = f"{conversation.repository} · branch {conversation.branch} · {counted(len(conversation.exchanges), 'turn')}"
    body = "\n".join(map(_exchange, conversation.exchanges)) or "<p>Nothing was asked on this branch.</p>"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<style>{_colours()}{_STYLE}</style></head><body>\n"
        f"<header><h1>{title}</h1><p>{escape(clean_line(where, 400))}</p></header>\n<main>\n{body}\n</main>\n"
        "</body></html>\n"
    )


def _exchange(exchange: Exchange) -> str:
    turn, plan = exchange.turn, exchange.plan
    asked = f"<p>{escape(clean(turn.prompt))}</p>"
    meter = f'<p class="meter">turn {turn.number} · {escape(meter_words(exchange))}</p>'
    tools = escape("\n".join(tool_words(turn)))
    called = f'<pre class="tools">{tools}</pre>' if tools else ""
    answer = _parser().render(clean(turn.reply)) if turn.reply else "<p><em>no answer</em></p>"
    return f'<section><div class="ask">{asked}{meter}</div>\n{_plan(plan) if plan else ""}\n{called}{answer}</section>'


def _parser() -> MarkdownIt:
    # Pictures would be loaded from where a reply says.
    return markdown_parser().disable("image")


def _plan(plan: ContextPlan) -> str:
    parts: dict[Part, list[PlanItem]] = {}
    for item in plan.included:
        parts.setdefault(part_of(item), []).append(item)
    rows = []
    for part, items in parts.items():
        tokens = thousands(sum(item.tokens for item in items))
        rows.append(f'<tr><th class="part" colspan="3">{part.value}</th><th class="n part">{tokens}</th><th></th></tr>')
        rows += map(_row, items)
    head = "<tr><th>item</th><th>place</th><th>level</th><th class='n'>tokens</th><th>why</th></tr>"
    out = ""
    if plan.excluded:
        left = "".join(map(_row, plan.excluded))
        said = f"left out: {counted(len(plan.excluded), 'item')}"
        out = f"<details class='out'><summary>{said}</summary><table>{head}{left}</table></details>"
    said = f"what the model saw: {counted(len(plan.included), 'item')}, {thousands(plan.tokens)} tokens"
    return f"<details><summary>{said}</summary><table>{head}{''.join(rows)}</table>{out}</details>"


def _row(item: PlanItem) -> str:
    name, where, detail, tokens, why = map(escape, row_words(item))
    return f'<tr><td>{name}</td><td>{where}</td><td>{detail}</td><td class="n">{tokens}</td><td>{why}</td></tr>'
