"""Readable names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.atlas import naming
from bearings.places.atlas.naming import spoken, upright


@pytest.mark.parametrize(
    ("listed", "read"),
    [
        ("Madrid, Comunidad de", "Comunidad de Madrid"),
        ("Valenciana, Comunidad", "Comunidad Valenciana"),
        ("Asturias, Principado de", "Principado de Asturias"),
        ("Durham, County", "County Durham"),
        ("Navarra, Comunidad Foral de", "Comunidad Foral de Navarra"),
        ("Washington, D.C.", "Washington, D.C."),
        ("Saint Helena, Ascension and Tristan da Cunha", "Saint Helena, Ascension and Tristan da Cunha"),
        ("Boulder", "Boulder"),
        ("a, b, c", "a, b, c"),
        (", ", ", "),
    ],
)
def test_a_name_turned_round_for_a_list_is_read_upright(listed: str, read: str) -> None:
    assert upright(listed) == read


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Madrid", "Madrid", "Comunidad de Madrid", "Spain"], ["Madrid", "Spain"]),
        (["Valencia", "Valencia", "Comunidad Valenciana", "Spain"], ["Valencia", "Comunidad Valenciana", "Spain"]),
        (["Boulder", "Boulder County", "Colorado", "United States"], ["Boulder", "Colorado", "United States"]),
        (["Boulder County", "Colorado", "United States"], ["Boulder County", "Colorado", "United States"]),
        (["New York City", "New York", "United States"], ["New York City", "New York", "United States"]),
        (["Guangzhou", "Guangzhou Shi", "Guangdong Sheng", "China"], ["Guangzhou", "Guangdong Sheng", "China"]),
        (["Köln", "Regierungsbezirk Köln", "Nordrhein-Westfalen"], ["Köln", "Nordrhein-Westfalen"]),
        (["Luxembourg", "Luxembourg", "Luxembourg"], ["Luxembourg"]),
        (["Sussex", "East Sussex", "England"], ["Sussex", "East Sussex", "England"]),
        (["San Marino", "Città di San Marino", "San Marino"], ["San Marino"]),
        (["Tokyo"], ["Tokyo"]),
        ([], []),
    ],
)
def test_a_level_that_repeats_its_neighbour_is_left_out(names: list[str], shown: list[str]) -> None:
    assert spoken(names) == shown


@pytest.mark.slow
@given(st.lists(st.text(min_size=1, max_size=20), max_size=5))
def test_the_place_comes_first_and_the_country_last(names: list[str]) -> None:
    shown = spoken(names)
    assert shown[:1] == names[:1]
    assert shown[-1:] == names[-1:]
    assert all(len(upright(name)) >= len(name) - 1 for name in names)


@pytest.mark.parametrize(
    ("key", "plain"),
    [
        ("central district", "central"),
        ("province of western", "western"),
        ("magallanes y de la antartica chilena", "magallanes antartica chilena"),
        ("il usa", "il usa"),
        ("la usa", "la usa"),
        ("golden state", "golden state"),
        ("province", "province"),
    ],
)
def test_a_region_is_plain_without_the_word_for_its_level(key: str, plain: str):
    assert naming.plain(key) == plain
