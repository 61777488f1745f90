"""Sound sources of one shape: all of each is read, and twice as much of it takes about twice as many steps."""

import random
import sys
from types import FrameType

import pytest
from benchmarks.growth_shapes import CHOSEN, SHAPES, Files

from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.models import EdgeKind, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.names import is_manifest
from bearings.code.resolve.resolver import Resolver
from tests.adversary.conftest import Tally
from tests.soak import mostly_slow, soak

BOUNDED = {
    "Go: structs and interfaces": 900,
    "Go: a ring of interfaces": 250,
    "Go: a ring of structs": 250,
    "Go: one struct of many embedded": 250,
    "Go: structs of many embedded": 700,
    "Python: a ring of classes": 250,
    "Python: classes of many bases": 1_200,
    "TypeScript: a ring of classes": 250,
    "TypeScript: interfaces of one name": 250,
}
"""Shapes that grow with their square up to this number, from which on a limit holds."""

STEP = 2.3
FLOOR = 5_000
"""Steps beside those of the source: a file that exceeds the parser's budget is searched for runs of comments."""

WORDS = ("ember", "quartz", "Sorrel", "néon", "l_1", "Zz", "tally")


class Steps:
    """Counts the calls of functions while it is open."""

    def __enter__(self) -> "Steps":
        self.count = 0
        sys.setprofile(self._called)
        return self

    def _called(self, _frame: FrameType, event: str, _argument: object) -> None:
        self.count += event in ("call", "c_call")

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)


def resolved(files: Files, word: str) -> tuple[int, bool]:
    """The steps that a project takes, and whether the call at the end of its source is known."""
    with Steps() as steps:
        facts: dict[str, FileFacts] = {}
        for path, text in files.items():
            language = language_of(path)
            if language is not None:
                facts[path] = parse_file(path, language, text.encode())
        manifests = {path: text.encode() for path, text in sorted(files.items()) if is_manifest(path)}
        resolver = Resolver()
        resolver.update(facts, ProjectFiles(frozenset(files), manifests))
    calls = {
        (edge.source.rpartition("#")[2].partition(":")[0], edge.target)
        for path in facts
        for edge in resolver.uses[path].edges
        if edge.kind is EdgeKind.CALL and f"{word}_end" in edge.target
    }
    is_read = not any(one.given_up or one.errors for one in facts.values())
    return steps.count, is_read and [source for source, _ in calls] == [f"{word}_user"]


def grows(name: str, number: int, word: str) -> bool:
    """Whether a shape is read whole at a number and at twice as much, and whether its steps are in proportion."""
    begin = BOUNDED.get(name, 0)
    (few, first), (many, second) = (
        resolved(SHAPES[name].make(count, word), word) for count in (begin + number, 2 * (begin + number))
    )
    return first and second and few * STEP + FLOOR >= many


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(3, (name for name in CHOSEN if name not in BOUNDED)))
def test_twice_the_source_takes_twice_the_steps(name: str) -> None:
    assert grows(name, max(60, SHAPES[name].size // 8), "ember")


@pytest.mark.slow
@soak
@pytest.mark.parametrize("name", SHAPES)
def test_sources_of_any_shape_cost_what_they_weigh(name: str, tally: Tally) -> None:
    chance = random.Random(f"{name} {random.randrange(1 << 30)}")
    number, word = chance.randint(100, 400), chance.choice(WORDS)
    assert grows(name, number, word), f"{number} of {word}"
    tally("sound source of a repeated shape", 1, 1)
