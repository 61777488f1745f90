"""The parts of replies about edits of sources."""

from bearings.reply import Part, SymbolName


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
    why: str
    source: str | None = None

    def to_text(self) -> str:
        """One line, as grep prints it."""
        return f"  {self.file}:{self.line}: {self.why}" + (f": {self.source}" if self.source else "")
