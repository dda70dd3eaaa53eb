"""A cold index beside aider's cold repo map, over the Python files of one repository, in one run.

    python tests/bench/bench_against_aider.py REPOSITORY AIDER_PYTHON [RUNS]

AIDER_PYTHON is the interpreter of an environment with aider-chat. Both start with no cache. Like is set beside like:
the work itself, without the start of an interpreter and its imports, and the whole processes.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AIDER = """
import sys, time, pathlib, shutil
root = sys.argv[1]
started = time.perf_counter()
from aider.repomap import RepoMap
from aider.io import InputOutput
import tiktoken
class Model:
    def __init__(self):
        self.encoding = tiktoken.get_encoding("cl100k_base")
    def token_count(self, text):
        return len(self.encoding.encode_ordinary(text))
imported = time.perf_counter()
files = sorted(str(p) for p in pathlib.Path(root).rglob("*.py"))
map = RepoMap(map_tokens=1024, root=root, main_model=Model(), io=InputOutput(yes=True, pretty=False), refresh="always")
text = map.get_repo_map([], files)
print(time.perf_counter() - imported, len(text or ""), len(files))
"""


def tokenizer_folder() -> str:
    import importlib.util

    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers")


def aider_seconds(python: str, repository: Path) -> tuple[float, float]:
    """Return the seconds of (the map, the process)."""
    shutil.rmtree(repository / ".aider.tags.cache.v4", ignore_errors=True)
    environment = {**os.environ, "TIKTOKEN_CACHE_DIR": tokenizer_folder(), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    started = time.perf_counter()
    run = subprocess.run(
        [python, "-c", AIDER, str(repository)], capture_output=True, text=True, check=True, env=environment
    )
    whole = time.perf_counter() - started
    for cache in repository.glob(".aider*"):
        shutil.rmtree(cache, ignore_errors=True)
    return float(run.stdout.split()[-3]), whole


def our_seconds(repository: Path) -> tuple[float, float]:
    """Return the seconds of (the index, the process)."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "XDG_CACHE_HOME": f"{home}/c", "XDG_DATA_HOME": f"{home}/d"}
        started = time.perf_counter()
        command = [str(Path(sys.executable).with_name("ctxcode")), "index", str(repository), "--format", "json"]
        run = subprocess.run(command, capture_output=True, check=True, env=environment)
        whole = time.perf_counter() - started
    return float(json.loads(run.stdout)["seconds"]), whole


def _all_but_python(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".py") and not (Path(folder) / name).is_dir()]


def main() -> None:
    python, runs = sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder) / "tree"
        shutil.copytree(sys.argv[1], repository, ignore=_all_but_python)
        pairs = [(our_seconds(repository), aider_seconds(python, repository)) for _ in range(runs)]
    for part, what in enumerate(("the work itself", "the whole process")):
        ours, theirs = (statistics.median(side[part] for side in column) for column in zip(*pairs, strict=True))
        print(f"{what}: ctxcode {ours:.2f} s, aider's map {theirs:.2f} s, {theirs / ours:.2f} times faster")


if __name__ == "__main__":
    main()
