"""Extracts that are damaged or made to do harm: a clear error, or a map without what is too much; nothing is left."""

import bz2
import gzip
import math
import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from bearings.errors import BearingsError, DeadlineExceeded, InvalidInput, WriteFailed
from bearings.places import importing
from bearings.places.osm import library
from bearings.places.osm.making import make
from bearings.places.osm.reading import MOST_MEMBERS, MOST_NODES, MOST_TAGS
from bearings.places.osm.schema import Made
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from tests.adversary.conftest import Tally
from tests.adversary.extracts.pbf import HEADER, Block, blob, field
from tests.places.worlds import NoWorld

SHOP = (("shop", "bakery"), ("name", "Backhaus"))
HOUSE = (("building", "yes"), ("name", "Haus"))
AREA = (("type", "multipolygon"), *HOUSE)
STREET = (("highway", "residential"), ("name", "Weg"))
NODE = '<node id="7" version="1" lat="50" lon="8"><tag k="shop" v="bakery"/></node>'
ANNOUNCED = field(1, b"OSMData") + field(3, 2**31 - 1)


def good() -> Block:
    """A block with a shop and the corners of a triangle."""
    return Block().node(1, 50, 8, *SHOP).node(2, 50, 8.1).node(3, 50.1, 8)


def circle(nodes: int, *, closed: bool, tags: tuple[tuple[str, str], ...]) -> bytes:
    """A way of many nodes around a point."""
    block = Block().node(1, 50, 8, *SHOP)
    angles = [2 * math.pi * at / nodes for at in range(nodes)]
    for number, angle in enumerate(angles, 10):
        block.node(number, 50 + math.sin(angle) / 2, 8 + math.cos(angle) / 2)
    return block.way(1, [*range(10, 10 + nodes), *([10] if closed else [])], *tags).file()


def xml(*parts: str, before: str = "") -> bytes:
    """A file in XML."""
    return f'<?xml version="1.0"?>{before}<osm version="0.6">{"".join(parts)}</osm>'.encode()


def entities(depth: int) -> str:
    """Entities, each of which is ten of the one before."""
    ladder = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, depth))
    return f'<!DOCTYPE osm [<!ENTITY e0 "x">{ladder}]>'


CRASHES: dict[str, Callable[[], bytes]] = {
    "a NUL in a value": lambda: good().node(4, 50, 8, ("place", "town"), ("name", "X\0Y")).file(),
    "a NUL in a key": lambda: good().node(4, 50, 8, ("place", "town"), ("na\0me", "X")).file(),
    "a NUL at an end": lambda: good().node(4, 50, 8, ("place", "town"), ("name", "X\0")).file(),
    "a NUL in a tag that nobody reads": lambda: good().node(4, 50, 8, ("x", "\0")).file(),
    "a NUL in a way": lambda: good().way(1, (1, 2), ("highway", "path"), ("name", "X\0Y")).file(),
    "a NUL in a relation": lambda: good().relation(1, [("w", 1, "")], *AREA, ("ref", "\0")).file(),
}

LOST: dict[str, tuple[str, Callable[[], bytes], int]] = {
    "members": (
        ".osm.pbf",
        lambda: good().relation(1, (("w", at, "outer") for at in range(1, MOST_MEMBERS * 3)), *AREA).file(),
        1,
    ),
    "a member, again and again": (
        ".osm.pbf",
        lambda: good().way(1, (1, 2, 3, 1)).relation(1, [("w", 1, "outer")] * MOST_MEMBERS * 3, *AREA).file(),
        1,
    ),
    "members in XML": (
        ".osm",
        lambda: xml(
            NODE, '<relation id="1" version="1"><tag k="building" v="yes"/>',
            *(f'<member type="node" ref="{at}" role=""/>' for at in range(MOST_MEMBERS + 1)), "</relation>",
        ),
        1,
    ),
    "nodes of a line": (".osm.pbf", lambda: circle(MOST_NODES + 50, closed=False, tags=STREET), 1),
    "nodes of a ring": (".osm.pbf", lambda: circle(MOST_NODES + 50, closed=True, tags=HOUSE), 1),
    "tags": (
        ".osm.pbf",
        lambda: good().node(4, 50, 8, *SHOP, *((f"k{at}", "v") for at in range(MOST_TAGS * 4))).file(),
        1,
    ),
    "names": (
        ".osm.pbf",
        lambda: good().node(4, 50, 8, *SHOP, *((f"name:k{at}", f"N {at}") for at in range(MOST_TAGS * 4))).file(),
        1,
    ),
    "positions off the Earth": (
        ".osm.pbf",
        lambda: good().node(8, 93, 8, *SHOP).node(9, -50, 200, *SHOP).way(1, (1, 8, 9, 1), *HOUSE).file(),
        2,
    ),
    "an id too large": (".osm.pbf", lambda: good().node(2**62, 50, 8, *SHOP).file(), 1),
    "an id far below zero": (".osm.pbf", lambda: good().node(-(2**63), 50, 8, *SHOP).file(), 1),
    "an object twice": (".osm", lambda: xml(NODE, NODE, NODE), 2),
}  # fmt: skip

