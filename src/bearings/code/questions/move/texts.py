"""The sources that a move edits."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bearings.code.languages import language_of
from bearings.code.languages.shared.removals import Removal
from bearings.code.models import Language
from bearings.code.refactoring.edits import Change, Edit, edited
from bearings.code.refactoring.imports import NewImport, with_imports
from bearings.code.refactoring.texts import plain_text
from bearings.code.syntax_trees import Use, removals_of, uses_of
from bearings.errors import Unsupported, shown


class Text(NamedTuple):
    """A file: its bytes, of which the first `shift` come before its `text`. `data` is None for a new file."""

    path: str
    language: Language | None
    data: bytes | None
    text: bytes
    shift: int

    @classmethod
    def of(cls, path: str, data: bytes | None) -> "Text":
        """The text of a file. Raises Unsupported for a source whose encoding is not understood."""
        plain = plain_text(path, data or b"")
        if plain is None:
            raise Unsupported(f"the encoding of {shown(path)} is not understood", "Save it as UTF-8.")
        return cls(path, language_of(path), data, *plain)

    def uses_of(self, names: Iterable[str]) -> dict[str, list[Use]]:
        """The occurrences of names; none in a file that can't be parsed."""
        found = uses_of(self.language, self.text, names) if self.language is not None else {}
        return found or {name: [] for name in names}

    def removals_of(self, names: Sequence[tuple[int, int]]) -> list[Removal | None]:
        """What goes with names, by their first and last byte."""
        return [None for _ in names] if self.language is None else removals_of(self.language, self.text, names)

    def line(self, at: int) -> int:
        """The 1-based line of a byte of the text."""
        return self.text.count(b"\n", 0, at) + 1

    def start_of(self, line: int) -> int:
        """The first byte of a line, from 1."""
        at = 0
        for _ in range(line - 1):
            at = self.text.find(b"\n", at) + 1 or len(self.text)
        return at

    def span_of(self, line: int) -> tuple[int, int]:
        """The bytes of a line, without its end."""
        start = self.start_of(line)
        end = self.text.find(b"\n", start)
        return start, len(self.text) if end < 0 else end

    def is_at_margin(self, at: int) -> bool:
        """Whether a byte is the first of its line."""
        return self.text[at - 1 : at] in (b"", b"\n")

    def top_of(self, at: int) -> int:
        """The start of the statement at the top of the file that a byte is in, with its decorators."""
        at = self.text.rfind(b"\n", 0, at) + 1
        above = self.text.rfind(b"\n", 0, max(0, at - 1)) + 1
        while at and (self.text[at : at + 1] in b" \t)]}@\r\n" or self.text[above : above + 1] == b"@"):
            at, above = above, self.text.rfind(b"\n", 0, max(0, above - 1)) + 1
        return at

    def rest_of(self, span: tuple[int, int]) -> bytes:
        """A statement with the rest of its last line."""
        return self.text[span[0] : self.span_of(self.line(span[1]))[1]]

    def is_at_end(self, at: int) -> bool:
        """Whether a line ends at a byte."""
        return self.text[at : at + 1] in (b"", b"\n", b"\r")

    def changed(self, edits: list[Edit], wanted: list[NewImport]) -> Change | None:
        """The file with edits of its text, and then with imports; None if the place of imports is not known."""
        before = self.data or b""
        ended = [one._replace(text=self._ended(one.text)) for one in edits]
        after = edited(self.path, before, ended, self.shift).after or b""
        if wanted and self.language is not None:
            found = with_imports(self.language, after[self.shift :], list(dict.fromkeys(wanted)))
            if found is None:
                return None
            after = edited(self.path, after, found, self.shift).after or b""
        return Change(self.path, self.data, after)

    def _ended(self, text: bytes) -> bytes:
        """A text with the line ends of the file."""
        plain = text.replace(b"\r\n", b"\n")
        return plain.replace(b"\n", b"\r\n") if b"\r\n" in (self.data or b"") else plain
