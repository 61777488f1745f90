"""Lines of code that show a text by its key: `t("signIn")` shows what `"signIn": "Sign in"` in locales/en.json says."""

import re
from collections.abc import Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.project.fulltext import TextFile, TextLine, TextSearch
from bearings.code.questions.explore.terms import Terms, term_of

_CATALOGUE = re.compile(
    r"(?:^|[/._-])(?:locales?|i18n|lang(?:uage)?s?|translations?|messages|nls)(?:[/._-].*)?"
    r"\.(?:json5?|ya?ml|properties|arb|ftl|strings)$",
    re.IGNORECASE,
)
"""Files of translated texts, by the folders and names that frameworks give them."""
_ENTRY = re.compile(r"""\s*["']?(?P<key>[A-Za-z_][\w.-]{2,})["']?\s*[:=]\s*(?P<text>\S.*)""")
_WORD = re.compile(r"[^\W\d_]+")
_LEAST, _SHARE = 3, 0.75
"""The least words of a text that a question quotes, and the share of them that it has. Chosen."""
_MOST_KEYS = 4


def shown_texts(snapshot: Snapshot, search: TextSearch, terms: Terms) -> dict[str, TextFile]:
    """Files with the lines that hold the keys of texts which the question quotes, by path.

    Such a line has the terms of its text.
    """
    words = {term_of(word.lower()) for text in (*terms.written, *terms.left_out) for word in _WORD.findall(text)}
    keys = dict(_keys(search.files, words))
    found = TextSearch(snapshot.tree, snapshot.project.paths, list(keys)).files if keys else ()
    sources = (file for file in found if language_of(file.path) is not None)
    files = (file._replace(lines=list(_shown(file, keys))) for file in sources)
    return {file.path: file for file in files if file.lines}


def _keys(files: list[TextFile], words: set[str]) -> Iterator[tuple[str, frozenset[int]]]:
    """The last parts of the keys of texts whose words are mostly among some, with the terms of their lines."""
    rows = []
    for file in files:
        for line in file.lines if _CATALOGUE.search(file.path) else ():
            entry = _ENTRY.match(file.text, file.text.rfind("\n", 0, line.start) + 1)
            said = {term_of(word.lower()) for word in _WORD.findall(entry["text"])} if entry else set()
            if entry and len(said) >= _LEAST and len(said & words) >= _SHARE * len(said):
                rows.append((-len(said & words), entry["key"].rpartition(".")[2], line.terms))
    rows.sort(key=lambda row: row[:2])
    for count, key, held in rows[:_MOST_KEYS]:
        if count == rows[0][0]:  # fewer words are those of a text that is much like the quoted one
            yield key, held


def _shown(file: TextFile, keys: Mapping[str, frozenset[int]]) -> Iterator[TextLine]:
    """The lines of a source that hold a key at the end of a string."""
    for key, held in keys.items():
        for match in re.finditer(rf"[\"'`.:]{re.escape(key)}[\"'`]", file.text):
            yield TextLine(file.text.count("\n", 0, match.start()) + 1, match.start(), held)
