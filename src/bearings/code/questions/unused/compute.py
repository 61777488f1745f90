"""Elements without evidence of use: no edge leads to them, and no other line of any file holds their name.

The steps, each on the elements that the one before leaves:

    candidates       elements of the requested kinds and files, without tests, examples and generated files
    unmentioned      their name is on no other line: one pass reads all files, a second one reads the lines of the
                     files that hold a rare name (`project.words`). This settles nearly every element.
    unused_symbols   no edge leads to them, and no other file holds another name of theirs: `export {a as b}`
    the result       nothing may use them without a word: see `_why_left_out`
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.embedded.names import OPTIONS_NAME
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.project.file_pattern import listed
from bearings.code.project.names import is_aside
from bearings.code.project.words import ENOUGH, Budget, Texts, WordPresence, lines_of
from bearings.code.questions.unused import AskUnused, UnusedElement, UnusedReply
from bearings.code.questions.unused.contracts import is_global, is_merged, opening_lines, why_alive
from bearings.code.questions.unused.declared import CONVENTION
from bearings.code.questions.unused.public_api import is_offered
from bearings.code.questions.unused.registers import ENUMERATED, PLACE, enumerated, holding_places
from bearings.code.replies.element import not_indexed, path_line
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_tidied, line_of
from bearings.code.resolve.edges.doubts import BY_PATTERN
from bearings.code.search.capabilities import is_loaded_whole, lacks, limit
from bearings.code.search.composed_names import find_composed_names
from bearings.code.search.element_words import is_handed_out, is_value, lines_in, words_of
from bearings.code.search.elsewhere import unread_files
from bearings.code.search.left_out import left_out_files
from bearings.code.search.members import with_members
from bearings.code.search.reach import importing
from bearings.code.search.view import WholeGraph

KINDS = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.COMPONENT, SymbolKind.HOOK, SymbolKind.METHOD,
        SymbolKind.CONSTANT, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM, SymbolKind.SCHEMA,
        SymbolKind.DECORATOR,
    }
)  # fmt: skip
"""The default kinds."""

_NEVER = frozenset({SymbolKind.MODULE, SymbolKind.ENDPOINT, SymbolKind.CONSTRUCTOR})
"""Kinds that are used without being named."""

_EXPORT = frozenset({EdgeKind.EXPORT})
_IMPORT = frozenset({EdgeKind.IMPORT})

_STUB = re.compile(r"\.pyi$|(?:^|/)(?:\w+[-_])?stubs/")
"""Files that declare for an editor what another runtime holds."""

_MAX_FILES = 20

_BUDGET = Budget(seconds=30.0)
_NO_ELEMENT = "No element matches the question."
_LATE = "The search of the files took too long, so nothing can be said: ask for a smaller directory as project_path."

TESTS = "tests"
ASIDE = "examples, scripts, settings"
GENERATED = "generated"
STUBS = "in stubs"
VALUE = "functions handed over where they are written"
OFFERED = "offered by a package"
COMPOSED = "with names that code may compose"
BY_PATH = "in files that nothing imports"


@dataclass(slots=True)
class Unused:
    """The elements; counts of examined ones, of those in use by evidence, and of those left out by reason.

    `by_path` are files that nothing imports. `note` says what was not searched.
    """

    symbols: list[Symbol] = field(default_factory=list)
    looked_at: int = 0
    in_use: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    by_path: list[str] = field(default_factory=list)
    note: str = ""


def compute(question: AskUnused, view: WholeGraph) -> UnusedReply:
    """A page of `most` elements without evidence of use."""
    kinds, path = sorted(set(question.kinds or ())), question.path or ""
    identity = ("unused", kinds, path, question.exports, view.snapshot.revision)
    page_of(identity, 0, question.cursor)  # a cursor that is not of this list is refused before files are searched
    result = unused(view.snapshot, tuple(kinds), listed(path), exports=question.exports)
    page = page_of(identity, len(result.symbols), question.cursor)
    return UnusedReply(
        unused_found=page.total,
        lines=sum(symbol.end_line - symbol.line + 1 for symbol in result.symbols),
        elements=[
            UnusedElement(element=path_line(symbol.id), type=symbol.type, lines=symbol.end_line - symbol.line + 1)
            for symbol in result.symbols[page.offset : page.offset + question.most]
        ],
        looked_at=result.looked_at,
        in_use=result.in_use,
        left_out=result.left_out,
        loaded_by_path=[path_line(file) for file in result.by_path[:_MAX_FILES]],
        loaded_by_path_total=len(result.by_path),
        unread=all_tidied(unread_files(view.snapshot)),
        note=line_of(result.note if result.looked_at else f"{result.note} {_NO_ELEMENT}".strip()),
        index=not_indexed(),
        _page=page,
    )


def unused(
    snapshot: Snapshot, kinds: Iterable[SymbolKind], is_listed: Callable[[str], bool], *, exports: bool
) -> Unused:
    """The unused elements of some kinds in some files. `exports`: include exports of packages."""
    candidates = list(_candidates(snapshot, frozenset(kinds) or KINDS, is_listed))
    reason_of_file = {
        file: _why_file_left_out(snapshot, file) for file in dict.fromkeys(symbol.file for symbol in candidates)
    }
    symbols = [symbol for symbol in candidates if not reason_of_file[symbol.file]]
    presence = WordPresence(snapshot.tree, snapshot.project.paths, {symbol.name for symbol in symbols}, _BUDGET)
    unmentioned, is_complete = _without_mentions(snapshot, symbols, presence)
    if presence.given_up or not is_complete:
        return Unused(looked_at=len(candidates), note=_LATE)
    unused_symbols = _without_other_names(
        snapshot, [symbol for symbol in unmentioned if not _has_edge(snapshot, symbol)]
    )
    result = Unused(looked_at=len(candidates), in_use={"by its word": len(symbols) - len(unmentioned)})
    if len(unmentioned) > len(unused_symbols):
        result.in_use["by an edge"] = len(unmentioned) - len(unused_symbols)
    reasons = Counter(reason_of_file[symbol.file] for symbol in candidates if reason_of_file[symbol.file])
    loaded_by_path: dict[str, None] = {}
    loaded_through: dict[str, str] = {}
    by_text = dict(_why_left_out_by_text(snapshot, unused_symbols))
    composed_names = find_composed_names(snapshot, unused_symbols)
    for symbol in unused_symbols:
        reason = by_text.get(symbol.id) or _why_left_out(snapshot, symbol, loaded_through, exports=exports)
        reason = reason or (COMPOSED if symbol.id in composed_names else "")
        if reason:
            reasons[reason] += 1
        else:
            result.symbols.append(symbol)
        if reason == BY_PATH:
            loaded_by_path[loaded_through[symbol.file]] = None
    in_groups = dict.fromkeys(enumerated(snapshot, result.symbols), ENUMERATED)
    in_groups |= dict.fromkeys(holding_places(snapshot, result.symbols), PLACE)
    reasons.update(in_groups.values())
    result.symbols = sorted(
        (symbol for symbol in result.symbols if symbol.id not in in_groups),
        key=lambda symbol: (symbol.file, symbol.line),
    )
    result.left_out, result.by_path = dict(reasons.most_common()), sorted(loaded_by_path)
    if presence.unsearched:
        result.note = f"Not searched, as too large or unreadable: {len(presence.unsearched)} files, which may use some."
    result.note = " ".join(filter(None, (result.note, left_out_files(snapshot))))
    return result


def _without_mentions(
    snapshot: Snapshot, symbols: Iterable[Symbol], presence: WordPresence
) -> tuple[list[Symbol], bool]:
    """The elements whose name is on no line but their declaration's, and whether all files could be searched."""
    files = presence.files()
    rare: dict[str, list[Symbol]] = {}  # by the file that declares them; a name in several files is in use
    for symbol in symbols:
        if len(files.get(symbol.name, ())) < ENOUGH and symbol.name not in presence.not_searched:
            rare.setdefault(symbol.file, []).append(symbol)
    texts = Texts(snapshot.tree, rare, _BUDGET)
    unmentioned = []
    for path, data in texts.read():
        lines = lines_of(path, data, {symbol.name for symbol in rare[path]})
        unmentioned += [symbol for symbol in rare[path] if not _is_mentioned(symbol, lines.get(symbol.name, ()))]
    return unmentioned, not texts.given_up


