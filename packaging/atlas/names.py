"""Makes the committed names: `python packaging/atlas/names.py FOLDER`. It needs the group `atlas-build`; run by hand.

FOLDER holds the unpacked packages below, each in a folder of its own:

    npm pack cldr-localenames-full@VERSION cldr-dates-full@VERSION    unpacked to <name>-<version>
    apt-get download libgeonames-common; dpkg-deb -x … geonames       Debian 12
    pip download --no-deps django-countries==9.1.0                    unpacked to django-countries
    apt-get download locales; dpkg-deb -x … glibc                     Debian 12
    7z x ne_10m_populated_places.7z                                   to natural-earth

Each source gives one file of `data/names`; the same inputs give the same bytes. What CLDR says today is left out, as
the build reads it from babel, and so is a name that is spelt as the place's main one.
"""

import gettext
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "src")]

from bearings.places.engine import text  # noqa: E402
from builder import cldr, packages, translations  # noqa: E402
from builder.translations import Row  # noqa: E402

DATA = Path(__file__).parent / "data" / "names"

OLDER_CLDR = ("29.0.0", "31.0.1", "36.0.0", "40.0.0", "44.1.0")
OLDER_ZONES = ("29.0.0", "36.0.0", "40.0.0")
"""Versions whose names of countries and of cities are added to today's: spellings change, and so do names."""

_MOST_CHARS = 80
_CODE, _CODE_CHARS = 2, 3
_COUNTRY_NAME = re.compile(r'^country_name\s+"([^"]+)"', re.MULTILINE)
_ESCAPED = re.compile(r"<U([0-9A-F]{4,8})>")
_NATURAL_EARTH = {"NAME_DE": "de", "NAME_ES": "es", "NAME_FR": "fr", "NAME_PT": "pt", "NAME_RU": "ru", "NAME_ZH": "zh"}
_TAGS = {"zh-cn": "zh", "zh-tw": "zh-hant", "zh-sg": "zh", "sr@latin": "sr-latn", "en@test": ""}


def geonames(folder: Path) -> Iterator[Row]:
    """Cities by geonameid, first-level regions by GeoNames' code, countries, in 190 languages."""
    for file in sorted((folder / "geonames/usr/share/locale").glob("*/LC_MESSAGES/geonames.mo")):
        for key, said in _catalogue(file):
            name = f"iso:{key}" if len(key) == 2 else f"geonames:{key}"
            yield Row(name, _tag(file.parts[-3]), said)


def natural_earth(folder: Path) -> Iterator[Row]:
    """Populated places that have a geonameid."""
    (file,) = sorted((folder / "natural-earth").glob("*.json"))
    for feature in json.loads(file.read_text("utf-8"))["features"]:
        told = feature["properties"]
        identifier = int(told["GEONAMEID"] or 0)
        for column, language in _NATURAL_EARTH.items():
            if identifier > 0 and told[column]:
                yield Row(f"geonames:{identifier}", language, told[column])


def django_countries(folder: Path) -> Iterator[Row]:
    """Countries; the catalogues are by English name, which a module of the package gives."""
    package = folder / "django-countries/django_countries"
    # English name → code, of lines like `"AF": _("Afghanistan"),`; the module is read and not run.
    found = {}
    for line in (package / "data.py").read_text("utf-8").splitlines():
        code, is_row, rest = line.strip().partition(': _("')
        if is_row and len(code) == 4 and rest.endswith('"),'):
            found[rest[:-3]] = code.strip('"')
    codes = found
    for file in sorted(package.glob("locale/*/LC_MESSAGES/django.mo")):
        for key, said in _catalogue(file):
            if key in codes and (tag := _tag(file.parts[-3])):
                yield Row(f"iso:{codes[key]}", tag, said)


def older_cldr(folder: Path) -> Iterator[Row]:
    """Countries and the example cities of time zones, as earlier versions of CLDR name them; each name once."""
    seen: set[tuple[str, str]] = set()
    for row in sorted(_older_cldr(folder), key=lambda row: (len(row.language), row)):
        once = row.key, text.key_of(row.name)
        if once not in seen and not (len(row.name) <= _CODE_CHARS and row.name.isupper()):
            seen.add(once)
            yield row


