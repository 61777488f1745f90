"""A capability that a language lacks is answered `unknown`: without a figure, with a note on the language."""

from collections.abc import AsyncIterator, Iterator

import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.code.facts.store import NoFacts
from bearings.code.models import SymbolKind
from bearings.code.questions.complexity import AskComplexity
from bearings.code.questions.context import AskContext
from bearings.code.questions.coverage import AskCoverage
from bearings.code.questions.diagram import Diagram
from bearings.code.questions.explore import Explore
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.patterns import AskPatterns
from bearings.code.questions.symbol import Describe
from bearings.code.questions.unused import AskUnused
from bearings.code.service import CodeService
from tests.code.asked import query, scan
from tests.code.declared import QUILL, declared
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio

CART = (
    "package shop\n\n"
    "func Total(price int) int {\n\tif price > 1 {\n\t\treturn price\n\t}\n\treturn 2\n}\n\n"
    "type Cart struct{}\n\n"
    "func (c *Cart) Pay() int { return Total(2) }\n"
)
FILES = {
    "go.mod": "module a\n",
    "shop/cart.go": CART,
    "shop/cart_test.go": "package shop\n\nfunc TestTotal() { Total(1) }\n",
    "tools/tax.py": "def _rate():\n    return 1\n",
}
TOTAL = "shop/cart.go#Total:3"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def quill() -> Iterator[None]:
    with declared():
        yield


@pytest.fixture
async def service() -> AsyncIterator[CodeService]:
    made = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
    yield made
    await made.aclose()


@pytest.fixture
def root(tmp_path) -> str:
    return str(write(tmp_path / "shop", FILES))


async def test_complexity_uses_and_tests_are_unknown(service, root):
    reply = await service.reply_to(root, AskComplexity(element="Total", detail="full"))
    figures = ("cyclomatic_complexity", "cognitive_complexity", "nesting_depth", "parameters", "recursive")
    totals = ("dependencies_total", "tests_total", "members_total")
    assert not {*figures, *totals} & reply.structured().keys()
    assert reply.lines_of_code == 6
    assert "cognitive unknown, cyclomatic unknown" in reply.to_text()
    assert f"complexity, nesting and parameters are unknown: {QUILL} is not measured" in (reply.note or "")
    assert f"unknown: calls of {QUILL} are matched by name only" in (reply.note or "")


async def test_a_file_is_no_simpler_than_its_functions(service, root):
    reply = await service.reply_to(root, AskComplexity(element="shop/cart.go", detail="full"))
    assert reply.cyclomatic_complexity is reply.members_total is None
    assert "decides nothing" not in reply.to_text()


async def test_callers_of_an_element_are_unknown(service, root):
    reply = await service.reply_to(root, Describe(element="Total", detail="full"))
    assert [uses.total for uses in (reply.callers, reply.callees, reply.references)] == [None] * 3
    assert reply.tests.total is None
    assert "callers: unknown" in reply.to_text()
    assert f"unknown: calls of {QUILL} are matched by name only" in (reply.note or "")
    assert reply.elsewhere is not None
    assert {mention.file for mention in reply.elsewhere.shown} == {"shop/cart.go", "shop/cart_test.go"}
    lined = (await service.reply_to(root, Describe(element="Total", detail="lines"))).sent()
    assert "unknown" in lined["note"]
    assert not {"callers", "references", "tests"} & lined.keys()


@pytest.mark.parametrize(
    ("query_type", "source", "said"),
    [
        ("calls-me", None, "what calls it is unknown: calls of Quill are"),
        ("calls", None, "what it calls is unknown: calls of Quill are"),
        ("depends-on-me", None, "what uses it is unknown: uses of Quill are"),
        ("imports", None, "what it imports is unknown: imports of Quill are"),
        ("path", "Cart.Pay", "whether uses lead there is unknown: uses of Quill are"),
    ],
)
async def test_an_empty_query_notes_that_uses_are_unknown(service, root, query_type, source, said):
    reply = await query(service, root, query_type, "Total", source=source)
    assert reply.results_found is None
    assert said in (reply.note or "")
    assert "unknown results" in reply.to_text()


