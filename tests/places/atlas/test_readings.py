"""The readings of a query in the atlas, and the words of an address that may name its town."""

import pytest

from bearings.places.atlas.readings import partial_stages, stages
from bearings.places.atlas.towns import _read
from bearings.places.query import parse

READINGS = [
    ("E. St. Louis, IL", "east st louis", ("il",)),
    ("Sta. Cruz, Bolivia", "santa cruz", ("bolivia",)),
    ("Nth. Island, New Zealand", "north island", ("new zealand",)),
    ("Newcastle u. Lyme", "newcastle under lyme", ()),
    ("Rothenburg o.d.T.", "rothenburg ob der tauber", ()),
    ("Herts, UK", "gb hrt", ("uk",)),
    ("NRW, Germany", "de nw", ("germany",)),
    ("Bangor, Maine, United States", "bangor", ("maine", "united states")),
    ("Pando, Bolivia, Plurinational State of", "pando", ("plurinational state of bolivia",)),
]


@pytest.mark.parametrize(("query", "name", "context"), READINGS, ids=[query for query, _, _ in READINGS])
def test_a_query_is_read_as_a_name_and_its_areas(query: str, name: str, context: tuple[str, ...]):
    assert (name, context) in [(each.name, each.context) for stage in stages(parse(query)) for each in stage]


def test_a_county_without_an_entry_is_the_surroundings_of_its_town():
    found = [each for stage in partial_stages(parse("Landkreis Rosenheim")) for each in stage]
    assert [(each.name, each.unused, each.about) for each in found] == [("rosenheim", ("county",), True)]


TOWNS = [
    ("149 Lower Park Road, St Albans, UK", "st albans"),
    ("Kerkstraat 102, 9711 LM Groningen", "groningen"),
    ("Calle Mayor, nº 100, 29400 Ronda", "ronda"),
    ("12, avenue Jean Jaurès - 35400 Saint-Malo", "saint malo"),
    ("Rua das Flores, 106, Blumenau/SC", "blumenau"),
    ("Plot No 180, Temple Street, Mysuru-570001", "mysuru"),
    ("Zahradní 52/12, Telč, Česko", "telc"),
]


@pytest.mark.parametrize(("address", "town"), TOWNS, ids=[address for address, _ in TOWNS])
def test_the_town_of_an_address_is_a_part_of_its_own(address: str, town: str):
    parsed = parse(address)
    read = _read(parsed.text, parsed.postcode)
    assert read.has_street
    assert town in [run.key for run in read.runs if run.is_whole]
