"""What a repository's headers are counted as: ``.h`` says neither C nor C++, the sources around it do."""

from collections.abc import Collection, Iterable

_C, _CPP, _HEADER = "c", "cpp", ".h"


def counted_languages(files: Collection[tuple[str, str]]) -> Iterable[str]:
    """Return the language of each file of (path, language) to count it under.

    Headers are read as C++, which knows nearly all of C. Beside sources of C, and none of C++, they are C's.
    """
    languages = [language for _, language in files]
    if _C not in languages or any(language == _CPP and not path.endswith(_HEADER) for path, language in files):
        return languages
    return [_C if language == _CPP else language for language in languages]
