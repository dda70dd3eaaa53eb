"""What holds for the whole run."""

import gc
import os
import signal
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if sys.platform != "win32":
    import resource

OPEN_FILES = 4_096
# Property tests are bounded by their examples, never by time: a slow machine is no defect. They try the same examples
# every time; ``--hypothesis-profile=new`` tries others.
settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("new"), derandomize=True)
settings.load_profile("same")


def pytest_configure() -> None:
    """Let interrupts reach what tests start, also when this run is a shell's background job and ignores them itself.

    And allow it more open files than many systems do: what tests leave open stays so until garbage is looked for. What
    git is told by whoever runs the tests decides nothing.
    """
    os.environ["GIT_CONFIG_GLOBAL"] = str(Path(__file__).with_name("nobody.gitconfig"))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < OPEN_FILES:
            # No limit is a negative one.
            most = min(OPEN_FILES, hard) if hard >= 0 else OPEN_FILES
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker begin a folder at another place: whoever comes first to a new module prepares it for all."""
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker is not None and isinstance(collector, pytest.Dir):
        found = report.result or []
        begin = len(found) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        report.result = found[begin:] + found[:begin]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the files of what was asked for into the one order that all workers must have."""
    asked = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]

    @cache
    def place(path: Path) -> tuple[int, Path]:
        return next((at for at, folder in enumerate(asked) if path.is_relative_to(folder)), len(asked)), path

    items.sort(key=lambda item: place(item.path))


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
