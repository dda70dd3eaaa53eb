"""``ctxcode export``: a session as a file."""

import asyncio
from collections.abc import Mapping

from ctxcode.cli.arguments import Arguments
from ctxcode.cli.converse import session_for
from ctxcode.cli.export.place import save
from ctxcode.cli.interruption import leave_to_event_loop
from ctxcode.cli.opening import opened
from ctxcode.model.errors import UsageError
from ctxcode.tui.export.conversation import ExportFormat, file_name, gathered, written


def export(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Print or write a session, the last one unless another is named."""
    application = opened(arguments, environment)
    session = session_for(application, arguments, resumes=True, writes=False)
    leave_to_event_loop()
    conversation = asyncio.run(gathered(session))
    if not conversation.exchanges:
        raise UsageError("No session is stored for this repository yet.", "Start one: ctxcode")
    form = _form(arguments)
    text = written(conversation, form)
    if arguments.output is None:
        print(text, end="")
    else:
        kept = save(arguments.output, text, file_name(conversation, form))
        print(f"session {session.id} written to {str(kept)!r}")
    return 0


def _form(arguments: Arguments) -> ExportFormat:
    """Return the form that was asked for, by name or by the file's ending; Markdown for neither."""
    if arguments.format:
        return ExportFormat(arguments.format)
    ending = arguments.output.suffix.casefold() if arguments.output is not None else ""
    return next((form for form in ExportFormat if form.suffix == ending), ExportFormat.MARKDOWN)
