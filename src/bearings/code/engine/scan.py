"""Answers Scan: which elements there are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pathspec import GitIgnoreSpec

from bearings.code.engine.protocol import Left, Scan, ScanPage
from bearings.code.models import FileFacts, Symbol, SymbolKind
from bearings.code.project import Skipped
from bearings.errors import InvalidInput
from bearings.paging import decode, fingerprint

_MAX_LEFT = 50


def scan(facts: Mapping[str, FileFacts], skipped: tuple[Skipped, ...], revision: str, question: Scan) -> ScanPage:
    """The page that was asked for. Raises InvalidInput for a bad pattern or cursor."""
    of = fingerprint(
        ("scan", question.languages, question.kinds, question.path, question.lexical, revision),
    )
    offset = decode(question.cursor, of)
    chosen = list(_chosen(facts, question))
    symbols = [symbol for file in chosen for symbol in _ordered(file, question)]
    language = {file.path: file.language for file in chosen}
    return ScanPage(
        total=len(symbols),
        offset=offset,
        of=of,
        symbols=tuple(symbols[offset : offset + question.limit]),
        by_kind=dict(Counter(symbol.kind for symbol in symbols).most_common()),
        by_language=dict(Counter(language[symbol.file] for symbol in symbols).most_common()),
        left_out=tuple(Left(left.path, left.reason) for left in skipped[:_MAX_LEFT]),
        left_out_total=len(skipped),
        parse_errors=sum(1 for file in chosen if file.errors),
    )


def _chosen(facts: Mapping[str, FileFacts], question: Scan) -> Iterator[FileFacts]:
    """The files of the languages and the path that were asked for, in order."""
    pattern = _Pattern(question.path) if question.path.strip() else None
    for file in facts.values():
        if (not question.languages or file.language in question.languages) and (
            pattern is None or pattern.matches(file.path)
        ):
            yield file


class _Pattern:
    """Paths that a .gitignore line would match."""

    def __init__(self, pattern: str) -> None:
        remedy = "Pass a pattern such as src/**/*.ts, src/auth, or *.py."
        if pattern.lstrip().startswith(("!", "#")):
            raise InvalidInput("path", pattern, "is no pattern", remedy)
        try:
            self._spec = GitIgnoreSpec.from_lines([pattern.strip().removeprefix("./")])
        except ValueError as error:
            raise InvalidInput("path", pattern, "is no pattern", remedy) from error

    def matches(self, path: str) -> bool:
        """Whether the line would."""
        return self._spec.match_file(path)


def _ordered(file: FileFacts, question: Scan) -> Iterable[Symbol]:
    chosen = [
        symbol
        for symbol in file.symbols
        if (symbol.kind in question.kinds if question.kinds else symbol.kind is not SymbolKind.MODULE)
    ]
    return sorted(chosen, key=lambda symbol: symbol.line)
