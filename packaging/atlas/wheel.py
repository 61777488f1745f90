"""Builds the data wheel `bearings-atlas` from the full atlas of the cache directory: `make atlas-wheel`.

It is written to dist/, or to the directory that is given.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bearings.places.atlas.edition import DATA_VERSION, file_name
from bearings.places.atlas.integrity import faults
from bearings.places.atlas.store import WHEEL, WHEEL_FILE
from bearings.places.atlas.writer import SCHEMA_VERSION
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Checks the atlas, and packs it."""
    atlas = PlacesSettings().cache_dir / file_name()
    if wrong := faults(atlas, SCHEMA_VERSION):
        print(f"{atlas}: {'; '.join(wrong)}", file=sys.stderr)  # noqa: T201
        return 1
    dist = Path(sys.argv[1]).absolute() if sys.argv[1:] else ROOT / "dist"
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "wheel"
        shutil.copytree(ROOT / "packaging" / "atlas" / "wheel", project)
        package = project / "src" / WHEEL
        shutil.copyfile(atlas, package / WHEEL_FILE)
        (package / WHEEL_FILE).chmod(0o644)
        (package / "__init__.py").write_text(f'"""The full atlas of bearings."""\n\n__version__ = "{DATA_VERSION}"\n')
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
        subprocess.run(build, cwd=project, check=True)  # noqa: S603
    return 0


if __name__ == "__main__":
    sys.exit(main())
