"""The resolver's state beside the uses, with which another process can go on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.referent import Referent

Lookup = tuple[str, str, str, Referent]
"""The asking file or cell, the specifier, the family of languages, and the answer."""


class Memory(NamedTuple):
    """The memory of a resolver.

    `consulted` are the files and cells that each file's uses depend on, `lookups` the modules that were looked up,
    `entries` the entries of each file in the tables of the project.
    """

    consulted: dict[str, frozenset[str]]
    lookups: list[Lookup]
    entries: Mapping[str, Sequence[Entry]]
