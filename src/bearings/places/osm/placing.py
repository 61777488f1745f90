"""Puts shapes into the cells of a map: whole into each cell that they meet, or cut into runs of edges.

All shapes of a batch are put there at once. Lines are points, lines, and rings of polygons, as steps of positions; a
span is (first column, last column, first row, last row) of the cells that a box meets, each widened by the margin.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from bearings.places.osm.cells import COLUMNS, MARGIN, SIDE, STEPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Steps = NDArray[np.int32]
    Ids = NDArray[np.int64]

Piece = tuple[int, int, bytes]
"""The number of a shape, a cell that it meets, the packed positions that stand there."""

_LONGEST = 4 * SIDE
"""An edge that is longer is cut."""


class Lines(NamedTuple):
    """The positions of some lines one after another, (lon, lat); for each line its shape, and where it ends."""

    shapes: "Ids"
    positions: "Steps"
    ends: "Ids"

    def chosen(self, shapes: "NDArray[np.bool_]") -> "Lines":
        """The lines of the shapes that a mask has."""
        import numpy as np

        mask = shapes[self.shapes]
        counts = np.diff(self.ends, prepend=0)
        return Lines(self.shapes[mask], self.positions[np.repeat(mask, counts)], np.cumsum(counts[mask]))


def spans(boxes: "NDArray[np.integer]") -> "Ids":
    """The spans of boxes in steps; columns go on beyond 180 degrees for a box that crosses."""
    import numpy as np

    west, south, east, north = boxes.astype(np.int64).T
    east = east + np.where(west > east, 360 * STEPS, 0)
    columns = [(west - MARGIN + 180 * STEPS) // SIDE, (east + MARGIN + 180 * STEPS) // SIDE]
    rows = [np.maximum(0, (south - MARGIN + 90 * STEPS) // SIDE), (north + MARGIN + 90 * STEPS) // SIDE]
    return np.column_stack((*columns, *rows))


def counts_of(spans: "Ids") -> "Ids":
    """How many cells spans have."""
    counts: Ids = (spans[:, 1] - spans[:, 0] + 1) * (spans[:, 3] - spans[:, 2] + 1)
    return counts


def lines_of(shapes: "NDArray[np.object_]") -> Lines:
    """The lines of points, lines and polygons."""
    import numpy as np
    import shapely

    parts, of_part = shapely.get_parts(shapes, return_index=True)
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    rings, of_ring = shapely.get_rings(parts[is_polygon], return_index=True)
    lines = np.concatenate((parts[~is_polygon], rings))
    positions = np.rint(shapely.get_coordinates(lines) * STEPS).astype("<i4")
    owners = np.concatenate((of_part[~is_polygon], of_part[is_polygon][of_ring]))
    return Lines(owners, positions, np.cumsum(shapely.get_num_coordinates(lines)))


def whole(lines: Lines, spans: "Ids") -> Iterator[Piece]:
    """Every line, whole in each cell of its shape's span. A point stands there twice."""
    packed, ends = lines.positions.tobytes(), lines.ends.tolist()
    stored = [packed[8 * start : 8 * end] for start, end in zip([0, *ends], ends, strict=False)]
    stored = [each if len(each) > 8 else each * 2 for each in stored]
    numbers, cells = _met(spans[lines.shapes])
    return zip(lines.shapes[numbers].tolist(), cells.tolist(), map(stored.__getitem__, numbers.tolist()), strict=True)


def runs(lines: Lines) -> Iterator[Piece]:
    """The runs of each line's edges that a cell meets, along the line."""
    import numpy as np

    lines = _with_short_edges(lines)
    edges = np.delete(np.arange(len(lines.positions)), lines.ends - 1)
    line_of = np.searchsorted(lines.ends, edges, side="right")
    ends = np.stack((lines.positions[edges], lines.positions[edges + 1]))
    numbers, cells = _met(spans(np.hstack((ends.min(axis=0), ends.max(axis=0)))))
    met, lines_met = edges[numbers], line_of[numbers]
    order = np.lexsort((met, cells, lines_met))
    met, cells, lines_met = met[order], cells[order], lines_met[order]
    is_first = np.ones(len(met), dtype=bool)
    is_first[1:] = (np.diff(met) != 1) | (np.diff(cells) != 0) | (np.diff(lines_met) != 0)
    is_last = np.append(is_first[1:], np.ones(len(met[:1]), dtype=bool))
    columns = lines.shapes[lines_met[is_first]], cells[is_first], met[is_first], met[is_last]
    packed = lines.positions.tobytes()
    for shape, cell, start, end in zip(*(column.tolist() for column in columns), strict=True):
        yield shape, cell, packed[8 * start : 8 * end + 16]


def _met(spans: "Ids") -> "tuple[Ids, Ids]":
    """The number of a span and a cell, for each cell of each span."""
    import numpy as np

    left, right, bottom, _ = spans.T
    counts = counts_of(spans)
    numbers = np.repeat(np.arange(len(spans)), counts)
    nth = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
    row, column = np.divmod(nth, (right - left + 1)[numbers])
    return numbers, (bottom[numbers] + row) * COLUMNS + (left[numbers] + column) % COLUMNS


def _with_short_edges(lines: Lines) -> Lines:
    """Lines with positions between theirs, so that the box of an edge has few cells that the edge doesn't meet."""
    import numpy as np

    steps = np.abs(np.diff(lines.positions.astype(np.int64), axis=0)).max(axis=1, initial=0) // _LONGEST + 1
    steps[lines.ends[:-1] - 1] = 1
    if (steps == 1).all():
        return lines
    ends = np.concatenate(([0], np.cumsum(steps)))
    at = np.arange(ends[-1] + 1)
    columns = [np.rint(np.interp(at, ends, lines.positions[:, axis])) for axis in (0, 1)]
    return Lines(lines.shapes, np.column_stack(columns).astype("<i4"), ends[lines.ends - 1] + 1)
