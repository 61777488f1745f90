"""Patterns of a client that take minutes to match: each is refused, in every tool that takes one."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.project.file_pattern import Pattern
from bearings.code.questions.validate import Validate
from bearings.code.service import CodeService
from bearings.errors import InvalidInput
from tests.code.asked import scan, tag
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

WILD = "*a*a*a*a*a*a*b"

ASKED: dict[str, Callable[[CodeService, Path], Awaitable[object]]] = {
    "scan": lambda service, root: scan(service, root, path=WILD),
    "validate": lambda service, root: service.reply_to(str(root), Validate(pattern=WILD, detail="full")),
    "tag": lambda service, root: tag(service, root, exclude=[WILD]),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize("tool", ASKED)
async def test_a_pattern_of_many_stars_is_refused(tmp_path, tool):
    root = write(tmp_path.resolve() / "project", {f"{'a' * 24}.py": "def f(): pass\n"})
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
    with pytest.raises(InvalidInput, match="too many stars"):
        await ASKED[tool](service, root)
    await service.aclose()


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/src/**/*.test.*", "x/src/y/a.test.ts"),
        ("**/packages/*/src/**/*.py", "a/packages/b/src/c/d.py"),
        ("*", "a"),
        ("**/*_*_*_*.py", "a/b_c_d_e.py"),
    ],
)
def test_patterns_that_people_write_match(pattern, path):
    assert Pattern(pattern, "path").matches(path)
