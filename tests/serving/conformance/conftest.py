"""The external checkers, for every test that runs one."""

import pytest

from tests.serving.conformance.checkers import Checkers


@pytest.fixture(scope="session")
def checkers(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Checkers:
    assert pytestconfig.cache is not None
    return Checkers(pytestconfig.cache.mkdir("mcp-checkers"), tmp_path_factory.mktemp("home"))
