from pathlib import Path

import pytest

from bearings.places.atlas import sound
from bearings.places.atlas.index import Index
from bearings.places.atlas.search import search
from bearings.places.engine import text
from bearings.places.engine.ranking import Filter
from bearings.places.models import Match
from tests.places.small_index import small_index


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Philadelphia", "ఫిలాడేలఫియా"),
        ("Colombo", "కోలమ్బో"),
        ("Bangkok", "ბანგკოკი"),
        ("Kharkiv", "Харків"),
        ("Taipei", "ਤਾਈਪੇਈ"),
        ("Jakarta", "𐑡𐑩𐑒𐑭𐑮𐑑𐑩"),
    ],
)
def test_a_name_sounds_alike_in_another_script(name: str, other: str):
    key = text.normalise(other)
    assert sound.is_heard(key)
    assert sound.skeleton(sound.spelt(key)) == sound.bones_of(text.normalise(name))
    assert sound.likeness(sound.spelt(key), text.normalise(name)) >= sound.LEAST_LIKENESS


@pytest.mark.parametrize("name", ["Paris", "東京", "北京", "12 京"])
def test_latin_and_chinese_names_are_not_heard(name: str):
    assert not sound.is_heard(text.normalise(name))


@pytest.mark.parametrize(
    ("query", "name"),
    [("టోక్యో", "Tokyo"), ("ლონდონი", "London"), ("გერმანია", "Germany"), ("టోక్యో, 日本", "Tokyo"), ("Jermany", "Germany")],
)
def test_a_well_known_place_is_found_by_its_sound(tmp_path: Path, query: str, name: str):
    index = small_index(tmp_path)
    (found, *_) = search(index, query, 3, Filter()).hits
    assert found.row.name == name
    assert found.confidence < 0.99
    index.close()


@pytest.mark.parametrize("query", ["బార్బుడా", "క్ఖ్గ్ఘ్", "स्ट्रीट"])
def test_no_village_and_no_mere_noise_is_found_by_its_sound(tmp_path: Path, query: str):
    index = small_index(tmp_path)
    assert all(hit.row.type not in ("village", "town") for hit in search(index, query, 3, Filter()).hits)
    index.close()


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Bundesrepublik Deutschland", "Germany"),
        ("Deutschlandia", "Germany"),
        ("Republika Germania", "Germany"),
        ("Antigua y Barbuda", "Antigua and Barbuda"),
    ],
)
def test_a_country_is_found_by_another_form_of_its_name(tmp_path: Path, query: str, name: str):
    index: Index = small_index(tmp_path)
    (found, *_) = search(index, query, 3, Filter()).hits
    assert (found.row.name, found.row.type, found.fit.match) == (name, "country", Match.ALTERNATE)
    index.close()


@pytest.mark.parametrize("query", ["Republiek Springfield", "Banana Republic", "Republik Londr"])
def test_a_form_of_state_names_no_town(tmp_path: Path, query: str):
    index = small_index(tmp_path)
    assert search(index, query, 3, Filter()).hits == ()
    index.close()
