"""What a portable index says, decoded and checked: whole in itself, but it may still say what the sources don't."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Damaged, Packed, compressed, decoded_facts, encoded, unpack_facts
from bearings.code.file_facts import FileFacts
from bearings.code.index.portable.checks import check_facts, check_order, check_targets, check_uses
from bearings.code.index.portable.container import Header, Refused, inflated
from bearings.code.index.portable.sources import CommitSources
from bearings.code.index.stored_uses import StoredUses, uses_of
from bearings.code.resolve import FileUses
from bearings.code.resolve.file_summary import FileSummary, summary_of
from bearings.code.resolve.fresh import LookupKey
from bearings.code.symbol_keys import keys_of

_LOOKUPS = 1_000
_LOOKUPS_A_FILE = 100
"""The most lookups of a project: `_LOOKUPS`, and `_LOOKUPS_A_FILE` for each file; there are four to seven a file."""

_T = TypeVar("_T")


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """A file with facts: its encoded facts and StoredUses, and the numbers of the names consulted for these."""

    path: str
    facts: msgspec.Raw
    uses: msgspec.Raw
    consulted: list[int]


class Body(msgspec.Struct, array_like=True, frozen=True):
    """All names that were consulted, the files and the lookups, each in order. The answers of lookups follow."""

    names: list[str]
    files: list[Entry]
    lookups: list[LookupKey]


_Number = Annotated[int, Meta(ge=0)]


class _Uses(msgspec.Struct, array_like=True, frozen=True):
    """StoredUses with numbers that are checked while they are decoded."""

    texts: list[str]
    edges: list[tuple[_Number, _Number, _Number, _Number, _Number, _Number]]
    outside: list[tuple[_Number, _Number, _Number, _Number, _Number]]
    given_up: bool = False


_BODY = msgspec.msgpack.Decoder(Body)
_USES = msgspec.msgpack.Decoder(_Uses)


class Claims:
    """The claims of an index on each file, by its path, and the lookups that were made."""

    def __init__(self, header: Header, compressed_body: memoryview, sources: CommitSources) -> None:
        """Decodes and checks. Raises Refused."""
        body = _decoded(inflated(header, compressed_body, sources.room_of_all), _BODY, "body")
        if len(body.lookups) > _LOOKUPS + _LOOKUPS_A_FILE * len(sources.sizes):
            raise Refused("has more lookups than there is room for")
        check_order(body.names, "names")
        check_order(body.lookups, "lookups")
        if [entry.path for entry in body.files] != sorted(sources.languages):
            raise Refused("has facts of other files than are there")
        self.entries: dict[str, Entry] = {}
        self.packed: dict[str, bytes] = {}
        self.uses: dict[str, FileUses] = {}
        self.summaries: dict[str, FileSummary] = {}
        self.consulted: dict[str, frozenset[str]] = {}
        self.lookups = body.lookups
        keys: set[str] = set()
        for entry in body.files:
            keys.update(self._add(entry, body.names, sources))
        for path, uses in self.uses.items():
            check_targets(path, keys, uses)
        self.facts: PackedMap[FileFacts] = PackedMap()
        self.facts.update({path: Packed(packed, unpack_facts) for path, packed in self.packed.items()})

    def _add(self, entry: Entry, names: Sequence[str], sources: CommitSources) -> list[str]:
        """Adds a file; returns the keys of its elements. Raises Refused."""
        path = entry.path
        if max(len(memoryview(entry.facts)), len(memoryview(entry.uses))) > sources.room(path):
            raise Refused(f"says more of {path[:200]!r} than there is room for")
        facts = _facts_in(entry)
        check_facts(path, sources.languages[path], sources.lines[path], facts)
        uses = _uses_in(entry)
        check_uses(path, facts.lines, {symbol.id for symbol in facts.symbols}, uses)
        check_order(entry.consulted, "consulted names")
        if entry.consulted and not 0 <= entry.consulted[0] <= entry.consulted[-1] < len(names):
            raise Refused(f"names nothing that was consulted for {path[:200]!r}")
        self.entries[path] = entry
        self.packed[path] = compressed(memoryview(entry.facts))
        self.uses[path] = uses
        self.summaries[path] = summary_of(facts, *uses)
        self.consulted[path] = frozenset([names[number] for number in entry.consulted])
        return keys_of(facts)


def _facts_in(entry: Entry) -> FileFacts:
    """Raises Refused unless the facts are encoded as this version does."""
    try:
        facts = decoded_facts(memoryview(entry.facts))
        if encoded(facts) == memoryview(entry.facts):
            return facts
    except (Damaged, RecursionError):
        pass
    raise Refused(f"has no readable facts for {entry.path[:200]!r}")


def _uses_in(entry: Entry) -> FileUses:
    """Raises Refused for numbers that stand for nothing."""
    stored = _decoded(memoryview(entry.uses), _USES, f"uses for {entry.path[:200]!r}")
    try:
        return uses_of(entry.path, StoredUses(stored.texts, stored.edges, stored.outside, stored.given_up))
    except (IndexError, OverflowError):
        raise Refused(f"has no readable uses for {entry.path[:200]!r}") from None


def _decoded(data: bytes | memoryview, decoder: "msgspec.msgpack.Decoder[_T]", what: str) -> _T:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        raise Refused(f"has no readable {what}") from None
