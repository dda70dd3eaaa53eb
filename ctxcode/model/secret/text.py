"""Which pieces of a text are withheld from a model: keys of known shapes, assigned random values, known values.

A literal that every match of a shape holds is looked for first, in one pass at the speed of memory; only where it is
found is the pattern compiled and run. Most texts cost no more than that.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

MIN_KNOWN_CHARS = 8
"""Shorter values of the user's own environment are found everywhere by chance."""


class SecretKind(StrEnum):
    """What a withheld piece looks like."""

    PRIVATE_KEY = "private key"
    CLOUD_KEY = "cloud key"
    PROVIDER_KEY = "API key"
    WEB_TOKEN = "web token"  # noqa: S105 - what it is called
    URL_PASSWORD = "password in a URL"  # noqa: S105
    ASSIGNED = "assigned secret"
    KNOWN = "value of your environment"


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of a text that is not sent: characters ``start`` to ``end``, the end exclusive."""

    start: int
    end: int
    kind: SecretKind


@dataclass(frozen=True, slots=True)
class Withheld:
    """A text without what looks like a secret."""

    text: str
    kinds: tuple[SecretKind, ...]
    """One for each piece, in the order of the text."""


@dataclass(frozen=True, slots=True)
class SecretPolicy:
    """Whether pieces of texts are withheld, and which values are besides those that look like secrets."""

    is_on: bool = True
    known: tuple[str, ...] = field(default=(), repr=False)
    """Values that are withheld wherever they stand; those of less than 8 characters are passed over."""

    def finds(self, text: str) -> bool:
        """Return whether something of a text is withheld."""
        return self.is_on and bool(secrets_in(text, self.known))

    def cleared(self, text: str, *, with_marks: bool = True) -> Withheld:
        """Return a text in which a mark, or nothing, stands for each piece that looks like a secret."""
        return withheld(text, self.known, with_marks=with_marks) if self.is_on else Withheld(text, ())


DEFAULT_POLICY = SecretPolicy()


@dataclass(frozen=True, slots=True)
class _Shape:
    """One form of key."""

    kind: SecretKind
    literals: tuple[str, ...]
    """One of these stands in every match."""
    pattern: str
    """Group 1 is what is withheld, else the whole match."""
    must_look_random: bool = False


_B64 = r"[A-Za-z0-9+/=]"
_BETWEEN = r"(?:\n[ \t]*\d{1,7}[ \t]+|\\[nr]|[\s\"'`+|>,])*+"
"""What may stand between the lines of a key: breaks, quotes, plus signs, line numbers."""
_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_BETWEEN}[A-Za-z-]{{2,20}}: [^\n\\]{{0,100}})*+"
    rf"(?:{_BETWEEN}{_B64}{{16,}}+)++"
    rf"(?:(?:{_BETWEEN}{_B64}{{1,15}}+)?{_BETWEEN}-----END [A-Z0-9 ]{{0,24}}PRIVATE KEY(?: BLOCK)?-----)?"
)
_START = r"(?<![A-Za-z0-9_])"
_SHAPES = (
    _Shape(SecretKind.PRIVATE_KEY, ("PRIVATE KEY",), _PEM),
    _Shape(SecretKind.PRIVATE_KEY, ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    _Shape(SecretKind.CLOUD_KEY, ("AKIA", "ASIA"), _START + r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    _Shape(SecretKind.CLOUD_KEY, ("AIza",), _START + r"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    _Shape(SecretKind.CLOUD_KEY, ("ya29.",), _START + r"ya29\.[0-9A-Za-z_-]{20,}"),
    _Shape(SecretKind.CLOUD_KEY, ("AccountKey=", "SharedAccessKey="), r"Key=([A-Za-z0-9+/]{40,}={0,2})"),
    _Shape(SecretKind.CLOUD_KEY, ("dop_v1_", "doo_v1_"), _START + r"do[op]_v1_[a-f0-9]{64}"),
    _Shape(SecretKind.PROVIDER_KEY, ("sk-", "pk-"), _START + r"[sp]k-[A-Za-z0-9_-]{20,}", must_look_random=True),
    _Shape(
        SecretKind.PROVIDER_KEY, ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), _START + r"gh[pousr]_[A-Za-z0-9]{36,255}"
    ),
    _Shape(SecretKind.PROVIDER_KEY, ("github_pat_",), _START + r"github_pat_[A-Za-z0-9_]{22,255}"),
    _Shape(SecretKind.PROVIDER_KEY, ("glpat-", "gldt-", "glrt-"), _START + r"gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,}"),
    _Shape(SecretKind.PROVIDER_KEY, ("xox",), _START + r"xox[abeoprs]-[A-Za-z0-9-]{10,}", must_look_random=True),
    _Shape(SecretKind.PROVIDER_KEY, ("hooks.slack.com/",), r"hooks\.slack\.com/services/(T[\w]+/B[\w]+/[\w]{16,})"),
    _Shape(
        SecretKind.PROVIDER_KEY,
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"),
        _START + r"(?:[sr]k_(?:live|test)|whsec)_[0-9A-Za-z]{16,}",
        must_look_random=True,
    ),
    _Shape(SecretKind.PROVIDER_KEY, ("npm_",), _START + r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])", must_look_random=True),
    _Shape(SecretKind.PROVIDER_KEY, ("pypi-AgE",), r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    _Shape(SecretKind.PROVIDER_KEY, ("hf_",), _START + r"hf_[A-Za-z0-9]{30,}", must_look_random=True),
    _Shape(SecretKind.PROVIDER_KEY, ("gsk_", "xai-"), _START + r"(?:gsk_|xai-)[A-Za-z0-9]{40,}"),
    _Shape(SecretKind.PROVIDER_KEY, ("SG.",), _START + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _Shape(SecretKind.PROVIDER_KEY, ("key-", "dapi"), _START + r"(?:key-|dapi)[0-9a-f]{32}(?![0-9A-Za-z])"),
    _Shape(SecretKind.PROVIDER_KEY, ("lin_api_", "ntn_"), _START + r"(?:lin_api_|ntn_)[A-Za-z0-9]{32,}"),
    _Shape(SecretKind.PROVIDER_KEY, (":AA",), r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    _Shape(SecretKind.WEB_TOKEN, ("eyJ",), _START + r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    _Shape(SecretKind.WEB_TOKEN, ("earer ",), r"[Bb]earer\s+([A-Za-z0-9._~+/-]{20,}=*)", must_look_random=True),
    _Shape(SecretKind.URL_PASSWORD, ("://",), r"://[^\s:/@\"'<>]{0,64}:([^\s@/\"'<>{}$*%]{8,128})@[\w.\[-]"),
)
_NAMING = (
    r"(?i)(?:secret|token|passw(?:or)?d|passphrase|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|client[_-]?key|\bkey)[\w.\[\]-]{0,40}[\"'`)\]]{0,3}\s{0,8}"
    r"(?::\s{0,4}[\w.<>\[\]| ]{1,40})?(?::=|[:=]>?|(?<=[\"'`]),|\()\s{0,8}(?:[rbuf]{1,2}|&)?[\"'`]?$"
)
"""What stands right before an assigned value whose name says that it is a secret."""
_VALUE = r"(?<=[\"'`=: ])[A-Za-z0-9+/_.~-]{16,512}+={0,2}(?=[\"'`\s;,)}\]]|$)"
_MARKS = ("secret", "token", "passw", "passphrase", "credential", "key")
_LIKE_ASCII = (("\u017f", "s"), ("\u0131", "i"))
"""Small letters that patterns without case take for ASCII ones: the long s, the i without a dot."""
_REACH = 120
_EXAMPLES = (
    r"(?i)example|sample|dummy|placeholder|changeme|change[_-]me|your[_-]|xxxx|0123456789|abcdefgh|12345678"
    r"|eyJzdWIiOiIxMjM0NTY3ODkwI"
)
"""What documentation writes in place of a key; the last one is the web token everybody quotes."""


def withheld(text: str, known: Collection[str] = (), *, with_marks: bool = True) -> Withheld:
    """Return a text in which a mark stands for each piece that looks like a secret.

    The mark names the kind: ``[withheld: API key]``. Withholding twice changes nothing.
    """
    kinds: tuple[SecretKind, ...] = ()
    for _ in range(_MOST_ROUNDS):
        findings = secrets_in(text, known)
        if not findings:
            break
        parts: list[str] = []
        end = 0
        for finding in findings:
            parts += [text[end : finding.start], mark(finding.kind) if with_marks else ""]
            end = finding.end
        text = "".join([*parts, text[end:]])
        kinds += tuple(finding.kind for finding in findings)
    return Withheld(text, kinds)


_MOST_ROUNDS = 4
"""A key may end only where the one beside it was taken out."""


def mark(kind: SecretKind) -> str:
    """Return what stands in place of a secret."""
    return f"[withheld: {kind.value}]"


def secrets_in(text: str, known: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the pieces of a text that look like secrets, in order, none overlapping another."""
    found = [finding for shape in _SHAPES for finding in _of_shape(text, shape)]
    found += _assigned(text)
    found += [
        Finding(match.start(), match.end(), SecretKind.KNOWN)
        for value in known
        if len(value) >= MIN_KNOWN_CHARS and value in text
        for match in re.finditer(re.escape(value), text)
    ]
    return tuple(_apart(found)) if found else ()


