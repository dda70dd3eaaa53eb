"""What holds for the whole run."""

import signal


def pytest_configure() -> None:
    """Let interrupts reach what tests start, also when this run is a shell's background job and ignores them itself."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
