"""Well-known names that the packages don't have, or that a smaller place elsewhere has too. Hand-made.

English exonyms of countries and regions, and regions that are known far beyond their population.
"""

from collections.abc import Mapping
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
        "GB-ESS": 0.6,  # nor in Maryland
        "GB-KEN": 0.64,  # not in Washington
        "GB-ORK": 0.68,  # not in South Africa
        "GB-RUT": 0.53,  # not in British Columbia
        "GB-SFK": 0.6,  # not in Virginia
        "GB-SOM": 0.56,  # not in New Jersey
        "GB-SRY": 0.68,  # not in British Columbia
        "ID-BA": 0.66,  # not in West Bengal
        "YE-SU": 0.6,
    }
)
"""The least importance of a subdivision by its ISO code; chosen above the namesake in the comment."""
