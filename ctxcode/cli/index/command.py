"""The index command: a parser starts first, and all else loads while it does."""

from collections.abc import Mapping

from ctxcode.bootstrap.index.early import start_parser
from ctxcode.cli.arguments import Arguments


def index(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Build or refresh the index and say what it holds."""
    programs = start_parser(arguments.repository, environment)
    from ctxcode.cli.index.building import build

    return build(arguments, environment, programs)
