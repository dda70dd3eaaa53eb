"""Prints what an index costs: cold, warm, after one edit, and per question, as ratios to a raw tree-sitter parse.

Run: ``python tests/bench/bench_index.py FOLDER``. CPU seconds with those of the workers.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

from tree_sitter import Parser

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from indexed_folder import IDLE, IndexedFolder

from ctxcode.codegraph.isolation.intake import LARGEST_PARSED_BYTES
from ctxcode.codegraph.languages import language_of, load_grammar
from ctxcode.codegraph.outline.known import OUTLINES
from ctxcode.model.source import IndexReport
from ctxcode.workspace.files import open_workspace

RAW = "--raw"
"""Only parse, for who asks this process."""
QUESTION = """
import sys, time
started = time.process_time()
from pathlib import Path
from ctxcode.codegraph.paths import cheapest_path
from ctxcode.store.index.reader import SqliteIndex
imported = time.process_time()
index = SqliteIndex(Path(sys.argv[1]), versions="test", find_path=cheapest_path)
index.stats()
opened = time.process_time()
hits = index.search([(word, 1.0) for word in "resolve url pattern query set cache".split()])
searched = time.process_time()
index.symbols_at([hit.node for hit in hits])
links = sum(len(index.links(hit.node)) for hit in hits)
walked = time.process_time()
parts = [("import", imported - started), ("open", opened - imported), ("search", searched - opened)]
parts.append(("walk", walked - searched))
print(f"{len(hits)} hits, {links} links,", ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in parts))
print("heavy imports:", sorted({"numpy", "tree_sitter"} & set(sys.modules)) or "none")
"""


def cpu() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(kind).ru_utime + resource.getrusage(kind).ru_stime for kind in kinds)


def timed(work: Callable[[], IndexReport]) -> tuple[float, float, IndexReport]:
    started, used = time.perf_counter(), cpu()
    result = work()
    taken = time.perf_counter() - started
    # What a process has used counts when it has ended, not while it waits for more.
    IDLE.close()
    return taken, cpu() - used, result


def raw_parse(root: Path) -> float:
    scan = open_workspace(str(root), language_of).scan()
    small = [file for file in scan.files if file.stamp.size <= LARGEST_PARSED_BYTES]
    languages = {file.language for file in small}.difference(OUTLINES)
    parsers = {language: Parser(load_grammar(language).language) for language in languages}
    sources = [(parsers[file.language], (root / file.path).read_bytes()) for file in small if file.language in parsers]
    started = time.process_time()
    for parser, data in sources:
        parser.parse(data)
    return time.process_time() - started


def main() -> None:
    source = Path(sys.argv[1]).resolve()
    if RAW in sys.argv:
        print(raw_parse(source))
        return
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "root"
        copytree(source, root, symlinks=True)
        # In a process of its own: sources and trees would count as memory of the index.
        parsed = subprocess.run([sys.executable, __file__, str(root), RAW], check=True, capture_output=True, text=True)
        raw = float(parsed.stdout)
        print(f"raw parse: {raw:.2f} s CPU")
        folder = IndexedFolder(root, Path(name) / "cache")
        for label in ("cold", "warm"):
            wall, used, report = timed(folder.refresh)
            print(f"{label}: {wall:.2f} s wall, {used:.2f} s CPU, {used / raw:.2f} x raw parse")
        print(f"{report.files} files, {report.symbols} symbols, {report.edges} edges, {len(report.skipped)} skipped")
        modules = folder.index.modules()
        first = modules[0].path
        with (root / first).open("a", encoding="utf-8") as file:
            file.write("\n")
        wall, used, _ = timed(folder.refresh)
        print(f"one file edited: {wall:.2f} s wall, {used:.2f} s CPU")
        folder.close()
        size = sum(path.stat().st_size for path in folder.cache.iterdir())
        indexed = sum((root / module.path).stat().st_size for module in modules)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"index {size / 1e6:.1f} MB, {size / indexed:.2f} x the bytes of the indexed files ({indexed / 1e6:.1f} MB)"
        )
        print(f"peak memory {peak:.0f} MB")
        root_folder = Path(__file__).resolve().parents[2]
        subprocess.run([sys.executable, "-c", QUESTION, str(folder.cache)], check=True, cwd=root_folder)


if __name__ == "__main__":
    main()
