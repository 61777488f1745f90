"""The command line over a hand-made world: places from memory, real code, and tools that misbehave.

python -m tests.cli.fixture_cli WORDS…
"""

import sys
import time
from enum import StrEnum
from typing import Annotated, Any, Literal

import anyio.to_thread
import click
from pydantic import BaseModel, ConfigDict, Field

from bearings.cli.commands import bearings
from bearings.cli.lazy import LazyGroup
from bearings.cli.running import run
from bearings.cli.spelling import Spelling
from bearings.cli.toolcommand import entries
from bearings.cli.wiring import WIRING, Wing, Wiring
from bearings.errors import Ambiguous, NotFound
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.places.tools import PlaceTools
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.tool import Tool
from tests.places.memory_source import MemorySource


class Kind(StrEnum):
    RED = "red"
    GREEN = "green"


class Corner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lat: Annotated[float, Field(ge=-90, le=90)]
    lon: float


class Parts(BaseModel):
    model_config = ConfigDict(extra="forbid")

    street: str | None = None
    city: str | None = None
    country: str | None = None


class Said(Reply):
    said: dict[str, Any]

    def to_text(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.said.items())


async def odd(
    words: Annotated[list[str], Field(min_length=1, description="What to say.")],
    count: Annotated[int, Field(ge=1, le=9, description="How often.")] = 3,
    ratio: Annotated[float | None, Field(description="Of it.")] = None,
    loud: Annotated[bool, Field(description="Shout.")] = False,
    tags: Annotated[str | list[str] | None, Field(description="Some tags.")] = None,
    kinds: Annotated[list[Kind] | None, Field(description="Some kinds.")] = None,
    box: Annotated[list[float] | None, Field(description="West, south, east, north.")] = None,
    corner: Annotated[Corner | None, Field(description="A corner.")] = None,
    parts: Annotated[Parts | None, Field(description="An address.")] = None,
    mode: Annotated[Literal["a", "b"], Field(description="Which.")] = "a",
) -> Said:
    """Says what it was given. Example: {"words": ["hello"]}"""
    given = {
        "words": words, "count": count, "ratio": ratio, "loud": loud, "tags": tags, "kinds": kinds, "box": box,
        "corner": corner and corner.model_dump(), "parts": parts and parts.model_dump(exclude_none=True), "mode": mode,
    }  # fmt: skip
    return Said(said={name: value for name, value in given.items() if value is not None})


async def slow(progress: Progress) -> Said:
    """Sleeps in a thread, where nothing can reach it."""
    progress.update(1, 2, "sleeping")
    print("asleep", flush=True)  # noqa: T201 - tells the test that it runs
    await anyio.to_thread.run_sync(time.sleep, 60)
    return Said(said={})


async def lost() -> Said:
    """Finds nothing."""
    raise NotFound("there is no such thing", "Ask for another.")


async def torn() -> Said:
    """Finds too much."""
    raise Ambiguous("x", ["a#x", "b#x"])


async def broken() -> Said:
    """Has a fault."""
    raise RuntimeError("a fault")


async def long() -> Said:
    """Says more than a pipe holds."""
    return Said(said={str(number): "x" * 100 for number in range(20_000)})


async def nothing() -> None:
    """Closes nothing."""


ODD = Wing(
    tuple(Tool.of(function, title=function.__name__) for function in (odd, slow, lost, torn, broken, long)), nothing
)
SPELLINGS = {
    "odd": Spelling(
        "Says what it was given.", ("hello",), tool="odd", positional=("words",), aliases={"count": ("--times",)}
    ),
    **{name: Spelling("Misbehaves.", ("",), tool=name) for name in ("slow", "lost", "torn", "broken", "long")},
}


def places_wing() -> Wing:
    geocoder = Geocoder(MemorySource(), settings=PlacesSettings(_env_file=None))

    async def ready() -> bool:
        return False

    return Wing(PlaceTools(geocoder).tools(), geocoder.aclose, ready)


FIXTURE = Wiring(places=places_wing, code=WIRING.code)


def odd_group() -> click.Group:
    """Commands over the tools above."""
    return LazyGroup("odd", "Odd tools.", entries(SPELLINGS, lambda _: ODD), examples=("odd hello",))


if __name__ == "__main__":
    if sys.argv[1:2] == ["odd"]:
        del sys.argv[1]
        run(odd_group(), "odd", FIXTURE)
    run(bearings(), "bearings", FIXTURE)
