"""One resolver over a map of a town and the atlas: each question goes to the source that can know."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bearings.errors import Unavailable
from bearings.places.atlas.source import GazetteerSource
from bearings.places.coverage import Area, Box, Tiles, read, tile_of
from bearings.places.geocoder import Geocoder
from bearings.places.models import Found, LatLon, Point, SearchQuery
from bearings.places.osm.making import make
from bearings.places.osm.source import OsmSource
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from tests.places.memory_source import ObjectSource
from tests.places.osm.conftest import TOWN, node, osm
from tests.places.worlds import NoWorld

pytestmark = pytest.mark.anyio

CAFES = (
    node(1, -26.5, 179.751, amenity="cafe", name="Paris"),
    node(2, -26.5, 179.752, amenity="cafe", name="Suva"),
    node(3, -26.5, 179.753, amenity="cafe", name="Springfield Diner"),
)


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map of the town, and one of three cafés in it."""
    folder = tmp_path_factory.mktemp("maps")
    cafes = folder / "cafes.osm"
    cafes.write_text(osm(*CAFES), encoding="utf-8")
    make(folder / "cafes.map", [cafes], NoWorld(), NoProgress())
    make(folder / "town.map", [TOWN], NoWorld(), NoProgress())
    return folder


@pytest.fixture
async def geocoder(maps: Path, tmp_path: Path) -> AsyncIterator[Geocoder]:
    """What asks the maps, and the core atlas for the rest."""
    settings = PlacesSettings(_env_file=None, backend="auto")
    made = Geocoder(OsmSource(maps), GazetteerSource(tmp_path, "core"), settings=settings)
    yield made
    await made.aclose()


@pytest.mark.parametrize(
    ("query", "name", "backend"),
    [
        ("Paris", "Paris", "gazetteer"),
        ("Paris, France", "Paris", "gazetteer"),
        ("Port Aurel", "Port Aurel", "osm-index"),
        ("5 Harbour Street, Port Aurel", "Harbour Street 5", "osm-index"),
        ("Springfield Diner", "Springfield Diner", "osm-index"),
        ("Kettle Bay", "Kettle Bay", "osm-index"),
        ("Germany", "Germany", "gazetteer"),
    ],
)
async def test_a_query_goes_to_the_source_that_can_know(geocoder: Geocoder, query: str, name: str, backend: str):
    reply = await geocoder.geocode(query)
    assert reply.results[0].name == name
    assert reply.source.backend == backend


async def test_a_famous_place_comes_before_a_cafe_of_its_name_and_each_says_its_source(geocoder: Geocoder):
    reply = await geocoder.geocode("Paris", limit=5)
    said = [(result.type, result.backend) for result in reply.results]
    assert said[0] == ("city", "gazetteer")
    assert said[-1] == ("cafe", "osm-index")
    assert "from the osm-index" in reply.to_text()
    near = await geocoder.geocode("Paris", near=LatLon(-26.5, 179.75))
    assert near.results[0].type == "cafe"


async def test_a_point_goes_to_the_source_that_covers_it(geocoder: Geocoder):
    here = await geocoder.reverse_geocode(-26.5027, 179.75)
    assert here.source.backend == "osm-index"
    there = await geocoder.reverse_geocode(48.8566, 2.3522)
    assert (there.source.backend, there.address["country"]) == ("gazetteer", "France")
    areas = await geocoder.admin_boundaries(48.8566, 2.3522)
    assert areas.source.backend == "gazetteer"
    around = await geocoder.nearby_places(-26.5, 179.75, categories="amenity")
    assert around.source.backend == "osm-index"
    assert around.complete
    point = await geocoder.geocode("-26.5027, 179.75")
    assert point.source.backend == "osm-index"


async def test_what_no_source_knows_is_not_found(geocoder: Geocoder):
    reply = await geocoder.geocode("Qzxvkjw, Port Aurel")
    assert reply.results == []
    assert "Asked too: gazetteer." in (reply.hint or "")
    assert "NOMINATIM_EMAIL" in (reply.hint or "")


async def test_an_explicit_backend_asks_no_other(maps: Path):
    made = Geocoder(OsmSource(maps), settings=PlacesSettings(_env_file=None, backend="osm-index"))
    assert (await made.geocode("Germany")).results == []
    await made.aclose()


