"""An embedding model behind litellm, over HTTP to a scripted server, from the process for models."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from command import run_here
from model_thread import model_server
from scripted_model import ScriptedServer, letters

from ctxcode.bootstrap.application import open_application
from ctxcode.llm.aside.embedder import EmbedderAside
from ctxcode.llm.aside.process import ModelProcess
from ctxcode.llm.catalogue import Catalogue, StreamingModel
from ctxcode.llm.embedding.static import StaticEmbedder
from ctxcode.llm.retry import Deadlines
from ctxcode.model.engine.vector import vector_of
from ctxcode.model.errors import ModelError, ModelKeyError, ModelUnknownError
from ctxcode.model.plan import ContextMode
from ctxcode.retrieval.semantic import Embedder, Semantic
from ctxcode.session.assemble import Ask, Assembler
from ctxcode.store.vectors import KeptVectors


@dataclass
class Place:
    """Opens embedding models of one server, called from one process."""

    server: ScriptedServer
    process: ModelProcess

    def embedder(self, script: str, *, seconds: float = 60.0) -> EmbedderAside:
        def navigator() -> StreamingModel:
            raise ModelUnknownError("not here")

        models = Catalogue(
            api_base=self.server.base_url,
            context_tokens=None,
            environment={"OPENAI_API_KEY": "canary-key"},
            navigator=navigator,
            deadlines=Deadlines(total_seconds=seconds),
            process=self.process,
        )
        return models.embedder(f"openai/script-{script}", lambda text: text.replace("secret", "…"))

    def sent(self) -> list[list[str]]:
        return [list(received.body["input"]) for received in self.server.embedded]


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    made = ModelProcess()
    yield made
    made.close()


@pytest.fixture
def place(process: ModelProcess) -> Iterator[Place]:
    with model_server() as server:
        yield Place(server, process)


def vectors(texts: Sequence[str]) -> tuple[bytes, ...]:
    return tuple(vector_of(letters(text)) for text in texts)


def test_texts_go_in_batches_without_secrets_and_come_back_in_order(place: Place) -> None:
    texts = [f"text {'abc'[number % 3] * (number + 1)}" for number in range(100)]
    assert vectors(texts) == place.embedder("letters").embed(texts)
    assert [36, 64] == sorted(map(len, place.sent()))
    place.embedder("letters").embed(["the secret word", "", "long " * 4_000])
    assert ["the … word", True] == [place.sent()[-1][0], len(place.sent()[-1][1]) <= 2_000]
    assert "Bearer canary-key" == place.server.embedded[-1].headers["Authorization"]


def test_what_was_embedded_once_is_not_sent_again(place: Place, tmp_path: Path) -> None:
    for _ in range(2):
        kept = KeptVectors(place.embedder("letters"), tmp_path / "vectors.db")
        assert vectors(["one", "two"]) == kept.embed(["one", "two"])
        kept.close()
    assert [["one", "two"]] == place.sent()


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        ("bad-key", ModelKeyError, "refused the key"),
        ("not-found", ModelUnknownError, "knows no model"),
        ("server-error", ModelError, "500"),
        ("too-few", ModelError, "no vector for each text"),
        ("not-a-chat", ModelError, "."),
        ("elsewhere", ModelError, "leads to another address"),
    ],
)
def test_a_failure_is_told_by_its_cause_and_not_repeated_at_once(
    place: Place, script: str, kind: type[ModelError], words: str
) -> None:
    embedder = place.embedder(script)
    asked = []
    for _ in range(2):
        with pytest.raises(kind, match=words) as caught:
            embedder.embed(["one"])
        assert "canary" not in f"{caught.value} {caught.value.hint}"
        asked.append(len(place.server.embedded))
    assert asked[0] == asked[1] > 0


def test_a_server_that_never_answers_is_given_up(place: Place) -> None:
    with pytest.raises(ModelError, match="sent no vectors"):
        place.embedder("hang", seconds=0.5).embed(["one"])
    deadline, pause = time.monotonic() + 30, threading.Event()
    while not place.server.hung_up.is_set():
        assert time.monotonic() < deadline
        pause.wait(0.01)
    assert vectors(["two"]) == place.embedder("letters").embed(["two"])


def test_a_request_nobody_waits_for_is_ended_and_is_no_failure(place: Place) -> None:
    embedder = place.embedder("hang")
    with ThreadPoolExecutor(1) as threads:
        for times in (1, 2):
            waiting = threads.submit(embedder.embed, ["one"])
            deadline, pause = time.monotonic() + 30, threading.Event()
            while len(place.server.embedded) < times:
                assert time.monotonic() < deadline
                pause.wait(0.01)
            embedder.stop()
            with pytest.raises(ModelError, match="was ended"):
                waiting.result(30)


def test_nobody_is_asked_while_a_question_is_typed(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "order.py").write_text("def ship_order(order):\n    return order\n")
    application = open_application(tmp_path / "shop", overrides={}, environment={"HOME": str(tmp_path)})
    adapters = application.adapters
    adapters.indexer.refresh(lambda *_: None, lambda: False)
    asked = list[str]()

    def opened() -> Embedder:
        asked.append("vectors")
        return StaticEmbedder()

    model = application.models.info("navigator")
    counter = adapters.counter_for(model.tokenizer)
    assembler = Assembler(adapters.workspace, adapters.graph, counter, semantic=Semantic(opened, is_asked=True))
    ask = Ask("how is an order shipped", ContextMode.LIGHT, model, budget_tokens=8_000)
    for is_preview, times in ((True, 0), (False, 1), (True, 1), (False, 1)):
        assembler.assemble(replace(ask, is_preview=is_preview))
        assert times == len(asked)


def test_the_command_asks_the_model_that_is_set_and_says_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "places.py").write_text("def make_directory(path):\n    '''For uploads.'''\n    return path\n")
    (tmp_path / "shop" / "order.py").write_text("def ship_order(order):\n    '''For uploads.'''\n    return order\n")
    words = ("context", "where do uploads go", "--repo", str(tmp_path / "shop"), "--explain", "--format", "json")
    with model_server() as server:
        for script, notice in (("letters", ""), ("not-found", "Found by words only")):
            setting = {
                "CTXCODE_EMBEDDING_MODEL": f"openai/script-{script}",
                "CTXCODE_API_BASE": server.base_url,
                "OPENAI_API_KEY": "canary-key",
            }
            made = run_here(tmp_path, *words, extra=setting).json()
            assert made.get("search_notice", "").startswith(notice)
            assert (not notice) == any("semantic" in row["terms"] for row in made["candidates"])
        assert ["where do uploads go"] == [received.body["input"][0] for received in server.embedded][:1]
