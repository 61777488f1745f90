"""For tests of views: the browser, and a chat that a view's calls reach."""

from collections.abc import Iterator

import pytest

from tests.explore.browser import browser
from tests.explore.served import Chat, chatting

__all__ = ["browser"]


@pytest.fixture(scope="session")
def chat() -> Iterator[Chat]:
    """A server of both wings, over the embedded atlas and an example's sources, and its client."""
    with chatting() as opened:
        yield opened
