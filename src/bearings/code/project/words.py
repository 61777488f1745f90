"""Search for whole words in all files of a project, in any language.

There is no index: the files are read before a reply says that a name is nowhere else, so the answer is always fresh
(docs/decisions/0019). A place is a line: a word that is twice on a line counts once.

    search = Search(tree, paths, [Word("timeoutMs")])
    for file in search.files():
        file.path, file.hits[0].line      # "src/App.vue", 12
    search.unsearched                     # files that may hold the word, but were not read
"""

import heapq
import re
import time
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from bearings.code.grouping import grouped
from bearings.code.languages import SPECS, language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.project.names import is_index
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import Source, as_narrow, is_binary
from bearings.code.project.tree import Reader, Tree
from bearings.code.project.unread_languages import is_unread

_FEW = 8
"""The most words that are searched one by one; for more, a file is split into its words once."""

CUT = bytes(byte if (chr(byte).isalnum() and byte < 128) or byte == ord("_") else 32 for byte in range(256))
_WORDS = {True: re.compile(r"[\w$]+"), False: re.compile(r"\w+")}
"""Identifiers, by whether a dollar may be part of one."""

_MOST_MATCHES = 100_000
"""The most matches of one file."""

_MAYBE = frozenset({SkipReason.TOO_LARGE, SkipReason.UNREADABLE})
"""Reasons to report a file that may hold a word. The target of a link inside the project is read at its own path."""


class Word(NamedTuple):
    """A search word: a whole identifier, or with `is_path` a file's stem in a path."""

    text: str
    is_path: bool = False


class Hit(NamedTuple):
    """A line that holds a word; `start` is the offset of its first occurrence in the file's text."""

    word: str
    line: int
    start: int


class FileHits(NamedTuple):
    """A file that holds some of the words: its text, and its lines in order. `cut`: there are more."""

    path: str
    text: str
    hits: list[Hit]
    cut: bool


class Budget(NamedTuple):
    """The limits of a search, after which it stops early and reports that."""

    seconds: float = 5.0
    file_bytes: int = 8_000_000
    all_bytes: int = 1_000_000_000
    lines: int = 20_000
    clock: Callable[[], float] = time.monotonic


class Texts:
    """The project's text files, one by one, until a budget is spent; indexes of elements are left out.

    After the last, `complete` says whether every file that may hold a word was read.
    """

    def __init__(self, tree: Tree, paths: Collection[str], budget: Budget | None = None) -> None:
        self._tree = tree
        self._paths = sorted((path for path in paths if not is_index(path)), key=_by_interest)
        self._budget = budget or Budget()
        self.searched = 0
        self.unsearched: list[Skipped] = []
        self.given_up = False

    @property
    def complete(self) -> bool:
        """Whether every file that may hold a word was read."""
        return not (self.given_up or self.unsearched)

    @property
    def remaining(self) -> int:
        """The number of files that were not reached."""
        return len(self._paths) - self.searched

    def read(self) -> Iterator[tuple[str, bytes]]:
        """Paths and bytes: sources first, then files in other languages, then other text. Binary files are empty."""
        deadline = self._budget.clock() + self._budget.seconds
        bytes_left = self._budget.all_bytes
        with self._tree.reading() as reader:
            for path in self._paths:
                if bytes_left <= 0 or self._budget.clock() > deadline:
                    self.given_up = True
                    return
                data = self._data(reader, path)
                self.searched += 1
                bytes_left -= len(data)
                yield path, data

    def _data(self, reader: Reader, path: str) -> bytes:
        """The bytes of a text file; empty for any other."""
        source = reader.read(path, self._budget.file_bytes)
        if isinstance(source, Source):
            data = as_narrow(source.data)
            return b"" if is_binary(data) else data
        if source is not None and source.reason in _MAYBE:
            self.unsearched.append(source)
        return b""


class Search(Texts):
    """One search for whole words."""

    def __init__(
        self, tree: Tree, paths: Collection[str], words: Collection[Word], budget: Budget | None = None
    ) -> None:
        super().__init__(tree, paths, budget)
        self._finder = _Finder(words)

    def files(self) -> Iterator[FileHits]:
        """The files that hold a word, in the order of `read`."""
        lines = self._budget.lines
        for path, data in self.read():
            present = self._finder.present(data)
            if present:
                file = self._finder.hits(path, data, present)
                lines -= len(file.hits)
                self.given_up = self.given_up or file.cut
                if file.hits:
                    yield file
            if lines <= 0:
                self.given_up = self.given_up or self.remaining > 0
                return


class _Finder:
    """Finds words in the bytes of a file."""

    def __init__(self, words: Collection[Word]) -> None:
        self._words = {word.text.encode("utf-8", "replace"): word for word in words if word.text}
        plain = {data for data, word in self._words.items() if not word.is_path and data.translate(CUT) == data}
        self._many = plain if len(self._words) > _FEW else set()
        self._few = self._words.keys() - self._many

    def present(self, data: bytes) -> list[Word]:
        """The words that a file may hold: each is in its bytes, possibly as a part of another word."""
        present_words = [word for word in self._few if word in data]
        if self._many:
            present_words += self._many.intersection(data.translate(CUT).split())
        return [self._words[word] for word in present_words]

    def hits(self, path: str, data: bytes, present: Collection[Word]) -> FileHits:
        """The lines of a file that hold any of these words."""
        language = language_of(path)
        text = as_utf8(language, data).decode("utf-8", "replace")
        first_hits: dict[tuple[int, str], Hit] = {}
        line, at, looked_at = 1, 0, 0
        has_dollars = language is not None and "$" in SPECS[language].name_signs
        for start, word in _matches(text, present, dollars=has_dollars):
            looked_at += 1
            if looked_at > _MOST_MATCHES:
                break
            line, at = line + text.count("\n", at, start), start
            first_hits.setdefault((line, word), Hit(word, line, start))
        return FileHits(path, text, list(first_hits.values()), looked_at > _MOST_MATCHES)


