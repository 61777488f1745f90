"""Lists the elements of a project."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.languages.spec import Capability
from bearings.code.models import Language, Symbol, SymbolKind
from bearings.code.project.file_pattern import Pattern
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.questions.scan import Scan, ScanReply, SkippedFile
from bearings.code.replies.element import Element, not_indexed, path_line
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_escaped, all_tidied
from bearings.code.resolve.file_summary import types_of
from bearings.code.search.capabilities import counted, without
from bearings.code.search.elsewhere import unread_files
from bearings.code.search.endpoints import frameworks_not_understood, mounted_paths
from bearings.code.search.language_names import languages_named
from bearings.code.search.targets import no_source
from bearings.code.search.view import WholeGraph
from bearings.untrusted import named

_MAX_LEFT = 50
_MAX_GENERATED = 20
_MAX_BROKEN = 20

_EXPECTED = (SkipReason.IGNORED, SkipReason.EXCLUDED)
"""Expected reasons, which are listed last."""


@dataclass(frozen=True, slots=True)
class _Listing:
    """Counts of a whole list of elements; `sizes` are the numbers of elements by file."""

    sizes: dict[str, int]
    by_kind: dict[SymbolKind, int]
    by_language: dict[Language, int]
    generated: list[str]
    broken: list[str]


def compute(question: Scan, view: WholeGraph) -> ScanReply:
    """A page of `most` elements. Raises InvalidInput for a bad pattern or cursor, Unsupported for a language."""
    snapshot = view.snapshot
    if question.reads_lines_only:
        return page_of_elements(snapshot, snapshot.skipped, question)
    skipped = sorted({*snapshot.skipped, *view.index.ignored()})
    reply = page_of_elements(snapshot, skipped, question)
    reply.unread = all_tidied(unread_files(snapshot))
    reply.note = " ".join(filter(None, (reply.note, *_limits(snapshot, question, reply)))) or None
    return reply


def page_of_elements(snapshot: Snapshot, skipped: Sequence[Skipped], question: Scan) -> ScanReply:
    """The page of a question; it unpacks a file only if its summary is not enough.

    Raises InvalidInput for a bad pattern or cursor.
    """
    chosen = _Chosen.by(question)
    listed = _listing(snapshot, chosen)
    total = sum(listed.sizes.values())
    page = page_of(("scan", *chosen, question.reads_lines_only, snapshot.revision), total, question.cursor)
    symbols = _slice(snapshot.facts, listed.sizes, chosen.kinds, page.offset, page.offset + question.most)
    expected_last = sorted(skipped, key=lambda left: (left.reason in _EXPECTED, left))
    return ScanReply(
        elements_found=total,
        by_type=listed.by_kind,
        by_language=listed.by_language,
        by_folder={path_line(folder): count for folder, count in by_folder(listed.sizes).items()},
        elements=[
            Element.of(one, mounted_paths(snapshot.graph, one) if one.kind is SymbolKind.ENDPOINT else ())
            for one in symbols
        ],
        skipped=all_escaped(SkippedFile(path=left.path, reason=left.reason) for left in expected_last[:_MAX_LEFT]),
        skipped_total=len(skipped),
        skipped_by_reason=dict(Counter(str(left.reason) for left in skipped).most_common()),
        parse_errors=len(listed.broken),
        generated=[path_line(path) for path in listed.generated[:_MAX_GENERATED]],
        generated_total=len(listed.generated),
        parse_error_files=[path_line(path) for path in listed.broken[:_MAX_BROKEN]],
        note=None if total else _why_empty(snapshot.facts, skipped),
        method="ast" if question.use_ast else "lexical",
        index=not_indexed(),
        _page=page,
    )


def _limits(snapshot: Snapshot, question: Scan, reply: ScanReply) -> Iterator[str]:
    """Endpoints that the reply can't contain, if it lists any."""
    if SymbolKind.ENDPOINT in (question.types or ()) or reply.by_type.get(SymbolKind.ENDPOINT):
        if unknown := ", ".join(map(named, frameworks_not_understood(snapshot))):
            yield f"Endpoints of these frameworks are not understood: {unknown}."
        if files := without(snapshot.facts, Capability.ENDPOINTS):
            yield f"Endpoints are unknown in {counted(files)}."


