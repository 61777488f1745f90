"""What an install or uninstall would do to one file, as data; it is shown, asked about and then done."""

import difflib
from collections.abc import Iterator
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
    """The text of a file before and after, None for no file; and the receipt to keep then, None for none.

    `part` is what of the file the receipt is about. `ours` are the lines that are ours, before and after. `said` is why
    nothing or less is done than was asked for.
    """

    path: Path
    before: str | None
    after: str | None
    receipt: Receipt | None
    ours: tuple[list[str], list[str]] = ([], [])
    said: str = ""
    part: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether the edit changes the file."""
        return self.before != self.after

    def diff(self) -> list[str]:
        """The lines that come and go. Nothing of the rest of the file is shown: it may hold secrets."""
        return list(difflib.unified_diff(*self.ours, lineterm="", n=1))[3:]

    def apply(self, receipts: Receipts, *, private: bool) -> None:
        """Do it. Raises WriteFailed; then the file is as it was."""
        receipt = self.receipt
        if self.after is None:
            known = receipts.get(self.path, self.part)
            files.delete(self.path, self.before, [Path(folder) for folder in known.folders] if known else [])
        else:
            made = files.replace(self.path, self.before, self.after, private=private)
            if receipt is not None and made:
                receipt = msgspec.structs.replace(receipt, folders=tuple(map(str, made)))
        receipts.put(self.path, receipt, self.part)


def installed(client: str, path: Path, document: Document, receipts: Receipts, first: Change | None = None) -> Change:
    """What puts `document` into the file for `client`. Raises WriteFailed where that can't be done.

    `first` is the change of the same file that is made before this one.
    """
    before, known = first.after if first else files.read(path), receipts.get(path, document.part)
    with _about(path):
        if before is not None and document.is_current(before):
            return Change(path, before, before, known and _shared(known, client), part=document.part)
        bare = _bare(before or "", document, known)
        after = document.filled(bare, before or "")
    gone, inserted = difference(bare, after)
    new = Receipt((), "", created=before is None)
    receipt = msgspec.structs.replace(_shared(known or new, client), inserted="" if gone else inserted)
    ours = document.ours(before or ""), document.ours(after)
    return Change(path, before, after, receipt, ours, part=document.part)


def taken_back(client: str, path: Path, document: Document, receipts: Receipts, first: Change | None = None) -> Change:
    """What takes it out again, unless it is there for another client, too. Raises WriteFailed as `installed`."""
    before, known = first.after if first else files.read(path), receipts.get(path, document.part)
    if before is None:
        return Change(path, None, None, None, part=document.part)
    others = tuple(name for name in known.clients if name != client) if known else ()
    if known and others:
        kept = msgspec.structs.replace(known, clients=others)
        return Change(path, before, before, kept, said=f"stays for {', '.join(others)}", part=document.part)
    with _about(path):
        bare = _bare(before, document, known)
        created = known.created if known else bare == "" != before
        after = None if created and document.is_nothing(bare) else bare
    said = "was changed since, and stays" if known and after == before else ""
    return Change(path, before, after, None, (document.ours(before), []), said, document.part)


def _shared(receipt: Receipt, client: str) -> Receipt:
    return msgspec.structs.replace(receipt, clients=tuple(sorted({client, *receipt.clients})))


def _bare(text: str, document: Document, known: Receipt | None) -> str:
    """The text without what is ours: cut out as it was put in, if it is there so; else as the document finds it."""
    if known and known.inserted and text.count(known.inserted) == 1:
        cut = text.replace(known.inserted, "")
        try:
            if document.bare(cut) == cut and cut != text:
                return cut
        except WriteFailed:
            pass  # what was around it has changed, so that it is no longer one piece
    return document.bare(text)


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Errors within name the file."""
    try:
        yield
    except WriteFailed as error:
        raise WriteFailed(f"{named(str(path))}: {error.error}", error.hint) from None
