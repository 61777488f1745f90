"""The part of a reply with the other lines that contain an element's word."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import field

from bearings.code.replies.account import Account
from bearings.code.replies.lines import Place, Row, lines_of, site
from bearings.reply import Part, SymbolName

Where = Literal["code", "comment", "string", "source", "text"]
"""The kind of text on a line. `source`: of an indexed file, undetermined; `text`: of a file that is not indexed."""

_WHERE: dict[Where, str] = {
    "code": "in code",
    "comment": "in comments",
    "string": "in strings",
    "source": "in sources",
    "text": "in other files",
}


@lru_cache(maxsize=64)
def _called(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$]){re.escape(word)}\s*\(")


class Mention(Part):
    """A line that contains the word, in code, a comment or a string, or in a file that is read as text only."""

    file: SymbolName
    line: int
    where: Where
    source: SymbolName

    def is_called(self, words: Iterable[str]) -> bool:
        """Whether one of some words seems to be called on the line: strings are not always known from code."""
        return self.where in ("code", "source") and any(_called(word).search(self.source) for word in words if word)

    def placed(self) -> Row:
        """The line, and the kind of text around the word."""
        return self.file, site(self.line, [self.where], self.source)

    def to_text(self) -> str:
        """One line."""
        return "  " + "".join(self.placed())


class Unread(Part):
    """Files in an unsupported language, and the number of their lines that contain the word."""

    extension: SymbolName
    files: int
    places: int = 0

    def to_text(self) -> str:
        """A part of a list."""
        return f"{self.files} {self.extension}" + (f" (on {self.places} lines)" if self.places else "")


class Elsewhere(Part):
    """Lines of any file that contain the element's word, without its declaration and its known uses.

    `others` of them certainly declare or use another element of that name. `unused`: the word occurs nowhere else.
    `at_least`: the search stopped early, so there may be more. `above` counts lines that the same reply lists before.
    `account` is of the word in code; there is none if too many files hold it.
    """

    words: Sequence[SymbolName]
    places: int
    files: int
    by: dict[Where, int] = field(default_factory=dict)
    others: int = 0
    shown: Sequence[Mention] = field(default_factory=list)
    unread: Sequence[Unread] = field(default_factory=list)
    unused: bool = False
    at_least: bool = False
    unsearched: int = 0
    above: int = 0
    account: Account | None = None
    note: str | None = None

    def calls(self) -> list[Place]:
        """The shown lines on which the word is called, without those of other elements, which come last."""
        own = self.shown[: max(0, self.places - self.others)]
        return [(one.file, one.line) for one in own if one.is_called(self.words)]

    def lined_text(self) -> str:
        """The counts and lines, with the lines of a file together."""
        return "\n".join([self._head(), *lines_of(self.shown), *self._rest()])

    def to_text(self) -> str:
        """The counts, the first lines, and the unread files."""
        return "\n".join([self._head(), *(mention.to_text() for mention in self.shown), *self._rest()])

    def _head(self) -> str:
        words = " or ".join(self.words)
        if not self.places:
            searched = "line that was searched" if self.at_least or self.unsearched else "line of the project"
            conclusion = ": unused" if self.unused else ", beside its declaration and the uses that are known"
            return f"elsewhere: no other {searched} holds {words}{conclusion}"
        least = "at least " if self.at_least else ""
        kinds = ", ".join(f"{count} {_WHERE[where]}" for where, count in self.by.items())
        others = f"; of another element of that name: {self.others}" if self.others else ""
        shown = [f"first {len(self.shown)}" if self.shown else "", f"{self.above} above" if self.above else ""]
        more = f" ({', '.join(filter(None, shown))})" if any(shown) and len(self.shown) < self.places else ""
        return f"elsewhere: {words} on {least}{counted_lines(self.places, self.files)}: {kinds}{others}{more}"

    def _rest(self) -> list[str]:
        unread = [f"not read, only searched: {', '.join(row.to_text() for row in self.unread)}"] if self.unread else []
        account = [self.account.to_text()] if self.account is not None and not self.account.is_plain else []
        return [*account, *unread, *([self.note] if self.note else [])]


def counted_lines(places: int, files: int) -> str:
    """The number of lines and files, in words."""
    return f"{places} other {'line' if places == 1 else 'lines'} in {files} {'file' if files == 1 else 'files'}"


class Mentioned(Part):
    """The number of lines that contain the word of an element without a known use, and the first line."""

    element: SymbolName
    places: int
    files: int
    first: Mention | None = None

    def to_text(self) -> str:
        """One line."""
        at = f", first {self.first.to_text().strip()}" if self.first else ""
        return f"  {self.element}: its word on {counted_lines(self.places, self.files)}{at}"
