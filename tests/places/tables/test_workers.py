"""What travels to a worker: settings and files, errors as data."""

import os
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from bearings.errors import InvalidInput
from bearings.places.atlas.store import CORE_PATH
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.places.tables.answering import Manner
from bearings.places.tables.copying import local_copy
from bearings.places.tables.workers import Batch, Sources, answered, close

pytest.importorskip("fsspec")


def sources(**values: object) -> Sources:
    places = PlacesSettings(_env_file=None, backend="gazetteer", **values)
    return Sources.of(places, NominatimSettings(_env_file=None), elsewhere=True)


def test_a_batch_is_answered_as_it_was_packed(tmp_path: Path) -> None:
    of = sources(atlas="core")
    batch = pickle.loads(pickle.dumps(Batch(("Paris", (48.85, 2.35)), Manner(language="de"), of)))
    try:
        reply = pickle.loads(pickle.dumps(answered(batch)))
    finally:
        close(of)
    found, there = reply.answers
    assert (found.country_code, there.country_code, found.source) == ("fr", "fr", "gazetteer")
    assert reply.failure is None
    assert reply.editions[0].startswith("gazetteer: ")


def test_a_worker_of_another_version_answers_nothing() -> None:
    reply = answered(replace(Batch(("Paris",), Manner(), sources(atlas="core")), version="0.0.1"))
    assert reply.failure is not None
    assert reply.failure[0] == "unsupported"
    assert "this program is 0.0.1" in reply.failure[1]


def test_an_atlas_that_is_not_there_is_said_as_data(tmp_path: Path) -> None:
    reply = answered(Batch(("Paris",), Manner(), sources(atlas=str(tmp_path / "no.sqlite"))))
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
        reply = answered(Batch(("Paris",), Manner(), of))
    finally:
        close(of)
    assert reply.answers[0].country_code == "fr"
    assert list((tmp_path / "copies").glob("*core.sqlite"))


@pytest.mark.parametrize("url", ["file:///no/such/file.sqlite", "nothing://of/this", "s3://x/y"])
def test_a_url_that_can_not_be_read_is_said(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match="location = "):
        local_copy(url, tmp_path)