def _matches(text: str, words: Collection[Word], *, dollars: bool) -> Iterator[tuple[int, str]]:
    """The matches of words, in order."""
    plain = {word.text for word in words if not word.is_path and _WORDS[dollars].fullmatch(word.text)}
    if len(plain) <= _FEW:
        if all(word.text in plain and not word.is_path for word in words):
            return heapq.merge(*(_found(text, word, dollars=dollars) for word in dict.fromkeys(words)))
        return _by_patterns(text, words, dollars=dollars)
    others = [word for word in words if word.is_path or word.text not in plain]
    matches = ((match.start(), match[0]) for match in _WORDS[dollars].finditer(text) if match[0] in plain)
    return heapq.merge(matches, _by_patterns(text, others, dollars=dollars)) if others else matches


def _found(text: str, word: Word, *, dollars: bool) -> Iterator[tuple[int, str]]:
    """The matches of one identifier: `find` skips the text between them, where a pattern tries every offset.

    Whole identifiers never overlap, so each can be searched by itself.
    """
    is_whole = re.compile(_pattern(word, dollars=dollars)).match
    start = text.find(word.text)
    while start >= 0:
        if is_whole(text, start):
            yield start, word.text
        start = text.find(word.text, start + 1)


def _by_patterns(text: str, words: Collection[Word], *, dollars: bool) -> Iterator[tuple[int, str]]:
    """The matches by one pattern; for few words, because each is tried at every offset."""
    longest_first = sorted(words, key=lambda word: -len(word.text))
    for match in re.finditer("|".join(_pattern(word, dollars=dollars) for word in longest_first), text):
        yield match.start(), match[0]


def _pattern(word: Word, *, dollars: bool) -> str:
    """A pattern for a whole word. A name that starts or ends with punctuation, such as `#x`, needs none there."""
    text = re.escape(word.text)
    if word.is_path:
        return rf"(?<=[/\"'`]){text}(?=[\"'`./?])"
    letter = r"[\w$]" if dollars else r"\w"
    before = rf"(?<!{letter})" if re.match(letter, word.text) else ""
    after = rf"(?!{letter})" if re.search(rf"{letter}\Z", word.text) else ""
    return f"{before}{text}{after}"


def _by_interest(path: str) -> tuple[int, str]:
    return (0 if language_of(path) else 1 if is_unread(path) else 2), path


_MOST_ODD = 300
"""The most words that are no ASCII identifiers; each is searched separately. Further ones are assumed to be present."""

ENOUGH = 2
"""The most files of a word in the result."""


class WordPresence(Texts):
    """One pass over the files. `not_searched` are words that were not searched."""

    def __init__(
        self, tree: Tree, paths: Collection[str], words: Collection[str], budget: Budget | None = None
    ) -> None:
        super().__init__(tree, paths, budget)
        coded = {word.encode("utf-8", "replace"): word for word in sorted(set(words)) if word}
        self._plain = {data: word for data, word in coded.items() if data.translate(CUT) == data}
        odd = [(data, word) for data, word in coded.items() if data not in self._plain]
        self._odd = dict(odd[:_MOST_ODD])
        self.not_searched = frozenset(word for _, word in odd[_MOST_ODD:])

    def files(self) -> dict[str, list[str]]:
        """By word, the first files that hold it, at most ENOUGH; words without a file are missing."""
        files_by_word: dict[str, list[str]] = {}
        wanted = set(self._plain)
        odd = {needle: (word, frozenset(needle.translate(CUT).split())) for needle, word in self._odd.items()}
        for path, data in self.read():
            tokens = set(data.translate(CUT).split())
            words_in_file = [self._plain[word] for word in wanted & tokens]
            words_in_file += [word for needle, (word, parts) in odd.items() if parts <= tokens and needle in data]
            for word in words_in_file:
                files = files_by_word.setdefault(word, [])
                files.append(path)
                if len(files) >= ENOUGH:
                    wanted.discard(word.encode("utf-8", "replace"))
                    odd.pop(word.encode("utf-8", "replace"), None)
        return files_by_word


def lines_of(path: str, data: bytes, words: Collection[str]) -> dict[str, list[int]]:
    """The lines of a file by word; a non-ASCII word may be a part of another."""
    coded = {word.encode("utf-8", "replace"): word for word in words}
    odd = {data for data in coded if data.translate(CUT) != data}
    plain = coded.keys() - odd
    return grouped(
        (coded[word], number)
        for number, line in enumerate(as_utf8(language_of(path), data).split(b"\n"), 1)
        for word in (*plain.intersection(line.translate(CUT).split()), *(word for word in odd if word in line))
    )
