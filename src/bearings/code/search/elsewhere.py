"""Mentions: lines in the project's files that hold an element's name beside its known uses.

elsewhere(snapshot, symbol).places    # 0 only if no other line of the searched files holds the name
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, language_of, may_name, spec_of
from bearings.code.languages.embedded import is_embedded, program_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import UNNAMED, EdgeKind, Symbol, SymbolKind
from bearings.code.project.unread_languages import extension_of, is_unread, unread
from bearings.code.project.words import Budget, FileHits, Hit, Search, Word
from bearings.code.replies.account import Account
from bearings.code.replies.elsewhere import Elsewhere, Mention, Mentioned, Unread, Where
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.composed_names import find_composed_names
from bearings.code.search.element_words import (
    declared_at,
    is_called_unnamed,
    is_scanned,
    is_value,
    runs_unnamed,
    words_of,
)
from bearings.code.search.environment import uses_of_variable
from bearings.code.search.members import overridden, with_members
from bearings.code.search.own_imports import lost_starts
from bearings.code.search.reach import without_guesses
from bearings.code.search.through import uses_through_bases
from bearings.untrusted import named

if TYPE_CHECKING:
    from bearings.code.languages.shared.occurrences import Occurrence
    from bearings.code.search.account import Verdict

_ENOUGH = 10
"""The number of known users from which a list counts as complete."""

_SHORTLY = Budget(all_bytes=100_000_000)
"""A shorter list is compared with all occurrences of the name in so much of the sources."""

_SHOWN = 10
_AROUND = 80
"""Characters of a long line on either side of the name."""

_PARSED = 400_000
"""The most characters that are parsed to distinguish code from comments: they take about 0.05 s."""

_MOST_IN_FILE = 150
"""The most occurrences in a file that are accounted for: each is looked up from its leaf to the root of the tree."""

_NAMESAKES = 50
"""The most elements of one name whose uses are looked up."""

_MOST_EXTENSIONS = 8
_BY_LANGUAGE = "the language or its library may call it without its name"
_TOO_MANY = "not every occurrence is accounted for: too many files hold the name"
_REGIONS: Mapping[str, Where] = {"string": "string", "listed": "string", "comment": "comment"}
"""By the kinds of occurrences (languages/shared/occurrences.py)."""
_ORDER: Mapping[Where, int] = {"code": 0, "source": 1, "text": 2, "string": 3, "comment": 4}

Place = tuple[str, int]
"""A file and a line."""


def if_short(
    snapshot: Snapshot, symbol: Symbol, users: Iterable[str], unsure: int, is_listed: Callable[[str], bool] = bool
) -> Elsewhere | None:
    """Every other line that holds the element's name, those of files that are listed first, if users may be missing.

    `users` are the files of the known users, one entry for each. They may be missing if none is in another file, or if
    there are few and some `unsure` sites of the name; beside a longer list the reply shows those sites anyway. If there
    are few and no such sites, the list is whole if all occurrences of the name in the sources are accounted for.
    """
    # Such as a function that only its own file calls, or one with three callers beside `x.login()` of an unknown type.
    files = list(users)
    if all(file == symbol.file for file in files) or (unsure > 0 and len(files) < _ENOUGH):
        return elsewhere(snapshot, symbol, is_listed=is_listed)
    if len(files) >= _ENOUGH or not _is_accountable(symbol):
        return None
    holding = {path for word in words_of(snapshot, symbol) for path in snapshot.graph.holding(word.text)}
    found = elsewhere(snapshot, symbol, _SHORTLY, holding, is_listed)
    if not (found.places or found.at_least or found.unsearched):
        return None
    account = found.account
    may_be_keys = account is not None and account.keys > 0 and symbol.kind is SymbolKind.PROPERTY
    return None if account is not None and not (account.doubtful or may_be_keys) else found


def elsewhere(
    snapshot: Snapshot,
    symbol: Symbol,
    budget: Budget | None = None,
    paths: Collection[str] | None = None,
    is_listed: Callable[[str], bool] = bool,
) -> Elsewhere:
    """Every other line of these files (None: all) that holds the element's name; those of listed files come first."""
    words = [word for word in words_of(snapshot, symbol) if word.text]
    search = Search(snapshot.tree, snapshot.project.paths if paths is None else paths, words, budget)
    members = with_members(snapshot, symbol)
    known = _used_at(snapshot, members)
    reading = _Reading(snapshot, words[0].text if words and _is_accountable(symbol) else "", symbol, members.values())
    own = _Own(snapshot, symbol)
    mentions = _elsewhere(snapshot, search, words, known, _others(snapshot, symbol, words), reading, own, is_listed)
    account = reading.account(is_complete=search.complete)
    is_nowhere = not (mentions.places or known) and (account is None or not account.doubtful)
    unnamed = _BY_LANGUAGE if is_called_unnamed(symbol) else ""
    may_run = bool(unnamed) or _may_run(snapshot, symbol)
    unused = is_nowhere and bool(words) and search.complete and paths is None and not may_run
    composed = find_composed_names(snapshot, [symbol]).get(symbol.id) if unused else None
    by_text = f"{named(composed.file)}:{composed.line} may compose the name" if composed is not None else ""
    note = "; ".join(filter(None, (mentions.note, "" if reading.is_whole else _TOO_MANY, by_text, unnamed)))
    return replace(mentions, unused=unused and composed is None, account=account, note=note or None)


