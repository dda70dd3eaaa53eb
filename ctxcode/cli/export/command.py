"""``ctxcode export``: a session as a file."""

import asyncio
from collections.abc import Mapping

from ctxcode.cli.arguments import Arguments
from ctxcode.cli.converse import session_for
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.cli.opening import opened
from ctxcode.model.errors import CtxcodeError, UsageError
from ctxcode.tui.export.conversation import ExportFormat, gathered, written


def export(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Print or write a session, the last one unless another is named."""
    application = opened(arguments, environment)
    session = session_for(application, arguments, resumes=True, writes=False)
    leave_to_event_loop()
    conversation = asyncio.run(gathered(session))
    if not conversation.exchanges:
        raise UsageError("No session is stored for this repository yet.", "Start one: ctxcode")
    text = written(conversation, _form(arguments))
    if arguments.output is None:
        print(text, end="")
    else:
        try:
            arguments.output.write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise CtxcodeError(
                f"{str(arguments.output)!r} can't be written: {error.strerror}.", "Give another file."
            ) from error
        print(f"session {session.id} written to {str(arguments.output)!r}")
    return 0


def _form(arguments: Arguments) -> ExportFormat:
    """Return the form that was asked for, by name or by the file's ending; Markdown for neither."""
    if arguments.format:
        return ExportFormat(arguments.format)
    ending = arguments.output.suffix.casefold() if arguments.output is not None else ""
    return next((form for form in ExportFormat if form.suffix == ending), ExportFormat.MARKDOWN)
