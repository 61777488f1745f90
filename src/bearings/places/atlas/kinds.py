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

LAST_RANK_INSTEAD = {
    Kind.COUNTRY: 30,
    Kind.STATE: 30,
    Kind.SETTLEMENT: 30,
    Kind.COUNTY: 12,
    Kind.ISLAND: 12,
}
"""The last rank of what a name may stand for if nothing is of the kind: Malta is an island and a country, but neither
"Litchfield County" nor "Mersea Island" is a village. A river is not among them, as its name may also be a village's."""


def is_of(row: Row, kind: Kind) -> bool:
    """Whether a row is of a kind."""
    if kind in _LAYERS:
        return row.layer in _LAYERS[kind]
    return row.layer is Layer.PHYSICAL and any(word in row.type for word in _TYPES[kind])
