"""Extracts of any size: those of $BEARINGS_DATA joined, and copied: `python -m benchmarks.extracts OUT COPIES`.

A copy lies some degrees of longitude away, has ids of its own, and names of its own: consonants are exchanged, so that
the words of a name that is repeated stay words that are repeated.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import osmium

STEP_DEG = 3.0
ID_STEP = 20_000_000_000
_NAMES = (
    "name",
    "addr:street",
    "addr:city",
    "addr:place",
    "alt_name",
    "official_name",
    "old_name",
    "loc_name",
    "brand",
)
_CONSONANTS = "bcdfghklmnprstvwz"


def extracts() -> list[Path]:
    """The four extracts."""
    return sorted(Path(os.environ["BEARINGS_DATA"], "osm").glob("*.osm.pbf"))


def copied(out: Path, copies: int) -> None:
    """Writes the extracts joined, and `copies` - 1 copies beside them: nodes, ways and relations, each by id."""
    out.unlink(missing_ok=True)
    with osmium.SimpleWriter(str(out)) as writer:
        for kind in (osmium.osm.NODE, osmium.osm.WAY, osmium.osm.RELATION):
            for copy in range(copies):
                for found in _merged(kind):
                    writer.add(_moved(found, copy) if copy else found)


def _merged(kind: Any) -> Iterator[Any]:
    """The objects of a kind in all extracts by id, each once."""
    streams = [iter(osmium.FileProcessor(str(path), kind)) for path in extracts()]
    heads = [next(stream, None) for stream in streams]
    last = None
    while any(head is not None for head in heads):
        at = min((number for number, head in enumerate(heads) if head is not None), key=lambda number: heads[number].id)
        found = heads[at]
        if found.id != last:
            yield found
        last = found.id
        heads[at] = next(streams[at], None)


def _moved(found: Any, copy: int) -> Any:
    tags = [(tag.k, _renamed(tag.v, copy) if tag.k.startswith(_NAMES) else tag.v) for tag in found.tags]
    number = found.id + copy * ID_STEP
    if found.is_node():
        lon = (found.lon + copy * STEP_DEG + 180) % 360 - 180
        return osmium.osm.mutable.Node(found, id=number, tags=tags, location=(lon, found.lat))
    if found.is_way():
        nodes = [node.ref + copy * ID_STEP for node in found.nodes]
        return osmium.osm.mutable.Way(found, id=number, tags=tags, nodes=nodes)
    members = [(member.type, member.ref + copy * ID_STEP, member.role) for member in found.members]
    return osmium.osm.mutable.Relation(found, id=number, tags=tags, members=members)


def _renamed(name: str, copy: int) -> str:
    turned = _CONSONANTS[copy % len(_CONSONANTS) :] + _CONSONANTS[: copy % len(_CONSONANTS)]
    return name.translate(str.maketrans(_CONSONANTS + _CONSONANTS.upper(), turned + turned.upper()))


if __name__ == "__main__":
    copied(Path(sys.argv[1]), int(sys.argv[2]))
