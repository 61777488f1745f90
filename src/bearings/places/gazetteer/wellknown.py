"""What people mean by names that the packages don't have, or that a smaller place elsewhere bears too. Hand-made.

English exonyms of countries and regions, regions that are known far beyond their population, and islands and regions
that are no administrative area but a sum of some.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "KR": ("Korea",),
        "NL": ("Holland",),
        "US": ("America",),
        "YE-SU": ("Socotra", "Soqotra", "Suqutra"),
    }
)
"""Further names by ISO 3166 code, of a country or a subdivision."""

IMPORTANCE: Mapping[str, float] = MappingProxyType(
    {
        "AU-VIC": 0.72,  # not the capital of the Seychelles, nor that of British Columbia
        "GB-CON": 0.6,  # not in Ontario
        "GB-ORK": 0.62,  # not in South Africa
        "ID-BA": 0.66,  # not in West Bengal
        "YE-SU": 0.6,
    }
)
"""The least importance of a subdivision by its ISO code; chosen above the namesake in the comment."""


@dataclass(frozen=True, slots=True)
class Group:
    """An island or a region as a sum of subdivisions of one country, by their ISO codes."""

    name: str
    others: tuple[str, ...]
    type: str
    country: str
    members: tuple[str, ...]


def _in(country: str, codes: str) -> tuple[str, ...]:
    return tuple(f"{country}-{code}" for code in codes.split())


GROUPS = (
    Group("Java", ("Jawa",), "island", "ID", _in("ID", "BT JK JB JT YO JI")),
    Group("Sumatra", ("Sumatera",), "island", "ID", _in("ID", "AC SU SB RI JA SS BE LA")),
    Group("Sulawesi", ("Celebes",), "island", "ID", _in("ID", "SA ST SN SG GO SR")),
    Group("Kalimantan", (), "region", "ID", _in("ID", "KB KT KS KI KU")),
    Group("Patagonia", (), "region", "AR", _in("AR", "Q R U Z V")),
    Group(
        "Siberia",
        ("Сибирь", "Sibir", "Sibérie", "Sibirien"),
        "region",
        "RU",
        _in("RU", "TYU KHM YAN OMS TOM NVS ALT AL KEM KK KYA TY IRK BU ZAB SA"),
    ),
)
"""Siberia in its wider sense, from the Urals to the Pacific's watershed, without the Far East's coasts."""
