"""The ways to read a query as a name and its contexts, as keys, in the order of a search."""

import re
from collections.abc import Iterator
from dataclasses import replace

from bearings.places.atlas import kinds, polity, spellings
from bearings.places.atlas.matching import Reading
from bearings.places.engine import text
from bearings.places.models import CodeScheme, Kind, NameReading, ParsedQuery
from bearings.places.query import qualifiers

_NOT_COUNTRIES = frozenset({"LA"})
"""Codes of countries that most people write for another place: Los Angeles, not Laos."""

_LEAST_LISTED = 5
"""Letters of a spelling in lists: shorter ones are words, such as "here"."""

_SPELT_OUT = {
    "fed sts": "federated states", "fed": "federal", "rep": "republic", "dem": "democratic", "is": "islands",
    "sts": "states", "rb": "bolivarian republic", "peo": "people", "un": "united",
}  # fmt: skip
"""Abbreviations in names of countries: "Congo, Dem. Rep.", "Micronesia, Fed. Sts."."""

_CUT_SHORT = {
    "n": "north", "nth": "north", "s": "south", "sth": "south", "e": "east", "w": "west", "sto": "santo",
    "sta": "santa", "i": "isle", "is": "islas",
}  # fmt: skip
_CUT_INSIDE = {"s": "sur", "u": "under", "odt": "ob der tauber", "vdh": "vor der hohe"}
"""Abbreviations of a name's first word, and of the others: "E. St. Louis", "Newcastle u. Lyme"."""

_ABBREVIATED = re.compile(rf"\b(?:{'|'.join(_SPELT_OUT)})\b")

_AIRPORT_CODE = (3, 4)
"""Letters of an IATA and an ICAO code."""

_MOST_WORDS = 12
_LAST_TOWN_RANK = 19
_TURNED_PARTS = 2


def stages(parsed: ParsedQuery) -> list[list[Reading]]:
    """The readings of a query in stages, likeliest first: as a code, unchanged; by its words; split anywhere.

    If no place is of the kind that a word names ("city of"), a later stage ignores the kind, but "Mersea Island" is no
    village of Mersea. The rest of an area's or settlement's name is
    neither completed nor corrected: "Mersea Island" is not a misspelt Merced.
    """
    parts = _with_form([key for part in parsed.parts if (key := text.normalise(part))])
    if not parts or not parsed.readings:
        return []
    keyed = [each for reading in parsed.readings[1:] if (each := _keyed(reading)).name]
    if parsed.parts[0].isupper() and (of_code := [each for each in keyed if each.code]):
        # "ES-HU" is Huesca, a county here, or nothing, and not Hungary in Spain; "CN-HK" is Hong Kong.
        counties = [Reading(text.normalise(each.code or ""), code=each.code, exactly=True) for each in of_code]
        return [of_code, counties, [*map(_of_code, spellings.codes_of(parts[0]))]]
    loose = [
        Reading(each.name, each.context, exactly=True, last_rank=kinds.LAST_RANK_INSTEAD[each.kind])
        for each in keyed
        if each.kind in kinds.LAST_RANK_INSTEAD and not each.code
    ]
    whole, *cut = _readings(parts)
    last = [*loose, *_turned(parts), *_polities(parts)]
    named = [each for each in keyed if not each.unused]
    airports = [each for each in named if each.kind is Kind.AIRPORT]
    is_code = parsed.text.isupper() or parsed.text.islower()
    first = [replace(each, no_airport_code=not is_code) for each in whole]
    spelt = list(_in_full(parts[0], tuple(parts[1:])))
    found = [*_coded(parsed, parts), list(_formal(parts)), [*first, *airports], named, *cut, spelt, last]
    return [stage for stage in found if stage]


def partial_stages(parsed: ParsedQuery) -> list[list[Reading]]:
    """The readings that leave words unused: one of a pair of names, the place whose surroundings are meant.

    An island or county that has no entry is the surroundings of its village ("Gambier Island", "Landkreis Rosenheim"),
    and of no suburb of a city.
    """
    keyed = [each for reading in parsed.readings if (each := _keyed(reading)).name]
    partial = [each for each in keyed if each.unused]
    islands = [
        replace(each, kind=None, unused=(each.kind.value,), about=True, last_rank=_LAST_TOWN_RANK)
        for each in keyed
        if each.kind in (Kind.ISLAND, Kind.COUNTY)
    ]
    return [*([each] for each in partial if not each.about), [each for each in partial if each.about], islands]


def _coded(parsed: ParsedQuery, parts: list[str]) -> Iterator[list[Reading]]:
    """A whole query that is a country's code, another spelling of an area (spellings.py), or a state's with a stop."""
    code = parsed.text
    if CodeScheme.ISO_3166_1 in [each.scheme for each in parsed.codes] and (code.isupper() or code.islower()):
        if code.upper() in _NOT_COUNTRIES:
            yield [Reading(parts[0], kind=Kind.SETTLEMENT, exactly=True)]
        yield [Reading(parts[0], kind=Kind.COUNTRY, exactly=True, is_code=True)]
    codes = spellings.codes_of(" ".join(parts))
    if any(" " in each for each in codes) and not code.endswith("."):
        yield [Reading(parts[0])]
    yield list(map(_of_code, codes))
    if context := tuple(parts[1:]):
        yield [replace(_of_code(key), context=context) for key in spellings.codes_of(parts[0])]


