"""What the code graph knows: definitions by name or by question, and who uses them."""

from collections.abc import Iterable, Sequence

from ctxcode.action.arguments import FindReferences, RequestCodeContext
from ctxcode.context.candidate import Level
from ctxcode.context.mode import HEAVY
from ctxcode.context.pack import tail_heading
from ctxcode.context.render import is_stale, signature_level, symbol_levels
from ctxcode.intent.prompt import parse_prompt
from ctxcode.llm.counting.common_words import is_common_word
from ctxcode.llm.navigator.absence import gaps, grounds, meaning, written
from ctxcode.llm.navigator.imports import Importing, importing
from ctxcode.llm.navigator.lookup import Found, find, overloads
from ctxcode.model.errors import RepositoryError
from ctxcode.model.naming.number import counted
from ctxcode.model.naming.shown import on_one_line
from ctxcode.model.plan import Detail
from ctxcode.model.symbol import Edge, EdgeKind, Symbol, SymbolKind
from ctxcode.retrieval.retrieve import retrieve
from ctxcode.session.tools.desk import Answer, Desk, Sheet, absent, call_text

DEFAULT_TOKENS = 1_000
_RICH_SHARE = 0.7
"""Of a query's budget, for cards or bodies; the rest is for signatures."""
_TAIL = 40
_MOST_TRIED = 12
"""Of a name with many definitions, so many are looked at for one that is used."""
_LONGEST_LINE = 160
_VERBS = {
    EdgeKind.CALLS: "calls it",
    EdgeKind.INHERITS: "inherits from it",
    EdgeKind.IMPLEMENTS: "implements it",
    EdgeKind.IMPORTS: "imports it",
    EdgeKind.RE_EXPORTS: "re-exports it",
    EdgeKind.REFERENCES: "names it",
    EdgeKind.TESTS: "tests it",
}


def request_code_context(asked: RequestCodeContext, desk: Desk) -> Answer:
    """Return a definition, or what fits a question best, within the budget; or the proof that it does not exist."""
    sheet = desk.sheet(asked.budget_tokens or DEFAULT_TOKENS)
    if asked.symbol is not None:
        return _by_name(asked.symbol, asked.detail, sheet, desk)
    return _by_query(asked.query or "", asked.detail, sheet, desk)


def _by_name(name: str, detail: str | None, sheet: Sheet, desk: Desk) -> Answer:
    found = find(desk.graph, name)
    symbol = found.best
    if symbol is None:
        return _no_such(found, desk)
    if found.standing is not None:
        sheet.add(f"{meaning(found.standing, str)}.\n")
    lines = _lines(symbol.path, desk)
    others = found.symbols[1:]
    foot = ""
    if symbol.kind is SymbolKind.MODULE:
        foot = _outline(symbol, desk.graph.symbols_in(symbol.path)[1:], sheet, desk)
    else:
        level = _write_richest(symbol, lines, Detail(detail or Detail.BODY), sheet, desk)
        if level is None or level.detail is not Detail.BODY:
            inner = [one for one in desk.graph.symbols_in(symbol.path) if one.parent == symbol.id]
            _outline(symbol, inner, sheet, desk)
            span = {"start_line": symbol.start_line, "end_line": symbol.end_line}
            foot = f"the whole of it: {call_text('read_file', path=symbol.path, **span)}"
    if others:
        rows = [f"{one.id}  {one.kind.value}\n" for one in others[:_TAIL]]
        sheet.add(f"Also of that name ({len(others):,}); ask for one by its id:\n")
        sheet.add_all(rows)
    return sheet.done(foot)


def _write_richest(symbol: Symbol, lines: Sequence[str] | None, most: Detail, sheet: Sheet, desk: Desk) -> Level | None:
    """Write the richest rendering that fits; a span that is out of date is shown as a signature only."""
    usable = lines if lines is not None and not is_stale(symbol, lines) else None
    levels = symbol_levels(symbol, usable, desk.count, limits=HEAVY, with_body=most is Detail.BODY)
    for level in reversed([one for one in levels if one.detail.richness <= most.richness]):
        text = tail_heading(symbol.path) + level.text if level.detail is Detail.SIGNATURE else level.text
        if sheet.add(text):
            return level
    return None


