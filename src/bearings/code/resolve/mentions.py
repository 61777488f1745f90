"""Which files hold which words: in the names, expressions and types from which others are asked for names."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable

from bearings.code.models import FileFacts

_WORDS = re.compile(r"[\w$]+")


class Mentions:
    """Words by file, found when a file is first asked about, and kept as sorted hashes: eight bytes a word."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[FileFacts, array[int]]] = {}

    def any_of(self, facts: FileFacts, names: Iterable[str]) -> bool:
        """Whether a file holds one of these words; it may also say so of one that does not."""
        words = self.prepare(facts)
        for word in map(hash, names):
            place = bisect_left(words, word)
            if place < len(words) and words[place] == word:
                return True
        return False

    def prepare(self, facts: FileFacts) -> "array[int]":
        """Finds a file's words, unless they are known."""
        known = self._known.get(facts.path)
        if known is None or known[0] is not facts:
            words = array("q", sorted({hash(word) for word in _WORDS.findall(_texts(facts))}))
            known = self._known[facts.path] = facts, words
        return known[1]

    def forget(self, path: str) -> None:
        """Drops what is known of a file."""
        self._known.pop(path, None)


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
