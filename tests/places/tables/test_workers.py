"""What travels to a worker: settings and files, errors as data."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bearings.errors import InvalidInput, Unavailable
from bearings.places.atlas.store import CORE_PATH
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.places.tables.answering import QuestionOptions
from bearings.places.tables.workers import QuestionBatch, Sources, answered, close, local_copy

pytest.importorskip("fsspec")


def sources(**values: object) -> Sources:
    places = PlacesSettings(_env_file=None, backend="gazetteer", **values)
    return Sources.of(places, NominatimSettings(_env_file=None), elsewhere=True)


def test_a_batch_is_answered_as_it_was_packed(tmp_path: Path) -> None:
    of = sources(atlas="core")
    batch = pickle.loads(pickle.dumps(QuestionBatch(("Paris", (48.85, 2.35)), QuestionOptions(language="de"), of)))
    try:
        reply = pickle.loads(pickle.dumps(answered(batch)))
    finally:
        close(of)
    found, there = reply.answers
    assert (found.country_code, there.country_code, found.source) == ("fr", "fr", "gazetteer")
    assert reply.failure is None
    assert reply.editions[0].startswith("gazetteer: ")


def test_a_worker_of_another_version_answers_nothing() -> None:
    reply = answered(replace(QuestionBatch(("Paris",), QuestionOptions(), sources(atlas="core")), version="0.0.1"))
    assert reply.failure is not None
    assert reply.failure[0] == "unsupported"
    assert "this program is 0.0.1" in reply.failure[1]


def test_an_atlas_that_is_not_there_is_said_as_data(tmp_path: Path) -> None:
    reply = answered(QuestionBatch(("Paris",), QuestionOptions(), sources(atlas=str(tmp_path / "no.sqlite"))))
    assert reply.failure is not None
    assert reply.failure[0] == "invalid_input"


def test_a_file_at_a_url_is_copied_once_until_it_changes(tmp_path: Path) -> None:
    origin = tmp_path / "origin" / "core.sqlite"
    origin.parent.mkdir()
    origin.write_bytes(CORE_PATH.read_bytes())
    url, cache = f"file://{origin}", tmp_path / "cache"
    copy = Path(local_copy(url, cache))
    assert copy.read_bytes() == origin.read_bytes()
    assert Path(local_copy(url, cache)) == copy
    origin.write_bytes(b"another")
    os.utime(origin, (1, 1))
    newer = Path(local_copy(url, cache))
    assert (newer != copy, newer.read_bytes()) == (True, b"another")
    assert local_copy(str(origin), cache) == str(origin)
    assert not [each for each in (cache / "copies").iterdir() if each.suffix == ".part"]


def test_an_atlas_at_a_url_answers(tmp_path: Path) -> None:
    of = sources(atlas=f"file://{CORE_PATH}")
    of = replace(of, places=(*of.places, ("cache_dir", tmp_path)))
    try:
        reply = answered(QuestionBatch(("Paris",), QuestionOptions(), of))
    finally:
        close(of)
    assert reply.answers[0].country_code == "fr"
    assert list((tmp_path / "copies").glob("*core.sqlite"))


@pytest.mark.parametrize("url", ["file:///no/such/file.sqlite", "nothing://of/this", "s3://x/y"])
def test_a_url_that_can_not_be_read_is_said(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match="location = "):
        local_copy(url, tmp_path)


def test_a_folder_of_a_file_can_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="can't be read"):
        local_copy(f"file://{tmp_path}/file/atlas.sqlite", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [
        ("fsspec", "from bearings.places.tables.workers import local_copy as f; f('s3://x/y', None)", "dask"),
        ("ijson", "from bearings.places.tables.geojson import GeoJsonReader as f; f(Path('x'), flat=True)", "tables"),
        ("pyarrow", "from bearings.places.tables.parquet import ParquetReader as f; f(Path('x'), flat=True)", "tables"),
        ("distributed", "from bearings.cluster import workers; workers('local').__enter__()", "dask"),
    ],
)
def test_a_missing_extra_is_named(module: str, call: str, extra: str) -> None:
    lines = [f"import sys; sys.modules[{module!r}] = None", "from pathlib import Path", "try:"]
    code = "\n".join(
        [*lines, f"    {call}", "except Exception as error:", "    print(type(error).__name__, error.hint)"]
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout.startswith("Unsupported ")
    assert f"pip install '.[{extra}]'" in said.stdout
