"""Nominatim's address dictionaries against their administrative hierarchy."""

import pytest

from bearings.places import address

ESSEX = {
    "house_number": "12",
    "road": "Coast Road",
    "village": "West Mersea",
    "city_district": "Mersea",
    "city": "Colchester",
    "county": "Essex",
    "ISO3166-2-lvl6": "GB-ESS",
    "state": "England",
    "ISO3166-2-lvl4": "GB-ENG",
    "postcode": "CO5 8LS",
    "country": "United Kingdom",
    "country_code": "gb",
}
BERLIN = {
    "suburb": "Mitte",
    "borough": "Mitte",
    "city": "Berlin",
    "ISO3166-2-lvl4": "DE-BE",
    "country": "Deutschland",
    "country_code": "de",
}
BARCELONA = {
    "neighbourhood": "la Ribera",
    "quarter": "el Born",
    "city": "Barcelona",
    "county": "Barcelonès",
    "province": "Barcelona",
    "ISO3166-2-lvl6": "ES-B",
    "state": "Catalunya",
    "ISO3166-2-lvl4": "ES-CT",
    "country": "España",
    "country_code": "es",
}


@pytest.mark.parametrize(
    ("parts", "levels"),
    [
        (
            ESSEX,
            [
                ("country", "United Kingdom", "GB"),
                ("state", "England", "GB-ENG"),
                ("county", "Essex", "GB-ESS"),
                ("city", "Colchester", None),
                ("village", "West Mersea", None),
                ("city_district", "Mersea", None),
            ],
        ),
        (
            BERLIN,
            [
                ("country", "Deutschland", "DE"),
                ("city", "Berlin", "DE-BE"),
                ("borough", "Mitte", None),
                ("suburb", "Mitte", None),
            ],
        ),
        (
            BARCELONA,
            [
                ("country", "España", "ES"),
                ("state", "Catalunya", "ES-CT"),
                ("province", "Barcelona", "ES-B"),
                ("county", "Barcelonès", None),
                ("city", "Barcelona", None),
                ("quarter", "el Born", None),
                ("neighbourhood", "la Ribera", None),
            ],
        ),
        ({"country": "Fiji"}, [("country", "Fiji", None)]),
        ({"ISO3166-2-lvl15": "XX-1", "country_code": "xx", "road": "Nowhere"}, []),
        ({}, []),
    ],
    ids=["Essex", "Berlin", "Barcelona", "no code", "no areas", "empty"],
)
def test_an_address_spells_its_hierarchy_from_the_outside_in(
    parts: dict[str, str], levels: list[tuple[str, str, str | None]]
) -> None:
    assert [(area.level, area.name, area.code) for area in address.hierarchy(parts)] == levels


@pytest.mark.parametrize("level", address.LEVELS)
def test_every_level_is_reported_alone(level: str) -> None:
    [area] = address.hierarchy({level: "Somewhere"}, island=True)
    assert (area.level, area.name) == (level, "Somewhere")


def test_the_flat_address_has_the_outermost_code_and_the_existing_parts() -> None:
    assert address.flat(ESSEX) == {
        "country": "United Kingdom",
        "country_code": "gb",
        "state": "England",
        "county": "Essex",
        "city": "Colchester",
        "village": "West Mersea",
        "postcode": "CO5 8LS",
        "iso3166_2": "GB-ENG",
    }
    assert address.flat({"road": "Coast Road"}) == {}


def test_an_address_is_ordered_most_specific_first_with_codes_beside_their_areas() -> None:
    shuffled = dict(sorted({**ESSEX, "pub": "The Victory"}.items()))
    assert list(address.ordered(shuffled)) == [
        "pub",
        "house_number",
        "road",
        "postcode",
        "city_district",
        "village",
        "city",
        "county",
        "ISO3166-2-lvl6",
        "state",
        "ISO3166-2-lvl4",
        "country",
        "country_code",
    ]


def test_a_code_of_an_unknown_level_stands_with_the_county() -> None:
    assert list(address.ordered({"ISO3166-2-lvl15": "XX-1", "country": "X", "city": "Y"}))[1] == "ISO3166-2-lvl15"
