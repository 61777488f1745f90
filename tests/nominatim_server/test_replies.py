"""The recorded replies: complete, readable, small – and what the real server still says."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.nominatim_server.record import REPLIES, exchanges, ids_of_the_town, record

RECORDED = sorted(REPLIES.glob("*.json"))


def test_what_is_asked_is_what_is_recorded():
    names = [name for name, *_ in exchanges(ids_of_the_town())]
    assert len(names) == len(set(names))
    assert sorted(names) == sorted(path.stem for path in RECORDED)


def test_the_replies_are_small_in_all():
    assert sum(path.stat().st_size for path in RECORDED) < 300_000


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_recorded_reply_is_an_exchange_that_parses(path: Path):
    exchange = json.loads(path.read_text(encoding="utf-8"))
    assert set(exchange) == {"request", "status", "headers", "body"}
    assert set(exchange["request"]) == {"path", "params", "headers"}
    assert exchange["request"]["path"].startswith("/")
    assert all(isinstance(value, str) for value in exchange["request"]["params"].values())
    assert (exchange["status"] >= 400) == ("error-" in path.stem) or path.stem == "lookup-error-no-ids"
    if exchange["headers"]["content-type"].startswith("application/json"):
        json.loads(exchange["body"])


@pytest.mark.slow
def test_the_real_server_still_says_what_was_recorded(real_nominatim: str, tmp_path: Path):
    record(real_nominatim, tmp_path)
    for path in RECORDED:
        assert comparable(tmp_path / path.name) == comparable(path), path.stem


def comparable(path: Path):
    """An exchange without what changes from one import to the next: numbers of places, the order of equals."""
    exchange = json.loads(path.read_text(encoding="utf-8"))
    if exchange["headers"]["content-type"].startswith("application/json"):
        body = json.loads(
            exchange["body"], object_hook=lambda pairs: {k: v for k, v in pairs.items() if k != "place_id"}
        )
        exchange["body"] = in_order(body) if isinstance(body, list) else body
    return exchange


def in_order(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results as they came, but for those next to each other that nothing ranks: these by what they are in the data."""
    return [result for _, equals in groupby(results, rank_of) for result in sorted(equals, key=object_of)]


def rank_of(result: dict[str, Any]) -> tuple[Any, ...]:
    return result.get("importance"), result.get("place_rank")


def object_of(result: dict[str, Any]) -> tuple[str, int]:
    """A result's OSM type and id; computed results such as postcodes have neither."""
    return result.get("osm_type", ""), result.get("osm_id", 0)


def test_only_equals_may_change_places():
    equal = [{"importance": 0.5, "place_rank": 26, "osm_type": "way", "osm_id": number} for number in (7, 3)]
    lesser = {"importance": 0.1, "place_rank": 26, "osm_type": "way", "osm_id": 1}
    assert in_order([*equal, lesser]) == in_order([*reversed(equal), lesser]) != in_order([lesser, *equal])
