"""The uses of a file are the same whatever was resolved before it, and whatever facts were dropped meanwhile."""

from collections.abc import Iterator, Mapping

import msgspec
import pytest

from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.models import ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.file_resolver import FileResolver

SOURCES = {
    "go.mod": "module shop\n\ngo 1.22\n",
    "prices/tax.go": "package prices\n\ntype Tax struct{ Rate float64 }\n\nfunc New() Tax { return Tax{} }\n",
    "prices/sale.go": "package prices\n\nfunc Sale() int { return 1 }\n",
    "main.go": 'package main\n\nimport "shop/prices"\n\nvar tax = prices.New()\n',
    "other.go": "package main\n\nfunc rate() float64 { return tax.Rate }\n",
}


class DecodedAnew(Mapping[str, FileFacts]):
    """Facts that are other objects at each look, as those that are dropped to save memory and read again."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._packed = {path: msgspec.msgpack.encode(one) for path, one in facts.items()}

    def __getitem__(self, path: str) -> FileFacts:
        return msgspec.msgpack.decode(self._packed[path], type=FileFacts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def resolver() -> FileResolver:
    facts = {
        path: parse_file(path, language, text.encode())
        for path, text in SOURCES.items()
        if (language := language_of(path)) is not None
    }
    manifests = {"go.mod": SOURCES["go.mod"].encode()}
    return FileResolver(DecodedAnew(facts), ProjectFiles(frozenset(SOURCES), manifests))


@pytest.mark.parametrize("first", ["other.go", "prices/tax.go"])
def test_what_was_resolved_before_changes_no_use(first: str) -> None:
    alone = resolver().uses(["main.go"])
    after = resolver()
    after.uses([first])
    assert after.uses(["main.go"]) == alone
    assert [edge.target for edge in alone["main.go"].edges if edge.reason == "import"] == ["prices/tax.go"]
