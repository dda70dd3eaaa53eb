"""Answers from the graph as lines of Markdown."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from ctxcode.llm.navigator.absence import Written, gaps, grounds, meaning, written
from ctxcode.llm.navigator.edges.heirs import children, is_member, overrides, parents
from ctxcode.llm.navigator.edges.importers import importers
from ctxcode.llm.navigator.edges.relation import (
    MAX_ROWS,
    connection,
    edges_in,
    edges_out,
    needed,
    needs,
    users,
)
from ctxcode.llm.navigator.edges.route import best_route
from ctxcode.llm.navigator.edges.scope import Scope, kept, scope
from ctxcode.llm.navigator.graph_port import BASES, NavigableGraph
from ctxcode.llm.navigator.lookup import (
    Found,
    files_below,
    find,
    find_end,
    is_container,
    is_like_path,
    members,
    overloads,
    touchpoints,
)
from ctxcode.llm.navigator.markdown import block, bounded, code, place, row, shown, title
from ctxcode.llm.navigator.question import Ask, Question
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.ids import SymbolId
from ctxcode.model.naming.number import counted
from ctxcode.model.symbol import EdgeKind, Symbol, SymbolKind

MAX_SOURCE_LINES = 80
MAX_NAMESAKES = 12
WHAT_IT_CAN = (
    "- `where is NAME` · `show NAME` · `what is in FILE, FOLDER or CLASS`",
    "- `who calls NAME`, or `… in FOLDER` · `what does NAME call` · `what inherits from NAME` · `who overrides NAME`",
    "- `how do NAME and NAME connect`",
)
_MAX_OUTLINE_DEPTH = 30
"""A file with more members than this is outlined one level deep."""
_MAX_TOUCHPOINTS = 12
_PACKAGE_FILES = frozenset({"__init__", "index", "mod", "lib"})
"""Names of the files that stand for their folder."""

Places = Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Answers:
    """What answers are made from."""

    graph: NavigableGraph
    read_text: Callable[[str], str]
    """Path to a file's text; may raise CtxcodeError."""

    def lines(self, question: Question, places: Places) -> list[str]:
        """Return the answer; ``places`` are the (path, line) pairs of the code the plan holds, best first."""
        match question.ask:
            case Ask.HELP:
                return self._help()
            case Ask.FREE:
                return self._free(question.names, places)
            case Ask.PATH:
                return self._path(question.names[0], question.names[1])
            case Ask.CONTENTS | Ask.LOCATE | Ask.SHOW | Ask.CALLERS | Ask.CALLEES | Ask.CHILDREN | Ask.PARENTS:
                return self._about(question.ask, question.names[0], places, question.within)
        assert_never(question.ask)

    def knows(self, name: str) -> bool:
        """Return whether a definition is called so."""
        return bool(self.graph.symbols_named(name.rpartition(".")[2], 1))

    def _about(self, ask: Ask, name: str, places: Places, within: str = "") -> list[str]:
        found = find(self.graph, name)
        # Within a folder only what is defined here is looked for.
        imports = importers(self.graph, name, found) if ask is Ask.CALLERS and not within else []
        if found.best is not None:
            return [*_respelling(found), *self._known(ask, found, within), *(["", *imports] if imports else [])]
        if imports:
            return imports
        if ask in (Ask.LOCATE, Ask.SHOW, Ask.CONTENTS):
            folder = self._folder(name)
            if folder:
                return folder
            if (places or within) and name.isalpha() and name.islower():
                # A word of prose: what is asked is no name.
                return self._free((within,) if within else (), places)
        return self._absent(found)

    def _known(self, ask: Ask, found: Found, within: str) -> list[str]:
        """Return the answer about the definition most likely meant, and of a namesake when there is nothing to tell."""
        limits = scope(self.graph, within) if within else None
        notice = [f"There is no folder, file or type {code(within)} here, so this is of all.", ""] if within else []
        if limits is not None:
            notice = []
            if ask in (Ask.LOCATE, Ask.SHOW):
                outside, inside = kept(found, limits)
                if outside:
                    return outside
                found, limits = replace(found, symbols=inside), None
        told = list(found.symbols[:1])
        if not self._has(ask, found, told[0], limits):
            told += [one for one in found.symbols[1:MAX_NAMESAKES] if self._has(ask, found, one, limits)][:1]
        lines = [line for one in told for line in [*self._answer(ask, found, one, limits), ""]]
        shown_ids = {beside.id for one in told for beside in (overloads(found, one) if ask is Ask.CALLERS else (one,))}
        return [*notice, *lines[:-1], *_namesakes(found, shown_ids)]

    def _has(self, ask: Ask, found: Found, symbol: Symbol, limits: Scope | None) -> bool:
        """Return whether the graph holds what is asked of a definition."""
        match ask:
            case Ask.CALLERS:
                edges = [edge for one in overloads(found, symbol) for edge in edges_in(self.graph, one)]
                return bool(limits.edges(self.graph, edges) if limits is not None else edges)
            case Ask.CALLEES:
                return bool(needed(self.graph, symbol))
            case Ask.CHILDREN if is_member(symbol):
                return bool(overrides(self.graph, symbol))
            case Ask.CHILDREN:
                return any(edge.kind in BASES for edge in edges_in(self.graph, symbol))
            case Ask.PARENTS if not is_member(symbol):
                return any(edge.kind in BASES for edge in edges_out(self.graph, symbol))
            case _:
                return True

    def _answer(self, ask: Ask, found: Found, symbol: Symbol, limits: Scope | None) -> list[str]:
        """Return the answer about one definition."""
        match ask:
            case Ask.SHOW:
                return self._source(symbol)
            case Ask.LOCATE if symbol.kind is SymbolKind.MODULE:
                # Where a file is one knows who names it: what is in it is asked.
                return self._outline(symbol)
            case Ask.CONTENTS:
                return self._outline(symbol)
            case Ask.CALLERS:
                return users(self.graph, overloads(found, symbol), limits)
            case Ask.CALLEES:
                return needs(self.graph, symbol)
            case Ask.CHILDREN if symbol.kind is SymbolKind.MODULE:
                # Of a file it is asked who includes it.
                return users(self.graph, (symbol,), limits)
            case Ask.CHILDREN:
                return children(self.graph, symbol, limits)
            case Ask.PARENTS:
                return parents(self.graph, symbol)
            case _:
                return self._location(symbol)

    def _location(self, symbol: Symbol) -> list[str]:
        article = "an" if symbol.kind[0] in "aeiou" else "a"
        lines = [f"{code(title(symbol))} is {article} {symbol.kind} at {place(symbol)}.", ""]
        if symbol.kind is not SymbolKind.MODULE and symbol.signature:
            lines += [*block([*symbol.decorators[:4], symbol.signature], symbol.language), ""]
        if symbol.doc:
            lines += [f"> {shown(symbol.doc)}", ""]
        first, last = symbol.start_line, symbol.end_line
        span = f"Lines {first}–{last}" if first < last else f"Line {first}"
        facts = [f"{span} of {code(symbol.module)}", *self._figures(symbol)]
        return [*lines, " · ".join(facts)]

    def _figures(self, symbol: Symbol) -> list[str]:
        """Return how much a definition is used, and how much it uses or holds."""
        incoming = edges_in(self.graph, symbol)
        inner = len(members(self.graph, symbol))
        if is_container(symbol) or symbol.kind is SymbolKind.MODULE:
            return [f"used {counted(len(incoming), 'time')}", counted(inner, "member")]
        callers = sum(edge.kind is EdgeKind.CALLS for edge in incoming)
        calls = sum(edge.kind is EdgeKind.CALLS for edge in edges_out(self.graph, symbol))
        return [f"called {counted(callers, 'time')}", f"makes {counted(calls, 'call')}"]

    def _source(self, symbol: Symbol) -> list[str]:
        if symbol.kind is SymbolKind.MODULE:
            return self._outline(symbol)
        try:
            source = self.read_text(symbol.path).split("\n")
        except CtxcodeError as error:
            return [*self._location(symbol), "", f"Its source can't be shown: {shown(str(error))}"]
        body = source[max(symbol.start_line - 1, 0) : symbol.end_line]
        if not any(symbol.name in line for line in body):
            return [
                *self._location(symbol),
                "",
                "Its file has changed since it was indexed, so the source is not shown.",
            ]
        span = code(f"{symbol.path}:{symbol.start_line}-{symbol.end_line}")
        lines = [f"{code(title(symbol))}, a {symbol.kind}, {span}:", ""]
        lines += block(body[:MAX_SOURCE_LINES], symbol.language)
        if len(body) > MAX_SOURCE_LINES:
            lines += ["", f"… {counted(len(body) - MAX_SOURCE_LINES, 'more line')}."]
            if is_container(symbol):
                lines += ["", f"Ask {code(f'what is in {title(symbol)}')} for its members."]
        return lines

    def _outline(self, symbol: Symbol) -> list[str]:
        """Return a file's or a class's members, two levels deep while there is room; for a package its files too."""
        inner = members(self.graph, symbol)
        folder, _, file_name = symbol.path.rpartition("/")
        is_package = symbol.kind is SymbolKind.MODULE and file_name.partition(".")[0] in _PACKAGE_FILES
        files = self._folder(folder) if is_package and folder else []
        if not inner:
            passed = self._passed_on(symbol)
            return passed or files or [*self._location(symbol), "", "It defines nothing inside."]
        is_deep = len(inner) <= _MAX_OUTLINE_DEPTH
        rows: list[str] = []
        for part in inner:
            rows.append(f"- {part.header_line} {code(part.signature or part.name)}")
            below = members(self.graph, part) if is_deep and is_container(part) else ()
            rows += [f"  - {deeper.header_line} {code(deeper.signature or deeper.name)}" for deeper in below]
        heading = f"{code(title(symbol))} ({place(symbol)}) defines {counted(len(inner), 'member')}:"
        doc = ["", f"> {shown(symbol.doc)}"] if symbol.doc else []
        return [
            heading,
            *doc,
            "",
            *bounded(rows, MAX_ROWS if files else 2 * MAX_ROWS),
            *([""] if files else []),
            *files,
        ]

    def _passed_on(self, symbol: Symbol) -> list[str]:
        """Return what a file without definitions offers of others."""
        edges = [edge for edge in edges_out(self.graph, symbol) if edge.kind is EdgeKind.RE_EXPORTS]
        targets = self.graph.symbols([edge.target for edge in edges])
        rows = [row(targets[edge.target]) for edge in sorted(edges, key=lambda one: one.line) if edge.target in targets]
        heading = (
            f"{code(title(symbol))} defines nothing itself, and passes on {counted(len(rows), 'thing')} of others:"
        )
        return [heading, "", *bounded(rows, MAX_ROWS)] if rows else []

    def _folder(self, name: str) -> list[str]:
        """Return a folder's files; empty when there is no such folder."""
        entries = files_below(self.graph, name)
        if not entries:
            return []
        size = f"{counted(len(entries), 'file')} with {counted(sum(entry.symbols for entry in entries), 'symbol')}"
        rows = [f"- {code(entry.path)} {counted(entry.symbols, 'symbol')}" for entry in entries]
        return [f"{code(name)} holds {size}, most central first:", "", *bounded(rows, MAX_ROWS)]

    def _path(self, first: str, second: str) -> list[str]:
        start, end = find_end(self.graph, first), find_end(self.graph, second)
        if start.best is None or end.best is None:
            return [line for found in (start, end) if found.best is None for line in [*self._absent(found), ""]][:-1]
        spelled = [*_respelling(start), *_respelling(end)]
        route = best_route(self.graph, start.ends, end.ends)
        others = [*_namesakes(start, {route.start.id}), *_namesakes(end, {route.end.id})]
        return [*spelled, *connection(self.graph, route, (start, end)), *others]

    def _free(self, names: Sequence[str], places: Places) -> list[str]:
        """Return what can be said to a text that is no question of a known form."""
        finds = [find(self.graph, name) for name in names]
        known = [found for found in finds if found.best is not None]
        lines: list[str] = []
        for found in known[:2]:
            lines += [*self._about(Ask.LOCATE, found.name, ()), ""]
        absent = [code(found.name) for found in finds if found.is_proved_absent]
        if absent:
            lines += [" ".join([f"Not in the index: {', '.join(absent)}.", *gaps(self.graph.stats(), code)]), ""]
        symbols = touchpoints(self.graph, places, _MAX_TOUCHPOINTS)
        if symbols:
            lines += ["An answer needs a language model. The code the plan found for it:", "", *map(row, symbols), ""]
        elif not known:
            lines += ["An answer needs a language model, and the plan holds no code for it.", ""]
        return [*lines, "The graph alone can answer:", "", *WHAT_IT_CAN]

    def _help(self) -> list[str]:
        stats = self.graph.stats()
        size = f"{counted(stats.files, 'file')}, {counted(stats.symbols, 'symbol')} and {counted(stats.edges, 'edge')}"
        lines = [f"The index holds {size}. Ask:", "", *WHAT_IT_CAN]
        central = [row(symbol) for symbol, _ in self.graph.central(5)]
        return [*lines, "", "The most central definitions:", "", *central] if central else lines

    def _absent(self, found: Found) -> list[str]:
        """Return the proof that a name does not exist, or why there is none, and what comes near."""
        stats = self.graph.stats()
        if not stats.symbols:
            return [f"The index is empty, so nothing can be said about {code(found.name)} yet."]
        there = [] if is_like_path(self.graph, found.name) else written(self.graph, self.read_text, found)
        files, said = counted(stats.files, "indexed file"), grounds(found, code, there) + gaps(stats, code)
        if self._is_there(found.name):
            named, add = code(f"@{found.name}"), code(f"/add {found.name}")
            place = f"{code(found.name)} is there, but not among the {files}:"
            return [f"{place} a question that names {named} shows it to a model, and {add} keeps it in all of them."]
        if found.namesakes:
            rows = bounded([row(symbol) for symbol in found.namesakes], MAX_NAMESAKES)
            last, name = code(found.namesakes[0].name), code(found.name)
            unproved = f"No definition is called {name} in full, which does not prove that there is none."
            is_proved = found.is_proved_absent and not there and stats.is_whole
            start = f"There is no {name} in this repository." if is_proved else unproved
            held = ["", *_written_rows(there)] if found.is_no_member and there else []
            return [" ".join([start, *said]), *held, "", f"{last} by itself is:", "", *rows]
        if is_like_path(self.graph, found.name):
            lines = [" ".join([f"There is no {code(found.name)} among the {files}.", *gaps(stats, code)])]
        else:
            searched = f"{counted(stats.symbols, 'symbol')} in {files}"
            absent = f"There is no {code(found.name)} in this repository: it is not among the {searched}."
            if there or not stats.is_whole:
                absent = f"No definition is called {code(found.name)} among the {searched}."
            lines = [" ".join([absent, *said])]
            if there:
                lines += ["", "What may be meant is written here:", "", *_written_rows(there)]
        return [*lines, "", f"Nearest names: {', '.join(map(code, found.nearest))}."] if found.nearest else lines

    def _is_there(self, path: str) -> bool:
        """Return whether a file can be read that holds nothing the index knows."""
        try:
            self.read_text(path)
        except CtxcodeError:
            return False
        return True


def _written_rows(there: Iterable[Written]) -> list[str]:
    return [f"- {code(f'{one.path}:{one.line}')} {code(one.text, 140)}" for one in there]


def _namesakes(found: Found, told: Collection[SymbolId]) -> list[str]:
    """Return the other definitions of a name than those that were told of."""
    others = [symbol for symbol in found.symbols if symbol.id not in told]
    if not others or found.is_folder:
        return []
    rows = bounded([row(symbol) for symbol in others], MAX_NAMESAKES)
    return ["", f"{counted(len(others), 'other definition')} of {code(found.respelled or found.name)}:", "", *rows]


def _respelling(found: Found) -> list[str]:
    if not found.respelled:
        return []
    if found.standing is not None:
        return [f"{meaning(found.standing, code)}, so {code(found.name)} is {code(found.respelled)}.", ""]
    if found.is_other_spelling:
        return [f"There is no {code(found.name)}; this is {code(found.respelled)}.", ""]
    return [f"{code(found.name)} means {code(found.respelled)}.", ""]
