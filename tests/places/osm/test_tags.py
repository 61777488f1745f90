"""What tags say: kinds, names, addresses."""

import pytest

from bearings.places.osm.tags import (
    Kind,
    city,
    house_numbers,
    kind_of,
    language_of,
    main_name,
    main_tags,
    other_names,
    postcode,
    spellings,
    street_name,
)


@pytest.mark.parametrize(
    ("tags", "kind"),
    [
        ({"place": "town", "name": "A"}, Kind("place", "town", 18)),
        ({"place": "town"}, None),
        ({"boundary": "administrative", "admin_level": "8", "name": "A", "place": "town"},
         Kind("boundary", "administrative", 16)),
        ({"boundary": "administrative", "admin_level": "8.5", "name": "A"}, None),
        ({"boundary": "political", "name": "A"}, None),
        ({"highway": "residential", "name": "A"}, Kind("highway", "residential", 26)),
        ({"highway": "residential"}, Kind("highway", "residential", 26)),
        ({"highway": "footway", "name": "A"}, Kind("highway", "footway", 27)),
        ({"highway": "footway"}, None),
        ({"highway": "footway", "footway": "sidewalk", "name": "A"}, None),
        ({"highway": "bus_stop"}, Kind("highway", "bus_stop", 30)),
        ({"highway": "proposed", "name": "A"}, None),
        ({"amenity": "cafe"}, Kind("amenity", "cafe", 30)),
        ({"amenity": "bench"}, None),
        ({"amenity": "cafe;bar", "name": "A"}, Kind("amenity", "cafe", 30)),
        ({"shop": "vacant", "name": "A"}, None),
        ({"building": "yes"}, None),
        ({"building": "yes", "addr:housenumber": "1"}, Kind("building", "yes", 30)),
        ({"addr:housenumber": "1"}, Kind("place", "house", 30)),
        ({"natural": "tree"}, None),
        ({"natural": "tree", "name": "Old Oak"}, Kind("natural", "tree", 30)),
        ({"source": "survey"}, None),
    ],
)  # fmt: skip
def test_the_kind_of_an_object(tags: dict[str, str], kind: Kind | None):
    assert kind_of(tags) == kind


def test_names_are_the_main_one_and_the_others_by_their_tags():
    tags = {"name": " Porto  Aŭrelo ", "name:fr": "Port-Aurèle", "alt_name": "A;B", "name:etymology": "x", "ref": "D 7"}
    assert main_name(tags) == "Porto Aŭrelo"
    others = other_names(tags)
    assert others == {"name:fr": "Port-Aurèle", "alt_name": "A;B", "ref": "D 7"}
    assert list(spellings("Porto", others)) == [
        ("Porto", True),
        ("Port-Aurèle", False),
        ("A", False),
        ("B", False),
        ("D 7", False),
    ]
    assert (language_of("name:fr"), language_of("name:zh_Hant"), language_of("alt_name:fr"), language_of("name")) == (
        "fr", "zh-hant", None, None,
    )  # fmt: skip


def test_a_road_without_a_name_has_its_number():
    assert main_name({"highway": "trunk", "ref": "A 5"}) == "A 5"
    assert main_name({"amenity": "bench", "ref": "5"}) == ""


def test_an_address_is_read_with_care():
    tags = {"addr:housenumber": "12;14, 16", "addr:street": "Rue A", "addr:postcode": "98000", "addr:city": "Monaco"}
    assert (house_numbers(tags), street_name(tags), postcode(tags), city(tags)) == (
        ("12", "14", "16"),
        "Rue A",
        "98000",
        "Monaco",
    )
    assert street_name({"addr:place": "Island"}) == "Island"
    assert postcode({"addr:postcode": "1000;1001"}) == ""


def test_all_tags_of_a_category_are_kept():
    assert main_tags({"amenity": "cafe", "tourism": "museum", "highway": "residential", "shop": "no"}) == {
        "amenity": "cafe", "tourism": "museum",
    }  # fmt: skip
    assert main_tags({"boundary": "administrative", "place": "town"}) == {"linked_place": "town"}


def test_a_name_of_nothing_that_can_be_seen_is_none():
    for name in ("\u200b", "\u200b \u200d", "\ufeff"):
        assert main_name({"name": name}) == ""
        assert main_name({"name": name, "name:en": "Quay"}) == "Quay"
    assert main_name({"name": "می\u200cخانه"}) == "می\u200cخانه"
