"""Keys of names: one for all ways to write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.osm.words import MOST_KEY, MOST_WORDS, house_keys, is_number, key_of, keys_of, parts, words


@pytest.mark.parametrize(
    "spellings",
    [
        ["Hauptstraße", "haupt-strasse", "Hauptstr.", "HAUPT STR"],
        ["Avenue de l'Observatoire", "Av. de l’Observatoire", "ave de lobservatoire"],
        ["St. John's Street", "Saint Johns St"],
        ["ulica Długa", "ul. Dluga"],
        ["Marktplatz", "Markt-Pl."],
        ["улица Ленина", "ул. Ленина"],
        ["Plaça Major", "placa major", "Pl. Major"],
    ],
)
def test_all_ways_to_write_a_name_have_one_key(spellings: list[str]):
    assert len({key_of(spelling) for spelling in spellings}) == 1


def test_other_names_have_other_keys():
    assert len({key_of(name) for name in ("Hauptstraße", "Hauptweg", "Haupstraße", "Hauptstraße 2")}) == 4


def test_a_first_word_that_many_leave_out_may_be_left_out():
    assert keys_of("ulica Długa") == ("uldluga", "dluga")
    assert keys_of("The Ropewalk") == ("theropewalk", "ropewalk")
    assert keys_of("Długa") == ("dluga",)


def test_parts_are_cut_at_commas_of_any_script_and_bounded():
    assert parts("Rue Grimaldi 12, 98000 Monaco") == (("r", "grimaldi", "12"), ("98000", "monaco"))
    assert parts("東京、日本") == (("东京",), ("日本",)), "variants of a sign are one"
    assert sum(map(len, parts("a " * 500))) == MOST_WORDS
    assert parts(" , ;") == ()


def test_a_range_of_house_numbers_is_found_by_its_ends():
    assert house_keys("12 a") == ("12a",)
    assert house_keys("½") == ()
    assert house_keys("12½") == house_keys("12 1/2")[:1] == ("1212",)
    assert house_keys("12-14") == ("1214", "12", "14")
    assert house_keys("12/2") == ("122", "12", "2")


@pytest.mark.parametrize(("word", "expected"), [("12", True), ("12a", True), ("b4", True), ("rue", False), ("", False)])
def test_a_house_number_has_digits(word: str, expected: bool):
    assert is_number(word) is expected


@given(st.text(max_size=200))
def test_any_text_has_a_bounded_key_that_is_its_own(text: str):
    key = key_of(text)
    assert len(key) <= MOST_KEY
    assert key == "".join(words(text))[:MOST_KEY]
    assert " " not in key
