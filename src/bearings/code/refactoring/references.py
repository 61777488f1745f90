"""Finds the references (CodeRefs) to an element in comments and texts, and the bytes of its name in each.

The bytes of `# See @M/a.py#Box.get:3.`, if the class Box is looked for:

    start = 6, end = 23             @M/a.py#Box.get:3
    name_start = 14, name_end = 17  Box
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from bearings.code.coderefs.reference_search import Found, found_in
from bearings.code.coderefs.reference_targets import Places
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.notation.model import CodeRef


class Reference(NamedTuple):
    """The span of a reference, and of the element's name in it, as offsets in the file's bytes.

    `name_start` is 0 if the reference means no element that is looked for.
    """

    start: int
    end: int
    name_start: int = 0
    name_end: int = 0


def starts_of_references(path: str, data: bytes) -> Iterator[tuple[Found, int | None]]:
    """Yield the references in a file with their first bytes; None in a line that is no UTF-8."""
    lines = data.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    for found in found_in(path, data):
        line = lines[found.line - 1]
        text = line.decode("utf-8", "replace")
        start = starts[found.line - 1] + len(text[: found.column].encode())
        yield found, start if text.encode() == line else None


class References:
    """Looks for references to the `members` of a family, and to elements inside them, by the family's `name`.

    A family are elements that must keep one name, such as a method and its overrides.
    """

    def __init__(self, snapshot: Snapshot, name: str, members: Mapping[str, Symbol]) -> None:
        self._snapshot = snapshot
        self._name = name
        self._members = {(member.file, member.qualified_name) for member in members.values()}

    @cached_property
    def _places(self) -> Places:
        return Places(self._snapshot)

    def of(self, path: str, data: bytes) -> list[Reference]:
        """The references in a file, in order; those that can't be read are left out."""
        located = ((found, start) for found, start in starts_of_references(path, data) if start is not None)
        return [self._read(found.text, found.ref, start) for found, start in located if found.ref is not None]

    def _read(self, text: str, ref: CodeRef, start: int) -> Reference:
        """The reference with its offsets in the file."""
        head = text.partition(f"#{ref.element}")[0]
        end = start + len(text.encode())
        position = self._position_of_name(ref)
        if position is None:
            return Reference(start, end)
        before = ".".join([*ref.name.split(".")[:position], ""])
        name_start = start + len(f"{head}#{before}".encode())
        return Reference(start, end, name_start, name_start + len(self._name.encode()))

    def _position_of_name(self, ref: CodeRef) -> int | None:
        """The position of the family's name in a dotted name, from 0; None if the reference means another element.

        `get` has position 1 in `Box.get`, if the reference means the method get of a family. `Box` has position 0
        there, if the method's class, one level above, is of the family.
        """
        parts = ref.name.split(".")
        if self._name not in parts:
            return None
        symbols = self._places.elements(self._places.files(ref.path), ref.name)
        symbols = [symbol for symbol in symbols if symbol.line <= ref.start <= symbol.end_line] or symbols
        for position, part in enumerate(parts):
            levels = len(parts) - position - 1
            if part == self._name and symbols and all(self._ancestor_is_member(symbol, levels) for symbol in symbols):
                return position
        return None

    def _ancestor_is_member(self, symbol: Symbol, levels: int) -> bool:
        """Whether the element `levels` above a symbol is a member of the family; 0 levels: the symbol itself."""
        parts = symbol.qualified_name.split(".")
        return (symbol.file, ".".join(parts[: len(parts) - levels])) in self._members
