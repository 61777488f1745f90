"""A server of a few plain tools from the product's own factory, for the serving tests.

python -m tests.serving.fixture_server stdio | http [--sse] [--no-write]
"""

import sys
import time
from pathlib import Path
from typing import Annotated

import anyio
import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field

from bearings.errors import Ambiguous, NotFound, RateLimited
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.serving.app import ServerSpec
from bearings.serving.http import serve_http
from bearings.serving.transports import serve_stdio
from bearings.settings import ServeSettings
from bearings.tool import Effects, Tool


class Echo(Reply):
    text: str
    numbers: list[float]

    def to_text(self) -> str:
        return f"{self.text} {self.numbers}"


class Corner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lat: Annotated[float, Field(ge=-90, le=90)]
    lon: float


async def echo(
    text: Annotated[str, Field(max_length=50, description="What to say.")],
    numbers: Annotated[list[float] | None, Field(description="Some numbers.")] = None,
    times: Annotated[int, Field(ge=1, le=9, description="How often, 1 to 9.")] = 1,
    corner: Corner | None = None,
) -> Echo:
    """Say it again. Example: echo(text="hello")."""
    print("a stray print", flush=True)  # noqa: T201 - it must not reach the wire
    return Echo(text=text * times + (f"@{corner.lat}" if corner else ""), numbers=numbers or [])


async def count(progress: Progress, upto: Annotated[int, Field(ge=1, le=1000)] = 5) -> Echo:
    """Count, and say so."""
    for done in range(1, upto + 1):
        progress.update(done, upto, f"at {done}")
        await anyio.sleep(0.01)
    return Echo(text=str(upto), numbers=[])


async def wait_for_cancel(marker: str) -> Echo:
    """Wait for ever; leave a file when cancelled."""
    Path(f"{marker}.started").touch()  # noqa: ASYNC240 - at once
    try:
        await anyio.sleep_forever()
    finally:
        Path(marker).touch()  # noqa: ASYNC240 - at once
    return Echo(text="never", numbers=[])


async def block(marker: str) -> Echo:
    """Block a thread for half a minute, as a library might, or until a file says that it is enough."""
    Path(marker).touch()  # noqa: ASYNC240 - at once
    await anyio.to_thread.run_sync(_block_until, Path(f"{marker}.release"))
    return Echo(text="late", numbers=[])


def _block_until(release: Path) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end and not release.exists():
        time.sleep(0.02)


async def fail(how: str) -> Echo:
    """Fail in one of several ways."""
    match how:
        case "not_found":
            raise NotFound("nothing there", "look elsewhere")
        case "rate_limited":
            raise RateLimited("too fast", "wait", retry_after_s=2.5)
        case "ambiguous":
            raise Ambiguous("x", ["a#x", "b#x"])
        case "half a pair":
            raise NotFound("no file a\ud800b", "look elsewhere")
    raise ZeroDivisionError("secret details")


async def write(path: str) -> Echo:
    """Write something."""
    return Echo(text=path, numbers=[])


class Told(Reply):
    """A reply with possible faults of its own."""

    name: str | list[str]
    score: float = 0

    def to_text(self) -> str:
        return "".join(self.name)


async def tell(what: str) -> Told:
    """Answer with what no JSON text in UTF-8 can carry: names from a file system, numbers out of bounds."""
    match what:
        case "half a pair":
            return Told(name=["a\udcffb", "ü"])
        case "half a pair in text":
            return Told(name="a\udcffb")
    return Told(name=what, score=float(what))


def spec() -> ServerSpec:
    """The server; once it is closed it is no longer ready."""
    closed = anyio.Event()

    async def aclose() -> None:
        closed.set()

    async def ready() -> bool:
        return not closed.is_set()

    readers = tuple(Tool.of(tool, title=tool.__name__) for tool in (echo, count, wait_for_cancel, block, fail, tell))
    writer = Tool.of(write, title="Write", effects=Effects(read_only=False))
    return ServerSpec(
        "fixture", "Fixture", "1.2.3", "Say things again.", (*readers, writer), aclose=aclose, ready=ready
    )


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        serve_stdio(spec(), ServeSettings())
    else:
        writes = "--no-write" not in sys.argv
        serve_http(spec(), ServeSettings(), "127.0.0.1", 0, sse="--sse" in sys.argv, allow_write=writes)