def _outline(symbol: Symbol, members: Sequence[Symbol], sheet: Sheet, desk: Desk) -> str:
    """Write what a file or class defines, one line each; return how to get the rest when not all fits."""
    if not members:
        return ""
    sheet.add(f"{symbol.qualname or symbol.path} defines:\n")
    shown = sheet.add_all(signature_level(one, desk.count).text for one in members)
    if shown == len(members):
        return ""
    rest = call_text("read_file", path=symbol.path, start_line=members[shown].start_line)
    return f"{len(members) - shown:,} more definitions: {rest}"


def _by_query(query: str, detail: str | None, sheet: Sheet, desk: Desk) -> Answer:
    found = retrieve(parse_prompt(query), desk.graph, desk.semantic, is_common=is_common_word)
    entries = found.entries
    if not entries:
        stats = desk.graph.stats()
        return absent(
            f"Nothing in the index ({stats.files:,} files, {stats.symbols:,} symbols) fits {query!r}. "
            f"As exact text: {call_text('search_code', query=query)}\n"
        )
    if found.notice:
        sheet.add(f"{found.notice}\n")
    most = Detail(detail or Detail.CARD)
    limit_tokens, sheet.limit_tokens = sheet.limit_tokens, int(sheet.limit_tokens * _RICH_SHARE)
    waiting: list[Symbol] = []
    for entry in entries[:_TAIL]:
        symbol = entry.symbol
        is_full = bool(waiting) or symbol.kind is SymbolKind.MODULE
        if is_full or _write_richest(symbol, _lines(symbol.path, desk), most, sheet, desk) is None:
            waiting.append(symbol)
    sheet.limit_tokens = limit_tokens
    shown = sheet.add_all(_signatures(waiting, desk))
    more = len(entries) - (min(len(entries), _TAIL) - len(waiting)) - shown
    one = waiting[0].id if waiting else entries[0].symbol.id
    return sheet.done(f"{more:,} more fit less; one of these in full: {call_text('request_code_context', symbol=one)}")


def _signatures(symbols: Iterable[Symbol], desk: Desk) -> Iterable[str]:
    for symbol in symbols:
        yield f"{on_one_line(symbol.path)}: {signature_level(symbol, desk.count).text.strip()}\n"


def find_references(asked: FindReferences, desk: Desk) -> Answer:
    """Return where a definition or one of its overloads is used, with the line of source, the surest first.

    Of a definition that is not used the next namesake's uses are told, as that may be the one that is meant.
    """
    found = find(desk.graph, asked.symbol)
    imports = importing(desk.graph, asked.symbol, found)
    if found.best is None:
        return _imported(found, imports, desk) if imports else _no_such(found, desk)
    text = call_text("search_code", query=found.best.name)
    tried = ((overloads(found, one), _uses(overloads(found, one), desk)) for one in found.symbols[:_MOST_TRIED])
    told, edges = next(((kin, uses) for kin, uses in tried if uses), ((found.best,), []))
    unused = "" if found.best in told and edges else f"The graph knows no use of {found.best.id}."
    if not edges and imports:
        return _imported(found, imports, desk)
    if not edges:
        return absent(f"{unused} Dynamic uses and other languages are not in it: {text}\n")
    users = desk.graph.symbols({edge.source for edge in edges})
    edges.sort(key=lambda edge: (-edge.confidence, edge.source, edge.line))
    sheet = desk.sheet()
    if found.standing is not None:
        sheet.add(f"{meaning(found.standing, str)}.\n")
    if unused:
        sheet.add(f"{unused}\n")
    name, beside = told[0].qualname or told[0].module, len(told) - 1
    place = f"{on_one_line(told[0].path)}:{told[0].header_line}" + (
        f" and {counted(beside, 'overload')} beside it" if beside else ""
    )
    sheet.add(f"{counted(len(edges), 'use')} of {name} ({place}):\n")
    shown = sheet.add_all(_use(edge, users[edge.source], desk) for edge in edges if edge.source in users)
    others = [one.id for one in found.symbols if one not in told]
    if others:
        there = "There is" if len(others) == 1 else "There are"
        sheet.add(f"{there} {counted(len(others), 'other definition')} of that name: {', '.join(others[:3])}\n")
    left = len(edges) - shown or _write_imports(imports, sheet)
    return sheet.done(f"{left:,} more; as text: {text}" if left else "")


