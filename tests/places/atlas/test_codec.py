"""The atlas's files return the features that they were made from."""

import lzma
from collections.abc import Callable

import msgspec
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from bearings.places.models import BBox, Point
from builder import codec
from builder.feature import Feature, Layer, Name

HEADER = codec.Header("a source", "1", "public domain")


def steps(least: int, most: int) -> st.SearchStrategy[float]:
    """Degrees on the grid of the files."""
    return st.integers(least * codec.STEPS_PER_DEG, most * codec.STEPS_PER_DEG).map(
        lambda step: step / codec.STEPS_PER_DEG
    )


LON, LAT = steps(-180, 180), steps(-90, 90)
TEXT = st.text(min_size=1, max_size=12)


@st.composite
def squares(draw: Callable[..., float]) -> BaseGeometry:
    west, south = draw(steps(-180, 178)), draw(steps(-90, 88))
    hole = box(west + 0.25, south + 0.25, west + 0.5, south + 0.5).exterior.coords
    return codec.snapped(Polygon(box(west, south, west + 1, south + 1).exterior.coords, [hole]))


@st.composite
def lines(draw: Callable[..., list[tuple[float, float]]]) -> LineString:
    return LineString(draw(st.lists(st.tuples(LON, LAT), min_size=2, max_size=6)))


def multipolygon(parts: list[BaseGeometry]) -> BaseGeometry:
    return MultiPolygon([part for part in parts if isinstance(part, Polygon)])


SHAPES: st.SearchStrategy[BaseGeometry | None] = st.one_of(
    st.none(),
    squares(),
    st.lists(squares(), min_size=2, max_size=3).map(multipolygon),
    lines(),
    st.lists(lines(), min_size=2, max_size=3).map(MultiLineString),
)

FEATURES = st.builds(
    Feature,
    key=TEXT,
    layer=st.sampled_from(Layer),
    kind=TEXT,
    name=TEXT,
    point=st.builds(Point, LAT, LON),
    bbox=st.builds(BBox, LON, LAT, LON, LAT),
    bbox_kind=st.sampled_from(["exact", "estimated"]),
    names=st.lists(st.builds(Name, TEXT, TEXT), max_size=3).map(tuple),
    codes=st.lists(TEXT, max_size=2).map(tuple),
    code=st.none() | TEXT,
    country_code=st.none() | TEXT,
    inside=st.lists(TEXT, max_size=2).map(tuple),
    population=st.integers(0, 10**10),
    fame=st.floats(0, 1),
    elevation_m=st.none() | st.floats(-500, 9_000),
    shape=SHAPES,
)


@pytest.mark.slow
@given(st.lists(FEATURES, max_size=5))
def test_features_come_back_as_they_were(features: list[Feature]):
    decoded = codec.decode(codec.encode(HEADER, features))
    assert list(decoded) == features
    assert decoded.header == HEADER


def feature(shape: BaseGeometry | None) -> Feature:
    return Feature("k", Layer.LAKE, "lake", "L", Point(0, 0), BBox(0, 0, 1, 1), "exact", shape=shape)


def test_the_same_features_give_the_same_bytes():
    features = [feature(box(0, 0, 1, 1)), feature(None), feature(LineString([(0, 0), (1, 1)]))]
    assert codec.encode(HEADER, features) == codec.encode(HEADER, features)


def test_a_shape_of_one_part_comes_back_as_that_part():
    (found,) = codec.decode(codec.encode(HEADER, [feature(MultiPolygon([box(0, 0, 1, 1)]))]))
    assert found.shape is not None
    assert found.shape.geom_type == "Polygon"


def test_a_position_between_steps_moves_to_the_nearest():
    (found,) = codec.decode(codec.encode(HEADER, [feature(LineString([(0, 0), (1.00004, 2.00006)]))]))
    assert found.shape is not None
    assert list(found.shape.coords)[1] == (1.0, 2.0001)


def test_a_snapped_shape_is_valid_and_loses_parts_smaller_than_a_step():
    sliver = shapely.union_all([box(0, 0, 1, 1), box(2, 2, 2.00001, 2.00001)])
    snapped = codec.snapped(sliver)
    assert snapped.is_valid
    assert shapely.get_num_geometries(snapped) == 1


@pytest.mark.parametrize("content", [b"", b"text", lzma.compress(b"\xc1"), lzma.compress(msgspec.msgpack.encode([1]))])
def test_a_file_of_another_format_is_reported(content: bytes):
    with pytest.raises(ValueError, match="Not a file of atlas features"):
        codec.decode(content)


def test_another_format_is_refused():
    newer = codec.Header("a source", "1", "public domain", format=codec.FORMAT + 1)
    with pytest.raises(ValueError, match=f"format {codec.FORMAT + 1}"):
        codec.decode(codec.encode(newer, []))
