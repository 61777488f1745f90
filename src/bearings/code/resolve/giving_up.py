"""Gives up what one file asks of the resolver, where it raises or takes too many steps: the other files are resolved.

attempt(path, lambda: table.read(path), ())        # the entries of a file; none if they can't be read
"""

import logging
from collections.abc import Callable
from typing import Final, TypeVar

from bearings.code.facts.packed_map import Lost
from bearings.untrusted import escape_line, named

_T = TypeVar("_T")
_LOG: Final = logging.getLogger(__name__)


class NeedsIndex(Exception):
    """Only the index of the whole project can answer."""


class TooManySteps(Exception):
    """Resolving a file takes more steps than any file that people write."""


def attempt(path: str, make: Callable[[], _T], otherwise: _T) -> _T:
    """What `make` returns; `otherwise`, logged, if it raises because of the file at `path`. Raises Lost, NeedsIndex."""
    try:
        return make()
    except (Lost, NeedsIndex):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, only this file is left out
        _LOG.warning("%s: given up: %s: %s", named(path), type(error).__name__, escape_line(str(error), 200))
        return otherwise
