"""The ways to read a query as a name and its contexts, as keys, in the order of a search."""

from collections.abc import Iterator

from bearings.places.atlas import kinds, polity
from bearings.places.atlas.matching import Reading
from bearings.places.engine import text
from bearings.places.models import NameReading, ParsedQuery

_MOST_WORDS = 12
_TURNED_PARTS = 2


def stages(parsed: ParsedQuery) -> list[list[Reading]]:
    """The readings of a query in stages, likeliest first: unchanged; by its words; split anywhere.

    If no place is of the kind that a word names ("city of"), the last stage ignores the kind. The rest of an area's or
    settlement's name is neither completed nor corrected: "Mersea Island" is not a misspelt Merced.
    """
    parts = [key for part in parsed.parts if (key := text.normalise(part))]
    if not parts or not parsed.readings:
        return []
    keyed = [_keyed(reading) for reading in parsed.readings[1:]]
    governed = (each for each in keyed if each.kind in kinds.GOVERNED and not each.code)
    loose = [Reading(each.name, each.context, exactly=True) for each in governed]
    whole, *cut = _readings(parts)
    last = [*(each for each in loose if each.name), *_turned(parts), *_polities(parts)]
    return [whole, [each for each in keyed if each.name], *cut, last]


def _turned(parts: list[str]) -> Iterator[Reading]:
    """The first two parts as one name, turned as in an alphabetical list: "Korea, North", "Hague, The"."""
    if len(parts) > 1:
        name, before, *context = parts
        yield Reading(f"{before} {name}", tuple(context), exactly=True)


def _polities(parts: list[str]) -> Iterator[Reading]:
    """A lone name as a country's, without the words that its other names may lack."""
    if len(parts) <= _TURNED_PARTS:
        name = " ".join(reversed(parts))
        bare = polity.bared(name)
        if bare.key != parts[0] or " " in bare.key:
            yield Reading(bare.key, exactly=True, polity=True, formal=bare.formal)


def _keyed(reading: NameReading) -> Reading:
    """A reading as keys, without contexts whose key is empty."""
    context = (text.normalise(part) for part in reading.context)
    name, exactly = text.normalise(reading.name), reading.kind in kinds.GOVERNED
    return Reading(name, tuple(key for key in context if key), reading.kind, reading.code, exactly)


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
