"""The commands that ask the index: whether it is up to date is looked at while all else loads."""

from collections.abc import Mapping

from ctxcode.bootstrap.index.ahead import start_check
from ctxcode.cli.arguments import Arguments


def answer(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Answer one question; returns the exit code."""
    check = start_check(arguments.repository, environment)
    if arguments.command == "context":
        from ctxcode.cli.answer.context import context

        return context(arguments, environment, check)
    from ctxcode.cli.answer import look, path

    commands = {"map": look.show_map, "symbol": look.symbol, "refs": look.refs, "path": path.path}
    return commands[arguments.command](arguments, environment, check)
