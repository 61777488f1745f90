"""The resolver's state beside the uses, with which another process can go on."""

from collections.abc import Mapping, MutableMapping, Sequence
from typing import NamedTuple

import msgspec

from bearings.code.facts.encoded_map import MANY_FILES, EncodedMap
from bearings.code.facts.packing import pack, unpack
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.referent import Referent

Lookup = tuple[str, str, str, Referent]
"""The asking file or cell, the specifier, the family of languages, and the answer."""


class Memory(NamedTuple):
    """The memory of a resolver.

    `consulted` are the files and cells that each file's uses depend on, `lookups` the modules that were looked up,
    `entries` the entries of each file in the tables of the project.
    """

    consulted: Mapping[str, frozenset[str]]
    lookups: list[Lookup]
    entries: Mapping[str, Sequence[Entry]]


_CONSULTED = msgspec.msgpack.Decoder(frozenset[str])


def consulted_for(files: int) -> MutableMapping[str, frozenset[str]]:
    """A mapping for the files and cells that so many files consult. It raises Damaged for rows that are none."""
    return EncodedMap(pack, lambda data: unpack(data, _CONSULTED)) if files >= MANY_FILES else {}