def _imported(found: Found, imports: Sequence[Importing], desk: Desk) -> Answer:
    """Return who imports what a name means, where nothing here uses a definition of it."""
    sheet, stats = desk.sheet(), desk.graph.stats()
    unused = f"The graph knows no use of {found.best.id}." if found.best is not None else ""
    searched = f"the index ({stats.files:,} files, {stats.symbols:,} symbols)"
    sheet.add(f"{unused or f'No definition is named {found.name!r} in {searched}.'}\n")
    left = _write_imports(imports, sheet)
    return sheet.done(f"{left:,} more; as text: {call_text('search_code', query=found.name)}" if left else "")


def _write_imports(imports: Sequence[Importing], sheet: Sheet) -> int:
    """Write who imports what is not defined here; return how many did not fit."""
    if not imports:
        return 0
    files = counted(len({one.path for one in imports}), "file")
    sheet.add(f"Imports that lead to no definition here, in {files}:\n")
    rows = (f"{on_one_line(one.path)}:{one.line} {on_one_line(one.text)[:_LONGEST_LINE]}\n" for one in imports)
    return len(imports) - sheet.add_all(rows)


def _uses(symbols: Sequence[Symbol], desk: Desk) -> list[Edge]:
    """Return the edges that lead to any of some definitions; that a test calls what it tests is not said twice."""
    every = [(symbol.id, edge) for symbol in symbols for edge in desk.graph.edges_of(symbol.id)]
    edges = [edge for target, edge in every if edge.target == target and edge.kind in _VERBS]
    tests = {(edge.source, edge.target) for edge in edges if edge.kind is EdgeKind.TESTS}
    return [edge for edge in edges if edge.kind is not EdgeKind.CALLS or (edge.source, edge.target) not in tests]


def _use(edge: Edge, user: Symbol, desk: Desk) -> str:
    lines = _lines(user.path, desk)
    source = lines[edge.line - 1].strip()[:_LONGEST_LINE] if lines is not None and 0 < edge.line <= len(lines) else ""
    sure = "" if edge.confidence >= 0.5 else " (perhaps)"
    line = edge.line or user.header_line
    return f"{on_one_line(user.path)}:{line} {user.qualname or user.module} {_VERBS[edge.kind]}{sure}: {source}\n"


def _lines(path: str, desk: Desk) -> Sequence[str] | None:
    try:
        return desk.workspace.read_text(path).split("\n")
    except RepositoryError:
        return None


def _no_such(found: Found, desk: Desk) -> Answer:
    """Return the proof that no definition has a name, or what its parts mean."""
    stats, name = desk.graph.stats(), found.name
    there = written(desk.graph, desk.workspace.read_text, found) if found.is_no_member else []
    near = f" Nearest names: {', '.join(found.nearest)}." if found.nearest else " No name comes near."
    if found.namesakes:
        rows, times = ", ".join(one.id for one in found.namesakes[:_MOST_TRIED]), counted(len(found.namesakes), "time")
        is_proved = found.is_proved_absent and not there and stats.is_whole
        near = "" if is_proved else " That is no proof:"
        near += f" {found.namesakes[0].name} by itself is defined {times}: {rows}."
    said = "".join(f" {sentence}" for sentence in (*grounds(found, str, there), *gaps(stats, str)))
    said += "".join(f" {on_one_line(one.path)}:{one.line}: {one.text[:_LONGEST_LINE]}" for one in there)
    return absent(
        f"No definition is named {name!r} in the index ({stats.files:,} files, {stats.symbols:,} symbols).{said}{near} "
        f"It may still stand in text: {call_text('search_code', query=name)}\n"
    )
