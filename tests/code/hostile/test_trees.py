"""Each oddity alone, and all of them in one tree: what can be read is found, the rest is named, nothing is silent."""

from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.project.skipped import SkipReason
from bearings.code.questions.scan import ScanReply
from bearings.code.service import CodeService
from tests.code.asked import scan
from tests.code.hostile.trees import MAX, ODDITIES, Oddity, build
from tests.code.in_process import InProcessEngine

pytestmark = pytest.mark.anyio

SOUND = {"sound.py#sound:1"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["git", "walk"])
def kind(request) -> str:
    value: str = request.param
    return value


async def scanned(root: Path, *, use_ast: bool = True) -> ScanReply:
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=MAX))
    try:
        return await scan(service, root, limit=5000, use_ast=use_ast)
    finally:
        await service.aclose()


def found(reply: ScanReply) -> set[str]:
    return {f"{element.file}#{element.name}:{element.line}" for element in reply.elements}


def skipped(reply: ScanReply) -> dict[str, str]:
    return {left.path: left.reason for left in reply.skipped}


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.name)
async def test_each_is_read_or_named(tmp_path: Path, kind: str, oddity: Oddity) -> None:
    if oddity.only not in ("", kind):
        return
    build(tmp_path / "tree", kind, (oddity,))
    reply = await scanned(tmp_path / "tree")
    assert oddity.found | SOUND == found(reply)
    assert skipped(reply) == dict(oddity.skipped)
    assert set(reply.parse_error_files) == oddity.broken
    assert reply.skipped_by_reason == {
        reason: list(oddity.skipped.values()).count(reason) for reason in set(oddity.skipped.values())
    }


@pytest.mark.slow
async def test_all_of_them_together_are_read_or_named(tmp_path: Path, kind: str) -> None:
    chosen = build(tmp_path / "tree", kind)
    reply = await scanned(tmp_path / "tree")
    assert found(reply) == SOUND.union(*(oddity.found for oddity in chosen))
    assert skipped(reply) == {path: reason for oddity in chosen for path, reason in oddity.skipped.items()}
    assert set(reply.parse_error_files) == set().union(*(oddity.broken for oddity in chosen))
    text = reply.to_text()
    assert all(path in text for path in skipped(reply))


@pytest.mark.slow
async def test_the_fast_pass_names_the_same_and_gives_up_none(tmp_path: Path, kind: str) -> None:
    build(tmp_path / "tree", kind)
    parsed = skipped(await scanned(tmp_path / "tree"))
    unread = {path: reason for path, reason in parsed.items() if reason != SkipReason.GIVEN_UP}
    assert skipped(await scanned(tmp_path / "tree", use_ast=False)) == unread


async def test_a_project_with_nothing_to_read_says_so(tmp_path: Path) -> None:
    reply = await scanned(tmp_path)
    assert (reply.elements_found, reply.skipped_total) == (0, 0)
    assert "no source file in a supported language (.py " in (reply.note or "")
    (tmp_path / "a.py").write_bytes(b"\0")
    assert "left out (1) are listed as skipped" in ((await scanned(tmp_path)).note or "")


async def test_a_question_that_nothing_fits_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=MAX))
    reply = await scan(service, tmp_path, path="nowhere/**")
    assert "1 source files matches the question" in (reply.note or "")
    assert (await scan(service, tmp_path)).note is None
    await service.aclose()
