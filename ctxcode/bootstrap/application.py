"""Everything ctxcode needs for one repository, put together.

What a command may never need (worker processes, models, the screen's session, the doctor) is imported where it is made:
a question on a warm index has to be answered in the time those imports take.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.codegraph.languages import FACTS_VERSION, grammar_versions, language_of
from ctxcode.codegraph.paths import shortest_path
from ctxcode.llm.catalogue import Catalogue
from ctxcode.llm.quick_tokens import QuickCounter
from ctxcode.llm.tokens import TiktokenCounter, open_counter
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.engine.vector import SemanticUse
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.ids import SessionId
from ctxcode.model.secret.text import SecretPolicy, secret_values
from ctxcode.retrieval.semantic import Embedder, Semantic
from ctxcode.session.adapters import Adapters
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.index.joining import FactTools, Named
from ctxcode.session.ports import Indexer, TokenCounter
from ctxcode.settings.directory import Directories, directories, repository_key
from ctxcode.settings.settings import Settings, settings_for
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.journal import SqliteJournal
from ctxcode.workspace.edits.pending import is_interrupted
from ctxcode.workspace.environment_file import environment_file_values
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.git import git_folder, outermost_folder

if TYPE_CHECKING:
    from ctxcode.codegraph.edges import PackedGraph
    from ctxcode.codegraph.facts import FileFacts
    from ctxcode.codegraph.pool import ParsePool
    from ctxcode.llm.aside.process import ModelProcess
    from ctxcode.llm.navigator.responder import Navigator
    from ctxcode.model.engine.strategy import StrategySetting
    from ctxcode.session.command.desk import Commands
    from ctxcode.session.session import Session
    from ctxcode.session.strategy.catalogue import StrategyCatalogue, StrategyPlugin
    from ctxcode.store.index.graph import PublishedGraph
    from ctxcode.workspace.edits.editor import FolderEditor


_MOST_EMBEDDED = 128
"""Candidates of a question that an embedding model is asked about: two requests."""


@dataclass(frozen=True, slots=True)
class Application:
    """ctxcode on one repository."""

    settings: Settings
    directories: Directories
    adapters: Adapters
    models: Catalogue
    chosen: frozenset[str]
    """The settings the command line named."""
    notices: tuple[str, ...] = ()
    """What the user should know: the conversation database was damaged, or an interrupted edit was taken back."""
    edits: EditPolicy = EditPolicy.ASK
    """Who decides on proposed edits."""

    def session(self, session: SessionId | None, *, is_attended: bool = False) -> "Session":
        """Return a session; None starts a new one; ``is_attended`` when somebody is there to answer questions.

        Raises ModelUnknownError for a model that can't be one.
        """
        from ctxcode.action.limits import Limits
        from ctxcode.session.defaults import Defaults
        from ctxcode.session.session import Session

        settings = self.settings
        defaults = Defaults(
            mode=settings.mode,
            model=settings.model,
            budget_tokens=settings.budget_tokens,
            output_reserve_tokens=settings.output_reserve_tokens,
            loops=settings.loops,
            edits=self.edits,
            limits=Limits(settings.max_cost, settings.max_turns),
            is_attended=is_attended,
            chosen=self.chosen,
        )
        return Session(self.adapters, defaults, session)


def open_application(
    repository: Path,
    *,
    overrides: Mapping[str, object],
    environment: Mapping[str, str],
    is_brief: bool = False,
    is_screen: bool = False,
    allowed: Sequence[str] = (),
) -> Application:
    """Open everything ctxcode needs for a repository; ``is_brief`` is for a process that ends after one answer.

    ``is_screen`` is for one whose keys must never wait: what takes long is done in processes of its own.
    ``allowed`` are commands that run without a question, each with any plain words after it.

    Raises RepositoryError, SettingsError or StoreError.
    """
    workspace = open_workspace(str(repository), language_of)
    root = Path(workspace.info.root)
    os.environ["PATH"] = _search_path_outside(Path(outermost_folder(str(root))), os.environ.get("PATH", os.defpath))
    folders = directories(environment)
    settings = settings_for(root, overrides=overrides, environment=environment)
    cache = folders.cache / repository_key(root)
    index = open_index(cache)
    indexing = indexing_for(workspace, index, settings.workers)
    models = Catalogue(
        api_base=settings.api_base,
        context_tokens=settings.context_tokens,
        tools=settings.tools,
        environment=environment,
        navigator=partial(_navigator, index, workspace),
        process=_model_process() if is_screen else None,
    )
    secrets = SecretPolicy(is_on=settings.withhold_secrets, known=_known_secrets(root, environment))
    journal = SqliteJournal(conversation_file(folders, root))
    kept = folders.data / repository_key(root) / "undo"
    editor = _editor(root, kept)
    adapters = Adapters(
        workspace=workspace,
        editor=editor,
        graph=index,
        indexer=_aside(indexing, workspace, cache, settings.workers) if is_screen else indexing,
        journal=journal,
        catalogue=models,
        counter_for=_counters(folders.cache / "tokenizers" if is_brief or is_screen else None),
        clock=time.time,
        new_session_id=_session_id,
        notices=lambda model: (*journal.notices, *models.notices(model)),
        prepare=models.prepare,
        strategies=_strategies(settings.strategy),
        semantic=_semantic(settings, cache, models, secrets),
        commands=_commands(workspace, conversation_file(folders, root).parent, settings, environment, allowed),
        secrets=secrets,
    )
    notices = (*journal.notices, *(_interrupted_edit(editor()) if is_interrupted(kept) else ()))
    return Application(settings, folders, adapters, models, frozenset(overrides), notices)


def _editor(root: Path, kept: Path) -> "Callable[[], FolderEditor]":
    """Return what edits files, made once; ``kept`` is where the bytes go that files had before."""

    @cache
    def made() -> "FolderEditor":
        from ctxcode.workspace.edits.editor import FolderEditor
        from ctxcode.workspace.edits.vault import Vault

        return FolderEditor(str(root), Vault(kept))

    return made


def _interrupted_edit(editor: "FolderEditor") -> tuple[str, ...]:
    """Take back an edit that was being written when ctxcode ended; return what the user should know of it."""
    try:
        restored = editor.recover()
    except CtxcodeError as error:
        return (f"{error}. {error.hint}",)
    if not restored:
        return ()
    return (f"An edit was interrupted while it was written; these are as they were before it: {', '.join(restored)}.",)


def _search_path_outside(root: Path, search_path: str) -> str:
    """Return a PATH without relative entries and entries in the repository.

    Libraries start programs by name (``uname``, say); with ``.`` in the PATH the repository would supply them.
    """
    entries = [entry for entry in search_path.split(os.pathsep) if Path(entry).is_absolute()]
    return os.pathsep.join(entry for entry in entries if not Path(os.path.realpath(entry)).is_relative_to(root))


def _commands(
    workspace: FolderWorkspace, kept: Path, settings: Settings, environment: Mapping[str, str], allowed: Sequence[str]
) -> "Callable[[], Commands]":
    """Return what runs commands, made once, when a session needs it; all that decides how is the user's own."""

    @cache
    def made() -> "Commands":
        from ctxcode.action.command_policy import Places, grant_of
        from ctxcode.session.command.desk import Commands
        from ctxcode.store.permission.file import PermissionFile
        from ctxcode.workspace.command.deciding import deciding_files, deciding_texts
        from ctxcode.workspace.command.shell import local_shell
        from ctxcode.workspace.command.stamps import stamps_of

        root = workspace.info.root
        shell = local_shell(root, environment, may_confine=settings.sandbox)
        return Commands(
            shell=shell,
            permissions=PermissionFile(kept / "permissions.json", root),
            deciding=lambda: deciding_files(root, workspace.file_paths(), git_folder(root)),
            texts=lambda names: deciding_texts(root, names, git_folder(root)),
            places=Places(root, shell.home),
            stamps=lambda: stamps_of(root, workspace.file_paths()),
            timeout_seconds=settings.command_seconds,
            flags=tuple(grant_of(words) for text in allowed if (words := text.split())),
        )

    return made


