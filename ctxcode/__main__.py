"""Starts the command line: ``ctxcode`` and ``python -m ctxcode``. Imports little, for Ctrl+C to end the rest of it."""

from ctxcode.cli.interruption import end_in_imports, end_interrupted


def main() -> None:
    """Run the command line of this process and exit."""
    end_in_imports()
    try:
        from ctxcode.cli.main import main as run_command_line  # noqa: PLC0415 - see above

        run_command_line()
    except KeyboardInterrupt:
        end_interrupted()


if __name__ == "__main__":
    main()
