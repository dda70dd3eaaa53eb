"""What a path's folders and name say of a file: product code, tests and the like, or somebody else's code."""

import re
from functools import lru_cache

ASIDE_MARK = "\ue000"
"""The word of the full-text index that marks what stands in such files; no letter, so no text holds it as a word."""

_TESTS = (
    # By folders. In Python a package may be called so: it is for those who write tests.
    r"^x?t/|/x?t/(?:[^/]+/)*[^/]+\.(?:t|pl|pm|sh)$"
    r"|(?:^|/)src/(?:(?:[a-z]+(?:[A-Z][a-z]+)*Tests?|test[A-Z][A-Za-z]*|jmh)/(?:java|kotlin|scala|groovy|resources)"
    r"|test|testing|it)/"
    r"|(?:^|/)[^/]*(?:[.](?:(?:Unit|Integration|Functional|Acceptance|System|E2E)?Tests?|Specs)/"
    r"|[a-z](?:UI)?Tests/(?!.*\.[jt]sx?$))"
    r"|(?:^|/)(?:__specs__|cypress|unit[-_]?tests?|self[-_]?tests?|testdir|regress)/(?!.*\.pyi?$)"
    r"|(?:^|/)testing/[^/]+\.(?:go|cc|cpp|cxx|h|hpp)$|(?:^|/)(?P<own>[a-z0-9]+)/(?P=own)test/[^/]+\.go$|/spec/.*\.rb$"
    # By what the file is called.
    r"|[A-Za-z0-9]Tests?\.(?:cpp|cc|cxx|hh?|hpp|mm?)$|[A-Za-z0-9]TestCase\.(?:cpp|cc|cxx|hpp|mm?)$"
    r"|[A-Za-z0-9](?:Suite|Specification)\.scala$"
    r"|(?:^|/)(?:[^/]*[-_]unittest|tests)\.(?:rs|c|cc|cpp|h|[jt]sx?|go|rb|lua)$"
    r"|[.](?:cy|e2e|e2e-spec|e2e-test|int-spec|int-test|tests)\.[jt]sx?$|[.]Tests\.ps1$|\.bats$"
)
"""Habits of many languages, beside those of each."""

