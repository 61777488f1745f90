"""An index of the words in each file's names, expressions and types: all names that its resolution may look up."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from bearings.code.expressions import Expression, texts
from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import inflated
from bearings.code.models import FileFacts

_WORDS = re.compile(r"[\w$]+")
_FEW: Final = 16
"""For so few names the packed facts are searched as bytes: indexing the file takes five times as long."""

_BITS: Final = 0xFFFFFFFF
_NO_WORDS: Final = array("I")


class Mentions:
    """The words of each file, as sorted hashes of four bytes; a file is indexed at its first use."""

    def __init__(self) -> None:
        self._known: dict[str, array[int]] = {}

    def of(self, facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> frozenset[str]:
        """The names that a file contains; hashes may collide, so there may be others."""
        if path not in self._known:
            names = _maybe_held(facts, path, names)
        words = self.prepare(facts, path) if names else _NO_WORDS
        return frozenset([name for name in names if _holds(words, name)])

    def prepare(self, facts: Mapping[str, FileFacts], path: str) -> "array[int]":
        """Indexes a file, unless it is indexed."""
        words = self._known.get(path)
        if words is None:
            found = _texts(facts.glance(path) if isinstance(facts, PackedMap) else facts[path])
            words = self._known[path] = array("I", sorted({_hashed(word) for word in _WORDS.findall(found)}))
        return words

    def forget(self, path: str) -> None:
        """Drops the words of a file whose facts changed or that is gone."""
        self._known.pop(path, None)


def _hashed(word: str) -> int:
    return hash(word) & _BITS


def _holds(words: "array[int]", name: str) -> bool:
    word = _hashed(name)
    place = bisect_left(words, word)
    return place < len(words) and words[place] == word


def _maybe_held(facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> Collection[str]:
    """The names whose bytes occur in packed facts, for a few names."""
    if len(names) > _FEW or not isinstance(facts, PackedMap):
        return names
    packed = facts.part(path, inflated)
    return names if isinstance(packed, FileFacts) else [name for name in names if name.encode() in packed]


def _texts(facts: FileFacts) -> str:
    found = [text for site in (*facts.sites, *facts.mentions) for text in (*_names(site.callee), site.types)]
    found += [text for site in facts.sites for given in site.arguments for text in _names(given)]
    found += [symbol.signature.partition(symbol.name)[2] for symbol in facts.symbols]
    for row in facts.bindings:
        found += (row.type, *_names(row.value))
    for shape in facts.shapes:
        found += (shape.returns, shape.type, *_names(shape.value), *shape.implements)
        found += [text for base in shape.bases for text in (*_names(base.value), base.arguments)]
    found += [text for row in facts.returns for text in _names(row.value)]
    found += [entry.name for entry in facts.imports]
    for export in facts.exports:
        found += (export.name, *_names(export.local))
    return " ".join(filter(None, found))


def _names(expression: Expression | None) -> Iterable[str]:
    if type(expression) is str:
        return (expression,)
    return () if expression is None else texts(expression)
