"""Prints how many of Universal ctags' definitions the extractors find in a tree, and how many of theirs ctags knows.

Run: ``python tests/bench/bench_definitions.py FOLDER [LANGUAGE] [--misses N] [--extra N]``. Needs ``ctags``.

A definition counts as found when the same file has a symbol of that name whose first line to end of signature holds
ctags' line. What ctags tags and this project gives no symbol is listed in ``NOT_SYMBOLS``, by kind and with why.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.bench_parse import sources

from ctxcode.codegraph.facts import FileFacts, SymbolFact
from ctxcode.codegraph.isolation.intake import take_in
from ctxcode.codegraph.parse import parse_source

NOT_SYMBOLS = {
    "Python": {
        "unknown": "an imported name",
        "namespace": "an imported module",
        "module": "a module imported elsewhere",
    },
    "Rust": {"implementation": "an impl block: its members belong to the type"},
    "Go": {"package": "the file's package", "packageName": "an import", "anonMember": "an embedded type: a base"},
    "Java": {"package": "the file's package"},
    "JavaScript": {"property": "a key of an object literal"},
    "TypeScript": {},
    "C": {"header": "an include"},
    "C++": {"header": "an include"},
    "C#": {"namespace": "the file's package", "typedef": "another name for a type, in the file only"},
    "Ruby": {"library": "a required file", "describe": "a label of tests", "context": "a label of tests"},
    "PHP": {"namespace": "the file's package", "alias": "an import"},
    "Kotlin": {"package": "the file's package"},
    "Sh": {"script": "a sourced file", "heredoc": "a label"},
    "Lua": {},
}
VALUES = {"JavaScript": {"constant", "variable", "class"}, "TypeScript": {"constant", "variable"}, "C": {"variable"}}
"""Kinds that count at the left margin only: elsewhere ctags gives them to local names and parts of literals."""
CTAGS = {
    "python": "Python",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "tsx": "TypeScript",
    "rust": "Rust",
    "go": "Go",
    "java": "Java",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "ruby": "Ruby",
    "php": "PHP",
    "kotlin": "Kotlin",
    "bash": "Sh",
    "lua": "Lua",
}
LOCAL = {"PHP": {"variable"}, "Kotlin": {"constant", "variable"}, "C++": {"variable"}}
"""Kinds that do not count inside functions: there they are local names."""
_TYPESCRIPT = {
    "constant": r"(?:\b(?:const|let|var)\s+|^\s+)%s\b(?!\.)",
    "alias": r"\btype\s+%s\b\s*(?:[<=]|$)",
    "method": r"^(?!\s*new\s*[<(])",
    "enumerator": r"(?<![\w.])%s\b",
    "property": r"(?<!\? )(?<![:=.<] )\b%s\??!?\s*[:;=,(]",
}
DECLARED = {
    "javascript": {
        "class": r"(?:\bclass\s+%s\b|\b%s\b\s*[=:]\s*class\b|\bfunction\s*%s\b|\b%s\s*[=:]\s*function\b)",
        "field": r"^\s*(?:static\s+)?#?%s\s*(?:[=;]|$)",
        "function": r"\b%s\b(?!\[)",
    },
    "c": {"enumerator": r"^(?!\s*\{[^{}]*\};?\s*$)", "variable": r"^(?!.*\(%s\)\s*\()"},
    "cpp": {"namespace": r"^(?!.*\b%s\s*::)", "enumerator": r"^(?!.*\b%s\s*\()", "variable": r"^(?!.*\(%s\)\s*\()"},
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "kotlin": {"method": r"\bfun\b.*%s", "object": r"\bobject\s+%s\b"},
    "csharp": {"field": r"^(?!.*=>).*[\w>\])?]\s+%s\s*(?:[=;,]|$)"},
    "lua": {"function": r"(?:\bfunction\s+(?:[\w.:]*[.:])?%s\b|\b%s\s*=\s*function\b)"},
}
"""What a line looks like that declares a name, where ctags mistakes others for it."""
_TWICE = re.compile(r"([\w$]+)\s*=\s*(?:async\s+)?function\s*\*?\s*([\w$]+)\s*\(")
_OF_MACRO = re.compile(r"^[A-Z_][A-Z0-9_]+\s*\(\s*(?:\w+\s*,\s*)?(\w+)\s*\)")
ANONYMOUS = ("anonymousFunction", "AnonymousFunction", "anonymousObject", "__anon", "anonymousClass")


class Tag(NamedTuple):
    name: str
    line: int
    kind: str


def tags_of(language: str, paths: list[str]) -> dict[str, list[Tag]]:
    """Return ctags' definitions by path."""
    command = ["ctags", "--fields=+nK-f", "--sort=no", f"--language-force={CTAGS[language]}", "-f", "-", "-L", "-"]
    run = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True, errors="replace", check=True)
    found: dict[str, list[Tag]] = defaultdict(list)
    for row in run.stdout.splitlines():
        name, path, rest = row.split("\t", 2) if row.count("\t") > 1 else ("", "", "")
        fields = rest.rpartition(';"\t')[2].split("\t")
        line = next((int(field[5:]) for field in fields if field.startswith("line:")), 0)
        if not name.startswith(ANONYMOUS):
            found[path].append(Tag(plain(language, name), line, fields[0]))
    return found


