"""Which files hold which words: in the names, expressions and types from which others are asked for names."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Final

from bearings.code.models import FileFacts
from bearings.code.packing import inflated
from bearings.code.shelf import Shelf

_WORDS = re.compile(r"[\w$]+")
_FEW: Final = 16
"""Names up to which packed facts are searched as they are: to find a file's words takes five times as long."""

_BITS: Final = 0xFFFFFFFF
_NO_WORDS: Final = array("I")


class Mentions:
    """Words by file, found when a file is first asked about, and kept as sorted hashes: four bytes a word."""

    def __init__(self) -> None:
        self._known: dict[str, array[int]] = {}

    def of(self, facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> frozenset[str]:
        """Those of some words that a file holds; it may also say so of one that it does not."""
        if path not in self._known:
            names = _maybe_held(facts, path, names)
        words = self.prepare(facts, path) if names else _NO_WORDS
        return frozenset([name for name in names if _holds(words, name)])

    def prepare(self, facts: Mapping[str, FileFacts], path: str) -> "array[int]":
        """Finds a file's words, unless they are known."""
        words = self._known.get(path)
        if words is None:
            texts = _texts(facts.glance(path) if isinstance(facts, Shelf) else facts[path])
            words = self._known[path] = array("I", sorted({_hashed(word) for word in _WORDS.findall(texts)}))
        return words

    def forget(self, path: str) -> None:
        """Drops what is known of a file, as its facts are others or it is gone."""
        self._known.pop(path, None)


def _hashed(word: str) -> int:
    return hash(word) & _BITS


def _holds(words: "array[int]", name: str) -> bool:
    word = _hashed(name)
    place = bisect_left(words, word)
    return place < len(words) and words[place] == word


def _maybe_held(facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> Collection[str]:
    """Those of a few names that packed facts hold, be it as a part of a word or in what is no word at all."""
    if len(names) > _FEW or not isinstance(facts, Shelf):
        return names
    texts = facts.part(path, inflated)
    return names if isinstance(texts, FileFacts) else [name for name in names if name.encode() in texts]


def _texts(facts: FileFacts) -> str:
    texts = [text for site in (*facts.sites, *facts.mentions) for text in (site.callee, site.types)]
    texts += [symbol.signature.partition(symbol.name)[2] for symbol in facts.symbols]
    for row in facts.bindings:
        texts += (row.type, row.value)
    for shape in facts.shapes:
        texts += (shape.returns, shape.type, shape.value, *shape.bases, *shape.implements)
    texts += [entry.name for entry in facts.imports]
    for export in facts.exports:
        texts += (export.name, export.local)
    return " ".join(filter(None, texts))
