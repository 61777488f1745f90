"""Names of places in other languages, from all sources: CLDR's names first, then the committed ones."""

import re
from pathlib import Path

from bearings.places.engine import text
from builder import cldr, packages, translations
from builder.feature import Feature, Name

_PREFIXED = re.compile(r"[a-z]{1,3}-?(?=[A-Z])")
"""The class that a noun of a Bantu language has before its capital: "iNingizimu Afrika", "eSwatini"."""

_LEAST_OF_ZONE = 0.45
"""The importance from which on a city may be the one that a time zone is named after."""


class Names:
    """The names of countries, regions and cities, each list most trusted first."""

    def __init__(self, data: Path) -> None:
        self._translated = translations.names(data)
        self._territories, self._endonyms = cldr.territories(), cldr.endonyms()
        self._aliases = packages.country_aliases()
        named = cldr.cities()
        self._of_zones = {
            (text.key_of(english), country): (*named.get(zone, ()), *self._translated.get(f"zone:{zone}", ()))
            for zone, (english, country) in cldr.zone_cities().items()
        }

    def of_country(self, country: Feature) -> tuple[Name, ...]:
        """By its alpha-2 code; the first is the one on the ground, where the sources tell its language."""
        code = country.code or ""
        local = tuple(Name(name.text, "local") for name in self._endonyms.get(code, ())[:1])
        aliases = tuple(Name(each) for each in self._aliases.get(code, ()) if each)
        translated = self._translated.get(f"iso:{code}", ())
        found = (*local, *self._territories.get(code, ()), *country.names, *translated, *aliases)
        return (*found, *(Name(_PREFIXED.sub("", name.text)) for name in found if _PREFIXED.match(name.text)))

    def of_region(self, geonames: str) -> tuple[Name, ...]:
        """By GeoNames' code of a first-level region ("US.CA")."""
        return self._translated.get(f"geonames:{geonames}", ())

    def of_city(self, city: packages.City, weight: float) -> tuple[Name, ...]:
        """By its geonameid; a well-known city's by its time zone too, in which no other is called so."""
        translated = self._translated.get(f"geonames:{city.geonameid}", ())
        if weight <= _LEAST_OF_ZONE:
            return translated
        return (*self._of_zones.get((text.key_of(city.name), city.countrycode), ()), *translated)