class _Chosen(NamedTuple):
    """The selection of a question: languages and kinds (empty: all), and files by a pattern (empty: all)."""

    languages: tuple[Language, ...]
    kinds: tuple[SymbolKind, ...]
    path: str

    @classmethod
    def by(cls, question: Scan) -> "_Chosen":
        kinds = tuple(sorted(set(question.types or ())))
        return cls(languages_named(question.languages or ()), kinds, question.path or "")


@lru_cache(maxsize=1)
def _listing(snapshot: Snapshot, chosen: _Chosen) -> _Listing:
    """The counts of a list, cached for its next pages."""
    facts, summaries = snapshot.facts, snapshot.graph.summaries
    listed = _Listing({}, {}, {}, [], [])
    by_kind: Counter[SymbolKind] = Counter()
    by_language: Counter[Language] = Counter()
    for path, language in _files(facts, chosen):
        if chosen.kinds:
            file = facts[path]
            types, broken, generated = types_of(_ordered(file, chosen.kinds)), file.errors > 0, file.generated
        else:
            summary = summaries[path]
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
    facts: Mapping[str, FileFacts], sizes: Mapping[str, int], kinds: tuple[SymbolKind, ...], start: int, end: int
) -> Iterator[Symbol]:
    """The elements of the list from index `start` up to `end`."""
    first = 0
    for path, size in sizes.items():
        if first >= end:
            return
        if size and first + size > start:
            yield from _ordered(facts[path], kinds)[max(0, start - first) : end - first]
        first += size


def _why_empty(facts: Mapping[str, FileFacts], skipped: Collection[Skipped]) -> str:
    """A note that explains an empty list."""
    if facts:
        return f"No element in the project's {len(facts)} source files matches the question."
    return no_source(skipped)


def _files(facts: Mapping[str, FileFacts], chosen: _Chosen) -> Iterator[tuple[str, Language]]:
    """The files of the chosen languages and path, in order."""
    pattern = Pattern(chosen.path, "path") if chosen.path.strip() else None
    for path in facts:
        language = language_of(path) or facts[path].language
        if (not chosen.languages or language in chosen.languages) and (pattern is None or pattern.matches(path)):
            yield path, language


def _ordered(file: FileFacts, kinds: tuple[SymbolKind, ...]) -> list[Symbol]:
    chosen = _of_kinds(file, kinds) if kinds else file.symbols[1:]
    return sorted(chosen, key=lambda symbol: symbol.line)


def _of_kinds(file: FileFacts, kinds: tuple[SymbolKind, ...]) -> Iterator[Symbol]:
    """The symbols of some kinds, shown as the question's kind: a schema is a class too, if classes are wanted."""
    for symbol in file.symbols:
        if symbol.type in kinds:
            yield symbol
        elif symbol.kind in kinds:
            yield replace(symbol, detail=None)


_MOST_FOLDERS = 12
"""The most folders in the result."""


def by_folder(sizes: Mapping[str, int], most: int = _MOST_FOLDERS) -> dict[str, int]:
    """The number of elements below some folders, the largest first; every element is counted once.

    Starting from the whole project, the largest folder is replaced by its subfolders while there are at most `most`.
    `src/` means everything below a folder; `src/*` means its own files, if its subfolders are listed separately.
    """
    below, inside = _folders(sizes)
    shown = {"": below[""]} if below.get("") else {}
    whole = set(shown)
    while whole:
        folder = max(whole, key=lambda name: (shown[name], name))
        whole.remove(folder)
        parts = {name: below[name] for name in inside[folder] if below[name]}
        own = shown[folder] - sum(parts.values())
        if not parts or len(shown) - 1 + len(parts) + (own > 0) > most:
            continue
        del shown[folder]
        shown |= parts | ({f"{folder}*": own} if own else {})
        whole |= parts.keys()
    return dict(sorted(((name or "*", count) for name, count in shown.items()), key=lambda row: (-row[1], row[0])))


def _folders(sizes: Mapping[str, int]) -> tuple[dict[str, int], dict[str, set[str]]]:
    """For each folder (its path ends in `/`) the number of elements below it, and its subfolders."""
    below: dict[str, int] = defaultdict(int)
    inside: dict[str, set[str]] = defaultdict(set)
    for path, size in sizes.items():
        folder = path.rpartition("/")[0]
        inner = f"{folder}/" if folder else ""
        below[inner] += size
        while inner:
            outer = inner[:-1].rpartition("/")[0]
            outer = f"{outer}/" if outer else ""
            inside[outer].add(inner)
            below[outer] += size
            inner = outer
    return below, inside
