"""The files that may put the name of an element together: `getattr(cart, f"do_{kind}")`."""

import re
from collections.abc import Collection
from typing import Final

from bearings.code.models import Symbol
from bearings.code.resolve.demand.way import Sources

_GIVES: Final = rb"""(?:attr\([\s\S]{1,200}?|=\s*\(?\s*)[rRfFuU]{0,2}["']"""
"""What precedes a composed name: it is given to `getattr` and the like, or to a variable."""
_GIVER: Final = "etattr"
"""The text that `getattr` and `setattr` share: all files are searched once for it."""
_MOST_COMPOSED: Final = 61
"""The characters from which on the beginning of a composed name is not looked for."""


def composing(symbol: Symbol, sources: Sources) -> Collection[str]:
    """The files that may compose the name of an element of Python."""
    start = _composed(symbol.name)
    files = sources.matching(start, sources.containing(_GIVER))
    if files and "." not in symbol.qualified_name:  # of a module, which another file has to name
        files = {symbol.file, *sources.holding(_module_name(symbol.file))}.intersection(files)
    return sources.matching(_GIVES + start, files) if files else ()


def _composed(name: str) -> bytes:
    """A pattern for the text of a file that may compose a name: a string with a value begins as the name does."""
    start, parts = re.escape(name[:2]), [re.escape(name[2:at]) for at in range(2, min(len(name), _MOST_COMPOSED))]
    # The pattern begins with a literal, which the search is quick to find.
    return rf"""{start}(?<=["']{start})(?:{"|".join(parts)})(?:[{{%]|["']\s*\+)""".encode("utf-8", "replace")


def _module_name(path: str) -> str:
    """The last part of the name of a module of Python's."""
    return path.removesuffix("/__init__.py").rpartition("/")[2].partition(".")[0]
