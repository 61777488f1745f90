"""Nominatim's address keys: their order, and the administrative hierarchy that an address spells out."""

import re
from collections.abc import Mapping
from functools import lru_cache

from bearings.places.models import AdminLevel

LEVELS = (
    "country",
    "region",
    "state",
    "island",
    "state_district",
    "province",
    "county",
    "municipality",
    "city",
    "town",
    "village",
    "city_district",
    "district",
    "borough",
    "suburb",
    "subdivision",
    "hamlet",
    "quarter",
    "neighbourhood",
)
"""The administrative and settlement keys, outermost first (https://nominatim.org/release-docs/latest/api/Output/)."""

ISLAND = "island"
"""Some islands are administrative areas (Gozo), most are not (Mersea)."""

KEYS = ("country_code", *(level for level in LEVELS if level != ISLAND), "postcode", "road", "house_number")
"""The keys of an address, outermost first. Other keys (a shop's name under `shop`, say) are more specific."""

FLAT = ("country", "country_code", "state", "county", "city", "town", "village", "suburb", "postcode")
"""The parts that `admin_boundaries` also gives as fields of their own."""

_RANK = {key: index for index, key in enumerate(reversed(KEYS))}

_ISO_KEY = re.compile(r"ISO3166-2-lvl(\d{1,2})")

# The address keys that Nominatim gives an area of an OSM admin_level, likeliest first (its ADMIN_LABELS). A city-state
# has its city at the state's level.
_KEYS_OF_ADMIN_LEVEL = {
    3: ("region", "state"),
    4: ("state", "province", "region", "city", "municipality"),
    5: ("state_district", "province", "region", "county"),
    6: ("province", "county", "state_district", "municipality", "city", "town"),
    7: ("municipality", "county", "city", "town"),
    8: ("city", "town", "village", "municipality"),
}


def hierarchy(address: Mapping[str, str], *, island: bool = False) -> tuple[AdminLevel, ...]:
    """The areas in an address, outermost first, each with its ISO 3166 code if the address has it.

    `island`: whether the island is an administrative area.
    """
    codes = _codes(address)
    levels = (level for level in LEVELS if address.get(level) and (island or level != ISLAND))
    return tuple(AdminLevel(level, address[level], codes.get(level)) for level in levels)


def iso3166_2(address: Mapping[str, str]) -> str | None:
    """The ISO 3166-2 code of the outermost subdivision that has one."""
    codes = _subdivisions(address)
    return codes[min(codes)] if codes else None


def flat(address: Mapping[str, str]) -> dict[str, str]:
    """The best-known parts of an address: the keys of `FLAT` and `iso3166_2`, without those that it lacks."""
    parts = {key: address[key] for key in FLAT if address.get(key)}
    code = iso3166_2(address)
    return parts if code is None else {**parts, "iso3166_2": code}


def ordered(address: Mapping[str, str]) -> dict[str, str]:
    """The same address, most specific first as Nominatim writes it; unknown keys lead."""
    return {key: address[key] for key in sorted(address, key=_place_of)}


@lru_cache(maxsize=256)
def _place_of(key: str) -> float:
    """A key's position; an ISO code follows the first key of its level."""
    iso = _ISO_KEY.fullmatch(key)
    if iso is None:
        return _RANK.get(key, -1)
    return _RANK[_KEYS_OF_ADMIN_LEVEL.get(int(iso[1]), ("county",))[0]] + 0.5


def _subdivisions(address: Mapping[str, str]) -> dict[int, str]:
    """ISO 3166-2 codes by OSM admin_level."""
    return {int(match[1]): code for key, code in address.items() if code and (match := _ISO_KEY.fullmatch(key))}


def _codes(address: Mapping[str, str]) -> dict[str, str]:
    """ISO 3166 codes by address key; the code of a subdivision without a name in the address is left out."""
    codes = {"country": address["country_code"].upper()} if address.get("country_code") else {}
    for admin_level, code in sorted(_subdivisions(address).items()):
        keys = _KEYS_OF_ADMIN_LEVEL.get(admin_level, ())
        owner = next((key for key in keys if address.get(key) and key not in codes), None)
        if owner is not None:
            codes[owner] = code
    return codes
