"""Chains of a thousand and more links, and circles: every question answers, and a sound chain leads to its end."""

from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.languages import language_of
from bearings.code.models import EdgeKind, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.questions.impact import AskImpact
from bearings.code.resolve.resolver import Resolver
from bearings.code.service import CodeService
from tests.adversary.budgets.chains import CHAINS
from tests.adversary.conftest import Tally, attempts
from tests.code.asked import query, scan
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

LINKS = attempts(600, 5_000)


@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize("links", [40, pytest.param(LINKS, marks=pytest.mark.slow)])
def test_a_chain_is_followed_to_its_end_and_a_circle_ends(kind: str, links: int, tally: Tally) -> None:
    chain = CHAINS[kind]
    sources = chain.files(links)
    facts = {path: parse_file(path, _language(path), text.encode()) for path, text in sources.items()}
    resolver = Resolver()
    resolver.update(facts, ProjectFiles(frozenset(facts)))
    assert not [path for path in facts if facts[path].given_up or resolver.uses[path].given_up]
    start = next(reversed(sources))
    called = {edge.target.replace("\0", "#") for edge in resolver.uses[start].edges if edge.kind is EdgeKind.CALL}
    tally("chain or circle of declarations", 1, not chain.end(links) or chain.end(links) in called)


def _language(path: str):
    language = language_of(path)
    assert language is not None
    return language


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("kind", ["names", "Python's names", "bases over files"])
async def test_every_question_about_a_chain_answers(tmp_path: Path, kind: str, anyio_backend: str) -> None:
    del anyio_backend
    chain = CHAINS[kind]
    links = attempts(300, 5_000)
    links = links if chain.end(links) else 150  # of longer ones the end is not followed
    root = write(tmp_path / "tree", chain.files(links))
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=2_000_000))
    try:
        assert (await scan(service, root)).skipped == []
        end = chain.end(links)
        callers = await query(service, root, "calls-me", end, max_depth=1)
        assert [relation.file for relation in callers.results] == [next(reversed(chain.files(links)))]
        assert (await query(service, root, "depends-on-me", end, max_depth=10)).results
        assert (await service.reply_to(str(root), AskImpact(element=end))).affected
    finally:
        await service.aclose()
