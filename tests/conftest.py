"""What holds for the whole run."""

import gc
import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# Property tests are bounded by their examples, never by time: a slow machine is no defect. They try the same examples
# every time; ``--hypothesis-profile=new`` tries others.
settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("new"), derandomize=True)
settings.load_profile("same")


def pytest_configure() -> None:
    """Let interrupts reach what tests start, also when this run is a shell's background job and ignores them itself."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Look for no garbage among tests and modules, a million objects that stay, neither now nor at every test's."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        # Twenty-odd times as rarely as usual: what a worker keeps from file to file took a twelfth of all its time.
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than processors, at most four: the tests of processes and terminals mostly wait."""
    return min((os.cpu_count() or 1) + 2, 4)
