"""The parts of replies about edits of sources."""

from bearings.code.replies.element import IndexInfo
from bearings.reply import Label, Part, Reply, SourceText, SymbolName


class EditedFile(Part):
    """A file and the number of places that are edited in it."""

    file: SymbolName
    places: int

    def to_text(self) -> str:
        """One line."""
        return f"  {self.file} ({self.places} {'place' if self.places == 1 else 'places'})"


class PlaceOfName(Part):
    """A place with the name: the line of source, and why it is not edited."""

    file: SymbolName
    line: int
    why: Label
    source: SourceText | None = None

    def to_text(self) -> str:
        """One line, as grep prints it."""
        return f"  {self.file}:{self.line}: {self.why}" + (f": {self.source}" if self.source else "")


class EditReply(Reply):
    """Edits of sources: `places` in `files_changed` files. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are: `left_total` in all.
    """

    element: SymbolName
    dry_run: bool
    written: bool
    places: int
    files_changed: int
    refused: list[PlaceOfName]
    refused_total: int
    files: list[EditedFile]
    left: list[PlaceOfName]
    left_total: int
    diff: SourceText | None = None
    note: str | None = None
    index: IndexInfo

    def title(self) -> str:
        """The first words of the text."""
        return self.element

    def to_text(self) -> str:
        """What is done or refused, the files, and the diff."""
        done = "written" if self.written else "refused" if self.refused_total else "not written"
        head = f"{self.title()}: {self.places} places in {self.files_changed} files, {done}"
        parts = [f"{head} {self.index.to_text()}"]
        parts += ["refused because of:", *(place.to_text() for place in self.refused)] if self.refused else []
        parts += [file.to_text() for file in self.files]
        if self.left:
            parts += [f"left as they are ({self.left_total}):", *(place.to_text() for place in self.left)]
        parts += [self.diff] if self.diff else []
        return "\n".join([*parts, *([self.note] if self.note else [])])
