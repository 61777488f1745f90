"""What takes longer than a check of every change may: `make soak`."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

SOAK = bool(os.environ.get("BEARINGS_SOAK"))

soak = pytest.mark.skipif(not SOAK, reason="takes minutes: make soak")


def mostly_slow(every: int, values: Iterable[object], mark: pytest.MarkDecorator = pytest.mark.slow) -> list[Any]:
    """Values for `parametrize`: each `every`th is asked each time, the others by the slow run, or by the soak alone."""
    return [pytest.param(value, marks=[mark] * bool(at % every)) for at, value in enumerate(values)]
