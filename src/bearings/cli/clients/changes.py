"""The effect of an install or uninstall on one file, as data: shown, confirmed and then applied."""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bearings.cli.clients import files
from bearings.cli.clients.documents import Document, difference
from bearings.cli.clients.receipts import Receipt, Receipts
from bearings.errors import WriteFailed
from bearings.untrusted import named


@dataclass(frozen=True, slots=True)
class Change:
    """The text of a file before and after, None for no file; and its new receipt, None for none.

    `part` is the receipt's part of the file. `ours` are the program's own lines, before and after. `note` is the reason
    for doing less than requested.
    """

    path: Path
    before: str | None
    after: str | None
    receipt: Receipt | None
    ours: tuple[list[str], list[str]] = ([], [])
    note: str = ""
    part: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether the edit changes the file."""
        return self.before != self.after

    def diff(self) -> list[str]:
        """The added and removed lines of the program. The rest of the file is not shown: it may hold secrets."""
        return list(difflib.unified_diff(*self.ours, lineterm="", n=1))[3:]


def apply_all(changes: Iterable[Change], receipts: Receipts, *, private: bool) -> None:
    """Apply changes and store their receipts: all or none, new directories included. Raises WriteFailed."""
    edits: dict[Path, files.Edit] = {}
    new_receipts: dict[tuple[Path, str], Receipt | None] = {}
    new_folders: list[Path] = []
    emptied_folders: list[Path] = []
    try:
        for change in changes:
            receipt = change.receipt
            if change.after is None:
                old_receipt = receipts.get(change.path, change.part)
                emptied_folders += map(Path, old_receipt.folders if old_receipt else ())
            else:
                folders = files.make_folders_for(change.path)
                new_folders += folders
                if receipt is not None and folders:
                    receipt = msgspec.structs.replace(receipt, folders=tuple(map(str, folders)))
            before = edits[change.path].before if change.path in edits else change.before
            edits[change.path] = files.Edit(change.path, before, change.after, private)
            new_receipts[change.path, change.part] = receipt
        stored = receipts.edit(new_receipts)
        emptied_folders += receipts.folders if stored.after is None else ()
        files.write_all([*edits.values(), stored])
    except BaseException:
        files.remove_empty([*new_folders, *receipts.folders])
        raise
    files.remove_empty(emptied_folders)


def install_change(
    client: str, path: Path, document: Document, receipts: Receipts, first: Change | None = None
) -> Change:
    """The change that puts `document` into the file for `client`. Raises WriteFailed if that is impossible.

    `first` is an earlier change of the same file.
    """
    before, known = first.after if first else files.read(path), receipts.get(path, document.part)
    with _about(path):
        if before is not None and document.is_current(before):
            return Change(path, before, before, known and _shared(known, client), part=document.part)
        bare = _bare(before or "", document, known)
        after = document.filled(bare, before or "")
    gone, inserted = difference(bare, after)
    new = Receipt((), "", created=before is None)
    there = document.containers(bare)
    made = {*(known.made if known else ()), *(name for name in document.containers(after) if name not in there)}
    shared = _shared(known or new, client)
    receipt = msgspec.structs.replace(shared, inserted="" if gone else inserted, made=tuple(sorted(made)))
    ours = document.ours(before or ""), document.ours(after)
    return Change(path, before, after, receipt, ours, part=document.part)


def uninstall_change(
    client: str, path: Path, document: Document, receipts: Receipts, first: Change | None = None
) -> Change:
    """The change that removes `document`, unless another client needs it too. Raises as `install_change`."""
    before, known = first.after if first else files.read(path), receipts.get(path, document.part)
    if before is None:
        return Change(path, None, None, None, part=document.part)
    others = tuple(name for name in known.clients if name != client) if known else ()
    if known and others:
        remaining_receipt = msgspec.structs.replace(known, clients=others)
        return Change(
            path, before, before, remaining_receipt, note=f"stays for {', '.join(others)}", part=document.part
        )
    with _about(path):
        bare = _bare(before, document, known)
        created = known.created if known else bare == "" != before
        bare = document.pruned(bare, known.made) if known and bare != before else bare
        after = None if created and document.is_nothing(bare) else bare
    note = "was changed since, and stays" if known and after == before else ""
    return Change(path, before, after, None, (document.ours(before), []), note, document.part)


def _shared(receipt: Receipt, client: str) -> Receipt:
    return msgspec.structs.replace(receipt, clients=tuple(sorted({client, *receipt.clients})))


def _bare(text: str, document: Document, known: Receipt | None) -> str:
    """The text without the program's content: cut out as inserted, if unchanged; otherwise as the document finds it."""
    if known and known.inserted and text.count(known.inserted) == 1:
        cut = text.replace(known.inserted, "")
        try:
            if document.bare(cut) == cut and cut != text:
                return cut
        except WriteFailed:
            pass  # the text around it has changed, so it is no longer one piece
    return document.bare(text)


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Name the file in the block's errors."""
    try:
        yield
    except WriteFailed as error:
        raise WriteFailed(f"{named(str(path))}: {error.error}", error.hint) from None
