"""What ``ctxcode doctor`` says: facts about this machine become checks, each with what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxcode.model.check import Check, CheckStatus
from ctxcode.model.command.approval import Sandbox
from ctxcode.model.conversation import ModelInfo
from ctxcode.model.errors import CtxcodeError
from ctxcode.model.source import RepositoryInfo
from ctxcode.model.symbol import IndexStats

OK, NOTE, FAILED = CheckStatus.OK, CheckStatus.NOTE, CheckStatus.FAILED


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """What the terminal says of itself."""

    is_tty: bool
    columns: int
    rows: int
    encoding: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is set up for the model in use."""

    info: ModelInfo
    api_base: str | None
    key_variables: tuple[str, ...]
    """Environment variables that would hold its key; empty when it needs none."""
    key_is_set: bool
    needs_key: bool
    set_keys: tuple[str, ...] = ()
    """Environment variables that hold some provider's key, whichever model is in use."""
    suggestions: tuple[str, ...] = ()


def terminal_checks(facts: TerminalFacts) -> tuple[Check, ...]:
    """Return what the full-screen app can expect of the terminal, as far as it can be told where output is piped."""
    term = facts.environment.get("TERM", "")
    checks = [_terminal(facts, term), _colours(facts.environment, term), _encoding(facts)]
    if "TMUX" in facts.environment or term.startswith(("tmux", "screen")):
        checks.append(Check("multiplexer", OK, "tmux or screen; Ctrl+B belongs to tmux, F2 opens the context too"))
    return tuple(checks)


def _terminal(facts: TerminalFacts, term: str) -> Check:
    if facts.is_tty and term != "dumb":
        return _size(facts, term)
    reason = "TERM is 'dumb'" if facts.is_tty else "standard input or output is no terminal"
    action = "Run it in a terminal, or use ctxcode ask, ctxcode context and ctxcode index."
    return Check("terminal", NOTE, f"{reason}: the full-screen app can't start here", action)


def _size(facts: TerminalFacts, term: str) -> Check:
    size = f"{term or 'TERM is not set'}, {facts.columns} × {facts.rows} cells"
    if facts.columns < 60 or facts.rows < 20:
        return Check("terminal", NOTE, size, "Make it at least 60 × 20; 120 × 36 shows the context beside the chat.")
    return Check("terminal", OK, size)


def _colours(environment: Mapping[str, str], term: str) -> Check:
    if "NO_COLOR" in environment:
        return Check("colours", NOTE, "NO_COLOR is set: everything is told by glyphs and words")
    if environment.get("COLORTERM", "") in ("truecolor", "24bit"):
        return Check("colours", OK, "16 million")
    if "256" in term:
        return Check("colours", OK, "256", "Set COLORTERM=truecolor if your terminal can show more.")
    return Check("colours", NOTE, "16 or unknown", "Set TERM=xterm-256color if your terminal can show more.")


def _encoding(facts: TerminalFacts) -> Check:
    if facts.encoding.lower().replace("-", "") == "utf8":
        return Check("encoding", OK, "UTF-8")
    return Check("encoding", NOTE, facts.encoding, "Use a UTF-8 locale; until then the screen is drawn in ASCII.")


def failed(name: str, error: CtxcodeError) -> Check:
    """Return an error as a failed check."""
    return Check(name, FAILED, str(error), error.hint)


def grammar_checks(rows: Sequence[tuple[str, bool, str]]) -> tuple[Check, ...]:
    """Return one check for all languages that work and one for each that does not."""
    working = [language for language, is_ok, _ in rows if is_ok]
    checks = [Check("grammars", OK if working else FAILED, ", ".join(working) or "none")]
    checks += [
        Check(f"grammar {language}", FAILED, detail, "Reinstall ctxcode: its grammar wheel is missing or broken.")
        for language, is_ok, detail in rows
        if not is_ok
    ]
    return tuple(checks)


def git_check(program: str | None) -> Check:
    """Return whether git is there to list files."""
    if program is None:
        return Check("git", NOTE, "not found", "Without git, ignore files are read by ctxcode itself. Nothing to do.")
    return Check("git", OK, program)


def sandbox_check(sandbox: Sandbox) -> Check:
    """Return whether commands are confined here; found out by running one."""
    if sandbox.is_there:
        return Check("sandbox", OK, f"{sandbox.name}: commands write only in the work tree and have no network")
    action = "Install bubblewrap and allow user namespaces; without, every command is asked about."
    return Check("sandbox", NOTE, sandbox.problem, action)


