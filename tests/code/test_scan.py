"""Scan lists elements from summaries if they suffice, else from the files."""

from collections.abc import Iterator, Mapping

import msgspec
import pytest

from bearings.code.engine.scan import Scanner
from bearings.code.facts.store import MemoryFacts
from bearings.code.index.project_index import Index
from bearings.code.models import FileFacts, Language, Symbol, SymbolKind
from bearings.code.questions.graph import Scan
from bearings.paging import encode
from tests.code.trees import SHOP, write

ODD = {
    "gen.ts": "// @generated\nexport function made() {}\nexport interface Row { id: number }\n",
    "broken.py": "def whole(): pass\ndef (: pass\nclass After: pass\n",
    "empty.py": "",
    "models.py": "from pydantic import BaseModel\nclass B(BaseModel):\n    x: int\n\ndef f(): pass\nclass A: pass\n",
}
PLAIN = Scan(limit=1000)
QUESTIONS = {
    "all": PLAIN,
    "a language": msgspec.structs.replace(PLAIN, languages=(Language.PYTHON,)),
    "a path": msgspec.structs.replace(PLAIN, path="*.ts"),
    "kinds": msgspec.structs.replace(PLAIN, kinds=(SymbolKind.CLASS, SymbolKind.SCHEMA)),
    "nothing": msgspec.structs.replace(PLAIN, path="no/such"),
}


class RecordingFacts(Mapping[str, FileFacts]):
    """Facts that record which files were read."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._facts = facts
        self.seen: set[str] = set()

    def __getitem__(self, path: str) -> FileFacts:
        self.seen.add(path)
        return self._facts[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    root = write(tmp_path_factory.mktemp("scan").resolve() / "p", {**SHOP, **ODD})
    return Index(root, MemoryFacts(), 100_000).refresh()


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_summaries_give_the_same_counts_as_the_files(snapshot, question):
    facts, summaries = snapshot.facts, snapshot.graph.summaries
    looked_into, told = Scanner().page(facts, (), "r", question), Scanner().page(facts, (), "r", question, summaries)
    assert told == looked_into
    assert list(told.by_kind.items()) == list(looked_into.by_kind.items())
    assert told.total == len(told.symbols) == sum(told.by_kind.values())
    if question is PLAIN:
        assert (told.generated, told.broken) == (("gen.ts",), ("broken.py",))


def test_pages_joined_are_the_whole_list(snapshot):
    scanner, summaries = Scanner(), snapshot.graph.summaries
    whole = scanner.page(snapshot.facts, (), "r", PLAIN, summaries).symbols
    for size in (1, 3, len(whole), len(whole) + 1):
        joined: list[Symbol] = []
        cursor = None
        while True:
            question = msgspec.structs.replace(PLAIN, limit=size, cursor=cursor)
            page = scanner.page(snapshot.facts, (), "r", question, summaries)
            joined += page.symbols
            if len(joined) >= page.total:
                break
            cursor = encode(len(joined), page.of)
        assert tuple(joined) == whole


def test_a_page_reads_only_the_files_that_it_shows(snapshot):
    facts = RecordingFacts(snapshot.facts)
    page = Scanner().page(facts, (), "r", msgspec.structs.replace(PLAIN, limit=1), snapshot.graph.summaries)
    assert facts.seen == {page.symbols[0].file}
