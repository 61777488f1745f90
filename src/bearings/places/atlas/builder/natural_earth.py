"""Natural Earth's physical features, seas, lakes, rivers, islands, parks and ports, from the committed files.

Natural Earth 4.1 at 1:10 million, public domain. `packaging/atlas/make.py` makes the files from the originals and
says how; `python -m bearings.places.atlas.builder.natural_earth FOLDER` counts what they hold.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bearings.places.atlas.builder import codec
from bearings.places.atlas.builder.feature import Feature

FILES = ("seas", "islands", "physical", "lakes", "rivers", "parks", "ports")
"""The files of this source, without ".xz"; each holds its larger areas first."""


def features(data: Path) -> Iterator[Feature]:
    """The features of all files in the folder `data`. Raises FileNotFoundError, or ValueError for another format."""
    for name in FILES:
        yield from codec.read(data / f"{name}.xz")


def header(data: Path) -> codec.Header:
    """Source, version and licence, as the files say them."""
    return codec.read(data / f"{FILES[0]}.xz").header


def counts(data: Path) -> dict[str, Counter[str]]:
    """How many features of which kind each file in the folder holds, of whatever source."""
    return {path.stem: Counter(feature.kind for feature in codec.read(path)) for path in sorted(data.glob("*.xz"))}


def _main(folder: str) -> None:
    for name, kinds in counts(Path(folder)).items():
        common = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common(6))
        sys.stdout.write(f"{name:<16}{kinds.total():>7,}   {common}\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
