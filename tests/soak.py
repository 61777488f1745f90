"""What takes longer than a check of every change may: `make soak`."""

import os

import pytest

SOAK = bool(os.environ.get("BEARINGS_SOAK"))

soak = pytest.mark.skipif(not SOAK, reason="takes minutes: make soak")
