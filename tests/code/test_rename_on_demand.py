"""Renames and removals without an index: the plan is the one that the index of the whole project gives."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from bearings.code.engine.session import Session
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.source_lines import Lines
from bearings.code.project.working_tree import WorkingTree
from bearings.code.questions.remove import compute as remove
from bearings.code.questions.rename import Rename
from bearings.code.questions.rename import compute as rename
from bearings.code.questions.signature import Signature
from bearings.code.questions.signature import compute as signature
from bearings.code.refactoring.place import Options
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.signatures import head_of
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput, Unsupported
from bearings.progress import NoProgress
from tests.code.demand import elements
from tests.code.in_process import MemoryFacts
from tests.code.test_demand import PROJECTS
from tests.code.test_rename import RENAMED
from tests.code.test_signature import CHANGED
from tests.code.test_without_an_index import LARGE
from tests.code.trees import write

MAX = 10_000_000
TREES: Mapping[str, Mapping[str, str]] = {
    **{name: {path: text.replace("§", "") for path, text in files.items()} for name, (_, files) in RENAMED.items()},
    **PROJECTS,
    **{name: {"m.ts" if "m.ts" in row[0] else "m.py": row[3]} for name, row in CHANGED.items()},
}
FORMS: Mapping[str, list[str]] = {
    "rename": [*[*RENAMED][::2], *PROJECTS],
    "remove": [*[*RENAMED][1::4], *[*PROJECTS][::3]],
    "signature": [*[*CHANGED][::2], *[*PROJECTS][1::3]],
}
"""The trees in which an edit is planned."""
MOST = 4
"""Elements of a tree, from its whole length."""
FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
QUESTION = Rename(element="", new_name="quite_new")


def planned(kind: str, view: WholeGraph, symbol: Symbol) -> object:
    """The plan of an edit, whose refusals may come in any order; None for an element that can't be edited so."""
    try:
        if kind == "rename":
            draft = rename.plan(view, symbol, QUESTION.new_name, Options(), leave_unsure=False)
        elif kind == "remove":
            draft = remove.plan(view, symbol, leave_unsure=False)
        else:
            head = head_of(symbol.signature, symbol.name) if symbol.kind in FUNCTIONS else None
            if head is None or any(one.is_open_ended for one in head.parameters):
                return None
            listed = ", ".join(["extra", *(one.name for one in head.parameters)])
            draft, _ = signature.plan(
                view,
                signature.function_of(view, symbol),
                Signature(element="", parameters=listed, values={"extra": "1"}, leave_unsure=True),
            )
    except (InvalidInput, Unsupported):
        return None
    return draft.changes, draft.places, set(draft.refused), draft.left, draft.note


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in FORMS.items() for name in names])
def test_a_plan_without_an_index_is_that_of_the_index(tmp_path: Path, kind: str, name: str) -> None:
    tree, store = WorkingTree(write(tmp_path, TREES[name])), MemoryFacts()
    index, demand = Index(tmp_path, store, MAX), UnindexedProject(tree, store, MAX, fewest=0, share=1)
    indexed = WholeGraph(index.refresh(), index, Lines(tree, index.digest, MAX), NoProgress(), MAX)
    lines = Lines(tree, demand.digest, MAX)
    drawn = [symbol for symbol, _ in elements(indexed.snapshot.facts)]
    for symbol in drawn[:: -(-len(drawn) // MOST)]:
        snapshot = demand.begin(QUESTION, is_fresh=True)
        unindexed = WholeGraph(snapshot, index, lines, NoProgress(), MAX, demand.with_sources)
        with suppress(NeedsIndex):
            assert planned(kind, unindexed, symbol) == planned(kind, indexed, symbol), symbol.id


@pytest.mark.slow
@pytest.mark.parametrize(("element", "read"), [("with_tax", True), ("rooms/kinds.py#Kitchen.clean", False)])
def test_an_edit_is_made_from_a_closed_answer_alone(tmp_path: Path, element: str, read: bool) -> None:
    root = write(tmp_path / "large", LARGE)
    session = Session(root, MemoryFacts(), MAX)
    question = Rename(element=element, new_name="quite_new")
    answer = session.answer(question, NoProgress())
    assert (answer.index.read is not None) == read
    assert bool(answer.value.refused) is not read
    if read:
        assert answer.value.places == 3
        written = session.answer(replace(question, dry_run=False), NoProgress())
        assert (written.index.read is not None, written.value.written) == (True, True)
        assert "quite_new" in (root / "shop/basket.py").read_text()