async def test_the_reach_and_the_risk_of_a_change_are_unknown(service, root):
    reply = await service.reply_to(root, AskImpact(element="Total", detail="full"))
    assert reply.risk_level == "UNKNOWN"
    assert reply.risk_score is reply.affected_total is reply.affected_tests_total is None
    assert reply.note == f"the reach is partly unknown: calls of {QUILL} are matched by name only"
    assert "no test reaches it" not in reply.to_text()


async def test_unused_elements_are_left_out_and_counted(service, root):
    reply = await service.reply_to(root, AskUnused(exports=True))
    assert [one.element for one in reply.elements] == ["tools/tax.py#_rate:1"]
    assert reply.left_out[f"in {QUILL}, whose calls are matched by name only"] == 3


async def test_coverage_by_the_graph_leaves_their_files_out_and_counts_them(service, root):
    reply = await service.reply_to(root, AskCoverage(format="detailed", detail="full"))
    assert [row.file for row in reply.by_file or ()] == ["tools/tax.py"]
    assert f"left out, as their calls are matched by name only: 1 file of {QUILL}" in (reply.note or "")


async def test_coverage_of_such_files_alone_is_unknown(service, tmp_path):
    reply = await service.reply_to(str(write(tmp_path, {"shop/cart.go": CART})), AskCoverage(detail="full"))
    assert reply.overall.percent is None
    assert reply.to_text().startswith("unknown, by the graph")


async def test_patterns_and_test_gaps_of_such_files_are_unknown(service, tmp_path):
    reply = await service.reply_to(str(write(tmp_path, {"shop/cart.go": CART})), AskPatterns(detail="full"))
    assert reply.patterns_total is reply.gaps_total is reply.functions is None
    assert f"patterns are unknown in 1 file of {QUILL}" in reply.to_text()
    assert f"test gaps are unknown in 1 file of {QUILL}" in reply.to_text()


async def test_endpoints_of_such_files_are_unknown(service, root):
    reply = await scan(service, root, types=[SymbolKind.ENDPOINT])
    assert f"Endpoints are unknown in 2 files of {QUILL}." in (reply.note or "")


async def test_a_diagram_without_arrows_notes_that_uses_are_unknown(service, root):
    around, whole = await service.reply_to(root, Diagram(element="Total")), await service.reply_to(root, Diagram())
    assert f"its uses are unknown: uses of {QUILL} are matched by name only" in (around.note or "")
    assert f"Uses are unknown in 2 files of {QUILL}." in (whole.note or "")


async def test_the_lexical_scan_reads_a_language_without_patterns_by_its_grammar(service, root):
    fast, whole = await scan(service, root, use_ast=False), await scan(service, root)
    assert [one.ref for one in fast.elements] == [one.ref for one in whole.elements]


async def test_the_users_of_a_key_element_are_unknown(service, root):
    reply = await service.reply_to(root, AskContext(output_format="both"))
    users = {key.element: key.users for key in reply.context.key_elements}
    assert users[TOTAL] is None
    assert users["tools/tax.py#_rate:1"] == 0
    assert f"`{TOTAL}` (function, unknown users" in reply.markdown


async def test_the_users_of_elements_in_explore_are_unknown(service, root):
    (found,) = (await service.reply_to(root, Explore(question="Total"))).elements
    assert found.used_by_total is found.tests_total is None
    assert found.unknown == f"uses and tests are unknown: calls of {QUILL} are matched by name only"
    assert "used by: unknown; its word is on 2 " in found.to_text()


async def test_a_terminal_shows_what_is_unknown(service, root):
    for tool, question in (
        ("coderef_symbol", Describe(element="Total", detail="full")),
        ("coderef_impact", AskImpact(element="Total", detail="full")),
        ("coderef_complexity", AskComplexity(element="Total", detail="full")),
    ):
        assert "unknown" in rendered(tool, await service.reply_to(root, question), Console(width=200))


async def test_an_element_of_a_language_in_depth_is_answered_about_in_full(service, root):
    told = await service.reply_to(root, AskComplexity(element="_rate", detail="full"))
    assert (told.cyclomatic_complexity, told.dependencies_total, told.note) == (1, 0, None)
    assert (await service.reply_to(root, AskImpact(element="_rate", detail="full"))).affected_total == 0
    assert (await service.reply_to(root, Describe(element="_rate", detail="full"))).callers.total == 0
    assert (await query(service, root, "calls-me", "_rate")).results_found == 0
