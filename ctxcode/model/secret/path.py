"""Which files are never read: keys, credentials and environment files, whoever asks for them."""

import re
from fnmatch import fnmatchcase
from functools import lru_cache

_PREFIXES = (".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_DATA_PREFIXES = ("client_secret", "service-account", "service_account")
"""Names that are credentials as data only: ``service_account.py`` is code."""
_SUFFIXES = (
    *(".env", ".pem", ".key", ".p8", ".p12", ".pfx", ".jks", ".jceks", ".bks", ".keystore", ".truststore", ".keytab"),
    *(".kdbx", ".kdb", ".ppk", ".gpg", ".agekey", ".kubeconfig", ".tfstate", ".tfstate.backup"),
)
_NAMES = frozenset(
    {
        *(".npmrc", ".netrc", "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd", ".git-credentials"),
        *(".vault-token", ".vault_pass", ".dockercfg", ".s3cfg", ".boto", ".terraformrc", "terraform.rc"),
        *("kubeconfig", "credentials.json", "application_default_credentials.json", "local.settings.json"),
        *("secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "key3.db", "key4.db", "login.keychain"),
    }
)
_PATH_PATTERNS = (
    "*.aws/credentials",
    "*.aws/config",
    "*.kube/*",
    "*.docker/config.json",
    "*.gnupg/*",
    "*.ssh/*",
    "*.azure/*",
    "*.cargo/credentials*",
    "*.m2/settings.xml",
    "*.config/gh/hosts.yml",
    "*.config/gcloud/*",
    "*gcloud/*credentials*",
)
_PATH_MARK = re.compile(r"\.(?:aws|kube|docker|gnupg|ssh|azure|cargo|m2|config)/|gcloud/")


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
    if lowered in _NAMES or lowered.endswith(_SUFFIXES):
        return True
    if lowered.startswith(_DATA_PREFIXES):
        return lowered.endswith(".json")
    return lowered.startswith(_PREFIXES)
