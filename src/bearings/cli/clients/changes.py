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

    `part` is the receipt's part of the file. `own_lines` are the program's own lines, before and after. `note` is the
    reason for doing less than requested. `undone` records what was removed of the file, with its parts before.
    """

    path: Path
    before: str | None
    after: str | None
    receipt: Receipt | None
    own_lines: tuple[list[str], list[str]] = ([], [])
    note: str = ""
    part: str = ""
    undone: Receipt | None = None

    @property
    def is_needed(self) -> bool:
        """Whether the edit changes the file."""
        return self.before != self.after

    def diff(self) -> list[str]:
        """The added and removed lines of the program. The rest of the file is not shown: it may hold secrets."""
        return list(difflib.unified_diff(*self.own_lines, lineterm="", n=1))[3:]


def apply_all(changes: Iterable[Change], receipts: Receipts, *, private: bool) -> None:
    """Apply changes and store their receipts: all or none, new directories included. Raises WriteFailed."""
    edits: dict[Path, files.Edit] = {}
    new_receipts: dict[tuple[Path, str], Receipt | None] = {}
    new_folders: list[Path] = []
    emptied_folders: list[Path] = []
    try:
        for change in changes:
            receipt = change.receipt
            if receipt is None:
                emptied_folders += map(Path, change.undone.folders if change.undone else ())
            else:
                folders = files.make_folders_for(change.path)
                new_folders += folders
                if folders:
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

    `first` is an earlier change of the same file, on which this one builds.
    """
    before, old_receipt = first.after if first else files.read(path), receipts.get(path, document.part)
    with _naming_file(path):
        if before is not None and document.is_current(before):
            return Change(path, before, before, old_receipt and _with_client(old_receipt, client), part=document.part)
        rest = _cut_content(before or "", document, old_receipt)
        after = document.with_content(rest, before or "")
    removed, inserted = difference(rest, after)
    new_containers = set(document.containers(after)) - set(document.containers(rest))
    receipt = _with_client(old_receipt or Receipt((), "", created=before is None), client)
    made = tuple(sorted(new_containers.union(receipt.made)))
    receipt = msgspec.structs.replace(receipt, inserted="" if removed else inserted, made=made)
    own_lines = document.own_lines(before or ""), document.own_lines(after)
    return Change(path, before, after, receipt, own_lines, part=document.part)


def uninstall_change(
    client: str, path: Path, document: Document, receipts: Receipts, first: Change | None = None
) -> Change:
    """The change that removes `document`, unless another client needs it too. Raises as `install_change`."""
    before, old_receipt = first.after if first else files.read(path), receipts.get(path, document.part)
    if before is None:
        return Change(path, None, None, None, part=document.part)
    others = tuple(name for name in old_receipt.clients if name != client) if old_receipt else ()
    if old_receipt and others:
        receipt = msgspec.structs.replace(old_receipt, clients=others)
        return Change(path, before, before, receipt, note=f"stays for {', '.join(others)}", part=document.part)
    undone = _joined(old_receipt, first.undone if first else None)
    with _naming_file(path):
        rest = _cut_content(before, document, old_receipt)
        # Without a receipt, a file that held the program's content alone counts as created by `install`.
        is_created = undone.created if undone else rest == "" != before
        rest = document.pruned(rest, undone.made) if undone and rest != before else rest
        after = None if is_created and document.is_without_user_content(rest) else rest
    note = "was changed since, and stays" if old_receipt and after == before else ""
    return Change(path, before, after, None, (document.own_lines(before), []), note, document.part, undone)


def _joined(one: Receipt | None, other: Receipt | None) -> Receipt | None:
    """What was made for either part of a file: the first of them made what both stand in."""
    if one is None or other is None:
        return one or other
    created, folders, made = one.created or other.created, one.folders + other.folders, one.made + other.made
    return msgspec.structs.replace(one, created=created, folders=folders, made=made)


def _with_client(receipt: Receipt, client: str) -> Receipt:
    """The receipt with `client` among those that need the content."""
    return msgspec.structs.replace(receipt, clients=tuple(sorted({client, *receipt.clients})))


def _cut_content(text: str, document: Document, old_receipt: Receipt | None) -> str:
    """The text without the program's content: cut out as inserted, if unchanged; otherwise as the document finds it."""
    if old_receipt and old_receipt.inserted and text.count(old_receipt.inserted) == 1:
        cut = text.replace(old_receipt.inserted, "")
        try:
            if document.without_content(cut) == cut and cut != text:
                return cut
        except WriteFailed:
            pass  # the text around it has changed, so it is no longer one piece
    return document.without_content(text)


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Name the file in the block's errors."""
    try:
        yield
    except WriteFailed as error:
        raise WriteFailed(f"{named(str(path))}: {error.error}", error.hint) from None
