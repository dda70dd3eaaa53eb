"""Commands that look: sessions, stats, doctor."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict

from ctxcode.cli.arguments import Arguments
from ctxcode.cli.opening import opened
from ctxcode.model.naming.number import counted
from ctxcode.tui.clean import clean
from ctxcode.tui.number import when


def sessions(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """List this repository's sessions."""
    application = opened(arguments, environment)
    rows = application.adapters.journal.sessions(arguments.limit)
    if arguments.format == "json":
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    for row in rows:
        print(f"{row.id}  {when(row.updated_at):>12}  {counted(row.turns, 'turn'):>9}  {clean(row.title)}")
    if not rows:
        print("No session is stored for this repository yet. Start one: ctxcode")
    return 0


def stats(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Say what sessions came to: all of the repository, or the one that is named."""
    # The other commands here are fast and need none of it.
    from ctxcode.cli.converse import session_for
    from ctxcode.feedback.stats import stats_of
    from ctxcode.model.canonical import plain
    from ctxcode.session.outcome.outcomes import repository_stats
    from ctxcode.tui.glyphs import ASCII, UNICODE
    from ctxcode.tui.screens.pages.stats import stats_text

    application = opened(arguments, environment)
    journal = application.adapters.journal
    if arguments.session is None:
        found = repository_stats(journal)
    else:
        found = stats_of([session_for(application, arguments, resumes=False, writes=False).history()])
    if arguments.format == "json":
        print(json.dumps(plain(found)))
    else:
        print(stats_text(found, UNICODE if (sys.stdout.encoding or "").lower().startswith("utf") else ASCII))
    return 0


def doctor(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Say what works here and what to do about what does not; 1 when something is broken."""
    from ctxcode.bootstrap.doctor import diagnose
    from ctxcode.model.check import CheckStatus

    checks = diagnose(arguments.repository, overrides=arguments.overrides(), environment=environment)
    if arguments.format == "json":
        print(json.dumps([asdict(check) for check in checks]))
    else:
        is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
        signs, arrow = (("✔", "·", "✘"), "→") if is_unicode else (("ok", "--", "x "), "->")
        marks = dict(zip(CheckStatus, signs, strict=True))
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(f"{marks[check.status]} {check.name:<{width}}  {clean(check.detail)}")
            if check.action:
                print(f"  {'':<{width}}  {arrow} {clean(check.action)}")
    return 1 if any(check.status is CheckStatus.FAILED for check in checks) else 0
