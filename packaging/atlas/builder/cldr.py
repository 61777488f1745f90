"""Names in the languages of Unicode CLDR, from the package babel (BSD; the data under the Unicode licence).

Only what a locale says itself is read: what "de-AT" takes over from "de" is not repeated. A tag is that of the locale
("pt", "zh-hant", "sr-latn"); the same text in a locale of a country is left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from builder.feature import Name


def territories() -> dict[str, tuple[Name, ...]]:
    """Names of countries by alpha-2 code, and of continents and macro-regions by UN M49 code, in order of language."""
    return _gathered("territories")


def cities() -> dict[str, tuple[Name, ...]]:
    """Names of the example cities of time zones, by zone id ("Europe/Vienna"). Not all are cities: some are islands."""
    named: dict[str, dict[str, Name]] = defaultdict(dict)
    for zone, names in _gathered("time_zones").items():
        named[_current(zone)] |= {name.language: name for name in names}
    return {zone: tuple(names[tag] for tag in sorted(names)) for zone, names in sorted(named.items())}


def _current(zone: str) -> str:
    """The id that is in use today: CLDR keeps a zone's first ("Asia/Calcutta")."""
    from babel import core

    known = core.get_global("zone_territories")
    return zone if zone in known else str(core.get_global("zone_aliases").get(zone, zone))


def zone_cities() -> dict[str, tuple[str, str]]:
    """(English name of the city, alpha-2 code of its country) by zone id, to find the city that a name belongs to."""
    from babel import core, localedata

    english = localedata.load("en", merge_inherited=False)["time_zones"]
    found = {}
    for zone, country in core.get_global("zone_territories").items():
        plain = zone.rsplit("/", 1)[-1].replace("_", " ")
        if len(country) == 2 and "/" in zone and not zone.startswith("Etc/"):
            found[zone] = (english.get(zone, {}).get("city", plain), country)
    return found


def endonyms() -> dict[str, tuple[Name, ...]]:
    """A country's names in its official languages, most spoken first, by alpha-2 code."""
    from babel.languages import get_official_languages

    named = territories()
    found = {}
    for code, names in named.items():
        by_language = {name.language: name for name in names}
        spoken = (tag.lower().replace("_", "-") for tag in get_official_languages(code, de_facto=True))
        own = tuple(by_language[tag] for tag in spoken if tag in by_language)
        if own:
            found[code] = own
    return found


def languages() -> int:
    """How many languages name at least one country."""
    return len({name.language.split("-")[0] for names in territories().values() for name in names})


@cache
def _gathered(table: str) -> dict[str, tuple[Name, ...]]:
    from babel import localedata

    found: dict[str, dict[str, Name]] = defaultdict(dict)
    for locale in sorted(localedata.locale_identifiers(), key=lambda name: (name.count("_"), name)):
        tag = locale.lower().replace("_", "-")
        own: Mapping[str, Any] = localedata.load(locale, merge_inherited=False).get(table, {})
        parent = tag.rsplit("-", 1)[0]
        for key, text in _texts(own):
            known = found[key].get(parent)
            if known is None or known.text != text:
                found[key][tag] = Name(text, tag)
    return {key: tuple(names[tag] for tag in sorted(names)) for key, names in sorted(found.items())}


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, name) of a table whose values are names, or mappings with a city; unknown places are left out."""
    for key, value in table.items():
        text = value.get("city") if isinstance(value, dict) else value
        if isinstance(text, str) and text and not key.startswith(("Etc/", "ZZ")):
            yield key, text
