"""Scan lists elements from summaries if they suffice, else from the files."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import msgspec
import pytest

from bearings.code.file_facts import FileFacts
from bearings.code.index.project_index import Index
from bearings.code.models import SymbolKind
from bearings.code.questions.scan import Scan
from bearings.code.questions.scan.compute import page_of_elements
from bearings.code.replies.element import Element
from bearings.paging import encode
from tests.code.in_process import MemoryFacts
from tests.code.trees import SHOP, write

ODD = {
    "gen.ts": "// @generated\nexport function made() {}\nexport interface Row { id: number }\n",
    "broken.py": "def whole(): pass\ndef (: pass\nclass After: pass\n",
    "empty.py": "",
    "same.ts": (
        "export function made(x) {\n  var free = (made.free = function () { return x; });\n"
        "  function g() { free(); }\n  return g;\n}\n"
    ),
    "models.py": "from pydantic import BaseModel\nclass B(BaseModel):\n    x: int\n\ndef f(): pass\nclass A: pass\n",
}
PLAIN = Scan(most=1000)
QUESTIONS = {
    "all": PLAIN,
    "a language": msgspec.structs.replace(PLAIN, languages=["python"]),
    "a path": msgspec.structs.replace(PLAIN, path="*.ts"),
    "kinds": msgspec.structs.replace(PLAIN, types=[SymbolKind.CLASS, SymbolKind.SCHEMA]),
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
    told = page_of_elements(snapshot, (), question)
    kinds = Counter(one.type for one in told.elements)
    assert (told.by_type, list(told.by_type.values())) == (kinds, sorted(kinds.values(), reverse=True))
    languages = Counter(snapshot.facts[one.file].language for one in told.elements)
    assert told.by_language == languages
    assert told.elements_found == len(told.elements) == sum(told.by_type.values())
    if question is PLAIN:
        assert told.elements_found == snapshot.elements > len(snapshot.graph.symbols) - len(snapshot.facts)
        assert (told.generated, told.parse_error_files) == (["gen.ts"], ["broken.py"])


def test_pages_joined_are_the_whole_list(snapshot):
    whole = page_of_elements(snapshot, (), PLAIN).elements
    for size in (1, 3, len(whole), len(whole) + 1):
        joined: list[Element] = []
        cursor = None
        while True:
            question = msgspec.structs.replace(PLAIN, most=size, cursor=cursor)
            page = page_of_elements(snapshot, (), question)
            joined += page.elements
            if len(joined) >= page.elements_found:
                break
            cursor = encode(len(joined), page.page.identity)
        assert joined == whole


def test_a_page_reads_only_the_files_that_it_shows(snapshot):
    facts = RecordingFacts(snapshot.facts)
    page = page_of_elements(replace(snapshot, facts=facts), (), msgspec.structs.replace(PLAIN, most=1))
    assert facts.seen == {page.elements[0].file}
