"""Airports from airportsdata and names from CLDR: the packages of the build group."""

from pathlib import Path

import pytest

from bearings.places.models import Point
from builder import airports, cldr, committed
from builder.feature import Name

DATA = Path(__file__).parents[3] / "packaging" / "atlas" / "data"


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_countries_are_named_in_hundreds_of_languages():
    named = cldr.territories()
    assert cldr.languages() >= 250
    assert {Name("Deutschland", "de"), Name("เยอรมนี", "th"), Name("德國", "zh-hant")} <= set(named["DE"])
    assert Name("Deutschland", "de-at") not in named["DE"]
    assert Name("Europa", "de") in named["150"]


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_endonyms_are_in_the_languages_of_the_country():
    assert cldr.endonyms()["HR"] == (Name("Hrvatska", "hr"),)
    assert {name.text for name in cldr.endonyms()["CH"]} >= {"Schweiz", "Suisse", "Svizzera"}


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_cities_of_time_zones_are_named_and_found_by_english_name_and_country():
    assert Name("Вена", "ru") in cldr.cities()["Europe/Vienna"]
    assert cldr.zone_cities()["Europe/Vienna"] == ("Vienna", "AT")
    assert cldr.zone_cities()["Asia/Kolkata"] == ("Kolkata", "IN")
    assert Name("Kalkutta", "de") in cldr.cities()["Asia/Kolkata"]
    assert set(cldr.cities()) <= set(cldr.zone_cities()) | {"Antarctica/Troll"}


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_airports_have_codes_heights_and_ranks():
    found = {feature.code: feature for feature in airports.features(DATA)}
    assert len(found) >= 7_000
    heathrow = found["LHR"]
    assert heathrow.codes == ("LHR", "EGLL")
    assert heathrow.country_code == "GB"
    assert heathrow.fame > 0.6
    assert found["DEN"].elevation_m == pytest.approx(1_656, abs=10)
    codes = {code for code, *_ in committed.table(DATA, "airports")}
    assert codes <= found.keys()
    assert found["KMG"].name == "Kunming Changshui International Airport"
    assert found["KMG"].point == Point(25.1019, 102.9292)


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("King Mswati III Intl", "King Mswati III International Airport"),
        ("Lerwick / Tingwall Airport", "Lerwick/Tingwall Airport"),
        ("Kabwum", "Kabwum Airport"),
        ("RAF Northolt", "RAF Northolt"),
        ("Keesler Afb Airport", "Keesler Air Force Base"),
        ("Columbia Metro Airport", "Columbia Metropolitan Airport"),
    ],
)
def test_names_of_airports_are_written_out(name: str, cleaned: str):
    assert airports.cleaned(name) == cleaned
