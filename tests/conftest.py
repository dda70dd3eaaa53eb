"""What holds for the whole run."""

import signal

from hypothesis import HealthCheck, settings

# Property tests are bounded by their examples, never by time: a slow machine is no defect.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure() -> None:
    """Let interrupts reach what tests start, also when this run is a shell's background job and ignores them itself."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
