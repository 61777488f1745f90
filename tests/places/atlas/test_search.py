import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.places import geometry
from bearings.places.atlas import ranking
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.matching import Hit
from bearings.places.atlas.search import search
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.engine import text
from bearings.places.engine.areas import Areas
from bearings.places.engine.ranking import Filter
from bearings.places.models import BBox, Layer, Match, Point
from tests.places.small_index import SETTLEMENTS, small_index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    opened = small_index(tmp_path_factory.mktemp("index"))
    yield opened
    opened.close()


ANY = Filter()


def rows(index: Index, query: str, only: Filter = ANY, limit: int = 5) -> list[Row]:
    return [hit.row for hit in search(index, query, limit, only).hits]


def names(index: Index, query: str, only: Filter = ANY, limit: int = 5) -> list[str]:
    return [index.place(row, "en").display_name for row in rows(index, query, only, limit)]


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Newcastel upn Tyne", "Newcastle upon Tyne, England, United Kingdom"),  # two edits
        ("Barbudo", "Barbuda, Antigua and Barbuda"),  # too small a place to be sure
        ("Strete", "Street, England, United Kingdom"),
        ("upon Tyne", "Newcastle upon Tyne, England, United Kingdom"),  # a part of a name that isn't its beginning
        ("Cambrid", "Cambridge, Massachusetts, United States"),
    ],
)
def test_a_guess_is_a_suggestion(index: Index, query: str, meant: str):
    answer = search(index, query, 5, ANY)
    assert meant in [index.place(hit.row, "en").display_name for hit in (*answer.suggestions, *answer.hits)]
    assert query == "Cambrid" or not answer.hits


def test_a_hit_says_how_it_fits_and_how_sure_it_is(index: Index):
    def first(query: str) -> Hit:
        return search(index, query, 5, ANY).hits[0]

    assert [first(query).fit.match for query in ("london", "Londres", "USA", "Newcastle", "Lodnon")] == [
        Match.EXACT,
        Match.ALTERNATE,
        Match.ALTERNATE,
        Match.PREFIX,
        Match.CORRECTED,
    ]
    assert first("London").confidence > 0.9
    assert first("Springfield").confidence < 0.8
    assert first("Springfield, Illinois").confidence > 0.9
    assert (first("Lodnon").searched, first("Lodnon").fit.key) == ("lodnon", "london")


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
        ("Springfield in Illinois", "Springfield, Illinois, United States"),
        ("Springfield (Illinois)", "Springfield, Illinois, United States"),
        ("Springfield, state of Illinois", "Springfield, Illinois, United States"),
        ("state of Illinois", "Illinois, United States"),
        ("US-IL", "Illinois, United States"),
        ("us-ma", "Massachusetts, United States"),
        ("city of Cologne", "Köln, Germany"),
        ("Stadt Köln", "Köln, Germany"),
        ("Germany (country)", "Germany"),
        ("island of Barbuda", "Barbuda, Antigua and Barbuda"),
    ],
)
def test_a_query_finds(index: Index, query: str, first: str):
    assert names(index, query)[0] == first


@pytest.mark.parametrize(
    "query",
    [
        "",
        "London, Illinois", "xqzvkwjh", "Londn 5", "Lond", "MA", "東京特別", "Lundin", "10115",
        " ".join(["london"] * 20),
        "river London", "Lake Springfield",
        "Londn Island", "city of Londn", "London airport", "US-XX", "US-ENG", "40.7, -74",
        "EPSG:4326",
    ],
)  # fmt: skip
def test_a_query_that_no_place_fits_stays_empty(index: Index, query: str):
    assert names(index, query) == []


