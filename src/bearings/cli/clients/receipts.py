"""Records of installed content, so that `uninstall` removes exactly that. They never hold the rest of a file.

Content that is still as inserted is cut out byte by byte. A file does not show whether it, or a table in it, existed
before. A lost receipt has no other effect: an empty table may stay.
"""

from collections.abc import Mapping
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

    @property
    def folders(self) -> list[Path]:
        """The directory of the receipts, which goes with the last one."""
        return [self._path.parent]

    def put(self, path: Path, receipt: Receipt | None, part: str = "") -> None:
        """Store the receipt of a file; None removes it. Raises WriteFailed."""
        edit = self.edit({(path, part): receipt})
        files.write_all([edit])
        files.remove_empty(self.folders if edit.after is None else ())

    def edit(self, new: Mapping[tuple[Path, str], Receipt | None]) -> files.Edit:
        """The edit that stores receipts of files and parts; None removes one. Makes the directory, a private one."""
        before, receipts = self._all()
        for (path, part), receipt in new.items():
            receipts.pop(_key(path, part), None)
            if receipt is not None:
                receipts[_key(path, part)] = receipt
        after = msgspec.json.format(msgspec.json.encode(receipts)).decode() + "\n" if receipts else None
        if after is not None:
            with suppress(OSError):  # which the writing says
                private_folder(self._path.parent)
        return files.Edit(self._path, before, after, private=True)

    def _all(self) -> tuple[str | None, dict[str, Receipt]]:
        text = files.read(self._path)
        try:
            return text, msgspec.json.decode(text or "{}", type=dict[str, Receipt])
        except msgspec.DecodeError:  # the file is no longer the program's
            return text, {}


def _key(path: Path, part: str) -> str:
    return f"{path}\0{part}" if part else str(path)