def test_coverages(tmp_path: Path):
    paris = Point(48.8566, 2.3522)
    assert Tiles(frozenset([tile_of(paris.lon, paris.lat)])).holds(paris)
    assert Tiles(frozenset([tile_of(2.31, 48.81)])).holds(paris), "a tile beside it"
    assert not Tiles(frozenset([tile_of(2.0, 48.8)])).holds(paris)
    assert Tiles(frozenset([tile_of(-179.99, 0.0)])).holds(Point(0.0, 179.99)), "180 degrees are one meridian"
    assert isinstance(read("2,48,3,49"), Box)
    assert read("170,-20,-170,-10").holds(Point(-15.0, 180.0))
    file = tmp_path / "a.geojson"
    file.write_text('{"type": "Polygon", "coordinates": [[[2, 48], [3, 48], [3, 49], [2, 48]]]}', encoding="utf-8")
    area = read(str(file))
    assert isinstance(area, Area)
    assert area.holds(Point(48.2, 2.9))
    assert not area.holds(Point(48.8, 2.1))
    for wrong in ("2,48,3", "2,49,3,48", "nowhere.geojson", ""):
        with pytest.raises(ValueError, match=r"\w"):
            read(wrong)


async def test_nearby_outside_the_maps_is_not_said_to_be_complete(geocoder: Geocoder):
    paris = await geocoder.nearby_places(48.8566, 2.3522, categories="amenity")
    assert (paris.source.backend, paris.complete) == ("gazetteer", False)


async def test_several_maps_answer_a_kind_by_the_one_around_the_point(geocoder: Geocoder):
    reply = await geocoder.geocode("cafe", near=LatLon(-26.5, 179.75))
    assert {result.type for result in reply.results} == {"cafe"}
    assert "objects of a kind" in (reply.hint or "")


async def test_objects_of_a_kind_outside_the_place_that_is_named_are_said_to_be(geocoder: Geocoder):
    reply = await geocoder.geocode("pharmacies in Kaldrona Golfo")
    assert [result.name for result in reply.results] == ["Saltwater Pharmacy"]
    assert (reply.hint or "").endswith("None of these is in «Kettle Bay».")
    for query in ("pharmacies in Port Aurel", "pharmacies near Kaldrona Golfo"):
        assert "None of these" not in ((await geocoder.geocode(query)).hint or "")


async def test_confidence_never_rises_in_a_list(geocoder: Geocoder):
    for query in ("Harbour Street", "Port Aurel", "Velmora", "Suva"):
        found = [result.confidence or 0.0 for result in (await geocoder.geocode(query, limit=10)).results]
        assert found == sorted(found, reverse=True), query


async def test_the_atlas_answers_if_no_map_can_be_read(tmp_path: Path):
    (tmp_path / "bad.map").write_bytes(b"garbage")
    settings = PlacesSettings(_env_file=None, backend="auto")
    made = Geocoder(OsmSource(tmp_path), GazetteerSource(tmp_path, "core"), settings=settings)
    reply = await made.geocode("Paris")
    assert (reply.results[0].name, reply.source.backend, reply.source.degraded) == ("Paris", "gazetteer", True)
    await made.aclose()


async def test_a_map_is_asked_as_soon_as_it_is_imported(tmp_path: Path):
    settings = PlacesSettings(_env_file=None, backend="auto")
    made = Geocoder(OsmSource(tmp_path), GazetteerSource(tmp_path, "core"), settings=settings)
    assert (await made.geocode("5 Harbour Street, Port Aurel")).results == []
    assert (await made.status()).backend == "gazetteer"
    make(tmp_path / "town.map", [TOWN], NoWorld(), NoProgress())
    assert (await made.geocode("5 Harbour Street, Port Aurel")).source.backend == "osm-index"
    (tmp_path / "town.map").unlink()
    assert (await made.geocode("Paris")).source.backend == "gazetteer"
    await made.aclose()


class Down(ObjectSource):
    """A Nominatim that is down."""

    async def search(self, query: SearchQuery) -> Found:
        raise Unavailable(f"{query.text} can't be asked")


async def test_a_famous_place_is_meant_also_if_a_map_stands_in(maps: Path, tmp_path: Path):
    settings = PlacesSettings(_env_file=None, backend="auto")
    made = Geocoder(Down(), OsmSource(maps), GazetteerSource(tmp_path, "core"), settings=settings)
    paris = await made.geocode("Paris", limit=1)
    assert (paris.results[0].type, paris.source.degraded) == ("city", True)
    here = await made.geocode("5 Harbour Street, Port Aurel")
    assert (here.source.backend, here.source.degraded) == ("osm-index", True)
    await made.aclose()
