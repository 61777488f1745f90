"""kill -9 at random moments: a few in the slow suite, over two hundred with `make soak`."""

import random
import sys

import pytest

from tests.code.kills.siege import Siege
from tests.soak import SOAK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

KILLS = 51 if SOAK else 2


@pytest.mark.parametrize("part", range(4 if SOAK else 1))
def test_after_every_kill_the_next_answer_is_right_and_nothing_is_left(tmp_path, part):
    seed = random.randrange(10**9)
    siege = Siege(tmp_path, seed)
    try:
        while siege.kills.total() < KILLS:
            siege.round()
    finally:
        siege.end()
    told = f"{siege.kills.total()} kills, {siege.answered} calls answered all the same, {dict(siege.kills)}"
    print(f"seed {seed}: {told}")  # noqa: T201 - shown by pytest -rP, and when it fails
