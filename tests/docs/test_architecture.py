"""The rooms that docs/architecture.md leads through are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "bearings"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w./-]+(?:\.py|/))`", PAGE)))


def is_there(name: str) -> bool:
    """Whether a file or folder of the package, or of the repository, ends in this name."""
    if (ROOT / name).exists() or (PACKAGE / name).exists():
        return True
    return "/" not in name.rstrip("/") and any(PACKAGE.rglob(name.rstrip("/")))


def test_every_room_that_the_page_names_is_there() -> None:
    assert len(NAMED) > 60
    assert [name for name in NAMED if not is_there(name)] == []
