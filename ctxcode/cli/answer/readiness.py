"""Opens a repository for a question about its graph, once its index is in step."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Application, Use
from ctxcode.cli.arguments import Arguments
from ctxcode.cli.opening import opened
from ctxcode.cli.progress import refresh_with_progress
from ctxcode.model.source import IndexReport

if TYPE_CHECKING:
    from ctxcode.bootstrap.index.ahead import EarlyCheck


def ready(
    arguments: Arguments, environment: Mapping[str, str], check: "EarlyCheck | None"
) -> tuple[Application, IndexReport]:
    """Return the application of a command, and what bringing its index in step came to."""
    application = opened(arguments, environment, Use.ANSWER, check)
    return application, refresh_with_progress(application.adapters.indexer)
