import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.index import text


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Île-de-France", "ile de france"),
        ("Köln", "koln"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("Washington D.C.", "washington dc"),
        ("U.S.A.", "usa"),
        ("St. John's", "st johns"),
        ("Trinidad & Tobago", "trinidad and tobago"),
        ("東京", "東京"),
        ("ガーナ", "ガーナ"),
        ("Москва́", "москва"),
        ("Йошкар-Ола", "йошкар ола"),
        ("Орёл", "орел"),
        ("서울", "서울"),
        ("قُلُونِيَة", "قلونية"),
        ("Ｆｉｊｉ", "fiji"),
        ("  ", ""),
        ("!?", ""),
    ],
)
def test_a_name_becomes_its_key(name: str, key: str):
    assert text.normalise(name) == key


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(name: str):
    key = text.normalise(name)
    assert text.normalise(key) == key
    assert text.key_of(name) == key


def test_a_query_is_split_at_commas_of_any_script():
    assert text.parts("Boulder, CO;USA、日本，") == ["boulder", "co", "usa", "日本"]


def test_a_query_of_nothing_has_no_parts():
    assert text.parts(" ,, ") == []


def test_variants_spell_saint_and_leave_out_the():
    assert text.variants("st louis") == ["st louis", "saint louis"]
    assert text.variants("saint louis") == ["saint louis", "st louis"]
    assert text.variants("the hague") == ["the hague", "hague"]
    assert text.variants("the") == ["the"]


@pytest.mark.parametrize(
    ("key", "guessable"), [("london", True), ("lond", False), ("route 66", False), ("東京特別区", False)]
)
def test_numbers_short_words_and_ideographs_are_not_guessed_at(key: str, guessable: bool):
    assert text.is_guessable(key) is guessable
