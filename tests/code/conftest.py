"""What tests of the code server share."""

from collections.abc import AsyncIterator

import pytest

from bearings.code.service import CodeService
from tests.code.in_process import InProcessEngine, MemoryFacts


@pytest.fixture
async def service() -> AsyncIterator[CodeService]:
    """A service that stores nothing on disk."""
    made = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    yield made
    await made.aclose()
