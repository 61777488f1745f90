"""Builds the data wheels `bearings-atlas` and `bearings-postcodes` from the cache directory: `make atlas-wheel`.

They are written to dist/, or to the directory that is given; that of the postcodes only if these were made.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bearings.places.atlas import postcodes
from bearings.places.atlas.edition import DATA_VERSION, file_name
from bearings.places.atlas.integrity import faults
from bearings.places.atlas.store import WHEEL, WHEEL_FILE
from bearings.places.atlas.writer import SCHEMA_VERSION
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Checks the atlas, and packs it and its postcodes."""
    cache = PlacesSettings().cache_dir
    atlas, layer = cache / file_name(), cache / postcodes.file_name()
    if wrong := faults(atlas, SCHEMA_VERSION):
        print(f"{atlas}: {'; '.join(wrong)}", file=sys.stderr)  # noqa: T201
        return 1
    dist = Path(sys.argv[1]).absolute() if sys.argv[1:] else ROOT / "dist"
    pack("wheel", atlas, f"{WHEEL}/{WHEEL_FILE}", DATA_VERSION, dist)
    if postcodes.readable(layer):
        name = f"{postcodes.WHEEL}/{postcodes.WHEEL_FILE}"
        pack("wheel-postcodes", layer, name, postcodes.DATA_VERSION, dist)
    return 0


def pack(template: str, data: Path, name: str, version: str, dist: Path) -> None:
    """A wheel with a file of data, `name` in its sources, from a folder beside this script."""
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "wheel"
        shutil.copytree(ROOT / "packaging" / "atlas" / template, project)
        packed = project / "src" / name
        packed.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data, packed)
        packed.chmod(0o644)
        packed.with_name("__init__.py").write_text(f'"""Data of bearings."""\n\n__version__ = "{version}"\n')
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
        subprocess.run(build, cwd=project, check=True)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
