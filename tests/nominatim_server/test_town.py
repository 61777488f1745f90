"""The little town is what its plan draws, and holds what tests count on."""

import json
from collections import Counter
from itertools import chain
from xml.etree import ElementTree

import pytest

from tests.data.town.draw import HERE, Town, truth_text

CATEGORIES = {"amenity", "tourism", "natural", "historic", "leisure", "shop", "transport"}


@pytest.fixture(scope="module")
def truth():
    return json.loads((HERE / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def drawn():
    return ElementTree.parse(HERE / "town.osm").getroot()


def test_the_generator_reproduces_the_committed_files_byte_for_byte():
    town = Town()
    assert town.drawing.xml().encode() == (HERE / "town.osm").read_bytes()
    assert truth_text(town.truth).encode() == (HERE / "truth.json").read_bytes()


def test_the_town_is_small():
    assert (HERE / "town.osm").stat().st_size < 150_000


def test_every_reference_leads_to_an_object_and_ids_stand_in_order(drawn):
    for kind in ("node", "way", "relation"):
        ids = [int(element.attrib["id"]) for element in drawn.iter(kind)]
        assert ids == sorted(set(ids))
    known = {(element.tag, element.attrib["id"]) for element in drawn}
    ways = {("node", ref.attrib["ref"]) for ref in drawn.iter("nd")}
    members = {(member.attrib["type"], member.attrib["ref"]) for member in drawn.iter("member")}
    assert ways | members <= known


def test_all_seven_categories_have_named_places_of_interest(truth):
    named = Counter(poi["category"] for poi in truth["pois"] if poi["name"])
    assert set(named) == CATEGORIES
    assert min(named.values()) >= 6
    assert named.total() >= 40


def test_there_are_streets_and_addresses_enough(truth):
    assert len(truth["streets"]) >= 15
    assert len(truth["addresses"]) >= 75


def test_what_lies_beyond_180_has_negative_longitudes(truth):
    [country, west, east, *_] = truth["boundaries"]
    assert country["bboxes"] == [*west["bboxes"], *east["bboxes"]]
    assert [west["bboxes"][0][2], east["bboxes"][0][0]] == [180.0, -180.0]


def test_every_point_of_the_truth_lies_in_its_box(truth):
    for row in chain.from_iterable(truth.values()):
        if "bbox" in row:
            west, south, east, north = row["bbox"]
            assert west <= row["lon"] <= east
            assert south <= row["lat"] <= north
