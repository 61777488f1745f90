"""The recorded replies: complete, readable, small – and what the real server still says."""

import json
from pathlib import Path

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
    """An exchange without what changes from one import to the next."""
    exchange = json.loads(path.read_text(encoding="utf-8"))
    if exchange["headers"]["content-type"].startswith("application/json"):
        exchange["body"] = json.loads(
            exchange["body"], object_hook=lambda pairs: {k: v for k, v in pairs.items() if k != "place_id"}
        )
    return exchange
