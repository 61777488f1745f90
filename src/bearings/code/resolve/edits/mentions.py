"""An index of the words in each file's facts: finds the files that may have looked up a name that an edit changed.

If cart.ts gains an export `discount`, only files in which the word `discount` occurs can resolve to anything else.

Names that resolution looks up although no source has them, such as `__init__`, are not indexed: see _IMPLICIT_NAMES in
file_interface.py. A file that composes names, `getattr(cart, f"do_{kind}")`, may have looked up any name.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Final

from bearings.code.expressions import FITTING, last_name, texts
from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import inflated
from bearings.code.file_facts import FileFacts, Trait
from bearings.code.type_expressions import TypeExpression, type_words

_WORD = re.compile(r"[\w$]+")
_COMPOSED: Final = re.compile(rb"\w\*")
_FEW: Final = 16
"""The most names for which packed facts are searched as bytes: indexing the file takes five times as long."""

_HASH_MASK: Final = 0xFFFFFFFF
"""Cuts a hash to the four bytes that are stored."""
_NO_WORDS: Final = array("I")


class Mentions:
    """The words of each file, as sorted hashes of four bytes; a file is indexed at its first use."""

    def __init__(self) -> None:
        self._words: dict[str, array[int]] = {}

    def mentioned(self, facts: Mapping[str, FileFacts], path: str, names: Collection[str]) -> frozenset[str]:
        """The names among `names` that a file contains; hashes may collide, so it may contain fewer."""
        if path not in self._words and len(names) <= _FEW and isinstance(facts, PackedMap):
            # Rule out the names that are nowhere in the bytes. Others may be part of a longer word: the index decides.
            packed = facts.part(path, inflated)
            if not isinstance(packed, FileFacts) and _COMPOSED.search(packed) is None:
                names = [name for name in names if name.encode() in packed]
        hashes = self.prepare(facts, path) if names else _NO_WORDS
        composes = _has_word(hashes, FITTING)
        return frozenset([name for name in names if composes or _has_word(hashes, name)])

    def prepare(self, facts: Mapping[str, FileFacts], path: str) -> "array[int]":
        """The sorted hashes of a file's words; indexes the file unless it is indexed."""
        hashes = self._words.get(path)
        if hashes is None:
            file = facts.glance(path) if isinstance(facts, PackedMap) else facts[path]
            words = {*_WORD.findall(_texts(file))}
            if any(FITTING in last_name(use.callee) for use in file.mentions):
                words.add(FITTING)
            hashes = self._words[path] = array("I", sorted({hash(word) & _HASH_MASK for word in words}))
        return hashes

    def forget(self, path: str) -> None:
        """Drops the words of a file whose facts changed or that is gone."""
        self._words.pop(path, None)


def _has_word(hashes: "array[int]", name: str) -> bool:
    hash_ = hash(name) & _HASH_MASK
    index = bisect_left(hashes, hash_)
    return index < len(hashes) and hashes[index] == hash_


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
    pairs = zip(facts.symbols, facts.shapes, strict=True)
    parts += [symbol.name for symbol, shape in pairs if shape.traits & Trait.PARTIAL]  # looked up for its other parts
    parts += [entry.name for entry in facts.imports]
    parts += [use.name for use in facts.fixture_uses]
    parts += [export.name for export in facts.exports]
    return " ".join(filter(None, parts))
