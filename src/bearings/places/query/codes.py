"""Possible codes in a query. Only the form is checked; the source knows whether a code exists."""

import re

from bearings.places.models import Code, CodeScheme

_SUBDIVISION = re.compile(r"([A-Za-z]{2})-([A-Za-z0-9]{1,3})")
_PREFIXED = re.compile(r"(IATA|ICAO)\s?[:=]?\s?([A-Za-z]{3,4})", re.IGNORECASE)
_BESIDE_AIRPORT = re.compile(
    r"(?:airport ([A-Za-z]{3,4})|([A-Za-z]{3,4}) (?:(?:international|intl) )?airport)", re.IGNORECASE
)
_PLAIN = re.compile(r"[A-Za-z]{2,4}")

_SCHEMES = {
    2: (CodeScheme.ISO_3166_1,),
    3: (CodeScheme.ISO_3166_1, CodeScheme.IATA),
    4: (CodeScheme.ICAO,),
}
_AIRPORTS = {3: CodeScheme.IATA, 4: CodeScheme.ICAO}


def read(text: str) -> tuple[Code, ...]:
    """The codes that a whole text may be, likeliest first; none if it is too long.

    "US-CA" is ISO 3166-2; two letters are ISO 3166-1; three are ISO 3166-1 or IATA; four ICAO; "JFK airport" is IATA.
    """
    if _SUBDIVISION.fullmatch(text):
        return (Code(CodeScheme.ISO_3166_2, text.upper()),)
    match = _PREFIXED.fullmatch(text)
    if match and len(match[2]) == (3 if match[1].upper() == "IATA" else 4):
        return (Code(CodeScheme(match[1].upper()), match[2].upper()),)
    if match := _BESIDE_AIRPORT.fullmatch(text):
        value = match[1] or match[2]
        return (Code(_AIRPORTS[len(value)], value.upper()),)
    if _PLAIN.fullmatch(text):
        return tuple(Code(scheme, text.upper()) for scheme in _SCHEMES[len(text)])
    return ()
