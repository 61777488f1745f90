"""Reading: files in any order, objects that were never uploaded, and what can't be read."""

from pathlib import Path
from types import SimpleNamespace

import osmium
import pytest

from bearings.errors import InvalidInput, WriteFailed
from bearings.places.models import SearchQuery
from bearings.places.osm import reading
from bearings.places.osm.answers import OsmMap
from bearings.places.osm.making import make
from bearings.places.osm.map import Map
from bearings.places.osm.schema import Made
from bearings.progress import NoProgress
from tests.places.osm.conftest import MakeMap, node, osm, way
from tests.places.worlds import NoWorld

NODES = (node(1, 50.0, 8.0), node(2, 50.0, 8.01), node(3, 50.01, 8.01))
ROAD = way(1, 1, 2, highway="residential", name="Lindenweg")
WOOD = way(2, 1, 2, 3, 1, natural="wood", name="Hain")
CAFE = node(9, 50.0, 8.0, amenity="cafe", name="Café Central")


def relation(number: int, *outer: int, **tags: str) -> str:
    members = "".join(f'<member type="way" ref="{each}" role="outer"/>' for each in outer)
    given = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
    return f'<relation id="{number}" version="1">{members}{given}</relation>'


def imported(tmp_path: Path, *elements: str) -> Made:
    file = tmp_path / "a.osm"
    file.write_text(osm(*elements), encoding="utf-8")
    return make(tmp_path / "a.map", [file], NoWorld(), NoProgress())


def names(osm_map: OsmMap, *wanted: str) -> list[tuple[str, int | None]]:
    hits = [hit for name in wanted for hit in osm_map.search(SearchQuery(text=name)).hits]
    return [(f"{hit.row.osm_type} {hit.row.name}", hit.row.osm_id) for hit in hits]


@pytest.mark.parametrize(
    "elements",
    [
        (ROAD, WOOD, *NODES),
        (*NODES, WOOD, ROAD),
        (ROAD, *NODES, WOOD),
        (*NODES, WOOD, CAFE, ROAD),
        (*NODES, ROAD, WOOD, WOOD),
        (CAFE, ROAD, WOOD, *NODES),
    ],
    ids=["ways first", "ids fall", "a way first", "a node between", "twice", "nodes fall"],
)
def test_a_file_in_any_order_is_read(make_map: MakeMap, tmp_path: Path, elements: tuple[str, ...]):
    made = make_map(*elements)
    assert names(made, "Lindenweg", "Hain") == [("way Lindenweg", 1), ("way Hain", 2)]
    assert made.search(SearchQuery(text="Hain")).hits[0].row.bbox is not None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.map", "0.osm"], "the sorted copy is gone"


@pytest.mark.parametrize("complete", [True, False])
def test_the_untagged_ways_of_a_relation_may_come_before_their_nodes(make_map: MakeMap, *, complete: bool):
    bare = way(6, 1, 2, 3), way(7, 3, 1)
    wood = relation(8, 6, 7, type="multipolygon", natural="wood", name="Hain")
    made = make_map(CAFE, *bare[: 1 + complete], *NODES, wood)
    assert names(made, "Hain") == ([("relation Hain", 8)] if complete else [])


def test_objects_that_were_never_uploaded_are_read(make_map: MakeMap):
    made = make_map(
        node(-1, 50.0, 8.0), node(-2, 50.0, 8.01), node(3, 50.01, 8.01),
        way(-4, -1, -2, highway="residential", name="Lindenweg"), way(5, -1, -2, 3, -1, natural="wood", name="Hain"),
        way(-6, -1, -2, 3, -1), relation(-7, -6, type="multipolygon", landuse="meadow", name="Anger"),
    )  # fmt: skip
    assert names(made, "Lindenweg", "Hain", "Anger") == [("way Lindenweg", -4), ("way Hain", 5), ("relation Anger", -7)]


