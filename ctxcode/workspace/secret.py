"""Which files are never read: keys, credentials and environment files, whoever asks for them."""

import re
from fnmatch import fnmatchcase
from functools import lru_cache

_PREFIXES = (".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_SUFFIXES = (".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk")
_NAMES = frozenset(
    {
        ".npmrc",
        ".netrc",
        "_netrc",
        ".pypirc",
        ".pgpass",
        ".my.cnf",
        ".htpasswd",
        ".git-credentials",
        ".vault-token",
    }
)
_PATH_PATTERNS = (
    "*.aws/credentials",
    "*.aws/config",
    "*.kube/config",
    "*.docker/config.json",
    "*.gnupg/*",
    "*.ssh/*",
    "*gcloud/*credentials*",
)
_PATH_MARK = re.compile(r"\.(?:aws|kube|docker|gnupg|ssh)/|gcloud/")


def is_secret(path: str) -> bool:
    """Return whether a repository-relative path names a secret; upper and lower case are the same."""
    if _is_secret_name(path.rpartition("/")[2]):
        return True
    lowered = path.lower()
    if "/" not in lowered or not _PATH_MARK.search(lowered):
        return False
    return any(fnmatchcase(lowered, pattern) for pattern in _PATH_PATTERNS)


@lru_cache(maxsize=20_000)
def _is_secret_name(name: str) -> bool:
    """Tell by the name alone; a repository has far fewer names than files."""
    lowered = name.lower()
    return lowered in _NAMES or lowered.startswith(_PREFIXES) or lowered.endswith(_SUFFIXES)
