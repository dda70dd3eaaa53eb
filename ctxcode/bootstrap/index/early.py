"""A parser process that starts before anything else is imported, when all is to be parsed; so it imports little."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxcode.bootstrap.search_path import keep_programs_outside
from ctxcode.codegraph.isolation.program import start_program
from ctxcode.model.errors import SettingsError
from ctxcode.settings.directory import directories, repository_key

if TYPE_CHECKING:
    from subprocess import Popen

_MOST_WORKERS = 4
"""More wait for the process that joins what they find."""

Programs = list["Popen[bytes]"]


class IndexFolder(NamedTuple):
    """A repository's folder, and the one its index is kept in."""

    root: Path
    cache: Path


def index_folder(repository: Path, environment: Mapping[str, str]) -> IndexFolder | None:
    """Return where a repository's index is, None when something is wrong with the repository or the folders.

    What it is, is found, and said, by who opens them.
    """
    try:
        root = Path(repository.expanduser()).resolve(strict=True)
        if not root.is_dir():
            return None
        keep_programs_outside(root)
        return IndexFolder(root, directories(environment).cache / repository_key(root))
    except (OSError, ValueError, RuntimeError, SettingsError):
        return None


def start_parser(repository: Path, environment: Mapping[str, str]) -> Programs:
    """Return a started parser process for a repository that has no index yet, none for one that may have.

    It takes as long to be ready as everything else takes to load. If there is much to parse, others start then.
    """
    place = index_folder(repository, environment)
    return start_parser_for(place.cache) if place is not None else []


def start_parser_for(cache: Path) -> Programs:
    """Return the same for the folder of an index."""
    programs: Programs = []
    with suppress(OSError):
        if not cache.exists():
            programs.append(start_program())
    return programs


def useful_workers() -> int:
    """Return how many parser processes do good here: one for each core this process may use, at most four."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(_MOST_WORKERS, cores)