def _apart(found: list[Finding]) -> Iterator[Finding]:
    """Yield findings in order; of those that overlap one that covers both."""
    ordered = sorted(found, key=lambda one: (one.start, -one.end, one.kind))
    current = ordered[0]
    for finding in ordered[1:]:
        if finding.start < current.end:
            current = Finding(current.start, max(current.end, finding.end), current.kind)
        else:
            yield current
            current = finding
    yield current


def _of_shape(text: str, shape: _Shape) -> Iterator[Finding]:
    if not any(literal in text for literal in shape.literals):
        return
    for match in _compiled(shape.pattern).finditer(text):
        group = 1 if match.re.groups else 0
        value = match.group(group)
        if _compiled(_EXAMPLES).search(value) or (shape.must_look_random and not _looks_random(value)):
            continue
        if shape.kind is SecretKind.URL_PASSWORD and not any(character.isdigit() for character in value):
            continue
        yield Finding(match.start(group), match.end(group), shape.kind)


def _assigned(text: str) -> Iterator[Finding]:
    """Yield random-looking values that are assigned to a name like ``api_key``."""
    lowered = text.lower()
    if not any(word in lowered for word in _MARKS):
        return
    for begin, end in _marked_lines(text, lowered):
        for match in _compiled(_VALUE).finditer(text, begin, end):
            value = match.group()
            if not _looks_random(value) or _compiled(_EXAMPLES).search(value):
                continue
            start = match.start()
            if _compiled(_NAMING).search(text[max(begin, start - _REACH) : start]):
                yield Finding(start, match.end(), SecretKind.ASSIGNED)


