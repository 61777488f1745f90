"""Units of buildings in queries."""

import pytest

from bearings.places.osm.words import without_units


@pytest.mark.parametrize(
    ("query", "left", "units"),
    [
        ("12 main st apt 4b", "12 main st", "apt 4b"),
        ("unit b 7 quay, town", "7 quay, town", "unit b"),
        ("weg 3, 2nd floor, town", "weg 3, town", "2nd floor"),
        ("weg 3, apt 4 floor 2", "weg 3", "apt 4; floor 2"),
        ("flat st, town", "flat st, town", ""),
        ("flat 2", "", "flat 2"),
    ],
)
def test_units_are_taken_out(query: str, left: str, units: str):
    rest, found = without_units([part.split() for part in query.split(", ")])
    assert (", ".join(map(" ".join, rest)), "; ".join(found)) == (left, units)
