"""The index command; what questions need is not imported for it."""

import json
from collections.abc import Mapping

from ctxcode.cli.arguments import Arguments
from ctxcode.cli.opening import opened
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.model.source import IndexReport
from ctxcode.session.report import index_object
from ctxcode.tui.clean import clean
from ctxcode.tui.number import thousands

SHOWN_SKIPS = 20


def index(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Build or refresh the index and say what it holds."""
    application = opened(arguments, environment, is_brief=True)
    report = refresh_with_progress(application.adapters.indexer)
    if arguments.format == "json":
        print(json.dumps(index_object(report)))
    else:
        _print_index(report)
    return 0


def _print_index(report: IndexReport) -> None:
    print(
        f"{thousands(report.files)} files ({thousands(report.parsed)} parsed now, {report.removed} removed), "
        f"{thousands(report.symbols)} symbols, {thousands(report.edges)} edges in {report.seconds:.2f} s"
    )
    if report.languages:
        print("languages: " + ", ".join(f"{name} {thousands(count)}" for name, count in report.languages))
    if report.other_files:
        print(f"other files, not indexed: {thousands(report.other_files)}")
    for skipped in report.skipped[:SHOWN_SKIPS]:
        detail = f" ({clean(skipped.detail)})" if skipped.detail else ""
        print(f"skipped {clean(skipped.path)}: {skipped.reason.value}{detail}")
    if len(report.skipped) > SHOWN_SKIPS:
        print(f"… {thousands(len(report.skipped) - SHOWN_SKIPS)} more skipped; --format json lists all")
    if not report.files:
        print("No file in a language ctxcode knows was found here.")
