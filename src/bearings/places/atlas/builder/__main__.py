"""Makes the core atlas: `python -m bearings.places.atlas.builder core PATH [FULL]`. See `make core-atlas`."""

import argparse
from pathlib import Path

from bearings.places.atlas.builder.core import make_core
from bearings.places.atlas.edition import file_name
from bearings.places.settings import PlacesSettings


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m bearings.places.atlas.builder", description=__doc__)
    parser.add_argument("what", choices=["core"])
    parser.add_argument("path", type=Path, help="where the core atlas is written")
    made = PlacesSettings().cache_dir / file_name()
    parser.add_argument("full", type=Path, nargs="?", default=made, help="a full atlas; default: the one made here")
    given = parser.parse_args()
    make_core(given.full, given.path)


if __name__ == "__main__":
    main()
