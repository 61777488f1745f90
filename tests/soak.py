"""What takes longer than a check of every change may: `make soak`."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

SOAK = bool(os.environ.get("BEARINGS_SOAK"))

soak = pytest.mark.skipif(not SOAK, reason="takes minutes: make soak")


def mostly_slow(every: int, values: Iterable[object]) -> list[Any]:
    """Values for `parametrize`, of which each `every`th is asked each time, and the others by the slow run alone."""
    return [pytest.param(value, marks=[pytest.mark.slow] * bool(at % every)) for at, value in enumerate(values)]