def _older_cldr(folder: Path) -> Iterator[Row]:
    for version in OLDER_CLDR:
        for file in sorted(folder.glob(f"cldr-localenames-full-{version}/package/main/*/territories.json")):
            (told,) = json.loads(file.read_text("utf-8"))["main"].values()
            for code, said in told["localeDisplayNames"]["territories"].items():
                if len(code) == 2 or "-alt-" in code:
                    yield Row(f"iso:{code[:2]}", file.parent.name.lower(), said)
    for version in OLDER_ZONES:
        for file in sorted(folder.glob(f"cldr-dates-full-{version}/package/main/*/timeZoneNames.json")):
            (told,) = json.loads(file.read_text("utf-8"))["main"].values()
            for zone, said in _zones(told["dates"]["timeZoneNames"].get("zone", {})):
                yield Row(f"zone:{zone}", file.parent.name.lower(), said)


def glibc(folder: Path) -> Iterator[Row]:
    """Countries in the languages of their locales. The files say that no copyright is claimed in their data."""
    for file in sorted((folder / "glibc/usr/share/i18n/locales").glob("*_*")):
        found = _COUNTRY_NAME.search(file.read_text("utf-8", "replace"))
        language, _, country = file.name.partition("@")[0].partition("_")
        if found and len(country) == _CODE:
            name = _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), found[1])
            yield Row(f"iso:{country}", language, name)


def _zones(tree: dict[str, object], path: str = "") -> Iterator[tuple[str, str]]:
    for name, below in tree.items():
        if isinstance(below, dict):
            if isinstance(city := below.get("exemplarCity"), str):
                yield f"{path}{name}", city
            else:
                yield from _zones(below, f"{path}{name}/")


def _catalogue(file: Path) -> Iterator[tuple[str, str]]:
    with file.open("rb") as opened:
        catalogue = gettext.GNUTranslations(opened)
    for key, said in sorted(vars(catalogue)["_catalog"].items(), key=str):
        if isinstance(key, str) and key and said:
            yield key.rpartition("\x04")[2], said


def _tag(locale: str) -> str:
    tag = locale.lower().replace("_", "-")
    return _TAGS.get(tag, tag)


def _known() -> dict[str, set[str]]:
    """The keys of the names that the build has anyway: CLDR's, and the main ones of cities."""
    known = {f"iso:{code}": {text.key_of(name.text) for name in names} for code, names in cldr.territories().items()}
    for zone, names in cldr.cities().items():
        plain = zone.rpartition("/")[2].replace("_", " ")
        known[f"zone:{zone}"] = {text.key_of(name) for name in (plain, *(name.text for name in names))}
    return known | {f"geonames:{city.geonameid}": {text.key_of(city.name)} for city in packages.Cities()}


def rows(found: Iterable[Row], known: dict[str, set[str]]) -> list[Row]:
    """The rows with a new name for a place that the build has."""
    new = {
        row
        for row in found
        if row.language and (row.key in known or (row.key.startswith("geonames:") and "." in row.key))
        and len(row.name) <= _MOST_CHARS and "\t" not in row.name and "\n" not in row.name
        and text.key_of(row.name) and text.key_of(row.name) not in known.get(row.key, ())
    }  # fmt: skip
    return sorted(new)


SOURCES = {
    "geonames": ("GeoNames (libgeonames-common 0.3.0-1 of Debian)", "CC BY 4.0", geonames),
    "natural_earth": ("Natural Earth 4.1, populated places", "public domain", natural_earth),
    "django_countries": ("django-countries 9.1.0", "MIT", django_countries),
    "glibc": ("glibc 2.36, locales (2.36-9+deb12u14 of Debian)", "no copyright claimed", glibc),
    "older_cldr": (f"Unicode CLDR {', '.join(OLDER_CLDR)}", "Unicode License v3", older_cldr),
}


def main(arguments: list[str]) -> int:
    """Writes the files of all sources."""
    if len(arguments) != 1:
        sys.stderr.write(__doc__ or "")
        return 2
    known = _known()
    DATA.mkdir(parents=True, exist_ok=True)
    for name, (source, licence, read) in SOURCES.items():
        found = rows(read(Path(arguments[0])), known)
        content = translations.encode(source, licence, found)
        (DATA / f"{name}.xz").write_bytes(content)
        sys.stdout.write(f"{name:<18}{len(found):>8,} names {len(content):>10,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