def _in_full(name: str, context: tuple[str, ...]) -> Iterator[Reading]:
    """The name with its abbreviations written out, if it has any."""
    first, *others = name.split(" ")
    spelt = " ".join((_CUT_SHORT.get(first, first), *(_CUT_INSIDE.get(word, word) for word in others)))
    if spelt != name and others:
        yield Reading(spelt, context, exactly=True)


def _of_code(key: str) -> Reading:
    """The country or region with an ISO 3166 code, by the code's key: "us ca"."""
    kind = None if " " in key else Kind.COUNTRY
    return Reading(key, kind=kind, code=key.upper().replace(" ", "-"), exactly=True)


def _turned(parts: list[str]) -> Iterator[Reading]:
    """The first two parts as one name, turned as in an alphabetical list: "Korea, North", "Hague, The"."""
    if len(parts) > 1:
        name, before, *context = parts
        yield Reading(f"{before} {name}", tuple(context), exactly=True)


def _polities(parts: list[str]) -> Iterator[Reading]:
    """The whole as a list spells a country; a lone name as a country's without the words that others may lack."""
    whole = " ".join(parts)
    if len(whole) >= _LEAST_LISTED:
        yield Reading(whole, exactly=True, listed=True)
    if len(parts) <= _TURNED_PARTS:
        name = " ".join(reversed(parts))
        for spelt in dict.fromkeys((name, _spelt_out(name))):
            bare = polity.bared(spelt)
            if bare.key != parts[0] or " " in bare.key:
                yield Reading(bare.key, exactly=True, polity=True, formal=bare.formal)


def _with_form(parts: list[str]) -> list[str]:
    """The parts, a country at the end as one with its form of state: "Pando, Bolivia, Plurinational State of"."""
    if len(parts) <= _TURNED_PARTS or not parts[-1].endswith((" of", " of the")) or not _is_form(*parts[-2:]):
        return parts
    *others, name, form = parts
    return [*others, f"{form} {name}"]


def _is_form(name: str, behind: str) -> bool:
    """Whether a part is the form of state of the country before it."""
    if qualifiers.kinds(behind):  # "Mexico, State" is the state
        return False
    return polity.bared(f"{_spelt_out(behind)} {name}") == (polity.bared(name).key, True)


def _formal(parts: list[str]) -> Iterator[Reading]:
    """A country before its form of state, which tells it from its namesake: "Congo, Dem. Rep.", "Korea, Rep."."""
    if len(parts) == _TURNED_PARTS and _is_form(*parts):
        name, form = parts[0], _spelt_out(parts[1])
        for spelt in (f"{name} {form} of", f"{form} of {name}", f"{form} of the {name}"):
            yield Reading(spelt, exactly=True, listed=True)


def _spelt_out(key: str) -> str:
    return _ABBREVIATED.sub(lambda match: _SPELT_OUT[match[0]], key)


def _keyed(reading: NameReading) -> Reading:
    """A reading as keys, without contexts whose key is empty."""
    context = (text.normalise(part) for part in reading.context)
    name = text.normalise(reading.name)
    exactly = reading.kind in kinds.LAST_RANK_INSTEAD or bool(reading.unused)
    is_code = reading.kind is Kind.AIRPORT and reading.name.isupper() and len(reading.name) in _AIRPORT_CODE
    return Reading(
        name, tuple(key for key in context if key), reading.kind, reading.code, exactly, is_code=is_code,
        unused=reading.unused, about=reading.about,
    )  # fmt: skip


def _readings(parts: list[str]) -> list[list[Reading]]:
    """Parts as a name and its contexts, in any order."""
    if len(parts) == 1:
        return [[Reading(parts[0])], list(_splits(parts[0], ()))]
    first, *rest = parts
    *before, last = parts
    return [
        [Reading(first, tuple(rest))],
        [*_splits(first, tuple(rest)), Reading(last, tuple(before))],
        [*(_splits(last, tuple(before)))],
    ]


def _splits(part: str, context: tuple[str, ...]) -> Iterator[Reading]:
    """A part without commas as name then areas, or areas then name; Chinese and Japanese at any character."""
    if text.is_unspaced(part):
        yield from (Reading(part[i:], (part[:i], *context)) for i in range(2, min(len(part), _MOST_WORDS)))
        return
    words = part.split(" ")
    if len(words) <= _MOST_WORDS:
        for i in range(len(words) - 1, 0, -1):
            yield Reading(" ".join(words[:i]), (" ".join(words[i:]), *context))
            yield Reading(" ".join(words[i:]), (" ".join(words[:i]), *context))