SIDE = re.compile(
    _TESTS + r"|(?:^|/)(?:(?i:tests|__tests__|test[-_]?data|integration[-_]tests?|__mocks__|mocks|e2e|fixtures?|docs?"
    r"|[a-z0-9]*[-_]?examples?|(?:[a-z0-9]+[-_])?(?:samples?|demos?)|tutorials?|(?:micro)?bench(?:es|marks?|suite)?|fuzz|website"
    r"|test[-_]?(?:suites?|utils?|libs?|helpers?|support|commons?|cases|harness|resources|assets|fixtures?|programs|apps?"
    r"|kit|bed|projects?|framework)))/"
    r"|^(?:test|testing|specs?)/"
    # As above: django.test.
    r"|/test/.*\.(?!pyi?$)[A-Za-z]+$"
    # What once changed a database, in the order of its numbers.
    r"|(?:^|/)(?:migrations?|migrate|alembic/versions)/(?:[^/]+/)?"
    r"(?:[vV][0-9][0-9._]*_|(?=[0-9a-f]*[0-9])[0-9a-f]{4,}_)[^/]*(?:/[^/]+)?\.[a-z]+$"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_(?:tests?|spec|mocks?)|conftest|mock_[^/]*|mocks"
    r"|[^/]*[.](?:test|spec|bench|stories|test-d))\.[a-z]+$"
    r"|[A-Za-z0-9](?:Test|Tests|Spec|IT|Benchmark)\.(?:java|kt|cs|scala|php|groovy)$"
    # In Swift, what specifies a native module is called so, too.
    r"|[A-Za-z0-9](?:Test|Tests|Benchmark)\.swift$|(?:Tests?|Specs?)/.*Spec\.swift$"
    r"|[.](?:proto|graphqls?|gql|mk)$|(?:^|/)fakes?/[^/]+\.go$|(?:^|/)(?:fake_[^/]*|[^/]*_fakes?)\.go$"
    r"|(?:^|/)(?:go\.mod|(?:GNU)?[Mm]akefile)$"
    # Perl's tests.
    r"|\.t$"
)
"""What holds tests, documentation, examples and the like, and what once changed a database."""
_HINTS = (
    *("test", "spec", "suite", "e2e", "mock", "fixture", "fake", "bench", "regress", "cypress", "jmh", ".cy.", ".bats"),
    *("/t/", "/xt/", "/it/", "it.", "doc", "example", "sample", "demo", "tutorial", "stories", "website", "fuzz"),
    *("migrat", "alembic", ".proto", ".gql", "graphql", "makefile", ".mk", "go.mod"),
)
"""In small letters, what a path holds that one of the patterns for tests and the like finds; most hold none."""
_TEXT = re.compile(
    r"[.](?i:md|markdown|mdx|rst|rest|txt|text|adoc|asciidoc|org|tex|sty|toml|ya?ml|jsonc?|ini|cfg|conf|cnf|properties"
    r"|editorconfig|service|socket|timer|desktop|flake8|pylintrc|dockerfile|xml|xsd|xslt?|wsdl|a?xaml|csproj|fsproj"
    r"|vbproj|props|targets|cmake|plist|resx|storyboard|xib|qrc|ui|bat|cmd|in|am|ac|m4|awk|sed|example|sample|template|npmrc"
    r"|dockerignore)$"
    r"|(?:^|/)(?:README|INSTALL|HACKING|Dockerfile|Containerfile|Procfile|Kconfig)$"
)
"""What is no program: documents and settings."""
_INFRASTRUCTURE = re.compile(
    r"(?:^|/)(?:(?:roles/[^/]+/(?:tasks|handlers|defaults|vars|meta)|playbooks?|group_vars|host_vars|inventor(?:y|ies)"
    r"|charts?/[^/]+/templates|helm|templates|kustomize|overlays|manifests?|k8s|kubernetes|deploy|deployments?|argocd|argo"
    r"|flux|clusters|addons|terraform|cloudformation|openapi|swagger)/(?:[^/]+/)*|(?:^|/)?(?:site|playbook|kustomization"
    r"|openapi|swagger)(?=\.))[^/]*\.ya?ml$"
)
"""What machines are and do, said in YAML."""
TEST = re.compile(
    _TESTS + r"|(?:^|/)(?:(?i:tests|__tests__|integration[-_]tests?|specs?|e2e))/|^(?:test|testing)/"
    r"|/test/.*\.(?!pyi?$)[A-Za-z]+$"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_(?:tests?|spec)|[^/]*[.-](?:test|spec))\.[a-z]+$"
    r"|[A-Za-z0-9](?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|cs|scala|php|groovy)$"
    r"|[A-Za-z0-9](?:Test|Tests|TestCase)\.swift$|(?:Tests?|Specs?)/.*Spec\.swift$"
    # An application of Django's has its tests here; what else is called so has no classes of tests.
    r"|(?:^|/)tests\.py$"
)
"""What holds tests."""
_FOREIGN = re.compile(
    r"(?:^|/)(?:(?i:vendor|thirdparty)|vendored|_vendor|third[_-]party|3rd[_-]?party|node_modules|extern|externals?"
    r"|bower_components|jspm_packages|dist|typeshed|stubs|typings|Godeps|subprojects|Pods|Carthage|site-packages|_deps"
    # What a package of Debian's had before it was patched.
    r"|elm-stuff|\.pc)/"
    r"|[.-]min\.js$|-[0-9]+\.[0-9]+[^/]*\.js$"
    # A folder with others in it: the only files of a package may be called so.
    r"|(?:^|/)deps/[^/]+/"
    # What autotools put beside a project's own files.
    r"|(?:^|/)(?:ar-lib|compile|config\.(?:guess|sub)|configure|depcomp|install-sh|ltmain\.sh|mdate-sh|missing"
    r"|mkinstalldirs|py-compile|test-driver|ylwrap)$"
)
_MADE = re.compile(
    r"(?:^|/)(?:min/(?:[^/]+/)*[^/]+\.js$|(?:__generated__|generated|autogen(?:erated)?"
    r"|single[-_]?(?:headers?|include)|amalgamat(?:ed|ion))/)"
)
"""What machines wrote: bundles of scripts and of headers, and what is made of descriptions."""
_HELPER = re.compile(
    r"^(?:(?i:tools?|scripts?|hack|x?tasks?|cmake|build[-_]?(?:aux|tools|scripts)?|contrib|devel|maint|packaging|rakelib)"
    r"|\.?ci|debian|etc)/"
    r"|(?:^|/)(?:build|make|mage|magefile|setup|configure|generate|gen|release|bench)\.[a-z]+$"
)
_CHANGES = re.compile(
    r"(?:^|/)(?:change[-_]?logs?|changes|history|news|release[-_]?notes|releases)(?:[-_.v0-9]*|/[^/]+)"
    r"\.(?:md|markdown|mdx|rst|txt|adoc)$",
    re.IGNORECASE,
)