def test_never_uploaded_objects_of_two_files_are_not_the_same(tmp_path: Path):
    for number, name in enumerate(("Café Central", "Bar Nuit")):
        (tmp_path / f"{number}.osm").write_text(osm(node(-1, 50.0 + number, 8.0, amenity="cafe", name=name)), "utf-8")
    make(tmp_path / "a.map", [tmp_path / "0.osm", tmp_path / "1.osm"], NoWorld(), NoProgress())
    opened = OsmMap(Map(tmp_path / "a.map"))
    assert names(opened, "Café Central", "Bar Nuit") == [("node Café Central", -1), ("node Bar Nuit", -1)]
    opened.map.close()


def test_a_binary_file_may_be_unsorted_too(tmp_path: Path):
    file = tmp_path / "a.osm.pbf"
    with osmium.SimpleWriter(osmium.io.File(str(file), "pbf")) as writer:
        tags = {"highway": "residential", "name": "Lindenweg"}
        writer.add_way(osmium.osm.mutable.Way(id=1, nodes=[1, 2], tags=tags))
        for number in (1, 2):
            writer.add_node(osmium.osm.mutable.Node(id=number, location=(8.0 + number / 100, 50.0)))
    assert make(tmp_path / "a.map", [file], NoWorld(), NoProgress()).places == 1


def test_a_file_that_is_cut_is_not_sorted(tmp_path: Path):
    file = tmp_path / "a.osm"
    file.write_text(osm(*NODES, way(1, 1, 2, 99, highway="residential", name="Lindenweg")), "utf-8")
    (found,) = reading.features(file, reading.Lost())
    assert found.form == "line"


def test_a_full_disk_is_said_before_a_file_is_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    full = SimpleNamespace(free=10)
    monkeypatch.setattr("shutil.disk_usage", lambda _: full)
    with pytest.raises(WriteFailed, match="No space left"):
        imported(tmp_path, ROAD, *NODES)
    assert [path.name for path in tmp_path.iterdir()] == ["a.osm"]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (node(2, 50.0, 8.0, amenity="cafe", name="x" * 2_000), "too long"),
        (CAFE.replace("50.0", "NaN"), "NaN"),
        (CAFE.replace("50.0", "abc"), "abc"),
        (node(2**63 - 1, 50.0, 8.0, amenity="cafe", name="x"), "illegal id"),
    ],
    ids=["long value", "NaN", "letters", "id too large"],
)
def test_what_the_reader_refuses_is_said(tmp_path: Path, bad: str, says: str):
    with pytest.raises(InvalidInput, match=says) as refused:
        imported(tmp_path, CAFE, bad)
    assert "a.osm" in refused.value.error


def test_objects_of_impossible_ids_and_positions_are_left_out_and_counted(tmp_path: Path):
    huge = 2**61
    made = imported(
        tmp_path, *NODES, CAFE,
        node(10, 91.0, 8.0, amenity="cafe", name="Pol"),
        node(huge, 50.0, 8.0, amenity="cafe", name="x"),
        way(2 * huge, 1, 2, 3, 1, natural="wood", name="y"),
    )  # fmt: skip
    assert (made.places, made.lost) == (1, 3)


def test_broken_text_loses_its_tag_alone(tmp_path: Path):
    file = tmp_path / "a.osm.pbf"
    with osmium.SimpleWriter(osmium.io.File(str(file), "pbf,pbf_compression=none")) as writer:
        tags = {"amenity": "cafe", "cuisine": "broken@@", "name": "Café Central"}
        writer.add_node(osmium.osm.mutable.Node(id=1, location=(8.0, 50.0), tags=tags))
    file.write_bytes(file.read_bytes().replace(b"@@", b"\xff\xfe"))
    made = make(tmp_path / "a.map", [file], NoWorld(), NoProgress())
    assert (made.places, made.lost) == (1, 1)
    opened = OsmMap(Map(tmp_path / "a.map"))
    assert names(opened, "Café Central") == [("node Café Central", 1)]
    opened.map.close()
