"""Every recorded request to a real Nominatim over the little town, put to our endpoints over the same town's map."""

import json
from typing import Any

import pytest

from tests.places.standard.conftest import Ask, recorded

pytestmark = pytest.mark.anyio

EXCHANGES = dict(recorded())
ASKED = [name for name, exchange in EXCHANGES.items() if exchange["request"]["path"] != "/nowhere"]
ERRORS = [name for name in ASKED if EXCHANGES[name]["status"] != 200 and "format" not in name]
ANSWERS = [
    name for name in ASKED
    if EXCHANGES[name]["status"] == 200 and not name.startswith(("status", "search-near", "search-phrase"))
]  # fmt: skip
"""Not those of special phrases, which are another language, nor of the state, which names a version."""

ABSENT = {"postcode_id", "entrances"}
"""Fields that only Nominatim has."""


async def answer_to(ask: Ask, name: str) -> Any:
    request = EXCHANGES[name]["request"]
    header = request["headers"].get("Accept-Language", "")
    parameters = {key.replace("-", "__"): value for key, value in request["params"].items()}
    return await ask(request["path"], header, **parameters)


@pytest.mark.parametrize("name", ERRORS)
async def test_what_is_refused_is_refused_with_the_same_words(ask: Ask, name: str):
    answer = await answer_to(ask, name)
    recorded_one = EXCHANGES[name]
    assert (answer.status, answer.content_type) == (recorded_one["status"], recorded_one["headers"]["content-type"])
    assert json.loads(answer.body) == json.loads(recorded_one["body"])


@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_has_the_fields_types_and_order_of_nominatim(ask: Ask, name: str):
    answer, theirs = await answer_to(ask, name), json.loads(EXCHANGES[name]["body"])
    assert (answer.status, answer.content_type) == (200, "application/json; charset=utf-8")
    ours = json.loads(answer.body)
    assert type(ours) is type(theirs)
    for one, other in pairs(ours, theirs):
        shared = [key for key in one if key in other]
        assert shared == [key for key in other if key in one], "the order"
        assert set(other) - set(one) <= ABSENT
        assert set(one) <= {*other, "osm_type", "osm_id"}
        for key in shared:
            if one[key] is not None and other[key] is not None:
                assert type(one[key]) is type(other[key]) or {type(one[key]), type(other[key])} == {int, float}, key


def pairs(ours: Any, theirs: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Our results, each beside the first of Nominatim's: all of one answer have the same form."""
    if isinstance(ours, dict):
        return [] if "error" in ours or "error" in theirs else [(ours, theirs)]
    return [(one, theirs[0]) for one in ours] if theirs else []


@pytest.mark.slow
async def test_the_first_answer_is_nominatims(ask: Ask):
    same: list[str] = []
    different: list[str] = []
    for name in ANSWERS:
        theirs = json.loads(EXCHANGES[name]["body"])
        ours = json.loads((await answer_to(ask, name)).body)
        first, other = (each[:1] if isinstance(each, list) else [each] for each in (ours, theirs))
        is_same = [object_of(one) for one in first] == [object_of(one) for one in other]
        (same if is_same else different).append(name)
    assert len(same) >= 0.85 * len(ANSWERS), different


def object_of(result: dict[str, Any]) -> tuple[Any, Any]:
    return result.get("osm_type"), result.get("osm_id")
