"""An HTTP endpoint as plain data: paths, and a function from parameters to an answer. This module knows no framework.

A wing offers endpoints beside its tools; `serving` puts them behind the guards that its tools have.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """A GET request: its query parameters (the last one of a name), and its Accept-Language header."""

    parameters: Mapping[str, str] = field(default_factory=dict)
    languages: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer. `retry_after_s` tells a refused client when to ask again."""

    body: str
    content_type: str
    status: int = 200
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The paths of an endpoint, and the function that answers. It raises nothing.

    `tool` is the tool that answers the same question: who may not call it may not ask here.
    """

    tool: str
    paths: tuple[str, ...]
    answer: Callable[[Request], Awaitable[Response]]
