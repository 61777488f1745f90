"""Plans another text for an element, with the imports that it needs, and tells what no longer fits."""

from collections import Counter
from collections.abc import Iterator

from bearings.code.file_facts import FileFacts
from bearings.code.languages import spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import CALLED, CALLS, UNNAMED, Symbol, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.questions.replace import Replace, ReplaceReply
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Edit, by_path, edited
from bearings.code.refactoring.imports import with_imports
from bearings.code.refactoring.needed import needed
from bearings.code.refactoring.plans import Plan, Row
from bearings.code.refactoring.texts import plain_text
from bearings.code.refactoring.writing import carried_out
from bearings.code.search.misfits import Misfits, names_in
from bearings.code.search.reach import without_guesses
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import free_names_of, line_of_error, replaced
from bearings.errors import InvalidInput, Unsupported

_BODIED = CALLED | {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM}
_BY_TEXT = "Edit its lines by their text."


def compute(question: Replace, view: WholeGraph) -> ReplaceReply:
    """The plan, which is written unless it is refused or a dry run.

    Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, Changed.
    """
    symbol = find_element(view.snapshot, question.element)
    draft = plan(view, symbol, question)
    what = f"the replacement of {question.element}"
    return carried_out(ReplaceReply, view, symbol, draft, what, question.dry_run, question.max_chars)


def plan(view: WholeGraph, symbol: Symbol, question: Replace) -> Plan:
    """Return the plan of a replacement. Raises InvalidInput for a text or an element, Unsupported, and Changed."""
    spec = _check(symbol, question)
    path, language = symbol.file, spec.language
    data = view.lines.data(path)
    text, shift = plain_text(path, data) or (b"", 0)
    if data[shift:] != text:
        raise Unsupported(f"{path} is not in UTF-8 with usual line ends", _BY_TEXT)
    found = replaced(language, text, symbol.line, symbol.name, question.where, question.text)
    if found is None:
        raise InvalidInput("element", symbol.id, f"has no {question.where} on lines of its own", _BY_TEXT)
    span, written = found
    edit = Edit(span.start, span.end, span.before + written + span.after)
    after = edited(path, text, [edit]).after or b""
    before, reread = view.snapshot.facts[path], parse_file(path, language, after)
    first = text.count(b"\n", 0, span.start) + 1
    if reread.errors > before.errors:
        line = line_of_error(language, after) - first - span.before.count(b"\n") + 1
        where = f": line {line} of it" if line > 0 else ""
        raise InvalidInput("text", question.text[:80], f"does not parse in its place{where}", "Pass whole lines.")
    if not span.after and question.where in ("element", "body") and _is_comment(written, spec):
        raise InvalidInput("text", question.text[:80], "has no code", "Use coderef_remove to take an element out.")
    _check_owner(symbol, question, reread, range(first, first + written.count(b"\n") + span.before.count(b"\n") + 1))
    draft = Plan(places={path: 1})
    start = span.start + len(span.before)
    free = free_names_of(language, after, start, start + len(written))
    # A name that the file uses already without declaring it is one of the language or its environment.
    used = free_names_of(language, text, 0, len(text), free) if free else {}
    imports, missing = needed(view, path, {name: is_type for name, is_type in free.items() if name not in used})
    added = with_imports(language, text, imports) or []
    draft.places[path] += len(added)
    draft.changes.append(edited(path, data, [edit, *added], shift))
    lines = range(min(first, symbol.line), text.count(b"\n", 0, span.end) + 2) if span.end > span.start else range(0)
    broken = damage(view, by_path(draft.changes), rewritten={path: lines})
    lost = [*_swallowed(before, reread, lines), *broken.rows]
    draft.refused += [] if question.leave_unsure else lost
    draft.left += [
        *(lost if question.leave_unsure else ()),
        *broken.by_types,
        *_unfit(view, symbol, reread, question.text),
    ]
    draft.left += [(path, symbol.line, why) for why in missing]
    return draft


def _check(symbol: Symbol, question: Replace) -> LanguageSpec:
    """The spec of an element's language. Raises InvalidInput, Unsupported."""
    spec = spec_of(symbol.file)
    if spec is None or spec.import_rules is None or spec.name_rules is None or is_embedded(symbol.file):
        raise Unsupported(f"elements of {spec.label if spec else 'this language'} here can't be replaced", _BY_TEXT)
    if symbol.kind in UNNAMED:
        raise InvalidInput("element", symbol.id, f"is a {symbol.kind}", "Pass a function, a class or a member.")
    if question.where == "body" and symbol.kind not in _BODIED:
        raise InvalidInput("where", question.where, f"{symbol.name} is a {symbol.kind}", 'Pass "element".')
    if not question.text.strip():
        raise InvalidInput("text", question.text, "is blank", "Use coderef_remove to take an element out.")
    return spec


def _is_comment(text: bytes, spec: LanguageSpec) -> bool:
    return all(not line.strip() or line.lstrip().startswith(spec.comment.encode()) for line in text.splitlines())


def _check_owner(symbol: Symbol, question: Replace, reread: FileFacts, lines: range) -> None:
    """Raise InvalidInput for a text that would be inside another element than the former one, as in a method above."""
    new = [one for one in reread.symbols if one.line in lines and one.kind not in UNNAMED]
    owner = min(new, key=lambda one: one.line).inside.partition(":")[0] if new else ""
    if question.where != "body" and new and owner != symbol.inside.partition(":")[0]:
        problem = f"would be inside {owner}" if owner else "would be at the top of the file"
        raise InvalidInput("text", question.text[:80], problem, "Indent its lines as one block.")


def _swallowed(before: FileFacts, reread: FileFacts, lines: range) -> Iterator[Row]:
    """The elements outside of the replaced lines that the file would no longer have."""
    remaining = Counter(one.qualified_name for one in reread.symbols)
    for one in before.symbols:
        remaining[one.qualified_name] -= 1
        if remaining[one.qualified_name] < 0 and one.line not in lines:
            yield one.file, one.line, f"{one.qualified_name} would be gone"


def _unfit(view: WholeGraph, symbol: Symbol, reread: FileFacts, text: str) -> Iterator[Row]:
    """The calls that do not fit the signature in the new text."""
    if symbol.kind not in CALLED:
        return
    same = [one for one in reread.symbols if one.qualified_name == symbol.qualified_name]
    new = min(same, key=lambda one: abs(one.line - symbol.line), default=symbol)
    misfits = Misfits(symbol, new, text, lambda path: view.lines.data(path).decode("utf-8", "replace").split("\n"))
    graph = view.snapshot.graph
    for target in (symbol.id, symbol.parent) if symbol.kind is SymbolKind.CONSTRUCTOR else (symbol.id,):
        for edge in without_guesses(graph.edges_to(target, CALLS)) if misfits.reasons else ():
            called = names_in(view.snapshot.facts[edge.file], graph.symbols[target].name)
            if why := misfits.why(misfits.calls(edge.file, edge.line, {*called, symbol.name}) or None):
                yield edge.file, edge.line, f"the call may no longer fit: {why}"
