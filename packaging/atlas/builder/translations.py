"""Names in languages beside CLDR's, from the committed files of `packaging/atlas/data/names`, one for each source.

A file is LZMA over lines of three columns – key, language, name – in order; the first line says source and licence.
A key is "geonames:2643743" (a city), "geonames:ZA.05" (a first-level region), "iso:DE" (a country) or
"zone:Europe/Vienna" (the example city of a time zone). packaging/atlas/names.py makes the files.
"""

import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from builder.feature import Name

FILES = ("geonames", "natural_earth", "django_countries", "glibc", "older_cldr")
"""In order of trust: of one language the first name is the one that is shown."""


class Row(NamedTuple):
    """One name of one place in one language (a BCP 47 tag)."""

    key: str
    language: str
    name: str


def encode(source: str, licence: str, rows: Iterable[Row]) -> bytes:
    """A file; the same rows give the same bytes."""
    lines = [f"# {source}\t{licence}", *("\t".join(row) for row in rows)]
    return lzma.compress("\n".join(lines).encode() + b"\n", preset=9 | lzma.PRESET_EXTREME)


def header(data: Path, name: str) -> tuple[str, str]:
    """Source and licence of a file."""
    source, licence = next(_lines(data / "names" / f"{name}.xz")).removeprefix("# ").split("\t")
    return source, licence


@cache
def names(data: Path) -> Mapping[str, tuple[Name, ...]]:
    """The names of all files by their key, most trusted first."""
    found: dict[str, list[Name]] = defaultdict(list)
    for name in FILES:
        lines = _lines(data / "names" / f"{name}.xz")
        next(lines)
        for line in lines:
            row = Row(*line.split("\t"))
            found[row.key].append(Name(row.name, row.language))
    return {key: tuple(several) for key, several in found.items()}


def _lines(path: Path) -> Iterator[str]:
    yield from lzma.decompress(path.read_bytes()).decode().splitlines()