_JVM_PRODUCT = re.compile(r"(?:^|/)src/main/(?!.*Benchmark\.)(?=.*(\.(?:java|kts?|scala|groovy))$)")
_MAY_TEST = re.compile(r"(?:^|/)tests\.py$")
_TEST_SCOPES = {
    "rust": re.compile(r"(?:^|\.)(?:[a-z_]+_)?tests?(?:_[a-z]+)*\."),
    "python": re.compile(r"(?:^|\.)tests\.(?:\w*[a-z](?:Tests?|TestCase)|Tests?[A-Z]\w*)(?:\.|$)"),
}


def _told(path: str) -> str:
    """Return what of a path tells what a file is: a JVM project's packages and types are called by what they do.

    Below ``src/main`` a ``CompileSpec`` is no test, and ``external`` is nobody else's code.
    """
    product = _JVM_PRODUCT.search(path)
    return path if product is None else f"{path[: product.end()]}x{product[1]}"


def _may_stand_apart(path: str) -> bool:
    """Tell quickly whether a path is worth a look with the patterns for tests and the like."""
    if not path.isascii():
        return True
    lowered = path.lower()
    return any(map(lowered.__contains__, _HINTS)) or lowered.startswith(("t/", "xt/")) or lowered.endswith(".t")


@lru_cache(maxsize=8192)
def is_side_path(path: str) -> bool:
    """Tell whether a file holds tests, documentation, settings, examples, benchmarks or a database's past changes."""
    return (_may_stand_apart(path) and SIDE.search(_told(path)) is not None) or is_text_path(path)


@lru_cache(maxsize=8192)
def is_foreign_path(path: str) -> bool:
    """Tell whether a file is a copy of somebody else's code, or was written by machines."""
    told = _told(path)
    return _FOREIGN.search(told) is not None or _MADE.search(told) is not None


@lru_cache(maxsize=8192)
def is_test_path(path: str) -> bool:
    """Tell whether a file holds tests."""
    return _may_stand_apart(path) and TEST.search(_told(path)) is not None


@lru_cache(maxsize=8192)
def is_aside_path(path: str) -> bool:
    """Tell whether a file is no part of the product: any of the above."""
    return is_side_path(path) or is_foreign_path(path) or is_test_path(path)


def is_aside_package(path: str) -> bool:
    """Tell the same of a package by a file of its folder: what machines wrote is imported like anything else."""
    return is_side_path(path) or _FOREIGN.search(_told(path)) is not None or is_test_path(path)


@lru_cache(maxsize=8192)
def stands_aside(path: str) -> bool | None:
    """Tell whether the definitions of a file are left out of a search; None where one may be and another may not."""
    if is_side_path(path) or is_foreign_path(path):
        return True
    # Rust keeps unit tests beside the code.
    return None if path.endswith(".rs") or _MAY_TEST.search(path) else False


def is_build_script(path: str) -> bool:
    """Tell whether a file builds the project: Cargo runs it, nobody else."""
    return path == "build.rs" or path.endswith("/build.rs")


def is_helper_path(path: str) -> bool:
    """Tell whether a file seems to help those who work on the product: it builds, checks, generates or releases it."""
    return _HELPER.search(path) is not None


def is_in_tests(language: str, qualname: str) -> bool:
    """Tell whether a definition stands in a module of tests: in Python in a class; Rust has them in the code."""
    scope = _TEST_SCOPES.get(language)
    return scope is not None and "test" in qualname and scope.search(qualname) is not None


def is_change_log(path: str) -> bool:
    """Tell whether a file lists what was once changed: it says of the product what any question about it says."""
    return _CHANGES.search(path) is not None


@lru_cache(maxsize=8192)
def is_text_path(path: str) -> bool:
    """Tell whether a file is no program: documentation, settings."""
    return _TEXT.search(path) is not None and not is_infrastructure_path(path)


def is_infrastructure_path(path: str) -> bool:
    """Tell whether a file of YAML says what machines are and do, as Ansible and Kubernetes read it: it is a program."""
    return path.endswith((".yml", ".yaml")) and _INFRASTRUCTURE.search(path) is not None
