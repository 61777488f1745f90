"""`places import` and `places index`: maps come, say what they are, and go."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

TOWN = Path(__file__).parents[1] / "data" / "town" / "town.osm"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of maps."""
    monkeypatch.setenv("GEOCODER_INDEX_DIR", str(tmp_path / "maps"))
    monkeypatch.setenv("GEOCODER_ATLAS", "core")
    return tmp_path / "maps"


@pytest.mark.slow
def test_a_map_is_made_listed_asked_and_removed(invoke: Invoke, folder: Path):
    assert "No map in" in invoke("places", "index", "list").stdout
    made = invoke("places", "import", str(TOWN))
    assert made.exit_code == 0, made.output
    assert made.stdout.startswith("town: ")
    assert "ODbL" in made.stdout
    assert invoke("places", "index", "list").stdout.startswith("town: ")
    info = invoke("places", "index", "info", "town").stdout
    assert "files: town.osm" in info
    assert str(folder / "town.map") in info
    assert invoke("places", "index", "remove", "town").exit_code == 0
    assert json.loads(invoke("places", "index", "list", "--json").stdout) == {"folder": str(folder), "maps": []}


@pytest.mark.slow
def test_an_import_prints_one_document(invoke: Invoke, folder: Path):
    said = json.loads(invoke("places", "import", str(TOWN), "--name", "velmora", "--json").stdout)
    assert (said["name"], said["path"]) == ("velmora", str(folder / "velmora.map"))
    assert said["places"] > 50
    assert said["names"] > 50
    assert said["seconds"] >= 0
    assert said["bytes"] == (folder / "velmora.map").stat().st_size


@pytest.mark.slow
def test_a_rectangle_or_polygons_cut(invoke: Invoke, folder: Path, tmp_path: Path):
    whole = json.loads(invoke("places", "import", str(TOWN), "--json").stdout)["places"]
    box = json.loads(invoke("places", "import", str(TOWN), "--within", "179.7,-26.6,179.8,-26.4", "--json").stdout)
    assert 0 < box["places"] < whole
    file = tmp_path / "area.geojson"
    ring = [[179.7, -26.6], [179.8, -26.6], [179.8, -26.4], [179.7, -26.4], [179.7, -26.6]]
    file.write_text(json.dumps({"type": "Polygon", "coordinates": [ring]}), encoding="utf-8")
    cut = json.loads(invoke("places", "import", str(TOWN), "--within", str(file), "--json").stdout)
    assert cut["places"] == box["places"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["import", "nowhere.osm.pbf"], "is no file"),
        (["import", str(TOWN), "--name", "../up"], "is no name of a map"),
        (["import", str(TOWN), "--within", "1,2,3"], "is neither west,south,east,north nor a GeoJSON file"),
        (["import", str(TOWN), "--within", str(Path(__file__))], "is neither west,south,east,north nor a GeoJSON file"),
        (["import", str(TOWN), "--within", "14.1,36,14.4,35"], "has its south and north swapped: 36 lies north of 35"),
        (["import", str(TOWN), "--within", "14.1,95,14.4,96"], "is not on Earth"),
        (["import", str(TOWN), "--within", "0,0,1,1"], "holds no place within the given area"),
        (["import", str(Path(__file__))], "can't be read as OpenStreetMap data"),
        (["index", "info", "atlantis"], "there is no map"),
        (["index", "remove", "atlantis"], "there is no map"),
    ],
    ids=[
        "no file",
        "name",
        "rectangle",
        "no geojson",
        "swapped",
        "not on Earth",
        "empty cut",
        "no map",
        "info",
        "remove",
    ],
)
def test_a_mistake_is_said_with_a_remedy(invoke: Invoke, folder: Path, words: list[str], says: str):
    result = invoke("places", *words)
    assert result.exit_code == (1 if "there is no map" in says else 2)
    assert says in result.stderr
    said = json.loads(invoke("places", *words, "--json").stdout)
    assert said["success"] is False
    assert said["hint"]
    assert [path.name for path in folder.glob("*.map*")] == []


@pytest.mark.slow
def test_a_polygon_is_needed_to_cut_by(invoke: Invoke, folder: Path, tmp_path: Path):
    file = tmp_path / "line.geojson"
    file.write_text('{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}', encoding="utf-8")
    assert "a GeoJSON file without a polygon" in invoke("places", "import", str(TOWN), "--within", str(file)).stderr


def test_a_damaged_map_is_named_with_a_remedy(invoke: Invoke, folder: Path):
    folder.mkdir()
    (folder / "town.map").write_bytes(b"no map")
    result = invoke("places", "index", "info", "town")
    assert "Import it again" in result.stderr


@pytest.mark.slow
def test_good_maps_are_listed_beside_damaged_ones(invoke: Invoke, folder: Path):
    invoke("places", "import", str(TOWN))
    (folder / "bad.map").write_bytes(b"no map")
    text = invoke("places", "index", "list")
    assert text.exit_code == 0
    bad, good = sorted(text.stdout.splitlines(), key=lambda line: line.startswith("town"))
    assert good.endswith("data without a date")
    assert "bad" in bad
    assert "Import it again" in bad
    said = json.loads(invoke("places", "index", "list", "--json").stdout)
    assert [each["name"] for each in said["maps"]] == ["town"]
    assert [each["name"] for each in said["unreadable"]] == ["bad"]


@pytest.mark.slow
@pytest.mark.parametrize("collection", [True, False])
def test_a_feature_without_a_geometry_is_named(invoke: Invoke, folder: Path, tmp_path: Path, *, collection: bool):
    good = {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}
    bare: dict[str, object] = {"type": "Feature", "properties": {}, "geometry": None}
    features = [{**bare, "geometry": good}, bare]
    document = {"type": "FeatureCollection", "features": features} if collection else bare
    file = tmp_path / "area.geojson"
    file.write_text(json.dumps(document), encoding="utf-8")
    said = invoke("places", "import", str(TOWN), "--within", str(file)).stderr
    assert f"whose feature {2 if collection else 1} has no geometry" in said


@pytest.mark.slow
def test_objects_that_could_not_be_read_are_told(invoke: Invoke, folder: Path, tmp_path: Path):
    bad = [f'<node id="{2**60 + at}" lat="1" lon="1"><tag k="shop" v="yes"/></node>' for at in range(2)]
    for count, says in ((1, "1 object could not"), (2, "2 objects could not")):
        cafe = '<node id="1" lat="1" lon="1"><tag k="amenity" v="cafe"/><tag k="name" v="Café"/></node>'
        file = tmp_path / "a.osm"
        file.write_text(f'<osm version="0.6">{cafe}{"".join(bad[:count])}</osm>', encoding="utf-8")
        assert says in invoke("places", "import", str(file)).stdout
