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


def test_an_import_prints_one_document(invoke: Invoke, folder: Path):
    said = json.loads(invoke("places", "import", str(TOWN), "--name", "velmora", "--json").stdout)
    assert (said["name"], said["path"]) == ("velmora", str(folder / "velmora.map"))
    assert said["places"] > 50
    assert said["names"] > 50
    assert said["seconds"] >= 0
    assert said["bytes"] == (folder / "velmora.map").stat().st_size


def test_a_rectangle_or_polygons_cut(invoke: Invoke, folder: Path, tmp_path: Path):
    whole = json.loads(invoke("places", "import", str(TOWN), "--json").stdout)["places"]
    box = json.loads(invoke("places", "import", str(TOWN), "--within", "179.7,-26.6,179.8,-26.4", "--json").stdout)
    assert 0 < box["places"] < whole
    file = tmp_path / "area.geojson"
    ring = [[179.7, -26.6], [179.8, -26.6], [179.8, -26.4], [179.7, -26.4], [179.7, -26.6]]
    file.write_text(json.dumps({"type": "Polygon", "coordinates": [ring]}), encoding="utf-8")
    cut = json.loads(invoke("places", "import", str(TOWN), "--within", str(file), "--json").stdout)
    assert cut["places"] == box["places"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["import", "nowhere.osm.pbf"], "is no file"),
        (["import", str(TOWN), "--name", "../up"], "is no name of a map"),
        (["import", str(TOWN), "--within", "1,2,3"], "is neither west,south,east,north nor a GeoJSON file"),
        (["import", str(TOWN), "--within", str(Path(__file__))], "is neither west,south,east,north nor a GeoJSON file"),
        (["import", str(TOWN), "--within", "0,0,1,1"], "holds no place within the given area"),
        (["import", str(Path(__file__))], "can't be read as OpenStreetMap data"),
        (["index", "info", "atlantis"], "there is no map"),
        (["index", "remove", "atlantis"], "there is no map"),
    ],
    ids=["no file", "name", "rectangle", "no geojson", "empty cut", "no map", "info", "remove"],
)
def test_a_mistake_is_said_with_a_remedy(invoke: Invoke, folder: Path, words: list[str], says: str):
    result = invoke("places", *words)
    assert result.exit_code == (1 if "there is no map" in says else 2)
    assert says in result.stderr
    said = json.loads(invoke("places", *words, "--json").stdout)
    assert said["success"] is False
    assert said["hint"]
    assert [path.name for path in folder.glob("*.map*")] == []


def test_a_polygon_is_needed_to_cut_by(invoke: Invoke, folder: Path, tmp_path: Path):
    file = tmp_path / "line.geojson"
    file.write_text('{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}', encoding="utf-8")
    assert "a GeoJSON file without a polygon" in invoke("places", "import", str(TOWN), "--within", str(file)).stderr


def test_a_damaged_map_is_named_with_a_remedy(invoke: Invoke, folder: Path):
    folder.mkdir()
    (folder / "town.map").write_bytes(b"no map")
    result = invoke("places", "index", "info", "town")
    assert "Import it again" in result.stderr
