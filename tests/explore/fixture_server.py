"""A server of two plain tools, one of which has a view, from the product's own factory.

python -m tests.explore.fixture_server
"""

from typing import Annotated

from pydantic import Field

from bearings.errors import NotFound
from bearings.reply import Reply
from bearings.serving.app import ServerSpec
from bearings.serving.transports import serve_stdio
from bearings.settings import ServeSettings
from bearings.tool import Tool


class Seen(Reply):
    what: str

    def to_text(self) -> str:
        return f"I see {self.what}."


async def look(what: Annotated[str, Field(description="What to look at.")] = "the sea") -> Seen:
    """Look at something."""
    if what == "nothing":
        raise NotFound("there is nothing", "Look elsewhere.")
    return Seen(what=what)


async def listen() -> Seen:
    """Listen."""
    return Seen(what="a sound")


def spec() -> ServerSpec:
    """The server; its version never changes, so that its words can be recorded."""
    tools = (Tool.of(look, title="Look", always_loaded=True, view="map"), Tool.of(listen, title="Listen"))
    return ServerSpec("looking", "Looking", "1", "Look, then listen.", tools)


if __name__ == "__main__":
    serve_stdio(spec(), ServeSettings())
