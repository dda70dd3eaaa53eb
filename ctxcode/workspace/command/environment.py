"""The variables a command gets: a short list of harmless ones, never a key, never what changes how programs start."""

import os
from collections.abc import Mapping


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KEPT = _set(
    "HOME USER LOGNAME LANG LANGUAGE TZ SHELL TMPDIR VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CARGO_HOME "
    "RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOCACHE GOMODCACHE JAVA_HOME GRADLE_USER_HOME NVM_DIR NVM_BIN "
    "VOLTA_HOME PNPM_HOME DENO_DIR BUN_INSTALL PYENV_ROOT RBENV_ROOT GEM_HOME DOTNET_ROOT UV_CACHE_DIR "
    "XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME SYSTEMROOT"
)
_OWN = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "CTXCODE_COMMAND": "1",
}


def command_environment(environment: Mapping[str, str], search_path: str) -> dict[str, str]:
    """Return what a command's process starts with. Relative entries of ``search_path`` are left out."""
    kept = {name: value for name, value in environment.items() if name in _KEPT or name.startswith("LC_")}
    folders = [folder for folder in search_path.split(os.pathsep) if os.path.isabs(folder)]  # noqa: PTH117 - text
    return {**kept, **_OWN, "PATH": os.pathsep.join(folders) or os.defpath}
