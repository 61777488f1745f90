"""Imports: whole or not at all, whatever the file is; several files; a cut."""

import bz2
import errno
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import shapely

from bearings.errors import BearingsError, Busy, InvalidInput, NotFound, WriteFailed
from bearings.places.models import Point, SearchQuery
from bearings.places.osm import library
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.places.osm.source import OsmSource
from bearings.progress import NoProgress
from tests.places.osm.conftest import TOWN, MakeMap, node, osm, way
from tests.places.worlds import NoWorld
from tests.soak import mostly_slow

CAFE = node(1, 50.0, 8.0, amenity="cafe", name="Café Central")


def write(path: Path, *elements: str) -> Path:
    path.write_text(osm(*elements), encoding="utf-8")
    return path


def test_a_map_says_what_it_was_made_from(tmp_path: Path):
    made = make(tmp_path / "town.map", [TOWN], NoWorld(), NoProgress())
    card = library.card(tmp_path / "town.map")
    assert (card.name, card.places, card.files) == ("town", made.places, "town.osm")
    assert "ODbL" in card.attribution
    assert [each.name for each in tmp_path.iterdir()] == ["town.map"], "nothing is left behind"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "can't be read"),
        (b"PK\x03\x04 not a map", "can't be read"),
        (b"<osm version='0.6'><node id='1' lat='50' lon='8' version='1'>", "can't be read"),
        (b"<osm version='0.6'></osm>", "holds no place"),
        (b"<gpx/>", "can't be read"),
    ],
    ids=["empty", "zip", "cut short", "no place", "other xml"],
)
def test_a_bad_file_is_refused_and_the_old_map_answers(tmp_path: Path, content: bytes, says: str):
    path = tmp_path / "a.map"
    make(path, [write(tmp_path / "good.osm", CAFE)], NoWorld(), NoProgress())
    before = path.read_bytes()
    bad = tmp_path / "bad.osm"
    bad.write_bytes(content)
    with pytest.raises(InvalidInput, match=says) as refused:
        make(path, [bad], NoWorld(), NoProgress())
    assert "bad.osm" in refused.value.error
    assert refused.value.hint
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.map", "bad.osm", "good.osm"]


def test_a_truncated_compressed_file_is_refused(tmp_path: Path):
    whole = bz2.compress(TOWN.read_bytes())
    cut = tmp_path / "town.osm.bz2"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InvalidInput, match="can't be read"):
        make(tmp_path / "a.map", [cut], NoWorld(), NoProgress())


def test_several_files_are_one_map_and_an_object_stands_once(tmp_path: Path):
    first = write(tmp_path / "1.osm", CAFE)
    second = write(tmp_path / "2.osm", CAFE, node(2, 50.1, 8.0, amenity="bar", name="Bar Nuit"))
    make(tmp_path / "both.map", [first, second, first], NoWorld(), NoProgress())
    opened = OsmMap(Map(tmp_path / "both.map"))
    for name, osm_id in (("Café Central", 1), ("Bar Nuit", 2)):
        (hit,) = opened.search(SearchQuery(text=name)).hits
        assert hit.row.osm_id == osm_id
    opened.map.close()


def test_a_cut_leaves_out_what_is_outside(tmp_path: Path):
    file = write(tmp_path / "1.osm", CAFE, node(2, 51.0, 8.0, amenity="bar", name="Bar Nuit"))
    make(tmp_path / "a.map", [file], NoWorld(), NoProgress(), shapely.box(7, 49, 9, 50.5))
    opened = OsmMap(Map(tmp_path / "a.map"))
    assert opened.search(SearchQuery(text="Bar Nuit")).hits == ()
    assert len(opened.search(SearchQuery(text="Café Central")).hits) == 1
    opened.map.close()
    with pytest.raises(InvalidInput, match="within the given area"):
        make(tmp_path / "b.map", [file], NoWorld(), NoProgress(), shapely.box(0, 0, 1, 1))


def test_house_numbers_between_two_are_interpolated(make_map: MakeMap):
    numbered = [
        node(number, 50.0, 8.0 + number * 0.001, addr__housenumber=str(house), addr__street="Lindenweg")
        for number, house in ((1, 2), (9, 10))
    ]
    road = [node(21, 49.9999, 8.0), node(22, 49.9999, 8.01)]
    ways = [way(1, 1, 9, addr__interpolation="even"), way(2, 21, 22, highway="residential", name="Lindenweg")]
    osm_map = make_map(*numbered, *road, *ways)
    (hit,) = osm_map.search(SearchQuery(text="Lindenweg 6")).hits
    assert (hit.row.osm_type, hit.row.osm_id) == ("way", 1)
    assert hit.row.point == pytest.approx((50.0, 8.005))
    found = osm_map.reverse(Point(50.0, 8.0051), 18, "local", ())
    assert found is not None
    assert found[0].address["house_number"] == "6"
    assert osm_map.search(SearchQuery(text="Lindenweg 7")).hits[0].unused == ("7",)


