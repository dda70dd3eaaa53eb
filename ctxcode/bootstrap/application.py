"""Everything ctxcode needs for one repository, put together.

What a command may never need (worker processes, models, the screen's session, the doctor) is imported where it is made:
a question on a warm index has to be answered in the time those imports take.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.bootstrap.edits import editor_of, taken_back, undo_folder
from ctxcode.bootstrap.index.opening import begin_index, index_place, indexing_for, open_index
from ctxcode.bootstrap.moved import bring_along, remember
from ctxcode.bootstrap.search_path import keep_programs_outside
from ctxcode.codegraph.languages import language_of
from ctxcode.llm.catalogue import Catalogue
from ctxcode.llm.counting.quick_tokens import QuickCounter
from ctxcode.llm.counting.tokens import TiktokenCounter, open_counter, tokenizer_for
from ctxcode.model.edit.policy import EditPolicy
from ctxcode.model.ids import SessionId
from ctxcode.model.secret.text import SecretPolicy, secret_values
from ctxcode.retrieval.semantic import Embedder, Semantic
from ctxcode.session.adapters import Adapters
from ctxcode.session.index.indexing import Indexing
from ctxcode.session.ports import ChatModel, TokenCounter
from ctxcode.settings.directory import Directories, directories, repository_key
from ctxcode.settings.settings import Settings, settings_for, settings_told
from ctxcode.store.index.reader import SqliteIndex
from ctxcode.store.journal import SqliteJournal
from ctxcode.workspace.environment_file import environment_file_values
from ctxcode.workspace.files import FolderWorkspace, open_workspace
from ctxcode.workspace.git import git_folders

if TYPE_CHECKING:
    from ctxcode.bootstrap.aside.indexing import IndexingAside
    from ctxcode.bootstrap.index.ahead import EarlyCheck
    from ctxcode.llm.aside.embedder import EmbedderAside
    from ctxcode.llm.aside.process import ModelProcess
    from ctxcode.llm.navigator.responder import Navigator
    from ctxcode.model.engine.strategy import StrategySetting
    from ctxcode.session.command.desk import Commands
    from ctxcode.session.session import Session
    from ctxcode.session.strategy.catalogue import StrategyCatalogue, StrategyPlugin


_VECTORS = "vectors.db"


class Use(Enum):
    """What a process opens an application for."""

    ANSWER = 1
    """It ends after one answer: what starts quickly is taken."""
    SESSION = 2
    TALK = 3
    """As a session, with somebody there who reads what it says."""
    SCREEN = 4
    """As a talk, whose keys must never wait: what takes long is done in processes of its own."""
    READ_ONLY = 5
    """An answer where nothing can be written: index and conversations begin as they are on disk and stay in memory."""


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
    """What the user should know: a file that was left out or damaged, an interrupted edit that was taken back."""
    edits: EditPolicy = EditPolicy.ASK
    """Who decides on proposed edits."""

    def saying(self, notice: str) -> "Application":
        """Return the application with one more thing that its sessions tell the user."""
        told = self.adapters.notices
        return replace(self, adapters=replace(self.adapters, notices=lambda model: (notice, *told(model))))

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
            api_base=settings.api_base or "",
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
    use: Use = Use.SESSION,
    allowed: Sequence[str] = (),
    check: "EarlyCheck | None" = None,
) -> Application:
    """Open everything ctxcode needs for a repository.

    ``allowed`` are commands that run without a question, each with any plain words after it; ``check`` tells whether
    the index is up to date. Where somebody is there to be told, broken settings of the repository are left out.

    Raises RepositoryError, SettingsError or StoreError.
    """
    workspace = open_workspace(str(repository), language_of)
    root = Path(workspace.info.root)
    keep_programs_outside(root)
    folders = directories(environment)
    settings, left_out = _settings(root, overrides, environment, use)
    journal, brought = _journal(folders, root, is_kept=use is not Use.READ_ONLY)
    kept = undo_folder(folders, root)
    editor = editor_of(root, kept)
    taken = taken_back(editor, kept)
    # What is taken back changes files after they were looked at.
    workspace = workspace if check is None or taken else replace(workspace, is_known_as_in=check.holds)
    cache = folders.cache / repository_key(root)
    index = _index(cache, root, use)
    indexing = indexing_for(workspace, index, settings.workers, keeps_parser=True)
    models = _catalogue(settings, environment, use, partial(_navigator, index, workspace))
    aside = _aside(use, indexing, workspace, index_place(cache), settings.workers)
    secrets = SecretPolicy(is_on=settings.withhold_secrets, known=_known_secrets(root, environment))
    adapters = Adapters(
        workspace=workspace,
        editor=editor,
        graph=index,
        indexer=indexing if aside is None else aside,
        journal=journal,
        catalogue=models,
        counter_for=_counters(folders.cache / "tokenizers", use, settings.model),
        clock=time.time,
        new_session_id=_session_id,
        notices=lambda model: (*left_out, *brought, *journal.notices, *models.notices(model)),
        let_go=models.let_go,
        prepare=partial(_prepare, models, aside),
        rest=partial(_rest, aside),
        strategies=_strategies(settings.strategy),
        semantic=_semantic(settings, folders.cache, cache, models, secrets),
        commands=_commands(workspace, conversation_file(folders, root).parent, settings, environment, allowed),
        secrets=secrets,
    )
    notices = (*left_out, *brought, *journal.notices, *taken)
    return Application(settings, folders, adapters, models, frozenset(overrides), notices)


def _journal(folders: Directories, root: Path, *, is_kept: bool) -> tuple[SqliteJournal, tuple[str, ...]]:
    """Return a repository's conversations, and what to tell of where they were. Raises StoreError."""
    file = conversation_file(folders, root)
    told = bring_along(folders, root, file.name) if is_kept else ""
    journal = SqliteJournal(file, is_kept=is_kept)
    if is_kept:
        remember(folders, root)
    return journal, (told,) if told else ()


