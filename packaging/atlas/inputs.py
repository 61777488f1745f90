"""A hash of what a full atlas is made from, for the name of its file: `python packaging/atlas/inputs.py [--write]`.

Without --write the exit status is 1 if src/bearings/places/atlas/edition.py holds another.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = ROOT / "src" / "bearings" / "places"
EDITION = PLACES / "atlas" / "edition.py"

_WRITERS = {
    "atlas": "integrity.py naming.py polity.py polity.txt ranking.py schema.sql settlement.py sound.py writer.py",
    "engine": "chains.py database.py han.txt text.py",
    "query": "mending.py",
}
"""The modules of `src` that decide what an atlas holds."""


def inputs() -> Iterator[Path]:
    """The builder, what it writes with, the versions of its packages, and the committed data.

    The layer of postcodes has a file and a version of its own (postcodes.DATA_VERSION).
    """
    builder = ROOT / "packaging" / "atlas" / "builder"
    yield from sorted(path for path in builder.rglob("*.py") if path.name != "postcodes.py")
    for folder, names in _WRITERS.items():
        yield from (PLACES / folder / name for name in names.split())
    yield ROOT / "packaging" / "atlas.lock"
    data = ROOT / "packaging" / "atlas" / "data"
    yield from sorted(path for path in data.rglob("*") if path.is_file()) if data.is_dir() else ()


def digest() -> str:
    """Twelve hexadecimal digits; the same whatever ends of lines a checkout has."""
    whole = hashlib.sha256()
    for path in inputs():
        content = path.read_bytes().replace(b"\r\n", b"\n")
        whole.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]


def main() -> int:
    """Checks or writes."""
    text, now = EDITION.read_text("utf-8"), digest()
    right = re.sub(r'^INPUTS = "\w*"$', f'INPUTS = "{now}"', text, flags=re.MULTILINE)
    if "--write" in sys.argv[1:] and right != text:
        EDITION.write_text(right, encoding="utf-8")
        return 0
    if right != text:
        print(f"{EDITION.relative_to(ROOT)}: INPUTS is not {now}: run `make core-atlas`", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