def test_a_file_of_another_version_or_cut_short_is_no_map(tmp_path: Path):
    path = tmp_path / "a.map"
    make(path, [TOWN], NoWorld(), NoProgress())
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(sqlite3.DatabaseError):
        Map(path)
    with pytest.raises(InvalidInput, match="can't be read"):
        library.card(path)
    assert library.opened([path]) == []


def test_names_and_folders(tmp_path: Path):
    assert library.name_of([Path("malta-latest.osm.pbf")]) == "malta"
    assert library.name_of([Path("my town.osm")]) == "my-town"
    assert library.name_of([Path(".osm.pbf")]) == "map"
    for name in ("", "../x", "a/b", "x.map", "a" * 80):
        with pytest.raises(InvalidInput):
            library.path_of(tmp_path, name)
    with pytest.raises(NotFound, match="no map"):
        library.remove(tmp_path, "malta")
    with pytest.raises(InvalidInput, match="GEOCODER_INDEX"):
        library.maps(tmp_path, "malta")
    assert library.maps(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("number", "says"), [(errno.EROFS, "read-only"), (errno.EACCES, "writable")], ids=["disk", "folder"]
)
def test_a_map_that_cannot_be_removed_is_told_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
):
    (tmp_path / "a.map").write_bytes(b"x")

    def refused(_: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(WriteFailed, match="can't be removed") as told:
        library.remove(tmp_path, "a")
    assert says in (told.value.hint or "")


@pytest.mark.slow
def test_one_import_at_a_time_and_leftovers_go(tmp_path: Path):
    (tmp_path / "a.map.importing").write_bytes(b"x")
    (tmp_path / "a.map.staging").write_bytes(b"x")
    (tmp_path / "kept.map").write_bytes(b"x")
    with library.importing(tmp_path):
        assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == ["kept.map"]
        with pytest.raises(Busy), library.importing(tmp_path):
            pass


@pytest.mark.anyio
async def test_a_replaced_map_answers_the_next_question(tmp_path: Path):
    path = tmp_path / "a.map"
    make(path, [write(tmp_path / "1.osm", CAFE)], NoWorld(), NoProgress())
    source = OsmSource(tmp_path)
    assert len((await source.search(SearchQuery(text="Café Central"))).places) == 1
    make(path, [write(tmp_path / "2.osm", node(2, 50.0, 8.0, amenity="bar", name="Bar Nuit"))], NoWorld(), NoProgress())
    assert len((await source.search(SearchQuery(text="Bar Nuit"))).places) == 1
    assert (await source.search(SearchQuery(text="Café Central"))).places == ()
    library.remove(tmp_path, "a")
    with pytest.raises(BearingsError, match="no imported map"):
        await source.search(SearchQuery(text="Bar Nuit"))
    await source.aclose()


IMPORT = """
import sys
from pathlib import Path
from tests.places.worlds import NoWorld
from bearings.places.osm import library
from bearings.places.osm.making import make


class Told:
    def update(self, done, total, message):
        print(message, flush=True)


with library.importing(Path(sys.argv[1]).parent):
    make(Path(sys.argv[1]), [Path(sys.argv[2])], NoWorld(), Told())
"""


FULL = """
import resource, signal, sys
from pathlib import Path
from bearings.errors import WriteFailed
from tests.places.worlds import NoWorld
from bearings.places.osm.making import make
from bearings.progress import NoProgress

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
try:
    make(Path(sys.argv[1]), [Path(sys.argv[2])], NoWorld(), NoProgress())
except WriteFailed as error:
    print(error.error, error.hint)
"""


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 20_000, 60_000, 120_000])
def test_a_full_disk_is_said_and_the_old_map_answers(tmp_path: Path, room: int):
    pytest.importorskip("resource")
    path = tmp_path / "town.map"
    make(path, [write(tmp_path / "good.osm", CAFE)], NoWorld(), NoProgress())
    before = path.read_bytes()
    command = [sys.executable, "-c", FULL, str(path), str(TOWN), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "can't be written" in done.stdout, done.stderr
    assert "GEOCODER_INDEX_DIR" in done.stdout
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["good.osm", "town.map"]


@pytest.mark.slow
@pytest.mark.parametrize("after", mostly_slow(3, range(1, 8)))
def test_a_killed_import_leaves_the_old_map_and_the_next_one_cleans_up(tmp_path: Path, after: int):
    path = tmp_path / "town.map"
    make(path, [write(tmp_path / "good.osm", CAFE)], NoWorld(), NoProgress())
    before = path.read_bytes()
    with subprocess.Popen([sys.executable, "-c", IMPORT, str(path), str(TOWN)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(after):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    is_new = path.read_bytes() != before
    Map(path).close()
    with library.importing(tmp_path):
        left = {each.name for each in tmp_path.iterdir() if not each.name.startswith(".")}
    assert left == {"town.map", "good.osm"}
    assert is_new or len(OsmMap(Map(path)).search(SearchQuery(text="Café Central")).hits) == 1
