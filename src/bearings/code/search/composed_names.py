"""Finds code that composes the name of an element at run time: `getattr(self, f"_process_{kind}")`."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from bearings.code.grouping import grouped
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of, spec_of
from bearings.code.models import Symbol
from bearings.code.project.words import FileHits, Search, Word

_LEAST = 3
"""The fewest characters of a part: shorter ones are parts of too many names."""

_LITERAL = re.compile(r"""(\+\s*)?(["'`])((?:(?!\2)[^\\]|\\.)*)\2(\s*\+)?""")
"""A string on one line, and whether it is a part of a sum."""

_VALUE = re.compile(r"\$?\{[^{}]*\}|%(?:\(\w+\))?[sdr]")
"""A value in a string: of an f-string, `format`, `%` or a template."""


class Composed(NamedTuple):
    """A place that composes names that begin or end as an element's does."""

    file: str
    line: int
    part: str


def find_composed_names(snapshot: Snapshot, symbols: Collection[Symbol]) -> dict[str, Composed]:
    """By id, the first place that may compose the name of an element, in code that looks names up by text.

    Only parts up to an underscore are recognized: `_process_` and `_handler`, not `on` in `onClick`.
    """
    parts = grouped((part, symbol) for symbol in symbols for part in _parts(symbol.name))
    places: dict[str, Composed] = {}
    if not parts:
        return places
    for file in Search(snapshot.tree, list(snapshot.facts), [Word(part) for part in parts]).files():
        for part, line, name in _composed_in(file):
            for symbol in parts[part]:
                if language_of(symbol.file) == language_of(file.path) and name.fullmatch(symbol.name):
                    places.setdefault(symbol.id, Composed(file.path, line, part))
    return places


def _parts(name: str) -> Iterator[str]:
    """The beginnings of a name that end in an underscore, and the ends that start with one."""
    for match in re.finditer(r"(?<=[^_])_(?=[^_])", name):
        if match.end() >= _LEAST:
            yield name[: match.end()]
        if len(name) - match.start() >= _LEAST:
            yield name[match.start() :]


def _composed_in(file: FileHits) -> Iterator[tuple[str, int, re.Pattern[str]]]:
    """The parts that a file composes names of, each with the line and the form of the names."""
    spec = spec_of(file.path)
    lookup = spec.idioms().named_lookup if spec is not None else None
    if lookup is None or not lookup.search(file.text):
        return
    lines = file.text.split("\n")
    for hit in file.hits:
        for match in _LITERAL.finditer(lines[hit.line - 1]):
            before, text, after = match[1], match[3], match[4]
            # `"_process_" + kind`, `f"_process_{kind}"`: a literal that is whole, `"_process_all"`, composes nothing,
            # unless it is the beginning or the end that is compared: `name.startswith("_process_")`.
            if text == hit.word and (text.endswith("_") or "endswith(" in file.text):
                before, after = before or not text.endswith("_"), after or text.endswith("_")
            if hit.word in text and (before or after or _VALUE.search(text)):
                forms = [re.escape(piece) for piece in _VALUE.split(text)]
                forms = [*([""] if before else []), *forms, *([""] if after else [])]
                yield hit.word, hit.line, re.compile(r"\w+".join(forms))
