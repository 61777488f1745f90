"""Small projects from public reports on other tools: each question is asked with an index and without one.

A block `asked` has a question a line, as on the command line, and all that it should list: places, of which those in
parentheses may be listed; files for `tests`; names after `+` and `-` that `unused` lists and doesn't. A block `wrong`
has the questions, each with a reason after a dash, whose answer differs from that. It must differ: a mend moves the
line.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from bearings.budget import ALL_ROWS
from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.project.working_tree import WorkingTree
from bearings.code.question import ToolQuestion
from bearings.code.questions.impact import AskImpact, ImpactReply
from bearings.code.questions.query import Query, QueryReply
from bearings.code.questions.unused import AskUnused, UnusedReply
from bearings.code.service import CodeService
from tests.code.cases import Case, cases
from tests.code.questions.snapshots import answered
from tests.code.trees import write

REPORTS = cases(Path(__file__).parent)
_MAX = 1_000_000


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def question(command: str, element: str) -> ToolQuestion[Any, Any]:
    """The question that a command of the command line asks."""
    if command == "unused":
        return AskUnused()
    if command in ("tests", "reach"):
        return AskImpact(element=element, max_depth=10 if command == "tests" else 3, most=ALL_ROWS)
    if command == "impls":
        return Query(
            query_type="depends-on-me", element=element, max_depth=10, kinds=["extends", "implements"], most=ALL_ROWS
        )
    query_type = {"callers": "calls-me", "users": "depends-on-me"}[command]
    return Query(query_type=query_type, element=element, max_depth=1, most=ALL_ROWS)  # type: ignore[arg-type]


def listed(command: str, reply: object) -> set[str]:
    """What a reply lists: places, the files of tests, names."""
    if isinstance(reply, UnusedReply):
        return {re.split(r"[#.]", one.element.rpartition(":")[0])[-1] for one in reply.elements}
    assert isinstance(reply, QueryReply | ImpactReply)
    if command == "tests":
        assert isinstance(reply, ImpactReply)
        return {test.file for test in reply.affected_tests}
    return {f"{file}:{line}" for file, line in reply.places()}


def faults(expected: str, found: set[str]) -> list[str]:
    """What is missing and what is not expected, by name."""
    allowed = set(re.findall(r"[^\s()]+(?=[^()]*\))", expected))
    required = set(re.sub(r"\([^)]*\)", "", expected).split())
    if any(word[0] in "+-" for word in required):
        return sorted(word for word in required if (word[0] == "+") != (word[1:] in found))
    return [
        *(f"no {one}" for one in sorted(required - found)),
        *(f"also {one}" for one in sorted(found - required - allowed)),
    ]


async def wrong_answers(case: Case, lines: list[str], root: Path, service: CodeService) -> dict[str, list[str]]:
    """The questions whose answer differs from what is expected, with how; keys end in how they were asked."""
    without = UnindexedProject(WorkingTree(root), NoFacts(), _MAX, fewest=0, share=1).refresh()
    found = {}
    for line in lines:
        asked, _, expected = line.partition(":" if line.startswith("unused") else ": ")
        command, _, element = asked.removesuffix(":").partition(" ")
        replies = {"": await service.reply_to(str(root), question(command, element))}
        if command != "unused":
            replies[" without an index"] = answered(without, question(command, element))
        for way, reply in replies.items():
            if fault := faults(expected, listed(command, reply)):
                found[f"{asked}{way}"] = fault
    return found


@pytest.mark.anyio
@pytest.mark.parametrize("case", REPORTS, ids=lambda case: case.name)
async def test_what_a_report_expects_is_answered(case: Case, tmp_path: Path, service: CodeService) -> None:
    root = write(tmp_path / "project", case.files)
    assert await wrong_answers(case, case.expected["asked"], root, service) == {}
    for line in case.expected.get("wrong", []):
        asked, _, reason = line.partition(" — ")
        assert reason
        assert await wrong_answers(case, [asked], root, service), f"{asked} is right now: move it to the block `asked`"
