"""The entries of a table of names, packed: a project of thirty million lines declares five million names.

Entries stand as lines of bytes in buckets, by the hash of their cell: some forty in each for such a project, which are
searched as quickly as a set is asked. A line begins with FF, its fields end with FE, which no UTF-8 has:

    FF cell FE number of the file FE data, then the rest of the key unless that is the name of the cell FE
"""

from collections.abc import Collection
from typing import Final
from zlib import crc32

from bearings.code.facts.packing import compressed, inflated
from bearings.code.resolve.modules.cells import Entry

_START: Final = b"\xff"
_END: Final = b"\xfe"
_BUCKETS: Final = 1 << 17
_CODEC: Final = "utf-8", "surrogatepass"


class PackedEntries:
    """Entries by cell and by file.

    A cell is a family of languages, a slash, a name, and `ending`. A key begins with the path of its file and a zero.
    """

    def __init__(self, ending: str) -> None:
        self._ending = ending
        self._lines: dict[str, bytes] = {}
        self._buckets: dict[int, bytearray] = {}
        self._numbers: dict[str, bytes] = {}
        self._paths: list[str] = []
        self.size = 0

    @property
    def paths(self) -> Collection[str]:
        """The files that have entries."""
        return self._lines.keys()

    def in_cell(self, cell: str) -> list[tuple[str, Entry]]:
        """The entries of a cell, each with its file, in order."""
        packed = cell[: -len(self._ending)].encode(*_CODEC)
        bucket = self._buckets.get(crc32(packed) % _BUCKETS)
        if bucket is None:
            return []
        return sorted([self._entry(cell, line) for line in bucket.split(_START + packed + _END)[1:]])

    def of_file(self, path: str) -> list[Entry]:
        """The entries of a file."""
        parts = [line.partition(_END) for line in inflated(self._lines[path]).split(_START)[1:]]
        return [self._entry(cell.decode(*_CODEC) + self._ending, rest)[1] for cell, _, rest in parts]

    def replace(self, path: str, entries: Collection[Entry]) -> set[str]:
        """Replaces the entries of a file, and returns the cells that differ."""
        before = frozenset(inflated(self._lines.pop(path)).split(_START)[1:] if path in self._lines else ())
        number = self._numbers.get(path)
        if number is None:
            number = self._numbers[path] = b"%d" % len(self._paths)
            self._paths.append(path)
        now: set[bytes] = set()
        changed: set[str] = set()
        size, end = len(path), -len(self._ending)
        for cell, key, data in entries:
            rest = key[size:]
            is_name = rest[1:] == cell[cell.index("/") + 1 : end]
            packed = cell[:end].encode(*_CODEC)
            line = b"%b\xfe%b\xfe%b\xfe" % (packed, number, (data if is_name else data + rest).encode(*_CODEC))
            now.add(line)
            if line not in before:
                self._bucket(packed).extend(_START + line)
                changed.add(cell)
        for line in before - now:
            packed = line[: line.index(_END)]
            bucket = self._bucket(packed)
            bucket[:] = bucket.replace(_START + line, b"", 1)
            changed.add(packed.decode(*_CODEC) + self._ending)
        if now:
            self._lines[path] = compressed(_START + _START.join(now))
        self.size += len(now) - len(before)
        return changed

    def _bucket(self, packed: bytes) -> bytearray:
        number = crc32(packed) % _BUCKETS
        bucket = self._buckets.get(number)
        if bucket is None:
            bucket = self._buckets[number] = bytearray()
        return bucket

    def _entry(self, cell: str, line: bytes | bytearray) -> tuple[str, Entry]:
        """A file and its entry, of a line behind its cell."""
        number, packed, *_ = line.split(_END)
        path = self._paths[int(number)]
        data, mark, rest = packed.decode(*_CODEC).partition("\0")
        name = rest if mark else cell[cell.index("/") + 1 : -len(self._ending)]
        return path, (cell, f"{path}\0{name}", data)
