"""Which part of a visitor handles a capture."""

import pytest

from bearings.code.languages.shared.handlers import handlers, located


class One:
    def on_a(self) -> str:
        return "a of one"


class Two:
    def on_b(self) -> str:
        return "b of two"


def test_each_capture_is_handled_by_the_part_that_has_its_method():
    methods = handlers(located(("b", "a"), One, Two), One(), Two())
    assert [method() for method in methods] == ["b of two", "a of one"]


@pytest.mark.parametrize(("capture", "parts"), [("c", "0 parts"), ("a", "2 parts")])
def test_a_capture_without_a_method_or_with_two_is_an_error(capture, parts):
    with pytest.raises(TypeError, match=f"{parts} handle the capture '{capture}'"):
        located((capture,), One, One, Two)
