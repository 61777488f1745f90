"""Answers as GeoJSON and well-known text, in files; names from standard input."""

import json
import subprocess
from pathlib import Path

import pytest
import shapely

from tests.cli.conftest import Invoke, command, environment


def test_geojson_is_a_collection_of_points_with_boxes(invoke: Invoke) -> None:
    told = json.loads(invoke("places", "geocode", "Paris", "--format", "geojson").stdout)
    assert told["type"] == "FeatureCollection"
    assert told["attribution"]
    first = told["features"][0]
    assert first["geometry"] == {"type": "Point", "coordinates": [2.3522, 48.8566]}
    assert first["bbox"] == pytest.approx([2.2522, 48.7566, 2.4522, 48.9566])
    assert first["properties"]["display_name"] == "Paris, Île-de-France, France"
    assert {"lat", "lon", "bbox"}.isdisjoint(first["properties"])


@pytest.mark.parametrize(
    ("words", "wkt"),
    [
        (("geocode", "Fiji"), "POINT (178 -17.8)"),
        (("geocode", "Fiji", "--geometry", "full"), "MULTIPOLYGON"),
        (("bbox", "Fiji"), "MULTIPOLYGON (((176.9 -20.7, 180 -20.7, 180 -12.4, 176.9 -12.4, 176.9 -20.7)), ((-180"),
        (("bbox", "Germany"), "POLYGON ((5.9 47.3, "),
        (("reverse", "48.8566", "2.3522"), "POINT (2.3522 48.8566)"),
        (("admin", "48.8566", "2.3522"), "POLYGON (("),
    ],
)
def test_wkt_is_a_shape_a_line(invoke: Invoke, words: tuple[str, ...], wkt: str) -> None:
    lines = invoke("places", *words, "--format", "wkt").stdout.splitlines()
    assert lines[0].startswith(wkt)
    assert all(shapely.from_wkt(line).is_valid for line in lines)


def test_the_same_goes_into_a_file_whose_name_tells_the_format(invoke: Invoke, tmp_path: Path) -> None:
    printed = invoke("places", "geocode", "Germany", "--geometry", "full", "--format", "geojson").stdout
    for name in ("a.geojson", "b.JSON"):
        result = invoke("places", "geocode", "Germany", "--geometry", "full", "--output", name)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Wrote {name}, ")
        assert (tmp_path / name).read_text("utf-8") == printed
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["a.geojson", "b.JSON"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--output", "a.txt"), 2, "--format geojson or wkt"),
        (("--format", "json", "--output", "a.json"), 2, "--format geojson or wkt"),
        (("--output", "nowhere/a.geojson"), 1, "can't be written"),
    ],
)
def test_a_file_that_cannot_be_written_is_said(invoke: Invoke, words: tuple[str, ...], status: int, said: str) -> None:
    result = invoke("places", "geocode", "Germany", *words)
    assert result.exit_code == status
    assert said in result.output


def test_nothing_found_is_an_empty_collection_and_the_status_says_so(invoke: Invoke) -> None:
    result = invoke("places", "geocode", "Nowhere at all", "--format", "geojson")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["features"] == []


def batch(text: str, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command("places", "batch", "-", *words), env=environment(), input=text, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_lines_are_asked_for_in_batches_and_answered_in_their_order() -> None:
    names = [name for number in range(60) for name in ("Paris", f"Nowhere {number}", "  ", "Boulder,  Colorado")]
    result = batch("\n".join(names), "--json")
    told = json.loads(result.stdout)
    assert [item["query"] for item in told["items"]] == [" ".join(name.split()) for name in names if name.strip()]
    assert (told["total"], told["answered"], told["failed"], told["remaining"]) == (180, 120, 60, [])
    assert result.stderr == "", "no progress where nobody looks"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_no_line_is_a_fault_of_the_line(text: str) -> None:
    result = batch(text)
    assert result.returncode == 2
    assert "no line" in result.stderr
