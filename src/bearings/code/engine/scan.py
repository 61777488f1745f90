"""Answers Scan: lists the elements of a project."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from bearings.code.analyses.element_folders import by_folder
from bearings.code.languages import EXTENSIONS, language_of
from bearings.code.models import FileFacts, Language, Symbol, SymbolKind
from bearings.code.project.file_pattern import Pattern
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.questions.graph import Left, Scan, ScanPage
from bearings.code.resolve.file_summary import FileSummary, types_of
from bearings.paging import decode, fingerprint

_MAX_LEFT = 50
_MAX_GENERATED = 20
_MAX_BROKEN = 20

_NO_SUMMARIES: Mapping[str, FileSummary] = {}

_EXPECTED = (SkipReason.IGNORED, SkipReason.EXCLUDED)
"""Expected reasons, which are listed last."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Counts of a whole list of elements, and its fingerprint; `sizes` are the numbers of elements by file."""

    of: str
    sizes: dict[str, int]
    by_kind: dict[SymbolKind, int]
    by_language: dict[Language, int]
    generated: list[str]
    broken: list[str]


class Scanner:
    """Answers Scan. It caches the counts of the last list, so that its next pages are cheap."""

    def __init__(self) -> None:
        self._last: Listing | None = None

    def page(
        self,
        facts: Mapping[str, FileFacts],
        skipped: tuple[Skipped, ...],
        revision: str,
        question: Scan,
        summaries: Mapping[str, FileSummary] = _NO_SUMMARIES,
    ) -> ScanPage:
        """The page of a question; it unpacks a file only if its summary is not enough.

        Raises InvalidInput for a bad pattern or cursor.
        """
        of = fingerprint(
            ("scan", question.languages, question.kinds, question.path, question.lexical, revision),
        )
        offset = decode(question.cursor, of)
        if self._last is None or self._last.of != of:
            self._last = _listing(facts, summaries, question, of)
        listed = self._last
        total = sum(listed.sizes.values())
        return ScanPage(
            total=total,
            offset=offset,
            of=of,
            symbols=tuple(_slice(facts, listed.sizes, question, offset, offset + question.limit)),
            by_kind=listed.by_kind,
            by_language=listed.by_language,
            by_folder=by_folder(listed.sizes),
            left_out=tuple(Left(left.path, left.reason) for left in sorted(skipped, key=_by_surprise)[:_MAX_LEFT]),
            left_out_by_reason=dict(Counter(str(left.reason) for left in skipped).most_common()),
            parse_errors=len(listed.broken),
            generated=tuple(listed.generated[:_MAX_GENERATED]),
            generated_total=len(listed.generated),
            broken=tuple(listed.broken[:_MAX_BROKEN]),
            note="" if total else _why_empty(facts, skipped),
        )


def _listing(facts: Mapping[str, FileFacts], summaries: Mapping[str, FileSummary], question: Scan, of: str) -> Listing:
    listed = Listing(of, {}, {}, {}, [], [])
    by_kind: Counter[SymbolKind] = Counter()
    by_language: Counter[Language] = Counter()
    for path, language in _chosen(facts, question):
        summary = summaries.get(path)
        if summary is None or question.kinds:
            file = facts[path]
            types, broken, generated = types_of(_ordered(file, question)), file.errors > 0, file.generated
        else:
            types, broken, generated = summary.types, summary.broken, summary.generated
        listed.sizes[path] = size = sum(types.values())
        by_language[language] += size
        by_kind.update(types)
        if broken:
            listed.broken.append(path)
        if generated:
            listed.generated.append(path)
    listed.by_kind.update(by_kind.most_common())
    listed.by_language.update((language, count) for language, count in by_language.most_common() if count)
    return listed


def _slice(
    facts: Mapping[str, FileFacts], sizes: Mapping[str, int], question: Scan, start: int, end: int
) -> Iterator[Symbol]:
    """The elements of the list from index `start` up to `end`."""
    first = 0
    for path, size in sizes.items():
        if first >= end:
            return
        if size and first + size > start:
            yield from _ordered(facts[path], question)[max(0, start - first) : end - first]
        first += size


def _by_surprise(left: Skipped) -> tuple[bool, Skipped]:
    return left.reason in _EXPECTED, left


def _why_empty(facts: Mapping[str, FileFacts], skipped: Collection[Skipped]) -> str:
    """A note that explains an empty list."""
    if facts:
        return f"No element in the project's {len(facts)} source files matches the question."
    left = f" The files that were left out ({len(skipped)}) are listed as skipped." if skipped else ""
    return f"The project has no source file in a supported language ({' '.join(EXTENSIONS)}).{left}"


def _chosen(facts: Mapping[str, FileFacts], question: Scan) -> Iterator[tuple[str, Language]]:
    """The files that match the question's languages and path, in order."""
    pattern = Pattern(question.path, "path") if question.path.strip() else None
    for path in facts:
        language = language_of(path) or facts[path].language
        if (not question.languages or language in question.languages) and (pattern is None or pattern.matches(path)):
            yield path, language


def _ordered(file: FileFacts, question: Scan) -> list[Symbol]:
    chosen = _of_kinds(file, question.kinds) if question.kinds else file.symbols[1:]
    return sorted(chosen, key=lambda symbol: symbol.line)


def _of_kinds(file: FileFacts, kinds: tuple[SymbolKind, ...]) -> Iterator[Symbol]:
    """The symbols of some kinds, shown as the question's kind: a schema is a class too, if classes are wanted."""
    for symbol in file.symbols:
        if symbol.type in kinds:
            yield symbol
        elif symbol.kind in kinds:
            yield replace(symbol, detail=None)
