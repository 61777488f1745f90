"""Disputed areas, from Natural Earth: who holds each, and who claims it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from builder.feature import Feature, Layer, Name
from making import features, names, originals, tables
from making.originals import Original

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_KINDS = {
    "Admin-0 claim area": "claimed", "Admin-0 breakaway and disputed": "breakaway",
    "Admin-0 indeterminant": "indeterminate", "Admin-0 overlay": "buffer_zone", "Admin-0 lease": "leased",
}  # fmt: skip

_COUNTRIES = tables.pairs("claimants")
"""The countries in Natural Earth's notes, in lower case and without a full stop at the end."""

Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The countries that administer an area, and those that claim it: alpha-2 codes, or `SELF`."""

SELF = "self"

_BY_HAND: Mapping[str, Sides] = MappingProxyType(
    {
        "Cyprus U.N. Buffer Zone": ((), ("CY",)), "Gaza": (("PS",), ()), "West Bank": (("PS", "IL"), ("PS",)),
        "Scarborough Reef": ((), ("CN", "PH", "TW")), "Ceuta": (("ES",), ("MA",)), "Melilla": (("ES",), ("MA",)),
        "Ilemi Triangle": (("KE",), ("SS", "ET")), "UNDOF Zone": (("SY",), ()), "Bird Island": (("VE",), ("DM",)),
        "Territory of Belize claimed by Guatemala": (("BZ",), ("GT",)),
    }
)  # fmt: skip
"""Sides of what has no note, or one that names nobody."""

_SECTORS: tuple[tuple[str, str, tuple[tuple[float, float], ...], tuple[str, ...]], ...] = (
    # name, claimant, (west, east) of each part, further names
    ("British Antarctic Territory", "GB", ((-80.0, -20.0),), ()),
    ("Argentine Antarctica", "AR", ((-74.0, -25.0),), ("Antártida Argentina",)),
    ("Chilean Antarctic Territory", "CL", ((-90.0, -53.0),), ("Antártica Chilena", "Chilean Antarctica")),
    ("Queen Maud Land", "NO", ((-20.0, 44.6333),), ("Dronning Maud Land",)),
    ("Australian Antarctic Territory", "AU", ((44.6333, 136.1833), (142.0333, 160.0)), ()),
    ("Adélie Land", "FR", ((136.1833, 142.0333),), ("Terre Adélie", "Adelie Land")),
    ("Ross Dependency", "NZ", ((160.0, 180.0), (-180.0, -150.0)), ()),
)
"""The claims south of 60° S that the Antarctic Treaty of 1959 leaves open (article IV): sectors between meridians."""

_WATERS_DEG = 0.2
"""The claims are told of the land and, as of islands and ice there are many, up to some 20 km around it."""

_HALAIB = (
    (34.08, 22.0), (34.45, 22.2), (34.95, 22.72), (35.25, 22.85), (35.6, 23.12), (35.9, 23.1), (37.0, 22.0),
)  # fmt: skip
"""Between the parallel of 1899 and the administrative boundary of 1902, as (longitude, latitude); good to 10 km."""

_NAMES = {
    "North Cyprus": "Northern Cyprus", "West Sahara": "Western Sahara", "Rockall Island": "Rockall",
    "South Georgia": "South Georgia", "Bhutan (northwest valleys)": "Northwest valleys of Bhutan",
    "Bhutan (Chumbi salient)": "Chumbi salient", "Pinnacle Islands": "Senkaku Islands", "Donbass": "Donbas",
    "Northern Areas": "Gilgit-Baltistan", "Belize": "Territory of Belize claimed by Guatemala",
    "West of Essequibo River": "Guayana Esequiba", "Guantanamo Bay USNB": "Guantanamo Bay Naval Base",
    "Ilemi Triange": "Ilemi Triangle",
}  # fmt: skip


def read(folder: Path, countries: Iterable[Feature]) -> Iterator[Feature]:
    """Disputed areas, those of one name and the same sides as one.

    `inside` are who administers each ("held:RU", "held:self") and who claims it ("claimed:UA").
    """
    named: dict[str, list[Original]] = defaultdict(list)
    for original in originals.read(folder, "admin_0_disputed_areas"):
        spelt = names.plain(original.text("brk_name"))
        named[_NAMES.get(spelt, spelt)].append(original)
    for name, parts in named.items():
        for number, (sides, some) in enumerate(_by_sides(name, parts)):
            called = name if number == 0 else f"Self-administered part of {name}"
            yield from filter(None, [_feature(called, some, sides)])
    land = {country.code: country.shape for country in countries}
    yield from _by_hand(land)


def _by_sides(name: str, parts: list[Original]) -> list[tuple[Sides, list[Original]]]:
    """The parts that have the same sides, largest first."""
    if name in _BY_HAND:
        return [(_BY_HAND[name], parts)]
    found: dict[Sides, list[Original]] = defaultdict(list)
    for part in parts:
        found[sides(part.text("note_brk"))].append(part)
    return sorted(found.items(), key=lambda item: -sum(part.shape.area for part in item[1]))


def _feature(name: str, parts: list[Original], sides: Sides) -> Feature | None:
    import shapely

    first = parts[0]
    kind = _KINDS.get(first.text("featurecla"), "claimed")
    others = [
        names.plain(part.text(column)) for part in parts for column in ("brk_name", "name_alt") if part.text(column)
    ]
    key = "bearings" if name in _BY_HAND else "ne"
    feature = features.of_shape(
        f"{key}:disputed/{name}", Layer.DISPUTED, kind, name, shapely.union_all([part.shape for part in parts]),
        names=features.unique(names.further(name, others), name), inside=_inside(sides),
    )  # fmt: skip
    return feature and replace(feature, fame=features.fame(max(first.number("labelrank", 6), 3)))


def _by_hand(land: "Mapping[str | None, BaseGeometry | None]") -> Iterator[Feature]:
    """Areas that Natural Earth 4.1 lacks: the claims in Antarctica, and the triangle between Egypt and Sudan."""
    import shapely

    ice = shapely.simplify(shapely.buffer(land["AQ"], _WATERS_DEG, quad_segs=1), _WATERS_DEG)
    for name, claimant, parts, more in _SECTORS:
        sector = shapely.union_all([shapely.box(west, -90, east, -60) for west, east in parts])
        yield from _hand_made("treaty", name, shapely.intersection(ice, sector), ((), (claimant,)), more)
    shore = shapely.union_all([land["EG"], land["SD"]])
    triangle = shapely.intersection(shore, shapely.Polygon(_HALAIB))
    yield from _hand_made("bearings", "Halaib Triangle", triangle, (("EG",), ("SD",)), ("Halaib", "Hala'ib Triangle"))


def _hand_made(key: str, name: str, shape: "BaseGeometry", sides: Sides, more: Iterable[str]) -> Iterator[Feature]:
    feature = features.of_shape(
        f"{key}:disputed/{name}", Layer.DISPUTED, "claimed", name, shape,
        names=tuple(Name(each) for each in more), inside=_inside(sides), fame=0.3,
    )  # fmt: skip
    yield from filter(None, [feature])


def _inside(sides: Sides) -> tuple[str, ...]:
    held, claimed = sides
    return (*(f"held:{side}" for side in held), *(f"claimed:{side}" for side in claimed))


def sides(note: str) -> Sides:
    """The countries that administer and claim an area, by a note like "Admin. by India; Claimed by China".

    A lease is administered by who has it, and claimed by who gave it. "A for B" is B; what was ceded is history.
    """
    held: list[str] = []
    claimed: list[str] = []
    for clause in note.lower().split(";"):
        words = clause.strip().partition(" after ")[0]
        if words.startswith("self admin"):
            held.append(SELF)
        elif words.startswith("leased to"):
            lessee, _, lessor = words.partition(" by ")
            held += _countries(lessee)
            claimed += _countries(lessor)
        elif words.startswith("claimed"):
            claimed += _countries(words)
        elif words.startswith("admin") or "patrolled by" in words:
            held += _countries(words.rpartition(" for ")[2] if " for " in words else words.rpartition(" by ")[2])
    return tuple(dict.fromkeys(held)), tuple(dict.fromkeys(claimed))


def _countries(text: str) -> list[str]:
    """The countries that a text names, in its order."""
    return [_COUNTRIES[name] for name in _NAMED.findall(text)]


_NAMED = re.compile(
    r"(?<![a-z.])(" + "|".join(map(re.escape, sorted(_COUNTRIES, key=len, reverse=True))) + r")(?![a-z])"
)
