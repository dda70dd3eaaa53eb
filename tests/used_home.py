"""What the program makes once for a user, in a test's home: nearly all that it does there is not its first work."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ctxcode.llm.counting.quick_tokens import QuickCounter
from ctxcode.llm.counting.tokens import TiktokenCounter
from ctxcode.llm.embedding.static import StaticEmbedder


def use_home(folder: Path) -> None:
    """Leave in a new home what the first question on a machine prepares (some 2 s): a vocabulary and word vectors.

    Does nothing where the folder does not exist, or the program kept something before.
    """
    caches = folder / "cache"
    if not folder.is_dir() or caches.exists():
        return
    for name, data in _prepared().items():
        path = caches / "ctxcode" / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(data)


@cache
def _prepared() -> dict[str, bytes]:
    with TemporaryDirectory() as made:
        folder = Path(made)
        QuickCounter(TiktokenCounter("o200k_base"), folder / "tokenizers").count("a")
        if find_spec("wordllama") is not None:
            StaticEmbedder(kept=folder / "words").embed(["a"])
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
