"""The recipes of docs/code.md on the sample projects: what each tells of them is checked by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bearings.code.engine.direct import DirectEngine
from bearings.code.facts import MemoryFacts
from bearings.code.models import SymbolKind
from bearings.code.service import CodeService
from tests.code.trees import git, repository

pytestmark = pytest.mark.anyio

FERRY = Path(__file__).parents[2] / "examples" / "ferry"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def code() -> AsyncIterator[CodeService]:
    service = CodeService(DirectEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    yield service
    await service.aclose()


async def test_before_i_change_this_function(code):
    symbol = await code.symbol(str(FERRY), "parseTime")
    refactor = await code.impact(str(FERRY), "parseTime", operation="refactor")
    direct = {hit.element for hit in refactor.affected if hit.type is SymbolKind.METHOD}
    assert direct == {use.element for use in symbol.callers.items} == {
        "src/timetable.ts#Timetable.next:30", "src/timetable.ts#Timetable.add:35",
    }  # fmt: skip
    modify = await code.impact(str(FERRY), "parseTime")
    assert [test.file for test in modify.affected_tests] == ["test/booking.test.ts"]
    complexity = await code.complexity(str(FERRY), "parseTime")
    assert complexity.cyclomatic_complexity > 1
    assert [test.file for test in complexity.tests] == ["test/booking.test.ts"]


async def test_what_did_these_commits_break(code, tmp_path):
    files = {str(path.relative_to(FERRY)): path.read_bytes() for path in FERRY.rglob("*") if path.is_file()}
    root = repository(tmp_path.resolve() / "ferry", files)
    time = root / "src/lib/time.ts"
    time.write_text(time.read_text().replace("RangeError", "TypeError"))
    git(root, "commit", "-aqm", "another error")
    found = await code.changes(str(root), base="HEAD~1")
    assert {one.element for one in found.changed} == {"src/lib/time.ts#parseTime:7"}
    assert [row.file for row in found.tests] == ["test/booking.test.ts"]


async def test_explain_this_repository(code):
    context = await code.context(str(FERRY), output_format="markdown")
    assert "**ferry** (package.json)" in context.markdown
    assert "`src/lib/`" in context.markdown
    skeleton = await code.map(str(FERRY), budget=3_000)
    assert "src/timetable.ts" in skeleton.skeleton


async def test_documents_find_components_and_plans_find_gaps(code):
    scan = await code.scan(str(FERRY), types=[SymbolKind.COMPONENT])
    assert scan.elements_found > 0
    gaps = await code.patterns(str(FERRY), pattern_type="test-gaps")
    assert gaps.functions > gaps.gaps_total
