"""The readings of a query as a name with contexts: whole first, then by brackets, "in", qualifiers and codes."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bearings.places.models import Code, CodeScheme, Kind, NameReading
from bearings.places.query import qualifiers

_BRACKETED = re.compile(r"([^()\[\]]{1,300}?) ?[(\[]([^()\[\]]{1,200})[)\]]")
_IN = re.compile(r" (?:in|im|en|em|dans|nel|nella|no|na) (?:the |der |dem |den |het |las? |los |le )?", re.IGNORECASE)
_MOST_READINGS = 24
_SURROUNDINGS_BEFORE = re.compile(
    r"(?:in )?(?:the |just )?(?:bei|nahe|cerca de|pr[eè]s de|vicino a|perto de|env(?:\.|irons)? de|umgebung von|"
    r"in der nähe von|(?:a |à )?\d{1,3} ?km (?:de|from|von|da|od)|(?:on the )?road to|"
    r"greater|metro(?:politan)?|downtown|upstate|central|inner|outer|near(?: to)?|nr\.?|around|close to|"
    r"outside|(?:vicinity|outskirts|suburbs|environs|surroundings|(?:city )?cent(?:er|re)) of|area (?:of|around)|"
    r"gro(?:ß|ss)raum|raum|région de|agglomération de|área metropolitana de|région métropolitaine de|"
    r"(?:(?:north|south)[ -]?)?(?:north|south|east|west)(?:ern| of)|central|mid) (?=\S)",
    re.IGNORECASE,
)
_SURROUNDINGS_BEHIND = re.compile(
    r"(?<=\S) (?:(?:bay |urban |metro(?:politan)? |capital )?(?:area|region)|metro(?:polis)?|ncr|downtown|cbd|suburbs|"
    r"agglomeration|conurbation|city cent(?:er|re)|(?:and|&|und|et|y|e|i|en) (?:the )?(?:environs|surroundings?|"
    r"surrounding area|vicinity|suburbs|area|umgebung|alrededores|dintorni|arredores|okolice|omgeving))",
    re.IGNORECASE,
)
_PAIRED = re.compile(r" ?/ ?| [-–—] | (?:or|oder|ou) ")


def read(parts: Sequence[str], codes: Sequence[Code]) -> tuple[NameReading, ...]:
    """The readings, likeliest first, each once; the first is the unchanged text.

    Parts may come in any order: the source also tries the last part as the name, as in "USA, Illinois, Springfield".
    """
    distinct = dict.fromkeys(
        (
            *_whole(parts),
            *_coded(codes),
            *_bracketed(parts),
            *_within(parts),
            *_qualified(parts),
            *_paired(parts),
            *_around(parts),
        )
    )
    return tuple(islice(distinct, _MOST_READINGS))


def _whole(parts: Sequence[str]) -> Iterator[NameReading]:
    if parts:
        yield NameReading(parts[0], tuple(parts[1:]))


def _coded(codes: Sequence[Code]) -> Iterator[NameReading]:
    """ISO 3166-2 codes as regions' codes, airports' codes as their names."""
    for code in codes:
        if code.scheme is CodeScheme.ISO_3166_2:
            country, _, region = code.value.partition("-")
            yield NameReading(region, (country,), Kind.STATE, code.value)
        elif code.scheme in (CodeScheme.IATA, CodeScheme.ICAO):
            yield NameReading(code.value, (), Kind.AIRPORT)


def _bracketed(parts: Sequence[str]) -> Iterator[NameReading]:
    """Brackets at either end of the parts: "Georgia (country)", "Paris (Texas)"."""
    for at in dict.fromkeys((0, len(parts) - 1)) if parts else ():
        if match := _BRACKETED.fullmatch(parts[at]):
            name, inside = match[1].strip(), match[2].strip()
            rest = (*parts[:at], *parts[at + 1 :])
            if at == 0:
                kinds_inside = qualifiers.kinds(inside)
                yield from (NameReading(name, rest, kind) for kind in kinds_inside)
                if not kinds_inside:
                    yield NameReading(name, (inside, *rest))
            elif qualifiers.kinds(inside):
                yield NameReading(parts[0], (*parts[1:-1], name))


def _within(parts: Sequence[str]) -> Iterator[NameReading]:
    """The last "in" of the first part: "Springfield in Illinois"."""
    if not parts:
        return
    matches = list(_IN.finditer(parts[0]))
    if matches:
        name, around = parts[0][: matches[-1].start()].strip(), parts[0][matches[-1].end() :].strip()
        if name and around:
            bare = next((left for left, _ in qualifiers.readings(around)), None)
            yield NameReading(name, (around, *parts[1:]))
            yield from (NameReading(left, (around, *parts[1:]), kind) for left, kind in qualifiers.readings(name))
            if bare:
                yield NameReading(name, (bare, *parts[1:]))


def _qualified(parts: Sequence[str]) -> Iterator[NameReading]:
    """Readings without the qualifiers of the name, then without those of its contexts."""
    if not parts:
        return
    first, *rest = parts
    for name, kind in qualifiers.readings(first):
        yield NameReading(name, tuple(rest), kind)
    bare = tuple(next((left for left, _ in qualifiers.readings(part)), part) for part in rest)
    if bare != tuple(rest):
        yield NameReading(first, bare)
        yield from (NameReading(name, bare, kind) for name, kind in qualifiers.readings(first))


def _paired(parts: Sequence[str]) -> Iterator[NameReading]:
    """Each of two names with a stroke or dash between, or before brackets: "Samedan / St. Moritz", "Oslo (NO)"."""
    if parts and (match := _BRACKETED.fullmatch(parts[0])):
        yield NameReading(match[1].strip(), tuple(parts[1:]), unused=(match[2].strip(),))
    for name in pair if parts and len(pair := _PAIRED.split(parts[0])) > 1 else ():
        if name.strip():
            others = tuple(other for other in pair if other and other != name)
            yield NameReading(name, tuple(parts[1:]), unused=others)


def _around(parts: Sequence[str]) -> Iterator[NameReading]:
    """The place whose surroundings a query asks for: "Greater Oslo Region", "Taipei and environs", "northern Italy"."""
    if not parts:
        return
    name, unused = parts[0], []
    for pattern in (_SURROUNDINGS_BEFORE, _SURROUNDINGS_BEHIND, _SURROUNDINGS_BEHIND):
        match = pattern.match(name) if pattern is _SURROUNDINGS_BEFORE else pattern.search(name)
        if match and (match.end() == len(name) or pattern is _SURROUNDINGS_BEFORE):
            unused.append(match[0].strip())
            name = name.replace(match[0], "", 1).strip()
    if unused and name:
        yield NameReading(name, tuple(parts[1:]), unused=tuple(unused), about=True)
