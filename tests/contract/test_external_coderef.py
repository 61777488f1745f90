"""The suite of every engine, through the bridge to our own `coderef` command, as far as the command can answer."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from bearings.code.engine.bridge.cli_engine import CliEngine
from bearings.code.engine.bridge.finding import Program
from bearings.code.facts.store import NoFacts
from bearings.code.questions.complexity import AskComplexity
from bearings.code.questions.coverage import AskCoverage
from bearings.code.questions.diagram import Diagram
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.query import Query
from bearings.errors import Ambiguous, ElementNotFound
from tests.code.in_process import InProcessEngine
from tests.code.trees import write
from tests.contract import test_code_engine as suite
from tests.contract.test_code_engine import anyio_backend, own_shop, shop

__all__ = ["anyio_backend", "own_shop", "shop"]

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

COMMAND = (sys.executable, "-P", "-c", "from bearings.cli.main import coderef; coderef()")


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[CliEngine]:
    environment = {**os.environ, "CODEREF_CACHE_DIR": str(tmp_path / "cache"), "CODEREF_MAX_FILE_BYTES": str(suite.MAX)}
    made = CliEngine(lambda _: Program(COMMAND, "0.1.0"), timeout_s=60, environment=environment)
    yield made
    await made.aclose()


not_told = pytest.mark.skip(reason="a coderef command does not tell this")


class TestScan(suite.TestScan):
    test_the_fast_pass_is_another_pass_over_the_same_tree = not_told(
        suite.TestScan.test_the_fast_pass_is_another_pass_over_the_same_tree
    )
    test_says_what_was_left_out = not_told(suite.TestScan.test_says_what_was_left_out)


class TestQuery(suite.TestQuery):
    test_an_empty_answer_says_what_it_means = not_told(suite.TestQuery.test_an_empty_answer_says_what_it_means)
    test_what_leads_outside_is_told_by_kind_with_its_sites = not_told(
        suite.TestQuery.test_what_leads_outside_is_told_by_kind_with_its_sites
    )


class TestElsewhere:
    async def test_a_command_that_reads_no_other_files_says_nothing_of_them(self, engine, tmp_path):
        root = write(tmp_path.resolve() / "shop", suite.TestElsewhere.FILES)
        page = (await engine.ask(root, Query(query_type="calls-me", element="Till._mute"))).value
        assert (page.results_found, page.elsewhere) == (0, None)
        assert "unused" not in page.note


class TestTargets:
    async def test_what_names_nothing_or_several_is_told_with_what_would(self, engine, own_shop):
        with pytest.raises(ElementNotFound) as missed:
            await engine.ask(own_shop, Query(query_type="calls", element="fil"))
        assert "fill" in missed.value.hint
        write(own_shop, {"shop/more.py": "def fill(): pass\n"})
        with pytest.raises(Ambiguous) as several:
            await engine.ask(own_shop, Query(query_type="calls", element="fill"))
        assert several.value.candidates == ["shop/basket.py#fill:17", "shop/more.py#fill:1"]


class TestAnalyses:
    async def test_they_are_those_of_our_own_engine(self, engine, shop):
        own = InProcessEngine(store=NoFacts(), max_file_bytes=suite.MAX)
        impact, direct = [(await each.ask(shop, AskImpact(element="with_tax"))).value for each in (engine, own)]
        sent = [[one.values() for one in each.affected] for each in (impact, direct)]
        assert sent[0] == sent[1]
        assert (impact.risk_level, impact.risk_terms) == (direct.risk_level, direct.risk_terms)
        complexity, direct = [(await each.ask(shop, AskComplexity(element="fill"))).value for each in (engine, own)]
        without_words = {"note": "", "namesakes": ""}
        assert msgspec.structs.replace(complexity, **without_words) == msgspec.structs.replace(direct, **without_words)
        drawn, direct = [(await each.ask(shop, Diagram(element="fill"))).value for each in (engine, own)]
        assert (drawn.diagram or "?").strip() in (direct.diagram or "")
        coverage, direct = [(await each.ask(shop, AskCoverage())).value for each in (engine, own)]
        assert (coverage.overall.percent, coverage.source) == (direct.overall.percent, "graph")
        await own.aclose()
