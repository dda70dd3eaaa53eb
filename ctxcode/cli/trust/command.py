"""``ctxcode trust``: what decides what commands do in a repository, and whether the user trusts it."""

import json
from collections.abc import Mapping
from dataclasses import replace

from ctxcode.cli.arguments import Arguments
from ctxcode.model.command.approval import Sandbox, Trust
from ctxcode.model.errors import CtxcodeError
from ctxcode.tui.clean import clean


def trust(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Trust a repository as it is now, show what that means, or take it back."""
    from ctxcode.bootstrap.application import Use
    from ctxcode.cli.opening import opened

    application = opened(arguments, environment, Use.ANSWER)
    if application.adapters.commands is None:
        raise CtxcodeError("Commands can't be run here.")
    commands = application.adapters.commands()
    if arguments.is_revoked:
        commands.permissions.save(replace(commands.permissions.load(), files=None, grants=(), texts=()))
    elif not arguments.is_shown_only:
        commands.trust_now(commands.trust())
    found = commands.trust()
    root = application.adapters.workspace.info.root
    if arguments.format == "json":
        print(json.dumps(_object(root, found, commands.shell.sandbox)))
        return 0
    for line in _lines(found, commands.shell.sandbox):
        print(line)
    for grant in commands.permissions.load().grants if found.is_trusted else ():
        print(f"always allowed: {clean(grant.shown)}")
    return 0


def _lines(found: Trust, sandbox: Sandbox) -> list[str]:
    if found.is_trusted:
        lines = ["trusted, until one of these changes:" if found.files else "trusted; no file here decides what runs"]
    elif found.was_trusted:
        lines = [*(f"changed: {clean(path)}" for path in found.changed), *clean(found.difference).split("\n")]
        lines.append("no longer trusted; what decides now:")
    else:
        lines = ["not trusted; what decides what commands do here:" if found.files else "not trusted"]
    lines += [f"  {clean(path)}" for path, _ in found.files]
    lines.append(f"sandbox: {sandbox.name}" if sandbox.is_there else f"no sandbox: {clean(sandbox.problem)}")
    return lines


def _object(root: str, found: Trust, sandbox: Sandbox) -> dict[str, object]:
    return {
        "repository": root,
        "trusted": found.is_trusted,
        "changed": list(found.changed),
        "difference": found.difference,
        "files": [path for path, _ in found.files],
        "sandbox": sandbox.name or None,
        "sandbox_problem": sandbox.problem or None,
    }
