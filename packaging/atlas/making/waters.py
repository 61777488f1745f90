"""Water: seas, lakes and rivers, from Natural Earth; a lake or a river that is cut into pieces is made whole."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.feature import Feature, Layer, Name
from making import features, names, originals, tables
from making.originals import Original
from making.rivers import RIVERS

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_NO_SEAS = frozenset({"river", "generic"})
"""Pieces of a map's blue that have no name, or that are a river's mouth and belong to the rivers."""

_LAKES = (("lakes", "lakes"), ("lakes_europe", "lakes-eu"), ("lakes_north_america", "lakes-na"))
_LAKE_KINDS = {"Lake": "lake", "Reservoir": "reservoir", "Alkaline Lake": "salt_lake"}
_PARTS_OF_LAKES = {
    "Georgian Bay": "Lake Huron", "North Channel": "Lake Huron", "Saginaw Bay": "Lake Huron",
    "Whitefish Bay": "Lake Superior", "McLeod Bay": "Great Slave Lake",
}  # fmt: skip
"""Bays that Natural Earth cuts off their lake."""

_MISLABELLED = {("lakes", 668): "Lago Maggiore"}
"""By file and row: what Natural Earth calls Lago di Como is the lake west of it."""

_APART_DEG = 0.15
"""Pieces of one name that lie no farther apart are one lake, and (three times that) one river."""

_OCEANS = {"Atlantic Ocean": ("North Atlantic Ocean", "South Atlantic Ocean"),
           "Pacific Ocean": ("North Pacific Ocean", "South Pacific Ocean")}  # fmt: skip

_WHOLE_SEAS = frozenset({"Mediterranean Sea", "Ross Sea"})


@dataclass(frozen=True, slots=True)
class _Piece:
    key: str
    name: str
    names: tuple[Name, ...]
    kind: str
    fame: float
    shape: "BaseGeometry"
    chain: object = None
    """Pieces of one chain are one river, however far apart."""


def seas(folder: Path) -> Iterator[Feature]:
    """Oceans, seas, gulfs, bays, straits; the halves of an ocean also as a whole, a sea with its gulfs."""
    return iter(features.joined(_seas(folder), tables.pairs("seas"), Layer.SEA))


def _seas(folder: Path) -> Iterator[Feature]:
    pieces = [_sea(original) for original in originals.read(folder, "geography_marine_polys")
              if original.text("name") and original.text("featurecla") not in _NO_SEAS
              and "River" not in original.text("name")]  # fmt: skip
    for ocean, halves in _OCEANS.items():
        parts = [piece for piece in pieces if piece.name in halves]
        if parts:
            yield from _whole(
                parts, Layer.SEA, name=ocean, key=f"ne:marine/{ocean}", more=(Name(ocean.split()[0], "en"),)
            )
    named: dict[str, list[_Piece]] = defaultdict(list)
    for piece in pieces:
        named[piece.name if piece.name in _WHOLE_SEAS else piece.key].append(piece)
    for parts in named.values():
        yield from _whole(parts, Layer.SEA)


def _sea(original: Original) -> _Piece:
    raw = original.text("name")
    name = names.spelt(raw)
    french = original.text("name_fr")
    others = names.further(name, (names.plain(raw), original.text("namealt")))
    if french and french != raw:
        others += (Name(names.plain(french), "fr"),)
    fame = features.fame(original.number("scalerank", 9), original.number("min_label", 9))
    return _Piece(f"ne:marine/{original.row}", name, others, original.text("featurecla"), fame, original.shape)


def lakes(folder: Path) -> Iterator[Feature]:
    """Lakes and reservoirs of the world, with those that Natural Earth adds for Europe and North America."""
    named: dict[str, list[_Piece]] = defaultdict(list)
    for table, source in _LAKES:
        for original in originals.read(folder, table):
            if original.text("name") and not original.text("name").endswith("River"):
                piece = _lake(original, source)
                named[piece.name].append(piece)
    for part, lake in _PARTS_OF_LAKES.items():
        if lake in named:
            named[lake] += named.get(part, [])
    for name, pieces in named.items():
        for cluster in _clusters(pieces, 2.0 if any(piece.name != name for piece in pieces) else _APART_DEG):
            yield from _whole(cluster, Layer.LAKE, name=name)


def _lake(original: Original, source: str) -> _Piece:
    raw = _MISLABELLED.get((source, original.row), original.text("name"))
    name = names.spelt(titled_if_capitals(raw)).rstrip(" 0123456789")
    others = names.further(name, (names.plain(raw), original.text("name_alt"))) if raw.upper() != raw else ()
    others = (*others, *(Name(text, "en") for text in names.lake_names(name)))
    fame = features.fame(original.number("scalerank", 12), original.number("min_label", 9))
    kind = "bay" if name in _PARTS_OF_LAKES else _LAKE_KINDS.get(original.text("featurecla"), "lake")
    return _Piece(f"ne:{source}/{original.row}", name, others, kind, fame, original.shape)


def titled_if_capitals(name: str) -> str:
    """The European lakes have some names in capitals, with the number of a part after them."""
    return names.titled(name) if name.isupper() else name


def rivers(folder: Path) -> Iterator[Feature]:
    """Rivers, each whole: pieces of one name that meet, and those that `RIVERS` joins over their names in languages."""
    named: dict[str, list[_Piece]] = defaultdict(list)
    for table, source in (("rivers_lake_centerlines", "rivers"), ("rivers_europe", "rivers-eu"),
                          ("rivers_north_america", "rivers-na")):  # fmt: skip
        for original in originals.read(folder, table):
            if original.text("name"):
                for piece in _river(original, source):
                    named[piece.name].append(piece)
    for name, pieces in named.items():
        for cluster in _clusters(pieces, 3 * _APART_DEG):
            yield from _named_river(name, cluster)


def _river(original: Original, source: str) -> Iterator[_Piece]:
    raw = names.plain(original.text("name"))
    fame = features.fame(original.number("scalerank", 12), original.number("min_label", 9))
    key, chain = f"ne:{source}/{original.row}", original.columns.get("rivernum") or None
    full = names.plain(original.text("name_full").replace("Rivire", "Rivière"))
    others = (Name(full),) if full else ()
    wholes = [name for name, river in RIVERS.items() if river.holds(raw, original.shape)]
    kind = "canal" if "Canal" in raw else "river"
    for name in wholes or [raw]:
        local = (Name(raw),) if wholes and raw != name else ()
        yield _Piece(key, name, (*local, *others), kind, fame, original.shape, name if wholes else chain)


def _named_river(name: str, pieces: list[_Piece]) -> Iterator[Feature]:
    """One river; known ones have the same key in every release, others that of their first piece."""
    if name in RIVERS and pieces[0].chain == name:
        yield from _whole(pieces, Layer.RIVER, name=name, key=f"ne:rivers/{name}", more=_river_names(name))
    elif all(piece.key.startswith("ne:rivers-na/") and piece.names for piece in pieces):
        yield from _whole(pieces, Layer.RIVER, name=pieces[0].names[0].text)
    elif _in_north_america(pieces) and not _says_river(name):
        yield from _whole(pieces, Layer.RIVER, name=f"{name} River", more=(Name(name),))
    else:
        yield from _whole(pieces, Layer.RIVER, name=name, more=_river_names(name))


def _in_north_america(pieces: list[_Piece]) -> bool:
    west, south, east, _ = pieces[0].shape.bounds
    return east < -52 and south > 25 and west > -170


_RIVER_WORDS = frozenset(
    "river canal río rio creek fork branch rivière bayou delta channel stream darya älv elva oued protoka "
    "arroyo brook slough gave kanal duna".split()
)


def _says_river(name: str) -> bool:
    return not _RIVER_WORDS.isdisjoint(name.lower().split())


def _river_names(name: str) -> tuple[Name, ...]:
    """The forms that English uses of a bare name."""
    if _says_river(name):
        bare = name.removesuffix(" River")
        return (Name(bare),) if bare != name and bare not in _COLOURS else ()
    return Name(f"{name} River", "en"), Name(f"River {name}", "en")


_COLOURS = frozenset({"Red", "Yellow", "Orange"})
"""Words that mean something else without "River"."""


def _whole(
    pieces: list[_Piece], layer: Layer, name: str = "", key: str = "", more: tuple[Name, ...] = ()
) -> Iterator[Feature]:
    """One feature of all pieces: the first one's key, the fame of the best known, the names of all."""
    import shapely

    best = max(pieces, key=lambda piece: piece.fame)
    name = name or best.name
    shape = pieces[0].shape if len(pieces) == 1 else shapely.union_all([piece.shape for piece in pieces])
    others = (*more, *(other for piece in pieces if piece.name == best.name for other in piece.names))
    feature = features.of_shape(
        key or min(pieces, key=_order).key, layer, best.kind, name, shape,
        names=features.unique(others, name), fame=best.fame,
    )  # fmt: skip
    if feature:
        yield feature


def _order(piece: _Piece) -> tuple[str, int]:
    source, row = piece.key.rsplit("/", 1)
    return source, int(row)


def _clusters(pieces: list[_Piece], apart_deg: float) -> Iterable[list[_Piece]]:
    """Pieces that lie near each other, directly or over others, or are of one chain."""
    import shapely

    leader = list(range(len(pieces)))

    def find(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    chains: dict[object, int] = {}
    for index, piece in enumerate(pieces):
        if piece.chain is not None:
            leader[find(index)] = find(chains.setdefault(piece.chain, index))
    tree = shapely.STRtree([piece.shape for piece in pieces])
    near = tree.query([piece.shape for piece in pieces], predicate="dwithin", distance=apart_deg)
    for one, other in near.T.tolist():
        leader[find(one)] = find(other)
    groups: dict[int, list[_Piece]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        groups[find(index)].append(piece)
    return groups.values()
