"""Fixtures for the tests of the atlas's builder."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def build_packages(atlas_packages: Path) -> Iterator[None]:
    """Make the atlas's packages importable, after those of the program. For slow tests."""
    sys.path.append(str(atlas_packages))
    yield
    sys.path.remove(str(atlas_packages))
