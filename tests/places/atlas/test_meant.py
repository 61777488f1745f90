"""The place that a query means: with namesakes, with an imprecise context, with a misspelt name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from bearings.places import geometry
from bearings.places.atlas.context import MEMBERS
from bearings.places.atlas.index import LANDS, Index
from bearings.places.atlas.ranking import importance
from bearings.places.atlas.search import Answer, search
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.engine.ranking import Filter
from bearings.places.models import BBox, Layer, Point

_RANKS = {Layer.COUNTRY: 4, Layer.REGION: 8, Layer.COUNTY: 12, Layer.SETTLEMENT: 16}


class _World:
    """Two countries side by side, with regions that are squares of one degree."""

    def __init__(self, writer: IndexWriter) -> None:
        self.writer = writer
        self.ids: dict[str, int] = {}

    def area(
        self, name: str, layer: Layer, box: BBox, people: int, *others: str, parent: str = "", country: str = "aa"
    ) -> None:
        kind = "country" if layer is Layer.COUNTRY else "state" if layer is Layer.REGION else "county"
        place = NewPlace(
            name, "boundary", kind, _RANKS[layer], importance(people, _RANKS[layer]), geometry.center(box), box,
            "exact", people, parent=self.ids.get(parent), country_code=country, layer=layer,
        )  # fmt: skip
        self.ids[name] = self.writer.add(place, others)
        self.writer.add_area(self.ids[name], box, shapely.box(*box), layer)

    def town(
        self, name: str, parent: str, lat: float, lon: float, people: int, *others: str, country: str = "aa"
    ) -> None:
        point = Point(lat, lon)
        place = NewPlace(
            name, "place", "city", 16, importance(people, 16), point, geometry.around(point, 3_000), "estimated",
            people, parent=self.ids[parent], country_code=country,
        )  # fmt: skip
        self.writer.add(place, others)

    def wetland(self, name: str, box: BBox, importance: float) -> None:
        self.writer.add(
            NewPlace(
                name, "natural", "wetland", 22, importance, geometry.center(box), box, "exact", layer=Layer.PHYSICAL
            )
        )

    def airport(self, name: str, code: str, lat: float, lon: float) -> None:
        point = Point(lat, lon)
        place = NewPlace(
            name, "aeroway", "aerodrome", 30, 0.48, point, geometry.around(point, 2_000), "estimated",
            layer=Layer.AIRPORT,
        )  # fmt: skip
        self.writer.add(place, (), (code,))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    path = tmp_path_factory.mktemp("meant") / "index.sqlite"
    with IndexWriter(path) as writer:
        world = _World(writer)
        world.area("Great Ardland", Layer.COUNTRY, BBox(0, 0, 4, 1), 8_000_000, "Ard", "Orvale", "Merridon")
        world.area("Tinyland", Layer.COUNTRY, BBox(10, 0, 11, 1), 90_000, "Calden", country="bb")
        world.area("Ard", Layer.REGION, BBox(0, 0, 1, 1), 6_000_000, parent="Great Ardland")
        world.area("Bell", Layer.REGION, BBox(1, 0, 2, 1), 500_000, parent="Great Ardland")
        world.area("Cass", Layer.REGION, BBox(2, 0, 3, 1), 500_000, parent="Great Ardland")
        world.area("Farr", Layer.REGION, BBox(3, 0, 4, 1), 500_000, "Pharr", parent="Great Ardland")
        world.area("Quill", Layer.COUNTY, BBox(10, 0, 11, 1), 20_000, parent="Tinyland", country="bb")
        world.town("Orvale", "Ard", 0.5, 0.5, 900_000)  # a city whose name some use for the country
        world.town("Calden", "Bell", 0.5, 1.8, 200_000)  # more than Tinyland, which some call so
        world.town("Merridon", "Quill", 0.5, 10.5, 80_000, country="bb")  # fewer than the country of that name
        world.town("Nearby", "Bell", 0.5, 1.98, 60_000)  # two kilometres from Cass
        world.town("Hamletty", "Bell", 0.5, 1.98, 300)
        world.town("Midway", "Bell", 0.5, 1.1, 60_000)  # a hundred kilometres from Cass
        world.town("Port Stanhope", "Ard", 0.2, 0.2, 700_000, "STH")
        world.airport("Stanhope International Airport", "STH", 0.21, 0.21)
        world.town("West Harrow", "Farr", 0.5, 3.5, 40_000)
        world.town("Jilibo", "Farr", 0.6, 3.6, 40_000)
        world.town("Onzo", "Farr", 0.7, 3.7, 40_000)
        world.town("Trevalgan", "Ard", 0.7, 0.7, 900_000)
        world.town("Trevalgan", "Farr", 0.7, 3.7, 4_000)
        world.town("Ka Moro", "Farr", 0.3, 3.3, 400_000)
        world.wetland("Cass", BBox(1.5, 0, 3.5, 1), 0.6)
        _add_continents(world)
    opened = Index(path)
    yield opened
    opened.close()


def _add_continents(world: _World) -> None:
    for name, countries in (("Auropa", ("Great Ardland",)), ("Tinyland", ("Great Ardland", "Tinyland"))):
        continent = NewPlace(
            name, "place", "continent", 22, 1.0, Point(0.5, 2), BBox(0, 0, 4, 1), "exact", layer=Layer.CONTINENT
        )
        identifier = world.writer.add(continent)
        members = " ".join(str(world.ids[country]) for country in countries)
        world.writer.set_meta({f"{MEMBERS}{identifier}": members})


def asked(index: Index, query: str) -> Answer:
    return search(index, query, 5, Filter())


def first(index: Index, query: str) -> str | None:
    hits = asked(index, query).hits
    return index.place(hits[0].row, "en").display_name if hits else None


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Ard", "Ard, Great Ardland"),  # a part of a country whose name some use for the country
        ("Orvale", "Orvale, Ard, Great Ardland"),
        ("Calden", "Calden, Bell, Great Ardland"),
        ("Merridon", "Great Ardland"),
        ("Cass", "Cass, Great Ardland"),  # a better-known wetland reaches beyond the region of its name
        ("STH", "Stanhope International Airport"),  # some call the city by its airport's code
        ("Harrow, West", "West Harrow, Farr, Great Ardland"),
        ("Harrow, West, Great Ardland", "West Harrow, Farr, Great Ardland"),
        ("Ardland, Great", "Great Ardland"),
        ("Ardland, Great Republic of", "Great Ardland"),
        ("Tinyland, The", "Tinyland"),
        ("Pharr, Farr, Great Ardland", "Farr, Great Ardland"),  # an area named as its own context
        ("Harrow, East", None),
        ("West Harrow, Auropa", "West Harrow, Farr, Great Ardland"),  # a continent
        ("Auropa, West Harrow", "West Harrow, Farr, Great Ardland"),
        ("West Harrow Auropa", "West Harrow, Farr, Great Ardland"),
        ("Quill, Auropa", None),
        ("West Harrow, Tinyland", None),  # a country before a continent of its name
    ],
)
def test_the_place_whose_own_name_it_is_comes_first(index: Index, query: str, meant: str | None):
    assert first(index, query) == meant


def test_the_second_place_is_listed_as_less_likely(index: Index):
    own, other = asked(index, "Calden").hits
    assert (own.row.layer, other.row.layer) == (Layer.SETTLEMENT, Layer.COUNTRY)
    assert own.confidence > 0.6 > 0.3 > other.confidence > 0


@pytest.mark.parametrize(
    ("query", "meant", "unused"),
    [
        ("Nearby, Cass, Great Ardland", "Nearby, Bell, Great Ardland", ("Cass",)),  # beside the named area
        ("Nearby, Bell, Great Ardland", "Nearby, Bell, Great Ardland", ()),
        ("Nearby, Nonesuch, Great Ardland", "Nearby, Bell, Great Ardland", ("Nonesuch",)),
        ("Nearby, Nonesuch, Cass, Great Ardland", "Nearby, Bell, Great Ardland", ("Nonesuch", "Cass")),
        ("Nearby, Quill, Great Ardland", "Nearby, Bell, Great Ardland", ("Quill",)),  # another country's county
        ("Hamletty, Cass, Great Ardland", None, ()),  # a village is more likely another one
        ("Hamletty, Quill, Great Ardland", None, ()),
        ("Midway, Cass, Great Ardland", None, ()),  # far from the named area
        ("Nearby, Cass, Tinyland", None, ()),  # in another country
        ("Nearby, Cass", None, ()),
        ("Merridon, Farr, Tinyland", None, ()),  # another country's region means that another place is meant
    ],
)
def test_a_context_that_is_not_quite_right_is_told_and_no_other_passes(
    index: Index, query: str, meant: str | None, unused: tuple[str, ...]
):
    assert (first(index, query), asked(index, query).unused) == (meant, unused)


@pytest.mark.parametrize(
    ("query", "meant"),
    [("Jlibo", "Jilibo"), ("Onz", None), ("Ozno", "Onzo"), ("Onno", "Onzo"), ("Oonzo", "Onzo"), ("Bnzo", "Onzo")],
)
def test_short_names_are_suggested_for_any_one_edit(index: Index, query: str, meant: str | None):
    answer = asked(index, query)
    assert [hit.row.name for hit in (*answer.hits, *answer.suggestions)] == ([meant] if meant else [])


def test_a_name_surely_misspelt_gives_all_places_of_the_name(index: Index):
    assert [index.ancestors(hit.row)[0].name for hit in asked(index, "Trevalgen").hits] == ["Ard", "Farr"]


def test_a_space_too_many_or_too_few_is_no_doubt_about_a_well_known_place(index: Index):
    assert first(index, "Kamoro") == first(index, "Ka Mo Ro") == "Ka Moro, Farr, Great Ardland"


def test_a_settlement_by_its_name_alone_is_less_sure_than_with_its_country(index: Index):
    alone, with_country = (asked(index, query).hits[0].confidence for query in ("Jilibo", "Jilibo, Great Ardland"))
    assert alone < 0.92 < with_country
    assert search(index, "Jilibo", 5, Filter(country_codes=("aa",))).hits[0].confidence == with_country


@pytest.mark.parametrize(("people", "is_answer"), [(20_000, True), (900_000, False)])
def test_a_misspelt_name_is_an_answer_if_no_other_one_as_near_is_as_likely(
    tmp_path: Path, people: int, is_answer: bool
):
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        world = _World(writer)
        world.area("Land", Layer.COUNTRY, BBox(0, 0, 4, 1), 8_000_000)
        world.town("Barcelion", "Land", 0.5, 0.5, 1_200_000)
        world.town("Barcelian", "Land", 0.5, 3.5, people)
    index = Index(tmp_path / "index.sqlite")
    answer = asked(index, "Barceliun")
    index.close()
    assert [hit.row.name for hit in answer.hits] == ["Barcelion"] * is_answer
    assert {hit.row.name for hit in (*answer.hits, *answer.suggestions)} == {"Barcelion", "Barcelian"}


@pytest.mark.parametrize(
    ("query", "near", "meant"),
    [
        ("Twin", None, "Far"),  # the larger one
        ("Twin", Point(0.5, 3.0), "Near"),  # within 100 km
        ("Twin", Point(0.5, 0.5), "Near"),  # 300 km away, the other one 3,000 km
        ("Great", Point(0.5, 3.0), "Far"),  # 100 times as many people
        ("Land", Point(0.5, 0.1), "Near"),  # the point is in this one's outline
    ],
)
def test_near_decides_among_places_of_a_name_and_bends_the_rest(
    tmp_path: Path, query: str, near: Point | None, meant: str
):
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        world = _World(writer)
        for name, west, country in (("Near", 0, "aa"), ("Far", 30, "bb")):
            world.area(name, Layer.COUNTRY, BBox(west, 0, west + 5, 1), 8_000_000, country=country)
            people = 40_000 if name == "Near" else 400_000
            world.area("Land", Layer.REGION, BBox(west, 0, west + 5, 1), people, parent=name, country=country)
        world.town("Twin", "Near", 0.5, 3.2, 500_000)
        world.town("Twin", "Far", 0.5, 30.5, 800_000, country="bb")
        world.town("Great", "Near", 0.5, 5.0, 8_000)
        world.town("Great", "Far", 0.5, 30.5, 800_000, country="bb")
    index = Index(tmp_path / "index.sqlite")
    first = search(index, query, 5, Filter(near=near)).hits[0]
    above = index.ancestors(first.row)[-1].name
    index.close()
    assert above == meant


def test_the_first_letter_of_a_suggestion_is_rather_right(tmp_path: Path):
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        world = _World(writer)
        world.area("Land", Layer.COUNTRY, BBox(0, 0, 4, 1), 8_000_000)
        for name, people in (("Gorvin", 60_000), ("Torvin", 70_000), ("Torwin", 60_000)):
            world.town(name, "Land", 0.5, 0.5, people)
    index = Index(tmp_path / "index.sqlite")
    suggested = [hit.row.name for hit in asked(index, "Gorwin").suggestions]
    index.close()
    assert suggested == ["Gorvin", "Torwin"]


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Orland, Dem. Rep.", "Democratic Republic of Orland"),
        ("Orland, Rep.", "Republic of the Orland"),
        ("Orland, Democratic Republic of", "Democratic Republic of Orland"),
        ("Zembia, Arab Rep.", "Zembia"),
        ("Zembia, RB", None),
        ("Zembia, State", None),  # the state, which has no such name here
    ],
)
def test_a_country_is_found_with_its_form_behind_it_as_statistics_write_it(
    tmp_path: Path, query: str, meant: str | None
):
    countries = (
        ("Democratic Republic of Orland", ("Orland, Democratic Republic of",)),
        ("Republic of the Orland", ("Orland, Republic of the",)),
        ("Zembia", ("Zembia, Arab Republic of",)),
    )
    with IndexWriter(tmp_path / "index.sqlite") as writer:
        for at, (name, spellings) in enumerate(countries):
            box = BBox(at, 0, at + 1, 1)
            country = NewPlace(name, "boundary", "country", 4, 0.8, geometry.center(box), box, "exact", 10**6)
            writer.add(country, spellings=spellings)
    index = Index(tmp_path / "index.sqlite")
    hits = search(index, query, 5, Filter()).hits
    index.close()
    assert (hits[0].row.name if hits else None) == meant


@pytest.fixture(scope="module")
def lands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    path = tmp_path_factory.mktemp("lands") / "index.sqlite"
    with IndexWriter(path) as writer:
        world = _World(writer)
        world.area("Ardland", Layer.COUNTRY, BBox(0, 0, 4, 1), 8_000_000)
        world.area("Bessa", Layer.COUNTRY, BBox(10, 0, 11, 1), 900_000, country="bb")
        world.area("Kilima", Layer.REGION, BBox(0, 0, 1, 1), 400_000, parent="Ardland")
        world.area("Hallover", Layer.REGION, BBox(1, 0, 2, 1), 30_000, parent="Ardland")
        world.area("Twerpen", Layer.COUNTY, BBox(0, 0, 1, 1), 2_000_000, parent="Kilima")
        world.area("Bessa North", Layer.REGION, BBox(10, 0.5, 11, 1), 400_000, parent="Bessa", country="bb")
        world.wetland("Kilima", BBox(0.4, 0.4, 0.5, 0.5), 0.8)
        world.town("Twerp", "Twerpen", 0.5, 0.5, 500_000, "Twerpen")
        world.town("Halover", "Bessa North", 0.7, 10.5, 500_000, "Hallover", "ABO", country="bb")
        world.area("Alas", Layer.REGION, BBox(3, 0, 4, 1), 30_000, parent="Ardland")
        world.wetland("Alas", BBox(3, 0, 4, 0.9), 0.8)
        world.town("Orford", "Kilima", 0.2, 0.2, 9_000)
        world.town("Orford", "Hallover", 0.2, 1.8, 90_000)
        world.town("Woods", "Hallover", 0.3, 1.3, 250_000)
        world.town("The Woods", "Kilima", 0.3, 0.3, 95_000)
        world.town("Soswiec", "Kilima", 0.6, 0.6, 95_000)
        world.town("Victory", "Hallover", 0.8, 1.8, 200_000)
        world.town("Bay Town", "Kilima", 0.8, 0.2, 900_000, "Victory")
        world.airport("Abona Airport", "ABO", 0.9, 0.9)
        world.airport("Victory International Airport", "VIC", 0.85, 1.85)
        world.airport("Sir Edward Logan Bay Town Airport", "BAY", 0.85, 0.25)
        wold = BBox(0, 0, 0.5, 0.5)
        region = NewPlace(
            "The Wold", "place", "region", 22, 0.6, geometry.center(wold), wold, "estimated", layer=Layer.MACRO_REGION
        )
        writer.set_meta({LANDS: str(writer.add(region))})
    opened = Index(path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Kilima", ("Kilima", "wetland")),  # far better known than the region of its name
        ("Alas", ("Alas", "state")),  # the land is the state
        ("Hallover", ("Halover", "city")),  # in another language, but of many more people than the region
        ("Twerpen", ("Twerp", "city")),  # the seat of a county, by its name on the ground
        ("ABO", ("Halover", "city")),  # an airport of that code, which is not the city's
        ("The Woods", ("The Woods", "city")),  # before a larger one without the article
        ("Woods", ("Woods", "city")),
        ("Soswitz", ("Soswiec", "city")),
        ("Ardlitz", None),
        ("Wold", None),
        ("The Wold", ("The Wold", "region")),
        ("Victory airport", ("Victory International Airport", "aerodrome")),  # not the one of a city that some call so
        ("Logan Airport", ("Sir Edward Logan Bay Town Airport", "aerodrome")),
        ("Edward Bay Airport", ("Sir Edward Logan Bay Town Airport", "aerodrome")),
        ("Bay Edward Airport", None),
    ],
)
def test_a_name_of_several_kinds_of_place_is_the_one_that_people_mean(
    lands: Index, query: str, meant: tuple[str, str] | None
):
    hits = asked(lands, query).hits
    assert ((hits[0].row.name, hits[0].row.type) if hits else None) == meant


@pytest.mark.parametrize(
    ("query", "lon"),
    [("Orford", 1.8), ("Orford, The Wold", 0.2), ("Orford, The Wold, Ardland", 0.2), ("Woods, The Wold", None),
     ("The Wold, Ardland", 0.25), ("The Wold, Bessa", None)],
)  # fmt: skip
def test_a_region_without_an_outline_holds_what_lies_in_its_box(lands: Index, query: str, lon: float | None):
    hits = asked(lands, query).hits
    assert (hits[0].row.point.lon if hits else None) == lon