def plain(language: str, name: str) -> str:
    """Return the name both sides give: no table, interface or mark before it, no mark or bracket behind it."""
    match language:
        case "lua":
            return re.split(r"""[.:\[\]"']+""", name.rstrip("]\"'"))[-1]
        case "ruby":
            return name.rstrip("=?!")
        case "javascript" | "typescript" | "tsx":
            return name.lstrip("#")
        case "cpp":
            return name.rpartition("::")[2].replace(" ", "")
        case "csharp":
            return name.rpartition(".")[2]
        case "bash":
            return name.replace("::", ":")
    return name


def definitions(language: str, data: bytes, tags: list[Tag], facts: FileFacts) -> list[Tag]:
    """Return the tags that define something: no imports, no local values, none twice."""
    imported = {fact.alias for fact in facts.imports}
    inside = {
        line
        for symbol in facts.symbols
        if symbol.kind in {"function", "method"}
        for line in range(symbol.header_line, symbol.end_line + 1)
    }
    lines = data.split(b"\n")
    return [
        tag
        for tag in sorted(set(tags))
        if tag.kind not in NOT_SYMBOLS[CTAGS[language]]
        and not (tag.name in imported and tag.kind in {"module", "alias", "constant", "variable"})
        and tag.name not in {"_", "<lambda>"}
        and not (tag.kind in LOCAL.get(CTAGS[language], ()) and tag.line in inside)
        and not is_misread(language, tag, lines[tag.line - 1])
        and (tag.kind not in VALUES.get(CTAGS[language], ()) or lines[tag.line - 1][:1].strip())
    ]


def is_misread(language: str, tag: Tag, line: bytes) -> bool:
    """Whether ctags took a used name for a declared one: ``ns`` in TypeScript's ``const a: ns.Type``."""
    if language == "ruby" and tag.kind == "constant":
        return not re.search(rf"\b{re.escape(tag.name)}\s*(?:\|\|)?=(?![=>~])", line.decode("utf-8", "replace"))
    if language == "javascript" and tag.name == "exports":
        return True
    if language == "bash":
        return tag.name.endswith("=")
    declared = DECLARED.get(language, {}).get(tag.kind)
    return declared is not None and not re.search(
        declared.replace("%s", re.escape(tag.name)), line.decode("utf-8", "replace")
    )


def is_found(tag: Tag, named: dict[str, list[SymbolFact]]) -> bool:
    return any(
        symbol.start_line <= tag.line <= (symbol.end_line if is_overloaded(tag, symbol) else symbol.header_end_line)
        for symbol in named.get(tag.name, ())
    )