MADE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a ring of relations": (
        ".osm.pbf",
        lambda: good().relation(1, [("r", 1, "")], *AREA).relation(2, [("r", 3, "")], *AREA)
        .relation(3, [("r", 2, "")], *AREA).file(),
    ),
    "a NUL in a role": (".osm.pbf", lambda: good().relation(1, [("n", 1, "a\0b")], *AREA).file()),
    "ids below zero that nothing has": (
        ".osm.pbf",
        lambda: Block().node(-3, 50, 8, *SHOP).way(-1, (-3, -9), *STREET).file(),
    ),
    "a way of nodes that are not there": (".osm.pbf", lambda: good().way(1, range(10, 150_000), *STREET).file()),
    "house numbers without end": (
        ".osm.pbf",
        lambda: Block().node(1, 50, 8, ("addr:housenumber", "1"), ("name", "a"), ("shop", "x"))
        .node(2, 50, 8.1, ("addr:housenumber", "301"))
        .way(1, [1, 2] * 3_000, ("addr:interpolation", "all"), ("addr:street", "Weg")).file(),
    ),
    "a document type from elsewhere": (".osm", lambda: xml(NODE, before='<!DOCTYPE osm SYSTEM "file:///etc/hosts">')),
    "no gzip": (".osm.gz", lambda: xml(NODE)),
}  # fmt: skip

REFUSED: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a name of 300 kB": (".osm.pbf", lambda: good().node(4, 50, 8, ("name", "x" * 300_000)).file(), "overlong"),
    "a name of 300 kB in XML": (".osm", lambda: xml(NODE.replace("bakery", "x" * 300_000)), "too long"),
    "a blob that claims 2 GB": (
        ".osm.pbf", lambda: HEADER + blob(b"OSMData", good().data(), 2**31 - 1), "blob size",
    ),
    "a blob that claims 20 MB": (".osm.pbf", lambda: HEADER + blob(b"OSMData", good().data(), 20 << 20), "can't be"),
    "a blob of 100 MB": (".osm.pbf", lambda: HEADER + blob(b"OSMData", bytes(100 << 20)), "blob size"),
    "a blob announced with 2 GB": (
        ".osm.pbf", lambda: HEADER + struct.pack(">I", len(ANNOUNCED)) + ANNOUNCED, "blob size",
    ),
    "a head of 4 GB": (".osm.pbf", lambda: HEADER + struct.pack(">I", 2**32 - 1), "can't be read"),
    "half a file": (".osm.pbf", lambda: good().file()[:-9], "EOF"),
    "nothing": (".osm.pbf", lambda: b"", "can't be read"),
    "a coordinate of 5,000 digits": (".osm", lambda: xml(NODE.replace("50", "5" * 5_000)), "wrong format"),
    "entities": (".osm", lambda: xml(NODE.replace("bakery", "&e20;"), before=entities(21)), "entities"),
    "an entity from elsewhere": (
        ".osm",
        lambda: xml(NODE.replace("bakery", "&x;"), before='<!DOCTYPE osm [<!ENTITY x SYSTEM "file:///etc/hosts">]>'),
        "entities",
    ),
    "nested without end": (".osm", lambda: b"<osm>" * 200_000, "can't be read"),
    "a page": (".osm", lambda: b"<!DOCTYPE html><html><body>Not found</body></html>", "can't be read"),
    "an archive": (".osm", lambda: b"PK\x03\x04" + bytes(50), "can't be read"),
    "blanks, packed": (".osm.gz", lambda: gzip.compress(b"<osm>" + b" " * (90 << 20)), "200 times"),
    "a value, packed": (".osm.bz2", lambda: bz2.compress(xml(NODE.replace("bakery", "x" * (40 << 20)))), "200 times"),
    "a cut gzip": (".osm.gz", lambda: gzip.compress(xml(NODE * 500))[:-30], "can't be read"),
}  # fmt: skip