def _marked_lines(text: str, lowered: str) -> list[tuple[int, int]]:
    """Return where the lines begin and end in which a name could say that a value is a secret."""
    if len(lowered) != len(text):
        # A capital became two letters, so that places differ.
        lowered = "".join(one if len(one) == 1 else one[0] for one in map(str.lower, text))
    for letter, like in _LIKE_ASCII:
        lowered = lowered.replace(letter, like)
    lines: dict[int, int] = {}
    for word in _MARKS:
        at = lowered.find(word)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            lines[text.rfind("\n", 0, at) + 1] = end
            at = lowered.find(word, end)
    return sorted(lines.items())


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_HEX = frozenset("0123456789abcdefABCDEF")
_WORDS = r"[A-Z]?[a-z]{3,}|[A-Z]{3,}(?![a-z])"


def _looks_random(value: str) -> bool:
    """Tell a key from an identifier, a path or a word: letters and digits mixed, hardly any words, high entropy."""
    body = value.rstrip("=")
    digits = sum(character.isdigit() for character in body)
    if digits == 0 or digits == len(body):
        return False
    if len(body) >= 32 and _HEX.issuperset(body):
        return _entropy(body) >= 3.0
    worded = sum(len(word) for word in _compiled(_WORDS).findall(body) if not _is_noise(word))
    return worded <= len(body) * 0.45 and _entropy(body) >= 3.3


def _is_noise(word: str) -> bool:
    """Tell letters that stand together by chance: no vowel, or hardly any."""
    vowels = sum(character in "aeiouyAEIOUY" for character in word)
    return vowels * 8 < len(word)


def _entropy(value: str) -> float:
    """Return Shannon's entropy in bits a character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


_NAMES_SECRET = frozenset(
    {"KEY", "KEYS", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASS", "PAT", "CREDENTIAL"}
)


def secret_values(variables: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the values of variables whose names say that they are secrets, longest first."""
    found = {
        value
        for name, value in variables
        if not _NAMES_SECRET.isdisjoint(re.split(r"[^A-Z]+", name.upper())) and _is_worth_hiding(value)
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _is_worth_hiding(value: str) -> bool:
    """Tell a value that is not a path, a number or a word found everywhere."""
    return (
        len(value) >= MIN_KNOWN_CHARS and not value.startswith(("/", "~")) and not value.isalpha() and "\n" not in value
    )
