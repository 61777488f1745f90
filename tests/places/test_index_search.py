import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.places import geometry
from bearings.places.index import ranking
from bearings.places.index.areas import Areas
from bearings.places.index.database import Index
from bearings.places.index.search import Filter, search
from bearings.places.index.writer import IndexWriter, NewPlace
from bearings.places.models import BBox, Point
from tests.places.small_index import SETTLEMENTS, small_index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    opened = small_index(tmp_path_factory.mktemp("index"))
    yield opened
    opened.close()


ANY = Filter()


def names(index: Index, query: str, only: Filter = ANY, limit: int = 5) -> list[str]:
    return [index.place(row, "en").display_name for row in search(index, query, limit, only)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Springfield", "Springfield, Massachusetts, United States"),
        ("Springfield, Illinois", "Springfield, Illinois, United States"),
        ("Springfield Illinois", "Springfield, Illinois, United States"),
        ("Springfield, IL, USA", "Springfield, Illinois, United States"),
        ("Springfield IL USA", "Springfield, Illinois, United States"),
        ("Springfield IL, USA", "Springfield, Illinois, United States"),
        ("USA, IL, Springfield", "Springfield, Illinois, United States"),
        ("Cambridge UK", "Cambridge, England, United Kingdom"),
        ("Cambridge, MA", "Cambridge, Massachusetts, United States"),
        ("UK Cambridge", "Cambridge, England, United Kingdom"),
        ("the UK", "United Kingdom"),
        ("Cologne", "Köln, Germany"),
        ("Saint Louis", "St. Louis, Illinois, United States"),
        ("日本東京", "Tokyo, Japan"),
        ("Newcastle", "Newcastle upon Tyne, England, United Kingdom"),
        ("Newcastle up", "Newcastle upon Tyne, England, United Kingdom"),
        ("Lodnon", "London, England, United Kingdom"),
        ("Londn", "London, England, United Kingdom"),
        ("Newcastel upn Tyne", "Newcastle upon Tyne, England, United Kingdom"),
    ],
)
def test_a_query_finds(index: Index, query: str, first: str):
    assert names(index, query)[0] == first


@pytest.mark.parametrize(
    "query",
    [
        "",
        "10 Downing Street, London", "10 Downing Street London", "Downing Street, London", "London, Illinois",
        "xqzvkwjh", "London 5", "Londn 5", "Lond", "MA", "東京特別", "Lundin", "10115", " ".join(["london"] * 20),
        "Tokyo, Narnia",
    ],
)  # fmt: skip
def test_a_query_that_no_place_fits_stays_empty(index: Index, query: str):
    assert names(index, query) == []


def test_what_is_near_comes_first_among_equals(index: Index):
    assert names(index, "Cambridge", Filter(near=Point(42, -71)))[0].endswith("United States")
    assert names(index, "Cambridge", Filter(near=Point(52, 0)))[0].endswith("United Kingdom")


def test_a_viewbox_prefers_and_a_bounded_one_excludes(index: Index):
    illinois = BBox(-92, 36, -87, 43)
    assert len(names(index, "Springfield", Filter(viewbox=illinois))) == 2
    assert names(index, "Springfield", Filter(viewbox=illinois))[0] == "Springfield, Illinois, United States"
    assert len(names(index, "Springfield", Filter(viewbox=illinois, bounded=True))) == 1
    assert names(index, "Tokyo", Filter(viewbox=BBox(100, 0, -100, 60), bounded=True)) == ["Tokyo, Japan"]


def test_limits_and_country_codes_hold(index: Index):
    assert len(names(index, "Springfield", limit=1)) == 1
    assert names(index, "Cambridge", Filter(country_codes=("gb",))) == ["Cambridge, England, United Kingdom"]


WORDS = st.sampled_from([name for name, *_ in SETTLEMENTS] + ["UK", "IL", "USA", ",", "the", "St", '"', "*", "NEAR"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    query=st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=6).map(" ".join)),
    west=st.floats(-180, 180),
    east=st.floats(-180, 180),
    codes=st.sets(st.sampled_from(["us", "gb", "jp"])),
)
def test_any_text_is_answered_and_every_answer_passes_the_filter(
    index: Index, query: str, west: float, east: float, codes: set[str]
):
    box = BBox(west, -60, east, 60)
    found = search(index, query, 3, Filter(tuple(codes), viewbox=box, bounded=True))
    assert len(found) <= 3
    assert all(geometry.contains(box, row.point) for row in found)
    assert all(not codes or row.country_code in codes for row in found)


def test_edits_are_allowed_by_length():
    assert [ranking.allowed_edits(word) for word in ("four", "fives", "eightful", "ninechars")] == [0, 1, 1, 2]


def test_polygons_hold_points_and_their_edges_and_the_nearest_is_within_reach(index: Index):
    areas = Areas(index)
    germany = areas.containing(Point(50, 10))
    assert [index.rows(germany)[each].name for each in germany] == ["Germany"]
    assert areas.containing(Point(47, 10)) == germany
    assert areas.containing(Point(0, 0)) == []
    assert areas.nearest(Point(46.99, 10), 5_000) == germany[0]
    assert areas.nearest(Point(46.9, 10), 5_000) is None


def test_names_follow_the_language_for_those_that_have_one(index: Index):
    germany = search(index, "Deutschland", 1, Filter())[0]
    tags = ("fr", "de-AT", "local", "tlh", "zh-TW")
    assert [index.name(germany, tag) for tag in tags] == [
        "Allemagne",
        "Deutschland",
        "Deutschland",
        "Germany",
        "Germany",
    ]


def test_an_error_while_writing_leaves_the_directory_empty(tmp_path: Path):
    def fail() -> None:
        with IndexWriter(tmp_path / "index.sqlite") as writer:
            writer.add(NewPlace("A", "place", "city", 16, 0.5, Point(0, 0), BBox(0, 0, 1, 1), "exact"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_an_extent_is_cut_at_the_antimeridian_on_the_side_of_its_point(tmp_path: Path):
    path = tmp_path / "index.sqlite"
    with IndexWriter(path) as writer:
        writer.add_extent(1, Point(0, 179.9), BBox(179.8, -1, -179.9, 1))
        writer.add_extent(2, Point(0, -179.9), BBox(179.9, -1, -179.8, 1))
    index = Index(path)
    rows = index.query("SELECT round(west, 1), round(east, 1) FROM extent_rtree ORDER BY id")
    index.close()
    assert rows == [(179.8, 180.0), (-180.0, -179.8)]


def test_a_file_of_another_schema_is_refused(tmp_path: Path):
    path = tmp_path / "index.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE meta (key, value)")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match="schema None"):
        Index(path)


def test_a_file_cut_short_is_refused(tmp_path: Path):
    small_index(tmp_path).close()
    path = tmp_path / "small.sqlite"
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size - 8192)
    with pytest.raises(sqlite3.DatabaseError):
        Index(path)
