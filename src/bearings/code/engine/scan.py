"""Answers Scan: which elements there are."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace
from pathspec import GitIgnoreSpec

from bearings.code.engine.questions.graph import Left, Scan, ScanPage
from bearings.code.languages import EXTENSIONS
from bearings.code.models import FileFacts, Language, Symbol, SymbolKind
from bearings.code.project import Skipped, SkipReason
from bearings.errors import InvalidInput
from bearings.paging import decode, fingerprint

_MAX_LEFT = 50
_MAX_GENERATED = 20
_MAX_BROKEN = 20

_EXPECTED = (SkipReason.IGNORED, SkipReason.EXCLUDED)
"""What nobody is surprised by, and so is named last."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A whole list of elements, and the fingerprint of what it was made from."""

    of: str
    symbols: list[Symbol]
    by_kind: dict[SymbolKind, int]
    by_language: dict[Language, int]
    parse_errors: int
    generated: list[str]
    broken: tuple[str, ...]


class Scanner:
    """Answers Scan. The last list is kept, so that its pages, and the same question again, cost nothing."""

    def __init__(self) -> None:
        self._last: Listed | None = None

    def page(
        self, facts: Mapping[str, FileFacts], skipped: tuple[Skipped, ...], revision: str, question: Scan
    ) -> ScanPage:
        """The page that was asked for. Raises InvalidInput for a bad pattern or cursor."""
        of = fingerprint(
            ("scan", question.languages, question.kinds, question.path, question.lexical, revision),
        )
        offset = decode(question.cursor, of)
        if self._last is None or self._last.of != of:
            self._last = _listed(facts, question, of)
        listed = self._last
        return ScanPage(
            total=len(listed.symbols),
            offset=offset,
            of=of,
            symbols=tuple(listed.symbols[offset : offset + question.limit]),
            by_kind=listed.by_kind,
            by_language=listed.by_language,
            left_out=tuple(Left(left.path, left.reason) for left in sorted(skipped, key=_surprise)[:_MAX_LEFT]),
            left_out_by_reason=dict(Counter(str(left.reason) for left in skipped).most_common()),
            parse_errors=listed.parse_errors,
            generated=tuple(listed.generated[:_MAX_GENERATED]),
            generated_total=len(listed.generated),
            broken=listed.broken,
            note="" if listed.symbols else _why_empty(facts, skipped),
        )


def _listed(facts: Mapping[str, FileFacts], question: Scan, of: str) -> Listed:
    chosen = list(_chosen(facts, question))
    by_file = [(file, _ordered(file, question)) for file in chosen]
    by_language: Counter[Language] = Counter()
    for file, symbols in by_file:
        by_language[file.language] += len(symbols)
    everything = [symbol for _, symbols in by_file for symbol in symbols]
    return Listed(
        of=of,
        symbols=everything,
        by_kind=dict(Counter(symbol.type for symbol in everything).most_common()),
        by_language={language: count for language, count in by_language.most_common() if count},
        parse_errors=sum(1 for file in chosen if file.errors),
        generated=[file.path for file in chosen if file.generated],
        broken=tuple(file.path for file in chosen if file.errors)[:_MAX_BROKEN],
    )


def _surprise(left: Skipped) -> tuple[bool, Skipped]:
    return left.reason in _EXPECTED, left


def _why_empty(facts: Mapping[str, FileFacts], skipped: Collection[Skipped]) -> str:
    """What a list without an element means."""
    if facts:
        return f"None of the elements in the project's {len(facts)} source files is what was asked for."
    left = f" What was left out ({len(skipped)}) is listed as skipped." if skipped else ""
    return f"The project has no source file of a language that is read ({' '.join(EXTENSIONS)}).{left}"


def _chosen(facts: Mapping[str, FileFacts], question: Scan) -> Iterator[FileFacts]:
    """The files of the languages and the path that were asked for, in order."""
    pattern = Pattern(question.path, "path") if question.path.strip() else None
    for file in facts.values():
        if (not question.languages or file.language in question.languages) and (
            pattern is None or pattern.matches(file.path)
        ):
            yield file


class Pattern:
    """Paths that a .gitignore line would match."""

    def __init__(self, pattern: str, field: str) -> None:
        remedy = "Pass a pattern such as src/**/*.ts, src/auth, or *.py."
        if pattern.lstrip().startswith(("!", "#")):
            raise InvalidInput(field, pattern, "is no pattern", remedy)
        try:
            self._spec = GitIgnoreSpec.from_lines([pattern.strip().removeprefix("./")])
        except ValueError as error:
            raise InvalidInput(field, pattern, "is no pattern", remedy) from error

    def matches(self, path: str) -> bool:
        """Whether the line would."""
        return self._spec.match_file(path)


def _ordered(file: FileFacts, question: Scan) -> list[Symbol]:
    chosen = _of_kinds(file, question.kinds) if question.kinds else file.symbols[1:]
    return sorted(chosen, key=lambda symbol: symbol.line)


def _of_kinds(file: FileFacts, kinds: tuple[SymbolKind, ...]) -> Iterator[Symbol]:
    """The symbols of some kinds, shown as what was asked for: a schema is a class too, where classes are wanted."""
    for symbol in file.symbols:
        if symbol.type in kinds:
            yield symbol
        elif symbol.kind in kinds:
            yield replace(symbol, detail=None)
