"""What a path says by the customs of a language's tools. Imports next to nothing, for a hook has no time."""

import re

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|e2e)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|_test\.go$|\.(?:test|spec)\.[cm]?[jt]sx?$"
)


def is_test(path: str) -> bool:
    """Whether the file holds tests, by the naming customs of pytest, unittest, Jest, Vitest and Go."""
    return _TEST.search(path) is not None