def _is_mentioned(symbol: Symbol, lines: Iterable[int]) -> bool:
    """Whether an element's name is on one of `lines` beside the line that declares it."""
    # def total(cart): … – the first line with the name inside the element declares it; a recursive call is on another.
    declaring_line = next((line for line in lines if symbol.line <= line <= symbol.end_line), None)
    return any(line != declaring_line for line in lines)


def _without_other_names(snapshot: Snapshot, symbols: list[Symbol]) -> list[Symbol]:
    """The elements whose aliases, such as `b` in `export {a as b}`, are in no other file either."""
    names = {symbol.id: {word.text for word in words_of(snapshot, symbol)} - {symbol.name, ""} for symbol in symbols}
    wanted = set().union(*names.values())
    if not wanted:
        return symbols
    files = WordPresence(snapshot.tree, snapshot.project.paths, wanted, _BUDGET).files()
    return [
        symbol
        for symbol in symbols
        if not any(file != symbol.file for name in names[symbol.id] for file in files.get(name, ()))
    ]


def _why_left_out_by_text(snapshot: Snapshot, symbols: Iterable[Symbol]) -> Iterator[tuple[str, str]]:
    """The elements that the text around them shows to be in use, by id, and why.

    `call(function named() {})` passes a function, so its name is no evidence. `declare module "x" { interface A {} }`
    adds to what a library declares, and so does an interface in a file whose declarations all files see.
    """
    for symbol in symbols:
        idioms = SPECS[snapshot.facts[symbol.file].language].idioms()
        augments = idioms.augments
        if augments is None and idioms.hands_out is None:
            continue
        lines = lines_in(snapshot, symbol.file)
        is_added = augments is not None and (
            is_merged(snapshot, symbol) or any(augments.search(line) for line in opening_lines(lines, symbol.line))
        )
        if is_value(snapshot, symbol):
            yield symbol.id, VALUE
        elif is_added or is_handed_out(snapshot, symbol):
            yield symbol.id, CONVENTION


