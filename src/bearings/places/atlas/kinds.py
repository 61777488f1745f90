"""Whether a row is of the kind that a query names: by layer and, for physical features, by type."""

from bearings.places.atlas.index import Row
from bearings.places.models import Kind, Layer

_LAYERS = {
    Kind.COUNTRY: (Layer.COUNTRY,),
    Kind.STATE: (Layer.REGION,),
    Kind.COUNTY: (Layer.COUNTY, Layer.REGION),
    Kind.SETTLEMENT: (Layer.SETTLEMENT,),
    Kind.ISLAND: (Layer.ISLAND,),
    Kind.RIVER: (Layer.RIVER,),
    Kind.LAKE: (Layer.LAKE,),
    Kind.SEA: (Layer.SEA,),
    Kind.PARK: (Layer.PARK,),
    Kind.AIRPORT: (Layer.AIRPORT,),
}

_TYPES = {
    Kind.MOUNTAIN: ("peak", "volcano", "mountain", "range", "ridge", "massif", "hill", "plateau", "summit", "pass"),
    Kind.COAST: ("cape", "peninsula", "coast", "isthmus", "headland", "point"),
    Kind.DESERT: ("desert", "dune", "sand"),
}
"""Words in the types of physical features, which are OpenStreetMap's or Natural Earth's: "mountain_range"."""

GOVERNED = frozenset({Kind.COUNTRY, Kind.STATE, Kind.COUNTY, Kind.SETTLEMENT, Kind.ISLAND})
"""Kinds that any place of the name may stand for if none is of the kind: Malta is an island and a country. A river is
not among them, because its name may also be a village's, which is no answer."""


def is_of(row: Row, kind: Kind) -> bool:
    """Whether a row is of a kind."""
    if kind in _LAYERS:
        return row.layer in _LAYERS[kind]
    return row.layer is Layer.PHYSICAL and any(word in row.type for word in _TYPES[kind])