def _is_accountable(symbol: Symbol) -> bool:
    """Whether the occurrences of an element's name can be accounted for."""
    spec = spec_of(symbol.file)
    return symbol.kind not in UNNAMED and spec is not None and spec.name_rules is not None


def elsewhere_of_variable(snapshot: Snapshot, name: str) -> Elsewhere:
    """Every line that holds the name of an environment variable, beside its reads and writes."""
    words = [Word(name)]
    known = {(edge.file, edge.line) for edge in uses_of_variable(snapshot, name)}
    others = _used_at(snapshot, [symbol.id for symbol in snapshot.graph.find(name)[:_NAMESAKES]])
    search = Search(snapshot.tree, snapshot.project.paths, words)
    return _elsewhere(snapshot, search, words, known, others, _Reading(snapshot))


def _elsewhere(
    snapshot: Snapshot,
    search: Search,
    words: Sequence[Word],
    known: Collection[Place],
    others: Collection[Place],
    reading: "_Reading",
    own: "_Own | None" = None,
    is_listed: Callable[[str], bool] = bool,
) -> Elsewhere:
    """The lines that a search finds, without those that are `known` or the element's `own`; `others` come last."""
    rows: list[tuple[bool, Mention]] = []
    for file in search.files():
        hits = [hit for hit in _lines(file) if (file.path, hit.line) not in known]
        hits = [hit for hit in hits if own is None or not own(file.path, hit)]
        for hit, where in zip(hits, reading.regions(file, hits), strict=True):
            rows.append(((file.path, hit.line) in others, _mention(file, hit, where)))
    home = own.file if own is not None else ""
    texts = [word.text for word in words]

    def order(row: tuple[bool, Mention]) -> tuple[object, ...]:
        is_other, mention = row
        is_called = mention.is_called(texts)
        return (
            is_other,
            not is_listed(mention.file),
            _ORDER[mention.where],
            not is_called,
            is_test(mention.file),
            mention.file == home,
            mention.file,
            mention.line,
        )

    rows.sort(key=order)
    mentions = [mention for _, mention in rows]
    lost = lost_starts(snapshot, reading.declaring) if mentions else ""
    return Elsewhere(
        words=tuple(word.text for word in words),
        places=len(mentions),
        files=len({mention.file for mention in mentions}),
        by=dict(Counter(mention.where for mention in mentions)),
        others=sum(is_other for is_other, _ in rows),
        shown=tuple(mentions[:_SHOWN]),
        unread=unread_files(snapshot, Counter(extension_of(one.file) for one in mentions if is_unread(one.file))),
        at_least=search.given_up,
        unsearched=len(search.unsearched),
        note=" ".join(filter(None, (_note(search, words), lost))) or None,
    )


def mentioned(
    snapshot: Snapshot, symbols: Collection[Symbol], paths: Collection[str] | None = None
) -> dict[str, Mentioned]:
    """By id, the number of lines of these files (None: all) that hold the names of elements, without declarations."""
    wanted = {symbol.id: words_of(snapshot, symbol) for symbol in symbols}
    every = dict.fromkeys(word for words in wanted.values() for word in words if word.text)
    search = Search(snapshot.tree, snapshot.project.paths if paths is None else paths, every)
    lines: dict[str, list[tuple[Hit, Mention]]] = {word.text: [] for word in every}
    for file in search.files():
        where: Where = "source" if language_of(file.path) else "text"
        for hit in file.hits:
            lines[hit.word].append((hit, _mention(file, hit, where)))
    return {
        symbol.id: _counted(snapshot, symbol, [row for word in wanted[symbol.id] for row in lines.get(word.text, ())])
        for symbol in symbols
    }


