from tides import Station, table_for


def test_a_day_has_twenty_four_lines():
    assert len(table_for("strood")) == 24


def test_the_tide_goes_down_after_high_water():
    station = Station("strood")
    assert station.height(0) > station.height(6)