def test_a_qualifier_restricts_kinds_where_something_of_the_kind_is_found(tmp_path: Path):
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        for kind, layer in (
            ("city", Layer.SETTLEMENT),
            ("water", Layer.LAKE),
            ("river", Layer.RIVER),
            ("mountain_range", Layer.PHYSICAL),
        ):
            place = NewPlace("Como", "place", kind, 16, 0.5, Point(0.5, 0.5), BBox(0, 0, 1, 1), "exact")
            place.layer = layer
            writer.add(place)
    index = Index(tmp_path / "index.sqlite")
    searched = (
        "lago di Como",
        "Como river",
        "Como mountains",
        "city of Como",
        "Como",
        "Como desert",
        "province of Como",
    )
    found = [sorted(row.type for row in rows(index, query)) for query in searched]
    index.close()
    every = ["city", "mountain_range", "river", "water"]
    assert found == [["water"], ["river"], ["mountain_range"], ["city"], every, [], every]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Bodensee, West", True),
        ("Bodensee, East", True),
        ("Bodensee, Far", False),  # its box overlaps the lake's, its outline does not
        ("Grenzberg, East", True),
        ("Grenzberg, Far", False),
        ("Grenzdorf, East", False),  # a settlement is in one country
    ],
)
def test_a_natural_feature_is_in_every_area_that_it_overlaps(tmp_path: Path, query: str, found: bool):
    def put(writer: IndexWriter, name: str, kind: str, layer: Layer, area: shapely.Polygon, outline: bool) -> None:
        box = BBox(*area.bounds)
        rank = 4 if layer is Layer.COUNTRY else 16
        place = NewPlace(name, "place", kind, rank, 0.5, geometry.center(box), box, "exact")
        place.layer = layer
        identifier = writer.add(place)
        if outline:
            writer.add_area(identifier, box, area, layer)

    corner = shapely.Polygon([(6, 0), (10, 0), (10, 10), (8, 10), (8, 3), (6, 3)])  # around the lake's east
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        put(writer, "West", "country", Layer.COUNTRY, shapely.box(0, 0, 5, 10), True)
        put(writer, "East", "country", Layer.COUNTRY, shapely.box(5, 0, 6, 10), True)
        put(writer, "Far", "country", Layer.COUNTRY, corner, True)
        put(writer, "Bodensee", "water", Layer.LAKE, shapely.Polygon([(4, 5), (7, 5), (5, 2)]), True)
        put(writer, "Grenzberg", "peak", Layer.PHYSICAL, shapely.box(4.9, 7.9, 5.1, 8.1), False)
        put(writer, "Grenzdorf", "village", Layer.SETTLEMENT, shapely.box(4.9, 7.9, 5.1, 8.1), False)
    index = Index(tmp_path / "index.sqlite")
    told = rows(index, query)
    index.close()
    assert [row.name for row in told] == ([query.partition(",")[0]] if found else [])


def test_the_nearer_of_equal_places_comes_first(index: Index):
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


@pytest.mark.slow
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
    found = rows(index, query, Filter(tuple(codes), viewbox=box, bounded=True), 3)
    assert len(found) <= 3
    assert all(geometry.contains(box, row.point) for row in found)
    assert all(not codes or row.country_code in codes for row in found)


SCRIPTS = st.text(st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Zs", "Cf")), max_size=40)
SIGNS = st.text(st.characters(min_codepoint=0x0900, max_codepoint=0x17FF), min_size=5, max_size=20)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(SCRIPTS, SIGNS))
def test_the_key_of_any_text_can_be_asked_of_the_index(index: Index, written: str):
    assert len(search(index, text.normalise(written), 5, ANY).hits) <= 5


@pytest.mark.parametrize("first", range(0, 0x20000, 0x4000))
def test_every_character_that_a_key_keeps_is_part_of_a_word(index: Index, first: int):
    characters = (chr(code) for code in range(first, first + 0x4000) if not 0xD800 <= code < 0xE000)
    for word in {word for char in characters for word in text.key_of(f"abc{char}def").split()}:
        index.query("SELECT rowid FROM word_fts WHERE word_fts MATCH ?", (f'"{word}"*',))


@pytest.mark.parametrize(
    "name", ["ประเทศไทย", "हिन्दुस्तान", "মিয়ানমার", "မြန်မာနိုင်ငံ", "ព្រះរាជាណាចក្រកម្ពុជា", "ປະເທດລາວ", "ශ්‍රී ලංකාව", "இலங்கை"]
)
def test_a_name_with_vowel_signs_is_found_by_its_beginning(tmp_path: Path, name: str):
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        writer.add(NewPlace(name, "place", "city", 16, 0.5, Point(0, 0), BBox(0, 0, 1, 1), "exact"))
    index = Index(tmp_path / "index.sqlite")
    found = []
    for searched in (name, name[:-1]):
        answer = search(index, searched, 1, ANY)
        found += [hit.row.name for hit in answer.hits or answer.suggestions]
    index.close()
    assert found == [name, name]


def test_edits_are_allowed_by_length():
    assert [ranking.allowed_edits(word) for word in ("two", "four", "eightful", "ninechars")] == [0, 1, 1, 2]


def test_polygons_hold_points_and_their_edges_and_the_nearest_is_within_reach(index: Index):
    areas = Areas(index)
    germany = list(areas.containing(Point(50, 10), Layer.COUNTRY))
    assert [index.rows(germany)[each].name for each in germany] == ["Germany"]
    assert list(areas.containing(Point(47, 10), Layer.COUNTRY)) == germany
    assert list(areas.containing(Point(0, 0), Layer.COUNTRY)) == []
    assert areas.nearest(Point(46.99, 10), 5_000, Layer.COUNTRY) == germany[0]
    assert areas.nearest(Point(46.9, 10), 5_000, Layer.COUNTRY) is None


def test_names_follow_the_language_for_those_that_have_one(index: Index):
    germany = rows(index, "Deutschland", ANY, 1)[0]
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