def named_in_tests(snapshot: Snapshot, symbols: Collection[Symbol]) -> dict[str, Mentioned]:
    """As `mentioned`, in files of tests."""
    return mentioned(snapshot, symbols, [path for path in snapshot.project.paths if is_test(path)])


def _counted(snapshot: Snapshot, symbol: Symbol, rows: Iterable[tuple[Hit, Mention]]) -> Mentioned:
    is_own = _Own(snapshot, symbol)
    mentions = {(mention.file, mention.line): mention for hit, mention in rows if not is_own(mention.file, hit)}
    return Mentioned(
        element=symbol.id,
        places=len(mentions),
        files=len({file for file, _ in mentions}),
        first=next(iter(mentions.values()), None),
    )


def _lines(file: FileHits) -> list[Hit]:
    """The first hit of each line."""
    once: dict[int, Hit] = {}
    for hit in file.hits:
        once.setdefault(hit.line, hit)
    return list(once.values())


class _Own:
    """Whether a line is the element's own declaration: the first of its lines that holds its name."""

    def __init__(self, snapshot: Snapshot, symbol: Symbol) -> None:
        self.file = symbol.file
        self._is_file = symbol.kind is SymbolKind.MODULE
        self._first, self._last = declared_at(snapshot, symbol)
        self._at: int | None = None

    def __call__(self, path: str, hit: Hit) -> bool:
        if path != self.file:
            return False
        if self._at is None and self._first <= hit.line <= self._last:
            self._at = hit.line
        return self._is_file or hit.line == self._at


class _Reading:
    """Parses files that hold a word, within a budget of characters: distinguishes code from comments and strings.

    With a `name`, the occurrences of it in code are accounted for: uses of `members`, of other elements, or of none;
    if all lines with the name are known, nothing is parsed.
    """

    def __init__(
        self, snapshot: Snapshot, name: str = "", symbol: Symbol | None = None, members: Iterable[Symbol] = ()
    ) -> None:
        self._snapshot = snapshot
        own = {(one.file, one.qualified_name) for one in members}
        if symbol is not None and symbol.kind is SymbolKind.CONSTRUCTOR:  # users write the name of its class
            own.add((symbol.file, symbol.qualified_name.rpartition(".")[0]))
        self._name, self._own = name, frozenset(own)
        self._namesakes = snapshot.graph.find(name)[:_NAMESAKES] if name else ()
        self.declaring = symbol.file if symbol is not None and symbol.kind is not SymbolKind.ENDPOINT else ""
        """The file that declares it, whose languages name it; empty if any may."""
        self._verdicts: list[Verdict] = []
        self._left = _PARSED
        self._known: list[FileHits] | None = []
        self.is_whole = True
        """Whether all files that hold the word were parsed, as far as its name was found."""

    def account(self, *, is_complete: bool) -> Account | None:
        """The account of the word; None if there is nothing to account for, or not everything could be."""
        if not (self._verdicts and self.is_whole and is_complete):
            return None
        from bearings.code.search.account import account_of  # as below

        return account_of(self._name, self._verdicts)

    def regions(self, file: FileHits, hits: list[Hit]) -> list[Where]:
        """The context of each hit of a file. Those that are left out of `hits` are accounted for, too."""
        language, name = language_of(file.path), self._name
        if language is None or not (hits or name) or not may_name(file.path, self.declaring):
            return ["text"] * len(hits)
        if self._known is not None and not hits:
            self._known.append(file)
            return []
        before, self._known = self._known or (), None
        for known in before:
            self.regions(known, [])
        has_rules = SPECS[language].name_rules is not None
        if len(file.text) > self._left:
            self.is_whole = self.is_whole and not (name and has_rules)
            return ["source"] * len(hits)
        # It loads grammars, which most questions don't need.
        from bearings.code.syntax_trees import occurrences_of, regions_of

        self._left -= len(file.text)
        text = file.text.encode("utf-8", "replace")
        is_plain = not is_embedded(file.path)
        program = text if is_plain else program_of(file.path, text)
        is_common = bool(name) and file.text.count(name) > _MOST_IN_FILE
        found = occurrences_of(language, program, name) if name and not is_common else None
        if found is not None:
            self._add(file.path, found)
        elif name and has_rules:
            self.is_whole = False
        if not is_plain or not hits:
            return ["source"] * len(hits)
        places = _bytes(file.text, hits)
        by_start: dict[int, Where] = {one.start: _REGIONS.get(one.part, "code") for one in found or ()}
        if all(place in by_start for place in places):
            return [by_start[place] for place in places]
        return [*regions_of(language, text, places)] or ["source"] * len(hits)

    def _add(self, path: str, found: "list[Occurrence]") -> None:
        """Adds the occurrences in a file to the account."""
        from bearings.code.search.account import FileAccount, Named  # loads the parser, too

        facts, name = self._snapshot.facts, Named(self._name, self._own, self._namesakes)
        try:
            if path in facts and not facts[path].given_up:
                self._verdicts += FileAccount(facts, self._snapshot.graph, path, name).verdicts(found)
        except NeedsIndex:
            self.is_whole = False


