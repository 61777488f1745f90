"""Finds the references (CodeRefs) to an element in comments and texts, and the bytes of its name in each."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from bearings.code.coderefs.reference_search import Found, found_in
from bearings.code.coderefs.reference_targets import Places
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.notation.model import CodeRef


class Reference(NamedTuple):
    """A reference in a file: its bytes, and its name's; `at` is 0 if it means no element that is looked for.

    In `@M/a.py#Box.get:3` the name of the class Box is `Box`, that of its method is `get`.
    """

    start: int
    end: int
    at: int = 0
    to: int = 0


class References:
    """Looks for references to the `members` of a family, and to elements inside of them, by their `name`."""

    def __init__(self, snapshot: Snapshot, name: str, members: Mapping[str, Symbol]) -> None:
        self._snapshot = snapshot
        self._name = name
        self._members = {(member.file, member.qualified_name) for member in members.values()}

    @cached_property
    def _places(self) -> Places:
        return Places(self._snapshot)

    def of(self, path: str, data: bytes) -> list[Reference]:
        """The references in a file, in order; those that can't be read are left out."""
        lines = data.splitlines(keepends=True)
        begins, at = [], 0
        for line in lines:
            begins.append(at)
            at += len(line)
        return [
            one
            for found in found_in(path, data)
            if found.ref is not None
            for one in self._read(found, found.ref, lines[found.line - 1], begins[found.line - 1])
        ]

    def _read(self, found: Found, ref: CodeRef, line: bytes, begin: int) -> Iterator[Reference]:
        """The reference with its bytes in the file; none in a line that is no UTF-8."""
        text = line.decode("utf-8", "replace")
        if text.encode() != line:
            return
        start = begin + len(text[: found.column].encode())
        head = found.text.partition(f"#{ref.element}")[0]
        end = start + len(found.text.encode())
        part = self._part(ref)
        if part is None:
            yield Reference(start, end)
            return
        before = ".".join([*ref.name.split(".")[:part], ""])
        at = start + len(f"{head}#{before}".encode())
        yield Reference(start, end, at, at + len(self._name.encode()))

    def _part(self, ref: CodeRef) -> int | None:
        """The place of the element's name among the parts of a reference's name; None if it means another element."""
        parts = ref.name.split(".")
        if self._name not in parts:
            return None
        symbols = self._places.elements(self._places.files(ref.path), ref.name)
        meant = [symbol for symbol in symbols if symbol.line <= ref.start <= symbol.end_line] or symbols
        for number, part in enumerate(parts):
            if part == self._name and meant and all(self._is_inside(one, len(parts) - number - 1) for one in meant):
                return number
        return None

    def _is_inside(self, symbol: Symbol, levels: int) -> bool:
        """Whether the element that is some levels above another one is a member."""
        parts = symbol.qualified_name.split(".")
        return (symbol.file, ".".join(parts[: len(parts) - levels])) in self._members
