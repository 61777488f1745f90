"""The recipes of docs/code/recipes.md on the sample projects; the expected answers were checked by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bearings.code.models import SymbolKind
from bearings.code.questions.changes import AskChanges
from bearings.code.questions.complexity import AskComplexity
from bearings.code.questions.context import AskContext
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.map import AskMap
from bearings.code.questions.patterns import AskPatterns
from bearings.code.questions.symbol import Describe
from bearings.code.service import CodeService
from tests.code.asked import query, scan
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import git, repository

pytestmark = pytest.mark.anyio

FERRY = Path(__file__).parents[2] / "examples" / "ferry"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def code() -> AsyncIterator[CodeService]:
    service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    yield service
    await service.aclose()


async def test_before_i_change_this_function(code):
    symbol = await code.reply_to(str(FERRY), Describe(element="parseTime", detail="full"))
    refactor = await code.reply_to(str(FERRY), AskImpact(element="parseTime", operation="refactor", detail="full"))
    direct = {hit.element for hit in refactor.affected if hit.type is SymbolKind.METHOD}
    assert direct == {use.element for use in symbol.callers.items} == {
        "src/timetable.ts#Timetable.next:30", "src/timetable.ts#Timetable.add:35",
    }  # fmt: skip
    modify = await code.reply_to(str(FERRY), AskImpact(element="parseTime", detail="full"))
    assert [test.file for test in modify.affected_tests] == ["test/booking.test.ts"]
    complexity = await code.reply_to(str(FERRY), AskComplexity(element="parseTime", detail="full"))
    assert complexity.cyclomatic_complexity > 1
    assert [test.file for test in complexity.tests] == ["test/booking.test.ts"]


async def test_what_did_these_commits_break(code, tmp_path):
    files = {str(path.relative_to(FERRY)): path.read_bytes() for path in FERRY.rglob("*") if path.is_file()}
    root = repository(tmp_path.resolve() / "ferry", files)
    time = root / "src/lib/time.ts"
    time.write_text(time.read_text().replace("RangeError", "TypeError"))
    git(root, "commit", "-aqm", "another error")
    found = await code.reply_to(str(root), AskChanges(base="HEAD~1", detail="full"))
    assert {one.element for one in found.changed} == {"src/lib/time.ts#parseTime:7"}
    assert [row.file for row in found.tests] == ["test/booking.test.ts"]


async def test_explain_this_repository(code):
    context = await code.reply_to(str(FERRY), AskContext(output_format="markdown"))
    assert "**ferry** (package.json)" in context.markdown
    assert "`src/lib/`" in context.markdown
    skeleton = await code.reply_to(str(FERRY), AskMap(budget=3_000))
    assert "src/timetable.ts" in skeleton.skeleton


@pytest.mark.slow
async def test_a_plan_learns_the_state_of_a_folder_and_its_risk(code):
    context = await code.reply_to(str(FERRY), AskContext())
    assert [package.name for package in context.context.packages] == ["ferry"]
    folder = await scan(code, FERRY, path="src/lib/")
    assert {element.file for element in folder.elements} == {"src/lib/time.ts"}
    risks = [
        await code.reply_to(str(FERRY), AskImpact(element=one, operation="delete", detail="full"))
        for one in ("parseTime", "Timetable")
    ]
    assert all(risk.risk_level in ("LOW", "MEDIUM", "HIGH", "CRITICAL") for risk in risks)
    assert all(round(sum(term.points for term in risk.risk_terms), 1) == risk.risk_score for risk in risks)
    gaps = await code.reply_to(str(FERRY), AskPatterns(pattern_type="test-gaps", detail="full"))
    assert gaps.functions > gaps.gaps_total > 0
    assert {gap.element for gap in gaps.test_gaps}.isdisjoint(
        reached.element
        for reached in (await code.reply_to(str(FERRY), Describe(element="parseTime", detail="full"))).tests.items
    )


async def test_a_task_learns_what_it_needs_what_it_breaks_and_how_hard_it_is(code):
    needs = await query(code, FERRY, "depends-on", "bookSeat", max_depth=1)
    called = await query(code, FERRY, "calls", "bookSeat", max_depth=1)
    assert {row.to for row in called.results} <= {row.to for row in needs.results}
    assert {row.type for row in needs.results} > {row.type for row in called.results}  # its types, too
    breaks = await code.reply_to(str(FERRY), AskImpact(element="bookSeat", operation="refactor", detail="full"))
    assert [test.file for test in breaks.affected_tests] == ["test/booking.test.ts"]
    hard = await code.reply_to(str(FERRY), AskComplexity(element="bookSeat", detail="full"))
    assert hard.rank is not None
    assert 1 <= hard.rank.place <= hard.rank.of


async def test_documents_find_endpoints_schemas_and_components(code, tmp_path):
    components = await scan(code, FERRY, types=[SymbolKind.COMPONENT])
    assert {element.file for element in components.elements} == {"src/components/Board.tsx"}
    (tmp_path / "api.py").write_text(
        "from fastapi import FastAPI\nfrom pydantic import BaseModel\n\napp = FastAPI()\n\n\n"
        "class Seat(BaseModel):\n    row: int\n\n\n@app.get('/seats/{row}')\ndef seat(row: int) -> Seat: ...\n"
    )
    found = await scan(code, str(tmp_path.resolve()), types=[SymbolKind.ENDPOINT, SymbolKind.SCHEMA])
    assert {(element.type, element.name) for element in found.elements} == {
        (SymbolKind.ENDPOINT, "GET /seats/{row}"),
        (SymbolKind.SCHEMA, "Seat"),
    }
    used = await query(code, str(tmp_path.resolve()), "depends-on-me", "Seat", max_depth=1)
    assert [row.from_ for row in used.results] == ["api.py#seat:12"]
