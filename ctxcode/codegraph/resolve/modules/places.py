"""What a file's place in the tree says of it."""

from ctxcode.model.naming.folder import is_text_path

_ASIDE_FOLDERS = frozenset(
    {
        "tests",
        "__tests__",
        "__mocks__",
        "spec",
        "specs",
        "e2e",
        "testdata",
        "test_data",
        "fixtures",
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "demos",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "vendor",
        "vendored",
        "_vendor",
        "third_party",
        "node_modules",
    }
)
_TEST_NAME_PREFIXES = ("test_", "conftest.")
_TEST_NAME_MARKS = ("_test.", ".test.", ".spec.", "-test.", "-spec.")
_JAVA_TEST_ENDS = ("Test.java", "Tests.java", "TestCase.java")


def is_aside(path: str) -> bool:
    """Return whether a file is a test, an example, a benchmark, a text or somebody else's code.

    ``test`` counts as a test folder at the top, under ``src`` and outside Python: inside Python packages it is
    often part of the product (``django.test``).
    """
    *folders, name = path.split("/")
    if is_text_path(name):
        return True
    if not _ASIDE_FOLDERS.isdisjoint(folders):
        return True
    if name.startswith(_TEST_NAME_PREFIXES) or name.endswith(_JAVA_TEST_ENDS):
        return True
    if any(mark in name for mark in _TEST_NAME_MARKS):
        return True
    if "test" not in folders:
        return False
    position = folders.index("test")
    return position == 0 or folders[position - 1] == "src" or not name.endswith((".py", ".pyi"))