def _known_secrets(root: Path, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values no model is told: those of the user's environment and of the repository's own ``.env``."""
    return secret_values([*environment.items(), *environment_file_values(str(root))])


def conversation_file(folders: Directories, root: Path) -> Path:
    """Return where a repository's sessions and plans are kept."""
    return folders.data / repository_key(root) / "ctxcode.db"


def open_index(folder: Path) -> SqliteIndex:
    """Return the index that is kept in a folder; it is created when first written."""
    versions = ",".join(f"{name}={version}" for name, version in sorted(grammar_versions().items()))
    return SqliteIndex(folder, versions=f"facts={FACTS_VERSION},{versions}", find_path=shortest_path)


def _navigator(index: SqliteIndex, workspace: FolderWorkspace) -> "Navigator":
    from ctxcode.llm.navigator.responder import Navigator

    return Navigator(index, workspace.read_text)


def indexing_for(workspace: FolderWorkspace, index: SqliteIndex, workers: int | None) -> Indexing:
    """Return what brings an index in step in this process, with a number of workers or as many as do good."""
    root = workspace.info.root
    most_workers = workers or max(1, min(2, os.cpu_count() or 1))
    return Indexing(
        workspace,
        index,
        lambda wanted: _parse_pool(root, min(wanted, most_workers)),
        hash_file=partial(_content_hash, root),
        tools=FactTools(decode=_decoded, build_graph=_graph, update_graph=_updated_graph),
    )


def _aside(indexing: Indexing, workspace: FolderWorkspace, cache: Path, workers: int | None) -> Indexer:
    from ctxcode.bootstrap.aside.indexing import IndexingAside

    return IndexingAside(indexing, workspace, cache, workers)


def _model_process() -> "ModelProcess":
    from ctxcode.llm.aside.process import ModelProcess

    return ModelProcess()


def _parse_pool(root: str, workers: int) -> "ParsePool":
    from ctxcode.codegraph.pool import ParsePool

    return ParsePool(Path(root), workers=workers)


def _content_hash(root: str, path: str) -> str:
    from ctxcode.codegraph.isolation.intake import take_in

    return take_in(root, path).content_hash


def _decoded(data: bytes) -> "FileFacts":
    from ctxcode.codegraph.codec import decode_facts

    return decode_facts(data)


def _graph(files: Mapping[str, "FileFacts"]) -> "PackedGraph":
    from ctxcode.codegraph.resolve.graph import build_graph

    _load_numpy()
    return build_graph(files)


@cache
def _load_numpy() -> None:
    """Load numpy without the threads its linear algebra would start, one per core: graphs need none of it."""
    name = "OPENBLAS_NUM_THREADS"
    is_ours = name not in os.environ
    os.environ.setdefault(name, "1")
    import numpy  # noqa: F401, ICN001 - only while indexing

    if is_ours:
        del os.environ[name]


def _updated_graph(
    graph: "PublishedGraph",
    changed: "Mapping[int, FileFacts]",
    facts: "Callable[[int], FileFacts]",
    named: "Named",
) -> "PackedGraph | None":
    from ctxcode.codegraph.resolve.update import update_graph

    return update_graph(graph, changed, facts, named)


def _counters(quick_folder: Path | None) -> Callable[[str], TokenCounter]:
    """Return token counters by tokenizer, each loaded once; with a folder the ones that start quickly."""
    known: dict[str, TokenCounter] = {}

    def counter_for(tokenizer: str) -> TokenCounter:
        if tokenizer not in known:
            counter = _exact_counter(tokenizer)
            if quick_folder is not None and isinstance(counter, TiktokenCounter):
                known[tokenizer] = QuickCounter(counter, quick_folder)
            else:
                known[tokenizer] = counter
        return known[tokenizer]

    return counter_for


@cache
def _exact_counter(tokenizer: str) -> TokenCounter:
    """Return a counter, the same one for every application of a process: a vocabulary takes 40 MB and a moment."""
    return open_counter(tokenizer)


def _semantic(settings: Settings, kept: Path, models: Catalogue, secrets: SecretPolicy) -> Semantic | None:
    """Return what compares by meaning; ``kept`` is the folder for the vectors of texts, beside the index."""
    name = settings.embedding_model
    if settings.semantic is SemanticUse.OFF:
        return None

    @cache
    def made() -> Embedder:
        from ctxcode.llm.embedding.static import StaticEmbedder
        from ctxcode.store.vectors import KeptVectors

        own = StaticEmbedder() if name is None else models.embedder(name, lambda text: secrets.cleared(text).text)
        return KeptVectors(own, kept / "vectors.db")

    if name is None:
        return Semantic(made, settings.semantic)
    return Semantic(made, settings.semantic, most=_MOST_EMBEDDED, is_asked=True)


def _strategies(setting: "StrategySetting") -> "Callable[[], StrategyCatalogue]":
    @cache
    def made() -> "StrategyCatalogue":
        from ctxcode.session.strategy.catalogue import StrategyCatalogue

        return StrategyCatalogue(setting, _strategy_plugins)

    return made


def _strategy_plugins() -> "tuple[StrategyPlugin, ...]":
    """Return the strategies that other installed packages offer; none is imported yet."""
    from importlib.metadata import entry_points

    from ctxcode.context.strategies.port import GROUP
    from ctxcode.session.strategy.catalogue import StrategyPlugin

    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(StrategyPlugin(point.name, point.dist.name if point.dist else "?", point.load) for point in found)


def _session_id() -> SessionId:
    return SessionId(time.strftime("%Y%m%d-%H%M%S-") + os.urandom(3).hex())
