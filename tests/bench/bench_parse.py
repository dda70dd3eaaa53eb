"""Prints the CPU time of parse_source over a tree's files as a ratio to a raw tree-sitter parse of the same bytes.

Run: ``python tests/bench/bench_parse.py FOLDER [ROUNDS] [LANGUAGE]``.
"""

import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from tree_sitter import Parser

from ctxcode.codegraph.languages import language_of, load_grammar
from ctxcode.codegraph.outline.known import OUTLINES
from ctxcode.codegraph.parse import parse_source

LARGEST_BYTES = 1_000_000

Sources = list[tuple[str, bytes]]


def sources(folder: str) -> dict[str, Sources]:
    found: dict[str, Sources] = defaultdict(list)
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            language = language_of(name)
            if language and language not in OUTLINES and path.is_file() and path.stat().st_size < LARGEST_BYTES:
                found[language].append((str(path), path.read_bytes()))
    return found


def cpu_seconds(work: Callable[[str, bytes], object], files: Sources) -> float:
    started = time.process_time()
    for path, data in files:
        work(path, data)
    return time.process_time() - started


def measure(language: str, files: Sources, rounds: int) -> str:
    parser = Parser(load_grammar(language).language)
    raw = full = float("inf")
    for _ in range(rounds):
        raw = min(raw, cpu_seconds(lambda _, data: parser.parse(data), files))
        full = min(full, cpu_seconds(lambda path, data: parse_source(data, language, path), files))
    megabytes = sum(len(data) for _, data in files) / 1e6
    return (
        f"{language}: {len(files)} files, {megabytes:.1f} MB, raw {raw:.2f} s, facts {full:.2f} s, "
        f"ratio {full / raw:.2f}"
    )


def main() -> None:
    folder, rounds, only = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3, sys.argv[3:]
    for language, files in sorted(sources(folder).items()):
        if not only or language in only:
            print(measure(language, files, rounds))


if __name__ == "__main__":
    main()
