"""Records of installed content, so that `uninstall` removes exactly that. They never hold the rest of a file.

Content that is still as inserted is cut out byte by byte. A file does not show whether it, or a table in it, existed
before. A lost receipt has no other effect: an empty table may stay.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from bearings.cli.clients import files
from bearings.private import private_folder


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of one file. `clients` need it; `folders` were made for it, outermost first.

    `made` are the tables and lists of the file that were made for it, such as `hooks.PostToolUse`.
    """

    clients: tuple[str, ...]
    inserted: str
    created: bool = False
    folders: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


class Receipts:
    """All receipts, by the real path of their file, in a file of their own.

    A file with two pieces of content has a receipt for each `part`; the servers' part has no name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls) -> "Receipts":
        """The receipts of this user."""
        import platformdirs

        return cls(platformdirs.user_data_path("bearings", appauthor=False) / "installed.json")

    def get(self, path: Path, part: str = "") -> Receipt | None:
        """The receipt of a file; None if nothing was written there."""
        return self._all()[1].get(_key(path, part))

    def put(self, path: Path, receipt: Receipt | None, part: str = "") -> None:
        """Store the receipt of a file; None removes it. Raises WriteFailed."""
        before, receipts = self._all()
        receipts.pop(_key(path, part), None)
        if receipt is not None:
            receipts[_key(path, part)] = receipt
        if receipts:
            after = msgspec.json.format(msgspec.json.encode(receipts)).decode() + "\n"
            with suppress(OSError):  # which the next line says
                private_folder(self._path.parent)
            files.replace(self._path, before, after, private=True)
        elif before is not None:
            files.delete(self._path, before, [self._path.parent])

    def _all(self) -> tuple[str | None, dict[str, Receipt]]:
        text = files.read(self._path)
        try:
            return text, msgspec.json.decode(text or "{}", type=dict[str, Receipt])
        except msgspec.DecodeError:  # the file is no longer the program's
            return text, {}


def _key(path: Path, part: str) -> str:
    return f"{path}\0{part}" if part else str(path)
