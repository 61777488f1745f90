"""Search for very many words at once: each file is split into its words once."""

from collections.abc import Collection

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.project.tree import Tree
from bearings.code.project.words import CUT, Budget, Texts

_MOST_ODD = 300
"""The most words that are no ASCII identifiers; each is searched separately. Further ones are assumed to be present."""

ENOUGH = 2
"""The most files of a word in the result."""


class WordPresence(Texts):
    """One pass over the files. `unasked` are words that were not searched."""

    def __init__(
        self, tree: Tree, paths: Collection[str], words: Collection[str], budget: Budget | None = None
    ) -> None:
        super().__init__(tree, paths, budget)
        coded = {word.encode("utf-8", "replace"): word for word in sorted(set(words)) if word}
        self._plain = {data: word for data, word in coded.items() if data.translate(CUT) == data}
        odd = [(data, word) for data, word in coded.items() if data not in self._plain]
        self._odd = dict(odd[:_MOST_ODD])
        self.unasked = frozenset(word for _, word in odd[_MOST_ODD:])

    def files(self) -> dict[str, list[str]]:
        """By word, the first files that hold it, at most ENOUGH; words without a file are missing."""
        found: dict[str, list[str]] = {}
        wanted = set(self._plain)
        odd = dict(self._odd)
        for path, data in self.read():
            here = [self._plain[word] for word in wanted.intersection(data.translate(CUT).split())]
            here += [word for needle, word in odd.items() if needle in data]
            for word in here:
                files = found.setdefault(word, [])
                files.append(path)
                if len(files) >= ENOUGH:
                    wanted.discard(word.encode("utf-8", "replace"))
                    odd.pop(word.encode("utf-8", "replace"), None)
        return found


def lines_of(path: str, data: bytes, words: Collection[str]) -> dict[str, list[int]]:
    """The lines of a file by word; a non-ASCII word may be a part of another."""
    coded = {word.encode("utf-8", "replace"): word for word in words}
    plain = {word for word in coded if word.translate(CUT) == word}
    odd = coded.keys() - plain
    found: dict[str, list[int]] = {}
    for number, line in enumerate(as_utf8(language_of(path), data).split(b"\n"), 1):
        here = plain.intersection(line.translate(CUT).split())
        for word in here.union(word for word in odd if word in line) if odd else here:
            found.setdefault(coded[word], []).append(number)
    return found