def _index(cache: Path, root: Path, use: Use) -> SqliteIndex:
    """Return the index; before a screen is there none is begun, however quickly that is done."""
    if use not in {Use.SCREEN, Use.READ_ONLY}:
        begin_index(cache, root)
    return open_index(cache, is_kept=use is not Use.READ_ONLY)


def _settings(
    root: Path, overrides: Mapping[str, object], environment: Mapping[str, str], use: Use
) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings in force, and what to tell of a file that is left out. Raises SettingsError.

    Where nobody may read what is told, nothing is left out: a plan would be another one than the repository asks for.
    """
    if use in {Use.TALK, Use.SCREEN}:
        settings, told = settings_told(root, overrides=overrides, environment=environment)
        return settings, (told,) if told else ()
    return settings_for(root, overrides=overrides, environment=environment), ()


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
            deciding=lambda: deciding_files(root, workspace.file_paths(), git_folders(root)),
            texts=lambda names: deciding_texts(root, names, git_folders(root)),
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


def _catalogue(
    settings: Settings, environment: Mapping[str, str], use: Use, navigator: "Callable[[], Navigator]"
) -> Catalogue:
    return Catalogue(
        api_base=settings.api_base,
        context_tokens=settings.context_tokens,
        tools=settings.tools,
        environment=environment,
        navigator=navigator,
        process=_model_process() if use is Use.SCREEN else None,
    )


def _navigator(index: SqliteIndex, workspace: FolderWorkspace) -> "Navigator":
    from ctxcode.llm.navigator.responder import Navigator

    return Navigator(index, workspace.read_text)


def _aside(
    use: Use, indexing: Indexing, workspace: FolderWorkspace, place: Path, workers: int | None
) -> "IndexingAside | None":
    if use is not Use.SCREEN:
        return None
    from ctxcode.bootstrap.aside.indexing import IndexingAside

    return IndexingAside(indexing, workspace, place, workers)


def _prepare(models: Catalogue, aside: "IndexingAside | None", model: ChatModel) -> None:
    """Have ready soon what a model's next call, and the next edit, would wait for."""
    models.prepare(model)
    if aside is not None:
        aside.prepare()


def _rest(aside: "IndexingAside | None") -> None:
    if aside is not None:
        aside.rest()


def _model_process() -> "ModelProcess":
    from ctxcode.llm.aside.process import ModelProcess

    return ModelProcess()


def _counters(quick_folder: Path, use: Use, model: str | None) -> Callable[[str], TokenCounter]:
    """Return token counters by tokenizer, each loaded once; those that start quickly keep files in a folder.

    What a screen's first plan is going to wait for, counting for its model, begins here.
    """
    known: dict[str, TokenCounter] = {}

    def counter_for(tokenizer: str) -> TokenCounter:
        if tokenizer not in known:
            counter = _exact_counter(tokenizer)
            if use in {Use.SESSION, Use.TALK} or not isinstance(counter, TiktokenCounter):
                known[tokenizer] = counter
            elif use is Use.SCREEN:
                from ctxcode.llm.aside.vocabulary import CounterAside

                known[tokenizer] = aside = CounterAside(counter, quick_folder)
                aside.begin()
            else:
                known[tokenizer] = QuickCounter(counter, quick_folder)
        return known[tokenizer]

    if use is Use.SCREEN:
        counter_for(tokenizer_for(model))
    return counter_for


@cache
def _exact_counter(tokenizer: str) -> TokenCounter:
    """Return a counter, the same one for every application of a process: a vocabulary takes 40 MB and a moment."""
    return open_counter(tokenizer)


def _semantic(
    settings: Settings, caches: Path, kept: Path, models: Catalogue, secrets: SecretPolicy
) -> Semantic | None:
    """Return what compares by meaning; ``kept`` is the folder for what a model made of texts, beside the index."""
    name = settings.embedding_model
    if not settings.semantic:
        return None

    asked: list[EmbedderAside] = []

    @cache
    def made() -> Embedder:
        if name is None:
            from ctxcode.llm.embedding.static import StaticEmbedder

            return StaticEmbedder(kept=caches / "words")
        from ctxcode.store.vectors import KeptVectors

        asked.append(models.embedder(name, lambda text: secrets.cleared(text).text))
        return KeptVectors(asked[-1], kept / _VECTORS, lambda: caches.glob(f"*/{_VECTORS}"))

    def stop() -> None:
        for one in asked:
            one.stop()

    return Semantic(made, is_asked=name is not None, stop=stop)


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