def _bytes(text: str, hits: Iterable[Hit]) -> list[int]:
    """The offsets of hits, in bytes of UTF-8."""
    offsets, at, size = [], 0, 0
    for hit in hits:
        size += len(text[at : hit.start].encode("utf-8", "replace"))
        at = hit.start
        offsets.append(size)
    return offsets


def _may_run(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the element may run without being named, or by the name of a member that it overrides."""
    if runs_unnamed(snapshot, symbol) or is_scanned(snapshot, symbol) or overridden(snapshot, symbol):
        return True
    if is_value(snapshot, symbol):
        return True
    return bool(uses_through_bases(snapshot, with_members(snapshot, symbol), frozenset(EdgeKind)))


def _used_at(snapshot: Snapshot, ids: Iterable[str]) -> set[Place]:
    """The lines of the known uses of some elements."""
    return {(edge.file, edge.line) for id_ in ids for edge in without_guesses(snapshot.graph.edges_to(id_))}


def _others(snapshot: Snapshot, symbol: Symbol, words: Iterable[Word]) -> set[Place]:
    """The lines that declare or use other elements of the same name."""
    namesakes = [
        other
        for word in words
        if not word.is_path and word.text
        for other in snapshot.graph.find(word.text)[:_NAMESAKES]
        if other.id != symbol.id and other.id != symbol.parent
    ]
    return {(other.file, other.line) for other in namesakes} | _used_at(snapshot, [other.id for other in namesakes])


def _mention(file: FileHits, hit: Hit, where: Where) -> Mention:
    return Mention(file=file.path, line=hit.line, where=where, source=_around(file.text, hit))


def _around(text: str, hit: Hit) -> str:
    """The line around a hit, without its indentation; of a long line, the part around the hit."""
    begin = max(text.rfind("\n", 0, hit.start) + 1, hit.start - _AROUND)
    end = text.find("\n", hit.start, hit.start + len(hit.word) + _AROUND)
    return text[begin : end if end >= 0 else hit.start + len(hit.word) + _AROUND].strip()


def unread_files(snapshot: Snapshot, places: Mapping[str, int] | None = None) -> tuple[Unread, ...]:
    """Files in languages that are not parsed, by extension: those with `places` first, then the most frequent."""
    counts = places or {}
    rows = [
        Unread(extension=extension, files=files, places=counts.get(extension, 0))
        for extension, files in unread(snapshot.project.paths).items()
    ]
    return tuple(sorted(rows, key=lambda row: -row.places)[:_MOST_EXTENSIONS])


def _note(search: Search, words: Collection[Word]) -> str:
    notes = []
    if not words:
        notes.append("it has no name to look for")
    if search.given_up:
        notes.append(f"the search stopped early: {search.remaining} files were not searched")
    if search.unsearched:
        left = search.unsearched[0]
        more = f" and {len(search.unsearched) - 1} more" if len(search.unsearched) > 1 else ""
        notes.append(f"not searched: {named(left.path)} ({left.reason}){more}")
    return "; ".join(notes)
