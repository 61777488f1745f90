"""The files that a change of a signature edits."""

from bearings.code.languages import language_of
from bearings.code.languages.shared.occurrences import Occurrence
from bearings.code.languages.shared.signatures import SignatureRules, Signatures, Site
from bearings.code.questions.signature.lists import Draft
from bearings.code.refactoring.texts import plain_text
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import occurrences_of, signatures_of


class File:
    """A file with the reader of its functions and calls, and its draft."""

    def __init__(self, path: str, data: bytes, reader: Signatures, text: bytes, shift: int) -> None:
        self.path, self.data, self.reader, self.text, self.shift = path, data, reader, text, shift
        self.draft = Draft(data[self.shift :])
        self.calls: dict[int, Site] = {}
        self.heads: list[Site] = []
        self.lines: set[int] = set()
        self.call_lines: set[int] = set()
        """The lines with a place that is understood, and with a call."""
        self.count = 0
        self._named: dict[str, list[Occurrence]] = {}
        self.dropped: list[tuple[int, int]] = []
        """The bytes of arguments that go."""

    def take(self, line: int, call: Site) -> None:
        """Take in the lines of a call that is understood."""
        self.lines.add(line)
        self.call_lines |= {line, call.call_line}

    def named(self, name: str) -> list[Occurrence]:
        """The occurrences of a name."""
        if name not in self._named:
            language = language_of(self.path)
            found = occurrences_of(language, self.text, name) if language is not None else None
            self._named[name] = found or []
        return self._named[name]


def file_of(view: WholeGraph, path: str, rules: SignatureRules) -> File | None:
    """Read a file; None for one of another language, or that can't be read."""
    language, data = language_of(path), view.lines.data(path)
    plain = plain_text(path, data)
    reader = signatures_of(language, plain[0]) if language is not None and plain is not None else None
    return File(path, data, reader, *plain) if reader is not None and reader.rules is rules and plain else None
