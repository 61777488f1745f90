"""What edits reach, the tests to run after them, and what they would break."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.project.source_lines import Lines
from bearings.code.project.working_tree import WorkingTree
from bearings.code.questions.rename import Rename
from bearings.code.refactoring.checking import Damage, damage
from bearings.code.refactoring.edits import Change
from bearings.code.refactoring.outcome import outcome
from bearings.code.search.view import WholeGraph
from bearings.progress import NoProgress
from tests.code.test_rename import rename
from tests.code.trees import SHOP, write

MAX = 1_000_000


def view_of(root: Path, files: Mapping[str, str]) -> WholeGraph:
    index = Index(write(root, files), NoFacts(), MAX)
    snapshot = index.refresh()
    return WholeGraph(snapshot, index, Lines(snapshot.tree, index.digest, MAX), NoProgress(), MAX)


def damaged(root: Path, files: Mapping[str, str], edited: Mapping[str, str | None], **allowed: object) -> Damage:
    sources = {path: None if text is None else text.encode() for path, text in edited.items()}
    return damage(view_of(root, files), sources, **allowed)  # type: ignore[arg-type]


def test_a_rename_says_what_runs_the_edited_code_and_the_tests_to_run(tmp_path: Path) -> None:
    reply = rename(write(tmp_path, SHOP), "with_tax", "taxed")
    assert reply.written
    assert reply.reached == 2  # fill and the test; with_tax and Basket.add are edited themselves
    assert (reply.tests, reply.tests_total) == (["tests/test_basket.py"], 1)
    assert reply.run == ["python -m pytest tests/test_basket.py"]
    assert "run: python -m pytest tests/test_basket.py" in reply.to_text()


def test_a_refused_rename_names_no_tests(tmp_path: Path) -> None:
    reply = rename(write(tmp_path, SHOP), "with_tax", "RATE")
    assert reply.refused
    assert (reply.reached, reply.tests, reply.run) == (None, [], [])


def test_without_an_index_the_tests_are_those_that_name_the_edited_code(tmp_path: Path) -> None:
    demand = UnindexedProject(WorkingTree(write(tmp_path, SHOP)), NoFacts(), MAX, fewest=0, share=1)
    snapshot = demand.begin(Rename(element="", new_name="x"), is_fresh=False)
    (filling,) = snapshot.graph.find("fill")
    found = outcome(snapshot, filling, [])
    assert found.reached is None
    assert found.tests == ("tests/test_basket.py",)
    assert found.note
    (taxing,) = snapshot.graph.find("with_tax")
    edited = (tmp_path / "shop/prices.py").read_bytes()
    assert outcome(snapshot, taxing, [Change("shop/prices.py", edited, edited[:-1])]).tests == ()


BEFORE = {
    "a.py": "import os\n\n\nclass Box:\n    def get(self):\n        return os.sep\n\n\ndef make():\n    return Box()\n",
    "b.py": "from a import Box, make\n\n\ndef use():\n    return make().get(), Box()\n",
    "c.py": "",
}
A, B = BEFORE["a.py"], BEFORE["b.py"]


@pytest.mark.parametrize(
    ("edited", "rows"),
    [
        ({"a.py": "# A comment.\n\n" + A, "b.py": B.replace("use", "used")}, ["b.py:5"]),
        ({"a.py": "# A comment.\n\n" + A}, []),
        ({"a.py": A.replace("return Box()", "return Box(")}, ["a.py:10"]),
        ({"b.py": B.replace("import Box, make", "import make")}, ["b.py:5"]),
        ({"a.py": A.replace("make", "build")}, ["a.py:10", "b.py:5"]),
        ({"b.py": B.replace("from a", "from .d")}, ["b.py:1", "b.py:5"]),
    ],
    ids=["a use in an element of another name", "a comment", "a bracket", "an import", "a definition", "a module"],
)
def test_edits_that_lose_a_use_are_found_by_its_former_line(
    tmp_path: Path, edited: Mapping[str, str], rows: list[str]
) -> None:
    found = damaged(tmp_path, BEFORE, edited)
    assert sorted({f"{file}:{line}" for file, line, _ in found.rows}) == rows, found


def test_members_that_a_value_no_longer_has_are_listed_apart(tmp_path: Path) -> None:
    found = damaged(
        tmp_path, BEFORE, {"a.py": A.replace("return Box()", "return open('x')")}, rewritten={"a.py": range(9, 11)}
    )
    assert found.rows == []
    assert [row[:2] for row in found.by_types] == [("b.py", 5)]


MOVED = {
    "a.py": "from c import Box\n\n\ndef make():\n    return Box()\n",
    "b.py": "from a import make\nfrom c import Box\n\n\ndef use():\n    return make().get(), Box()\n",
    "c.py": "import os\n\n\nclass Box:\n    def get(self):\n        return os.sep\n",
}


def test_a_move_keeps_all_uses_if_they_follow_it(tmp_path: Path) -> None:
    assert not damaged(tmp_path, BEFORE, MOVED, moved={"a.py#Box": "c.py#Box"}).all


def test_a_move_that_forgets_an_import_is_found(tmp_path: Path) -> None:
    forgetting = {**MOVED, "b.py": B, "a.py": MOVED["a.py"].replace("from c import Box\n\n\n", "")}
    found = damaged(tmp_path, BEFORE, forgetting, moved={"a.py#Box": "c.py#Box"})
    assert {row[:2] for row in found.all} >= {("a.py", 10), ("b.py", 5)}


def test_a_file_that_moves_takes_its_elements_along(tmp_path: Path) -> None:
    edited = {"a.py": None, "d/a.py": A, "b.py": B.replace("from a", "from d.a")}
    assert not damaged(tmp_path, BEFORE, edited, moved={"a.py": "d/a.py"}).all
