"""The views of answers: what a tool says about them, and a page as plain data. This module knows no framework."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

View = Literal["map", "graph"]
"""A way to look at an answer: on a map, or as a graph."""


@dataclass(frozen=True, slots=True)
class Page:
    """An HTML page, and its Content-Security-Policy, which stands in the page too."""

    html: str
    policy: str


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a server: `hosted` are shown by the host of an MCP App; `served`, by path, ask the server itself."""

    hosted: Mapping[View, Page]
    served: Mapping[str, Page]
