"""Whole outlines from an index."""

from pathlib import Path

import shapely

from bearings.places.atlas.index import Index
from bearings.places.atlas.shaping import united
from bearings.places.atlas.writer import IndexWriter
from bearings.places.models import BBox, Layer


def index_of(path: Path, *parts: tuple[int, shapely.Polygon]) -> Index:
    with IndexWriter(path) as writer:
        for place, part in parts:
            writer.add_area(place, BBox(*part.bounds), part, Layer.COUNTRY)
    return Index(path)


def test_parts_are_one_shape_and_places_without_parts_are_left_out(tmp_path: Path):
    one, two, other = shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1), shapely.box(5, 5, 6, 6)
    index = index_of(tmp_path / "index.sqlite", (1, one), (2, other), (1, two))
    assert {place: shape.wkt for place, shape in united(index, [1, 2, 3]).items()} == {
        1: shapely.MultiPolygon([one, two]).wkt,
        2: other.wkt,
    }


def test_parts_that_overlap_or_cross_themselves_are_made_valid(tmp_path: Path):
    bow = shapely.Polygon([(4, 0), (5, 1), (5, 0), (4, 1)])
    index = index_of(tmp_path / "index.sqlite", (1, shapely.box(0, 0, 2, 1)), (1, shapely.box(1, 0, 3, 1)), (1, bow))
    (shape,) = united(index, [1]).values()
    assert shape.is_valid
    assert shape.geom_type == "MultiPolygon"
    assert shape.area == 3 + 0.5