def tokenizer_check(tokenizer: str) -> Check:
    """Return whether tokens are counted exactly; the fallback counts bytes."""
    if tokenizer.startswith("bytes"):
        return Check("tokens", FAILED, "the tokenizer's files are missing: counts are bounds", "Reinstall litellm.")
    return Check("tokens", OK, f"{tokenizer}, offline")


def semantic_check(embedder: str, closeness: float, *, is_on: bool) -> Check:
    """Return whether texts can be compared by meaning here: how close two words are that mean the same."""
    if closeness <= 0:
        return Check("meaning", FAILED, f"{embedder}: its vectors make no sense", "Install ctxcode again.")
    return Check("meaning", OK, f"{embedder}, offline{_unless_on(is_on=is_on)}")


def embedding_check(name: str, address: str, *, is_on: bool, is_missing_key: bool) -> Check:
    """Return which embedding model is set; it is not asked anything."""
    told = f"{name} at {address}{_unless_on(is_on=is_on)}"
    if is_missing_key:
        return Check("meaning", NOTE, f"{told}: its key is missing, code is found by words only", "Set its key.")
    return Check("meaning", OK, told)


def _unless_on(*, is_on: bool) -> str:
    return "" if is_on else "; not used (semantic = false)"


def without_meaning(error: CtxcodeError) -> Check:
    """Return that there is nothing here to compare texts by meaning with."""
    return Check("meaning", NOTE, f"code is found by words only: {error}", error.hint)


def index_check(repository: RepositoryInfo, stats: IndexStats) -> Check:
    """Return what is indexed of a repository."""
    if not stats.revision or not stats.files:
        return Check("repository", NOTE, f"{repository.root}, not indexed yet", "ctxcode index builds the index.")
    return Check("repository", OK, f"{repository.root}, {stats.files:,} files, {stats.symbols:,} symbols indexed")


def model_checks(facts: ModelFacts) -> tuple[Check, ...]:
    """Return what is known of the model in use; a key's presence is told, never the key."""
    info = facts.info
    if info.is_offline:
        action = (
            facts.suggestions[0]
            if facts.suggestions
            else "Choose one with --model, for example: ctxcode --model ollama_chat/qwen3"
        )
        model = Check("model", NOTE, "none: the offline navigator answers from the code graph", action)
        return (model, _unused_keys(facts.set_keys))
    window = f"{info.name}, window {info.context_tokens:,} tokens"
    checks = [Check("model", OK, window)]
    if not info.is_known:
        checks = [Check("model", NOTE, f"{window} (guessed: not in the model list)", "Set context_tokens in settings.")]
    if facts.api_base:
        checks.append(Check("endpoint", OK, facts.api_base))
    if facts.key_is_set:
        checks.append(Check("key", OK, "present (not shown)"))
    elif facts.needs_key:
        name = facts.key_variables[0] if facts.key_variables else "the provider's variable"
        checks.append(Check("key", FAILED, "missing", f"Set {name} in your environment."))
    else:
        checks.append(Check("key", OK, "none needed"))
    return tuple(checks)


def _unused_keys(variables: Sequence[str]) -> Check:
    """Return which keys are there for the taking while the navigator, which needs none, is in use."""
    if variables:
        return Check("key", OK, f"{', '.join(variables)} set (not shown), not used by the navigator")
    return Check(
        "key", NOTE, "none set; the navigator needs none", "Set OPENAI_API_KEY or another provider's variable."
    )


def server_check(found: Sequence[tuple[str, str, Sequence[str]]]) -> Check:
    """Return the model servers that answer on this machine: name, address, models."""
    if not found:
        return Check(
            "local servers", NOTE, "none answers on the usual ports", "Start Ollama, llama.cpp or LM Studio to use one."
        )
    rows = [f"{name} at {url} ({', '.join(list(models)[:3]) or 'no models'})" for name, url, models in found]
    return Check("local servers", OK, "; ".join(rows), "Use one with --model and --api-base.")


def library_check(name: str, version: str | None, *, is_fit: bool, action: str) -> Check:
    """Return whether an installed library is a release that works."""
    if version is None:
        return Check(name, FAILED, "not installed", action)
    return Check(name, OK if is_fit else FAILED, version, "" if is_fit else action)
