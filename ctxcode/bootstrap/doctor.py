"""What the doctor looks at, on this machine and in this repository."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcode.bootstrap.application import Application, Use, conversation_file, open_application
from ctxcode.codegraph.grammars import check_grammars
from ctxcode.llm.catalogue import Catalogue
from ctxcode.llm.counting.tokens import open_counter
from ctxcode.llm.embedding.static import StaticEmbedder
from ctxcode.llm.offered.local_servers import local_servers
from ctxcode.model.check import Check
from ctxcode.model.engine.vector import similarity
from ctxcode.model.errors import CtxcodeError, ModelError, ModelUnknownError, SettingsError, StoreError, UnwritableError
from ctxcode.model.symbol import IndexStats
from ctxcode.session import diagnosis
from ctxcode.session.diagnosis import ModelFacts, TerminalFacts
from ctxcode.settings.settings import Settings, settings_for
from ctxcode.store.check import journal_check, sqlite_check
from ctxcode.workspace.git import find_git

if TYPE_CHECKING:
    from ctxcode.llm.navigator.responder import Navigator


def diagnose(repository: Path, *, overrides: Mapping[str, object], environment: Mapping[str, str]) -> tuple[Check, ...]:
    """Return what works on this machine; what is broken becomes a failed check, not an error."""
    checks = list(diagnosis.terminal_checks(_terminal_facts(environment)))
    checks += diagnosis.grammar_checks(check_grammars())
    checks.append(sqlite_check())
    checks.append(diagnosis.git_check(find_git(str(repository), environment.get("PATH", os.defpath))))
    checks.append(_litellm_check())
    counter = open_counter("o200k_base")
    checks.append(diagnosis.tokenizer_check(counter.id))
    checks += _semantic_checks(repository, overrides, environment)
    checks += _repository_checks(repository, overrides, environment)
    checks += _model_checks(repository, overrides, environment)
    servers = [(server.name, server.address, server.models) for server in local_servers()]
    checks.append(diagnosis.server_check(servers))
    return tuple(checks)


def _repository_checks(
    repository: Path, overrides: Mapping[str, object], environment: Mapping[str, str]
) -> tuple[Check, ...]:
    opened = partial(open_application, repository, overrides=overrides, environment=environment)
    try:
        application, conversations = _with_conversations(opened)
    except SettingsError:
        # The model's checks say so: they need the settings too.
        return ()
    except CtxcodeError as error:
        return (diagnosis.failed("conversations" if isinstance(error, StoreError) else "repository", error),)
    try:
        stats, unwritable = _stats(opened, application)
        index = (diagnosis.index_check(application.adapters.workspace.info, stats), *unwritable)
    except CtxcodeError as error:
        index = (diagnosis.failed("index" if isinstance(error, StoreError) else "repository", error),)
    commands = application.adapters.commands
    sandbox = () if commands is None else (diagnosis.sandbox_check(commands().shell.sandbox),)
    return (*index, conversations, *sandbox)


def _with_conversations(opened: Callable[..., Application]) -> tuple[Application, Check]:
    """Return a repository's application and whether its conversations can be used; raises CtxcodeError."""
    try:
        application = opened()
    except UnwritableError as error:
        return opened(use=Use.READ_ONLY), diagnosis.failed("conversations", error)
    root = Path(application.adapters.workspace.info.root)
    return application, journal_check(conversation_file(application.directories, root))


def _stats(opened: Callable[..., Application], application: Application) -> tuple[IndexStats, tuple[Check, ...]]:
    """Return what the index holds, and what is wrong where it can't be written; raises CtxcodeError."""
    try:
        return application.adapters.graph.stats(), ()
    except UnwritableError as error:
        return opened(use=Use.READ_ONLY).adapters.graph.stats(), (diagnosis.failed("index", error),)


def _model_checks(
    repository: Path, overrides: Mapping[str, object], environment: Mapping[str, str]
) -> tuple[Check, ...]:
    """Return what is known of the model; it can be told without a repository that opens."""
    try:
        settings = settings_for(repository, overrides=overrides, environment=environment)
        return diagnosis.model_checks(_model_facts(_models(settings, environment), settings.model))
    except SettingsError as error:
        return (diagnosis.failed("settings", error),)
    except CtxcodeError as error:
        return (diagnosis.failed("model", error),)


def _semantic_checks(
    repository: Path, overrides: Mapping[str, object], environment: Mapping[str, str]
) -> tuple[Check, ...]:
    """Return whether texts can be compared by meaning; found out by comparing two, unless somebody had to be asked."""
    try:
        settings = settings_for(repository, overrides=overrides, environment=environment)
    except SettingsError:
        # The model's checks say so.
        settings = Settings()
    is_on, name = settings.semantic, settings.embedding_model
    embedder = StaticEmbedder()
    try:
        if name is not None:
            models = _models(settings, environment)
            endpoint = models.embedder(name, str).endpoint
            is_missing_key = endpoint.is_missing_key
            return (
                diagnosis.embedding_check(name, endpoint.shown_address, is_on=is_on, is_missing_key=is_missing_key),
            )
        closeness = similarity(*embedder.embed(["folder", "directory"]))
    except ModelUnknownError as error:
        return (diagnosis.failed("meaning", error) if name else diagnosis.without_meaning(error),)
    except ModelError as error:
        return (diagnosis.failed("meaning", error),)
    return (diagnosis.semantic_check(embedder.id, closeness, is_on=is_on),)


def _models(settings: Settings, environment: Mapping[str, str]) -> Catalogue:
    return Catalogue(
        api_base=settings.api_base,
        context_tokens=settings.context_tokens,
        tools=settings.tools,
        environment=environment,
        navigator=_no_navigator,
    )


def _no_navigator() -> "Navigator":
    raise ModelUnknownError("The doctor opens no model.")


def _terminal_facts(environment: Mapping[str, str]) -> TerminalFacts:
    size = shutil.get_terminal_size()
    return TerminalFacts(
        is_tty=sys.stdout.isatty() and sys.stdin.isatty(),
        columns=size.columns,
        rows=size.lines,
        encoding=sys.stdout.encoding or "unknown",
        environment=environment,
    )


def _litellm_check() -> Check:
    try:
        installed = version("litellm")
    except PackageNotFoundError:
        installed = None
    parts = tuple(int(part) for part in (installed or "0.0").split(".")[:2])
    is_fit = (1, 100) <= parts < (1, 103)
    action = "Reinstall ctxcode: it needs litellm 1.100.5 to 1.102."
    return diagnosis.library_check("litellm", installed, is_fit=is_fit, action=action)


def _model_facts(models: Catalogue, name: str) -> ModelFacts:
    info, keys = models.info(name), models.set_keys()
    if info.is_offline:
        return ModelFacts(
            info, None, (), key_is_set=False, needs_key=False, set_keys=keys, suggestions=models.suggestions()
        )
    endpoint = models.endpoint(info.name)
    return ModelFacts(
        info,
        endpoint.shown_address if endpoint.api_base else None,
        endpoint.key_variables,
        key_is_set=endpoint.api_key is not None,
        needs_key=endpoint.needs_key,
        set_keys=keys,
    )
