"""Builds an index and says what it holds; what questions need is not imported for it."""

import json
from collections import Counter
from collections.abc import Mapping

from ctxcode.bootstrap.index.early import Programs
from ctxcode.bootstrap.index.opening import open_indexing
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.complaint import complain
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.model.naming.number import counted
from ctxcode.model.source import IndexReport
from ctxcode.session.report import index_object
from ctxcode.tui.clean import clean, clean_name
from ctxcode.tui.number import thousands

SHOWN_SKIPS = 20
SHOWN_BROKEN = 10


def build(arguments: Arguments, environment: Mapping[str, str], programs: Programs) -> int:
    """Build or refresh the index and say what it holds."""
    indexing, notices = open_indexing(
        arguments.repository, overrides=arguments.overrides(), environment=environment, programs=programs
    )
    for notice in notices:
        complain(notice)
    report = refresh_with_progress(indexing)
    if arguments.format == "json":
        print(json.dumps(index_object(report)))
    else:
        _print_index(report)
    return 0


def _print_index(report: IndexReport) -> None:
    print(
        f"{counted(report.files, 'file')} ({thousands(report.parsed)} parsed now, {report.removed} removed), "
        f"{counted(report.symbols, 'symbol')}, {counted(report.edges, 'edge')} in {report.seconds:.2f} s"
    )
    if report.languages:
        print("languages: " + ", ".join(f"{name} {thousands(count)}" for name, count in report.languages))
    if report.other_files:
        print(f"other files, not indexed: {thousands(report.other_files)}")
    for skipped in report.skipped[:SHOWN_SKIPS]:
        detail = f" ({clean(skipped.detail)})" if skipped.detail else ""
        what = "only the symbols of" if skipped.is_indexed else "skipped"
        print(f"{what} {clean_name(skipped.path)}: {skipped.reason.value}{detail}")
    if len(report.skipped) > SHOWN_SKIPS:
        print(f"… {thousands(len(report.skipped) - SHOWN_SKIPS)} more skipped; --format json lists all")
        reasons = Counter(skipped.reason.value for skipped in report.skipped).most_common()
        print("skipped in all: " + ", ".join(f"{reason} {thousands(count)}" for reason, count in reasons))
    if report.broken_files:
        print(f"{counted(report.broken_files, 'file')} with syntax errors; around them less is known:")
    for broken in report.broken[:SHOWN_BROKEN]:
        print(f"  {clean_name(broken.path)}: {counted(broken.errors, 'error')}")
    if report.broken_files > SHOWN_BROKEN:
        rest = report.broken_files - SHOWN_BROKEN
        print(f"  … {thousands(rest)} more; --format json lists the {thousands(len(report.broken))} with most errors")
    if not report.files:
        print("No file in a language ctxcode knows was found here.")
