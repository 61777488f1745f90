"""The pytest fixture `real_nominatim`: import it in a conftest."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.nominatim_server.machine import CannotRun
from tests.nominatim_server.sharing import running_nominatim


@pytest.fixture(scope="session")
def real_nominatim() -> Iterator[str]:
    """The base URL of a real Nominatim over the little town, shared by all workers and sessions of this machine.

    Skips where the machine can't have one, unless `BEARINGS_REQUIRE_NOMINATIM=1`: then it fails.
    """
    with ExitStack() as stack:
        try:
            url = stack.enter_context(running_nominatim())
        except CannotRun as error:
            if os.environ.get("BEARINGS_REQUIRE_NOMINATIM") == "1":
                raise
            pytest.skip(str(error))
        yield url