def names_of(language: str, tag: Tag, line: bytes) -> list[str]:
    """Return what one definition may be called: ``a.b = function c() {}`` is one symbol with two names.

    So is the function that a macro declares, ``TEST(name) {``.
    """
    written = line.decode("utf-8", "replace")
    if language in {"c", "cpp"}:
        return [tag.name, *_OF_MACRO.findall(written)] if tag.kind == "function" else [tag.name]
    found = _TWICE.search(written) if language == "javascript" else None
    return [tag.name] if found is None or tag.name not in found.groups() else list(found.groups())


def is_overloaded(tag: Tag, symbol: SymbolFact) -> bool:
    """Whether a tag can be a later one of a symbol's overloads, which are one symbol here."""
    return tag.kind in {"function", "method"} and symbol.kind in {"function", "method"}


def compare(language: str, files: list[tuple[str, bytes]], shown: tuple[int, int]) -> None:
    tags = tags_of(language, [path for path, _ in files])
    wanted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    ours: Counter[str] = Counter()
    known: Counter[str] = Counter()
    missed: list[str] = []
    extra: list[str] = []
    for path, data in files:
        named: dict[str, list[SymbolFact]] = defaultdict(list)
        lines: dict[str, list[int]] = defaultdict(list)
        lines_of_file = data.split(b"\n")
        for tag in tags[path]:
            for name in names_of(language, tag, lines_of_file[tag.line - 1]):
                lines[name].append(tag.line)
        facts = parse_source(data, language, path)
        for symbol in facts.symbols[1:]:
            written = symbol.name.replace(".", "::") if language == "cpp" else symbol.name
            name = plain(language, written)
            named[name].append(symbol)
            ours[symbol.kind] += 1
            if any(symbol.start_line <= line <= symbol.header_end_line for line in lines[name]):
                known[symbol.kind] += 1
            else:
                extra.append(f"{path}:{symbol.header_line}: {symbol.kind} {symbol.qualname}")
        for tag in definitions(language, data, tags[path], facts):
            wanted[tag.kind] += 1
            names = names_of(language, tag, lines_of_file[tag.line - 1])
            if any(is_found(tag._replace(name=each), named) for each in names):
                found[tag.kind] += 1
            else:
                missed.append(f"{path}:{tag.line}: {tag.kind} {tag.name}")
    total, hit = sum(wanted.values()), sum(found.values())
    print(f"{language}: {len(files)} files; recall {hit}/{total} = {hit / max(total, 1):.2%}", end="; ")
    print(
        f"precision {sum(known.values())}/{sum(ours.values())} = {sum(known.values()) / max(sum(ours.values()), 1):.2%}"
    )
    print("  found:", ", ".join(f"{kind} {found[kind]}/{wanted[kind]}" for kind in sorted(wanted)))
    print("  ours: ", ", ".join(f"{kind} {known[kind]}/{ours[kind]}" for kind in sorted(ours)))
    for title, rows, most in (("missed", missed, shown[0]), ("not in ctags", extra, shown[1])):
        for row in rows[:: max(1, len(rows) // most)][:most] if most else ():
            print(f"  {title}: {row}")


def parsed(folder: str, files: list[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield the files the index parses: none that is minified, generated, huge or binary."""
    for path, data in files:
        if "\t" not in path and take_in(folder, str(Path(path).relative_to(folder))).reason is None:
            yield path, data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("language", nargs="?")
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--extra", type=int, default=0)
    arguments = parser.parse_args()
    folder = str(Path(arguments.folder).resolve())
    for language, files in sorted(sources(folder).items()):
        if language in CTAGS and arguments.language in {None, language}:
            compare(language, list(parsed(folder, files)), (arguments.misses, arguments.extra))


if __name__ == "__main__":
    main()
