"""Recognizes test files by their paths. It must import fast, because a hook uses it."""

import re
from functools import lru_cache

from bearings.code.languages import SPECS

_FOLDERS = r"(?:^|/)(?:tests?|__tests__|spec|e2e)/"
_TEST = re.compile(
    "|".join(dict.fromkeys([_FOLDERS, *(spec.test_paths for spec in SPECS.values() if spec.test_paths)]))
)


@lru_cache(maxsize=1 << 14)
def is_test(path: str) -> bool:
    """Whether a file is a test file, by its folders or by a language's naming convention."""
    return _TEST.search(path) is not None
