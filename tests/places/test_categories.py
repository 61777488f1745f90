"""The seven categories against the tags of OpenStreetMap."""

import pytest

from bearings.places.categories import TAGS, Category, Tag, belongs, categories_of, named, split


@pytest.mark.parametrize(
    ("tags", "categories"),
    [
        ({"amenity": "pub", "name": "The Victory"}, ["amenity"]),
        ({"amenity": "bus_station"}, ["amenity", "transport"]),
        ({"amenity": "ferry_terminal"}, ["amenity", "transport"]),
        ({"amenity": "taxi"}, ["amenity", "transport"]),
        ({"highway": "bus_stop"}, ["transport"]),
        ({"highway": "residential"}, []),
        ({"railway": "station", "public_transport": "station"}, ["transport"]),
        ({"railway": "abandoned"}, []),
        ({"aeroway": "aerodrome"}, ["transport"]),
        ({"shop": "bakery", "amenity": "cafe"}, ["amenity", "shop"]),
        ({"shop": "no"}, []),
        ({"tourism": "museum", "historic": "castle"}, ["tourism", "historic"]),
        ({"natural": "peak"}, ["natural"]),
        ({"leisure": "park"}, ["leisure"]),
        ({"leisure": ""}, []),
        ({"place": "city"}, []),
        ({}, []),
    ],
)
def test_tags_put_an_object_in_its_categories(tags: dict[str, str], categories: list[str]) -> None:
    assert list(categories_of(tags)) == categories


def test_every_category_has_tags() -> None:
    assert set(TAGS) == set(Category)


@pytest.mark.parametrize("category", [category for category in Category if category != Category.TRANSPORT])
def test_all_but_transport_are_keys_of_the_same_name(category: Category) -> None:
    assert belongs(category, category.value, "anything")


def test_transport_is_no_key() -> None:
    assert not belongs(Category.TRANSPORT, "transport", "bus")
    assert belongs(Category.TRANSPORT, "railway", "halt")


@pytest.mark.parametrize(
    ("word", "name", "category"),
    [
        ("amenity", "amenity", "amenity"),
        ("cafe", "amenity=cafe", "amenity"),
        ("fast food", "amenity=fast_food", "amenity"),
        ("supermarket", "shop=supermarket", "shop"),
        ("hotel", "tourism=hotel", "tourism"),
        ("castle", "historic=castle", "historic"),
        ("bus_stop", "highway=bus_stop", "transport"),
        ("station", "railway=station", "transport"),
        ("shop=cheese", "shop=cheese", "shop"),
    ],
)
def test_a_word_for_a_kind_is_its_tag(word: str, name: str, category: str) -> None:
    assert named(word) == name
    key, _, value = name.partition("=")
    assert split(name) == (category, Tag(key, value) if value else None)


@pytest.mark.parametrize(
    "name", ["pubs", "place", "amenity=", "=cafe", "amenity=cafe] x", "highway=primary", "yes", "shop=no"]
)
def test_another_word_is_no_category(name: str) -> None:
    with pytest.raises(ValueError, match="not"):
        split(named(name))