def _candidates(snapshot: Snapshot, kinds: frozenset[SymbolKind], is_listed: Callable[[str], bool]) -> Iterator[Symbol]:
    for path in snapshot.facts:
        if is_listed(path):
            for symbol in snapshot.graph.outline(path)[1:]:
                is_component = is_embedded(path) and symbol.id.startswith(f"{path}#{OPTIONS_NAME}:")
                if symbol.kind not in _NEVER and (symbol.kind in kinds or symbol.type in kinds) and not is_component:
                    yield symbol


def _has_edge(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether any edge, even a guess, leads to the element or its members from outside.

    One to the file is one to its component, and, where a pattern names the file, to what it exports:
    `import.meta.glob("./*.vue")`.
    """
    inside = list(with_members(snapshot, symbol))
    declaring_line = frozenset(inside)
    # Its export or re-export is no use.
    edges = (edge for id_ in inside for edge in snapshot.graph.edges_to(id_))
    if any(edge.source not in declaring_line and edge.kind is not EdgeKind.EXPORT for edge in edges):
        return True
    is_component = is_embedded(symbol.file) and symbol.kind is SymbolKind.COMPONENT
    loads = snapshot.graph.edges_to(symbol.file, _IMPORT) if is_component or symbol.exported else ()
    return any(is_component or edge.reason == BY_PATTERN for edge in loads)


def _why_file_left_out(snapshot: Snapshot, file: str) -> str:
    """Why no element of a file is judged, before any search; empty if they are."""
    if is_test(file):
        return TESTS
    if is_aside(file):
        return ASIDE
    if snapshot.graph.summaries[file].generated:
        return GENERATED
    if _STUB.search(file):
        return STUBS
    spec = spec_of(file)
    return f"in {spec.label}, whose calls {limit(spec)}" if spec is not None and lacks(file, Capability.EDGES) else ""


def _why_left_out(snapshot: Snapshot, symbol: Symbol, loaded_through: dict[str, str], *, exports: bool) -> str:
    """Why an element without evidence of use is still not called unused; empty if it is."""
    if reason := why_alive(snapshot, symbol):
        return reason
    if not exports and is_offered(snapshot, symbol):
        return OFFERED
    # pages/about.tsx, migrations/0001.py: a framework loads the file by its path, and takes what it exports.
    # A script that is no module: another one may call its functions, but a type is used in the project alone.
    # A language whose classes are found by name loads none by its path.
    if SPECS[snapshot.facts[symbol.file].language].is_declared:
        return ""
    is_seen = symbol.exported or (symbol.kind is not SymbolKind.TYPE and is_global(snapshot, symbol))
    return BY_PATH if is_seen and _loaded_through(snapshot, symbol.file, loaded_through) else ""


def _loaded_through(snapshot: Snapshot, file: str, known: dict[str, str]) -> str:
    """The file that nothing imports, by which the exports of a file are loaded: itself, or one with `export *` of it.

    Empty if there is none. `known` has the answers for files, and gets further ones.
    """
    found, waiting, below = "", [file], {file: ""}
    for path in waiting:
        if path in known:
            found = known[path]
        elif any(importing(snapshot, path)):
            passing = dict.fromkeys(edge.file for edge in snapshot.graph.edges_to(path, _EXPORT))
            new = dict.fromkeys((other for other in passing if other not in below), path)
            below.update(new)
            waiting += new
        elif not is_loaded_whole(path):
            found = path
        if found:
            while path:
                known[path] = found
                path = below[path]
            return found
    known.update(dict.fromkeys(waiting, ""))
    return ""
