import pytest

from bearings.places.atlas import polity
from bearings.places.engine import text


@pytest.mark.parametrize(
    ("name", "bare", "formal"),
    [
        ("Republiek Palau", "palau", True),
        ("Vorstendom Monaco", "monaco", True),
        ("Δημοκρατία της Μολδαβίας", "μολδαβιασ", True),
        ("Dominika Respublikası", "dominika", True),
        ("ประเทศไทย", "ไทย", True),
        ("ປະເທດລາວ", "ລາວ", True),
        ("سلطنة عمان", "عمان", True),
        ("St. Vincent og Grenadinerne", "saint vincent grenadinerne", False),
        ("Sankti Kristófer og Nevis", "saint kristofer nevis", False),
        ("أنتيغوا وبربودا", "انتيغوا بربودا", False),
        ("Kepulauan Cook", "cook", False),
        ("United States", "united states", False),
        ("Paris", "paris", False),
    ],
)
def test_a_country_is_bared_of_general_words(name: str, bare: str, formal: bool):
    assert polity.bared(text.normalise(name)) == (bare, formal)
