"""What was written where, so that `uninstall` takes back exactly that: our own text alone, never a file's.

A text that is put into a file is cut out again byte by byte, as long as it is there as it was written. Whether a file,
or a table in it, was there before can't be seen in the file. A receipt that is lost costs no more than that: an empty
table may stay.
"""

from pathlib import Path

import msgspec

from bearings.cli.clients import files


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one file got. `clients` are those for whom; `folders` were made for it, outermost first."""

    clients: tuple[str, ...]
    inserted: str
    created: bool = False
    folders: tuple[str, ...] = ()


class Receipts:
    """All of them, by the real path of their file, in a file of their own.

    A file that holds two things of ours has a receipt for each `part`: servers are the nameless one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls) -> "Receipts":
        """This user's."""
        import platformdirs

        return cls(platformdirs.user_data_path("bearings", appauthor=False) / "installed.json")

    def get(self, path: Path, part: str = "") -> Receipt | None:
        """The receipt of a file; None where nothing was written there."""
        return self._all()[1].get(_key(path, part))

    def put(self, path: Path, receipt: Receipt | None, part: str = "") -> None:
        """Keep the receipt of a file; None: forget it. Raises WriteFailed."""
        before, kept = self._all()
        kept.pop(_key(path, part), None)
        if receipt is not None:
            kept[_key(path, part)] = receipt
        if kept:
            after = msgspec.json.format(msgspec.json.encode(kept)).decode() + "\n"
            files.replace(self._path, before, after, private=True)
        elif before is not None:
            files.delete(self._path, before, [self._path.parent])

    def _all(self) -> tuple[str | None, dict[str, Receipt]]:
        text = files.read(self._path)
        try:
            return text, msgspec.json.decode(text or "{}", type=dict[str, Receipt])
        except msgspec.DecodeError:  # not ours any more
            return text, {}


def _key(path: Path, part: str) -> str:
    return f"{path}\0{part}" if part else str(path)
