import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.engine import text


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
        ("東京", "东京"),
        ("ガーナ", "ガーナ"),
        ("Москва́", "москва"),
        ("Йошкар-Ола", "йошкар ола"),
        ("Орёл", "орел"),
        ("서울", "서울"),
        ("قُلُونِيَة", "قلونية"),
        ("Ｆｉｊｉ", "fiji"),
        ("ประเทศไทย", "ประเทศไทย"),
        ("हिन्द महासागर", "हिन्द महासागर"),
        ("फ़्रांस", "फ्रांस"),
        ("မြန်မာ", "မြန်မာ"),
        ("བོད་ལྗོངས", "བོད ལྗོངས"),
        ("កម្ពុជា", "កម្ពុជា"),
        ("ປະເທດລາວ", "ປະເທດລາວ"),
        ("ශ්‍රී ලංකාව", "ශ්රී ලංකාව"),
        ("臺灣", "台湾"),
        ("廣東", "广东"),
        ("ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ", "საქართველო"),
        ("ႱႠႵႠႰႧႥႤႪႭ", "საქართველო"),
        ("Երևան", "երեւան"),
        ("ዐዲስ ኣበባ", "አዲስ አበባ"),
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


def test_variants_spell_saint_and_leave_out_the():
    assert text.variants("st louis") == ["st louis", "saint louis", "sankt louis"]
    assert text.variants("saint louis") == ["saint louis", "st louis"]
    assert text.variants("the hague") == ["the hague", "hague"]
    assert text.variants("the") == ["the"]


@pytest.mark.parametrize(
    ("key", "spelt"),
    [
        ("co durham", "county durham"), ("orange co", "orange county"),
        ("dillingen ad donau", "dillingen an der donau"),
        ("nieuwerkerk ad ijssel", "nieuwerkerk aan den ijssel"), ("weiden id oberpfalz", "weiden in der oberpfalz"),
    ],
)  # fmt: skip
def test_variants_write_abbreviations_out(key: str, spelt: str):
    assert spelt in text.variants(key)


@pytest.mark.parametrize(
    ("key", "guessable"), [("london", True), ("lond", False), ("route 66", False), ("東京特別区", False)]
)
def test_numbers_short_words_and_ideographs_are_not_guessed_at(key: str, guessable: bool):
    assert text.is_guessable(key) is guessable
