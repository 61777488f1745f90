"""Progress as a client gets it."""

import pytest

from bearings.serving.client_progress import ClientProgress

pytestmark = pytest.mark.anyio


async def test_progress_grows_from_step_to_step():
    sent: list[tuple[float, float | None, str]] = []

    async def send(progress: float, total: float | None, message: str) -> None:
        sent.append((progress, total, message))

    told = ClientProgress(send)
    for done, total, message in (
        (0, None, "listing"), (0, 40, "reading"), (20, 40, "reading"), (40, 40, "reading"),
        (0, 10, "resolving"), (4, 10, "resolving"), (4, 10, "resolving"), (1, None, "storing"),
    ):  # fmt: skip
        told.update(done, total, message)
        await told.flush()
    await told.end()
    assert sent == [
        (0, None, "listing"), (20, 40, "reading"), (40, 40, "reading"), (44, 50, "resolving"), (45, None, "storing"),
    ]  # fmt: skip
