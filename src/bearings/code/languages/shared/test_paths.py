"""What a path says by the customs of a language's tools. Imports next to nothing, for a hook has no time."""

import re

from bearings.code.languages import SPECS

_FOLDERS = r"(?:^|/)(?:tests?|__tests__|spec|e2e)/"
_TEST = re.compile("|".join(dict.fromkeys([_FOLDERS, *(spec.tests for spec in SPECS.values() if spec.tests)])))


def is_test(path: str) -> bool:
    """Whether the file holds tests: by its folders, or by its name and the naming customs of the languages."""
    return _TEST.search(path) is not None