def kinds(of: Iterable[str]) -> list[ParameterSet]:
    """Kinds as parameters; the first stands for all in the everyday tests."""
    return [pytest.param(kind, marks=[pytest.mark.slow] if at else []) for at, kind in enumerate(of)]


@pytest.fixture(scope="module")
def old_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map of a good extract; it is copied, not changed."""
    folder = tmp_path_factory.mktemp("old")
    made = PlacesSettings(index_dir=folder / "maps", cache_dir=folder / "cache", atlas="core")
    imported(made, written(folder, ".osm.pbf", good().file()))
    return library.path_of(made.index_dir, "a")


@pytest.fixture
def settings(tmp_path: Path, old_map: Path) -> PlacesSettings:
    """Settings whose folder holds one map; its extract lies beside."""
    made = PlacesSettings(index_dir=tmp_path / "maps", cache_dir=tmp_path / "cache", atlas="core")
    made.index_dir.mkdir()
    shutil.copy2(old_map, library.path_of(made.index_dir, "a"))
    (tmp_path / "good.osm.pbf").write_bytes(good().file())
    return made


def imported(settings: PlacesSettings, *files: Path, within: str | None = None) -> Made:
    path = library.path_of(settings.index_dir, "a")
    return importing.make(path, files, within, settings, NoProgress())


def refused(settings: PlacesSettings, *files: Path, within: str | None = None) -> BearingsError:
    """The error of an import, which leaves the old map alone."""
    path = library.path_of(settings.index_dir, "a")
    before = path.read_bytes()
    with pytest.raises(BearingsError) as caught:
        imported(settings, *files, within=within)
    assert path.read_bytes() == before
    assert left(settings) == ["a.map"]
    assert caught.value.hint
    assert len(caught.value.error) < 400
    return caught.value


def left(settings: PlacesSettings) -> list[str]:
    return sorted(path.name for path in settings.index_dir.iterdir() if not path.name.startswith("."))


def written(tmp_path: Path, ending: str, content: bytes) -> Path:
    file = tmp_path / f"hostile{ending}"
    file.write_bytes(content)
    return file


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds(CRASHES))
def test_a_file_that_crashes_its_reader_is_an_error(settings: PlacesSettings, tmp_path: Path, tally: Tally, kind: str):
    error = refused(settings, written(tmp_path, ".osm.pbf", CRASHES[kind]()))
    assert isinstance(error, InvalidInput)
    tally("an extract that crashes its reader", 1, "crashes" in error.error)


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds(reversed(LOST)))
def test_an_object_that_is_too_much_is_left_out_and_counted(
    settings: PlacesSettings, tmp_path: Path, tally: Tally, kind: str
):
    ending, content, lost = LOST[kind]
    made = imported(settings, written(tmp_path, ending, content()))
    assert made.places >= 1
    assert left(settings) == ["a.map"]
    tally("an object of an extract that is too much", 1, made.lost == lost)


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds(MADE))
def test_an_odd_file_is_a_map_all_the_same(settings: PlacesSettings, tmp_path: Path, tally: Tally, kind: str):
    ending, content = MADE[kind]
    made = imported(settings, written(tmp_path, ending, content()))
    tally("an odd extract", 1, 1 <= made.places < 10_000 and left(settings) == ["a.map"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds(reversed(REFUSED)))
def test_a_bomb_or_a_damaged_file_is_refused(settings: PlacesSettings, tmp_path: Path, tally: Tally, kind: str):
    ending, content, says = REFUSED[kind]
    error = refused(settings, written(tmp_path, ending, content()))
    tally("a bomb or a damaged extract", 1, isinstance(error, InvalidInput) and says in error.error)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="there are no such files")
@pytest.mark.parametrize("of", ["the extract", "the area"])
def test_what_is_no_regular_file_is_not_opened(settings: PlacesSettings, tmp_path: Path, of: str):
    pipe = tmp_path / "pipe.osm"
    os.mkfifo(pipe)
    for strange in (pipe, Path("/dev/zero"), tmp_path):
        if of == "the extract":
            assert "is no file" in refused(settings, strange).error
        else:
            error = refused(settings, tmp_path / "good.osm.pbf", within=str(strange))
            assert "nor a GeoJSON file" in error.error


@pytest.mark.slow
def test_an_area_that_is_nested_without_end_is_refused(settings: PlacesSettings, tmp_path: Path):
    file = written(tmp_path, ".geojson", b'{"a":' * 100_000)
    assert "nor a GeoJSON file" in refused(settings, tmp_path / "good.osm.pbf", within=str(file)).error


@pytest.mark.slow
def test_a_name_that_osmium_takes_for_standard_input_is_a_file(
    settings: PlacesSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("-", "http:/example.org/a.osm.pbf"):
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        assert "can't be read" in refused(settings, file).error


@pytest.mark.slow
def test_work_without_end_ends_at_the_deadline(settings: PlacesSettings, tmp_path: Path):
    block = Block().node(1, 50, 8).node(2, 50, 8.1).way(1, [*([1, 2] * MOST_NODES), 1], *HOUSE)
    short = settings.model_copy(update={"import_timeout": 2.0})
    error = refused(short, written(tmp_path, ".osm.pbf", block.file()))
    assert isinstance(error, DeadlineExceeded)
    assert "GEOCODER_IMPORT_TIMEOUT" in error.hint


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_too_little_memory_is_said(settings: PlacesSettings, tmp_path: Path):
    little = settings.model_copy(update={"import_memory_mb": 60})
    error = refused(little, written(tmp_path, ".osm.pbf", circle(30_000, closed=True, tags=HOUSE)))
    assert "needs more than 60 MB of memory" in error.error
    assert "GEOCODER_IMPORT_MEMORY_MB" in error.hint


class Changing:
    """Changes a file when the import tells of its first step."""

    def __init__(self, file: Path, *, gone: bool) -> None:
        self._file = file
        self._gone = gone

    def update(self, done: float, total: float | None, message: str) -> None:
        """See Progress."""
        if self._gone:
            self._file.unlink(missing_ok=True)
        else:
            self._file.write_bytes(good().node(9, 50, 8, *SHOP).file())


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "written"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, *, gone: bool):
    file = written(tmp_path, ".osm.pbf", good().file())
    with pytest.raises(InvalidInput, match="changed while it was read"):
        make(tmp_path / "a.map", [file], NoWorld(), Changing(file, gone=gone))
    assert not list(tmp_path.glob("a.map*"))


LIMITED = """
import resource, sys
from pathlib import Path
from bearings.errors import WriteFailed
from bearings.places import importing
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress

if int(sys.argv[3]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    importing.make(Path(sys.argv[1]), [Path(sys.argv[2])], None, PlacesSettings(atlas="core"), NoProgress())
except WriteFailed as error:
    print(error.error, error.hint)
"""


def unsorted() -> bytes:
    """A packed file that is sorted first, to a copy that is larger."""
    rng = random.Random(5)
    nodes = (
        f'<node id="{at}" version="1" lat="{rng.uniform(1, 9)}" lon="{rng.uniform(1, 9)}"/>' for at in range(60_000)
    )
    road = '<way id="1" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/><tag k="name" v="Weg"/></way>'
    return gzip.compress(xml(road, *nodes))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="files have no limit")
@pytest.mark.parametrize("room", [50_000, 400_000], ids=["at the staging", "at the sorting"])
def test_files_without_room_are_said_and_nothing_is_left(settings: PlacesSettings, tmp_path: Path, room: int):
    file = written(tmp_path, ".osm.gz", unsorted())
    path = library.path_of(settings.index_dir, "a")
    before = path.read_bytes()
    command = [sys.executable, "-c", LIMITED, str(path), str(file), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "can't be written" in done.stdout, done.stderr
    assert "GEOCODER_INDEX_DIR" in done.stdout
    assert path.read_bytes() == before
    assert left(settings) == ["a.map"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount a small disk")
@pytest.mark.parametrize("kilobytes", [240, 320])
def test_a_full_disk_is_said_and_nothing_is_left(settings: PlacesSettings, tmp_path: Path, kilobytes: int):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        here = settings.model_copy(update={"index_dir": disk})
        with pytest.raises(WriteFailed, match="can't be written"):
            imported(here, Path(__file__).parents[2] / "data" / "town" / "town.osm")
        assert left(here) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
