"""Read a query without asking a source: coordinates, codes, grid references, addresses, names with contexts.

>>> parse("48° 51′ 24″ N, 2° 21′ 8″ E").point
Point(lat=48.856667, lon=2.352222)
>>> [(each.name, each.kind) for each in parse("river Thames").readings]
[('river Thames', None), ('Thames', <Kind.RIVER: 'river'>)]
"""

from bearings.places.query.parse import parse

__all__ = ["parse"]
