"""An index of the words in each file's facts, which tells the files that may have looked up what an edit changed.

Names that resolution looks up although no source has them, such as `__init__`, are not here: see file_interface._ASKED.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Final

from bearings.code.expressions import texts
from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import inflated
from bearings.code.file_facts import FileFacts
from bearings.code.type_expressions import TypeExpression, type_words

_WORDS = re.compile(r"[\w$]+")
_FEW: Final = 16
"""For so few names the packed facts are searched as bytes: indexing the file takes five times as long."""

_HASH_MASK: Final = 0xFFFFFFFF
"""Cuts a hash to the four bytes that are stored."""
_NO_WORDS: Final = array("I")


class Mentions:
    """The words of each file, as sorted hashes of four bytes; a file is indexed at its first use."""

    def __init__(self) -> None:
        self._known: dict[str, array[int]] = {}

    def mentioned(self, facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> frozenset[str]:
        """The names that a file contains; hashes may collide, so there may be others."""
        if path not in self._known and len(names) <= _FEW and isinstance(facts, PackedMap):
            # As bytes: a name may be part of a longer word, so the index decides on those that are left.
            packed = facts.part(path, inflated)
            names = names if isinstance(packed, FileFacts) else [name for name in names if name.encode() in packed]
        words = self.prepare(facts, path) if names else _NO_WORDS
        return frozenset([name for name in names if _holds(words, name)])

    def prepare(self, facts: Mapping[str, FileFacts], path: str) -> "array[int]":
        """Indexes a file, unless it is indexed."""
        words = self._known.get(path)
        if words is None:
            text = _texts(facts.glance(path) if isinstance(facts, PackedMap) else facts[path])
            words = self._known[path] = array("I", sorted({hash(word) & _HASH_MASK for word in _WORDS.findall(text)}))
        return words

    def forget(self, path: str) -> None:
        """Drops the words of a file whose facts changed or that is gone."""
        self._known.pop(path, None)


def _holds(words: "array[int]", name: str) -> bool:
    word = hash(name) & _HASH_MASK
    place = bisect_left(words, word)
    return place < len(words) and words[place] == word


def _texts(facts: FileFacts) -> str:
    """All texts of a file's facts that may contain a name which is looked up."""
    sites = (*facts.sites, *facts.mentions)
    values = [value for site in sites for value in (site.callee, *site.arguments)]
    types: list[TypeExpression | None] = [type_ for site in sites for type_ in site.types]
    for row in facts.bindings:
        types.append(row.type)
        values.append(row.value)
    for shape in facts.shapes:
        types += shape.types()
        values += shape.values()
    values += [row.value for row in facts.returns]
    values += [export.local for export in facts.exports]
    values += [call.callee for call in facts.framework_calls]
    # The rest of each signature: a symbol's own name is declared there, not looked up.
    parts = [symbol.signature.partition(symbol.name)[2] for symbol in facts.symbols]
    parts += [text for value in values for text in texts(value)]
    parts += [text for type_ in types for text in ((type_,) if isinstance(type_, str) else type_words(type_))]
    parts += [entry.name for entry in facts.imports]
    parts += [use.name for use in facts.fixture_uses]
    parts += [export.name for export in facts.exports]
    return " ".join(filter(None, parts))
