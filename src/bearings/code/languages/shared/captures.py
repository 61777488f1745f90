"""The captures of a language's query: the interface that specs and extraction know, without grammars and parsers."""

from typing import Protocol, TypeAlias

from tree_sitter import Node

Events: TypeAlias = tuple[list[int], list[int], list[int], list[Node]]
"""Start bytes, end bytes, capture ranks and nodes: parallel lists."""


class Captures(Protocol):
    """The captures of a query in one tree."""

    def of(self, name: str, /) -> list[Node]:
        """Return the nodes of a capture, in any order."""

    def spans(self, name: str, field: str = "", /) -> list[tuple[int, int]]:
        """Return the spans of a capture's nodes, or of the first child of each in `field`, in any order."""

    def among(self, name: str, texts: set[str], /) -> list[tuple[int, str]]:
        """Return the start and text of those nodes of a capture whose text is in `texts`."""

    def events(self, names: tuple[str, ...], /) -> Events:
        """Return the nodes of several captures, in the order of the source, outermost first.

        A capture's rank is its index in `names`. Of nodes with the same span, the one with the lowest rank comes first.
        """
