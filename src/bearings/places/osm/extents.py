"""How far settlements reach that are points, and which areas are municipalities."""

EXTENT_M = (
    {"city": 12_000.0, "town": 6_000.0, "village": 3_000.0, "municipality": 6_000.0},
    {"borough": 4_000.0, "suburb": 3_000.0, "quarter": 1_500.0, "subdivision": 1_500.0, "allotments": 800.0},
    {"hamlet": 1_500.0, "croft": 800.0, "isolated_dwelling": 500.0, "farm": 500.0},
    {"neighbourhood": 1_000.0, "city_block": 300.0},
)
"""How far the kinds of settlements reach at most from their points: an object belongs to one of each row, if any."""

TOWN_RANKS = range(14, 19)
"""Ranks of the areas that hold a settlement together with what belongs to it: admin_level 7 to 9."""
