"""Answers from the syntax tree of one source that its facts do not hold, for edits above all."""

from collections.abc import Collection, Container, Iterable
from typing import NamedTuple

from bearings.code.languages import SPECS
from bearings.code.languages.ecmascript.setting_values import Setting
from bearings.code.languages.ecmascript.settings import read as read_settings
from bearings.code.languages.shared.comment_lines import Rows, rows
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.importing import Wanted, imports_added
from bearings.code.languages.shared.occurrences import Occurrence, occurrences
from bearings.code.languages.shared.regions import Region, region_at
from bearings.code.languages.shared.removals import Removal, When, removals_at, statement_at, when_read
from bearings.code.languages.shared.respelling import Spell
from bearings.code.languages.shared.signatures import Signatures
from bearings.code.languages.shared.spans import Span, free_names, indented, lines_in_strings, span_of, unit_of
from bearings.code.languages.shared.trees import LibraryReader
from bearings.code.models import Language
from bearings.code.parse import is_deep, parsed

_LONGEST_SETTINGS = 200_000
"""Bytes of a configuration file; webpack's of a large application has 30,000."""


def rows_of(language: Language, source: bytes) -> Rows:
    """Return the lines of a file's comments and decorators; none if the parser exceeds its budget."""
    source = as_utf8(language, source)
    tree = parsed(LibraryReader(language).parse, language, source)
    return Rows() if tree is None else rows(language, tree.tree, shaped=not is_deep(tree))


def regions_of(language: Language, text: bytes, places: Iterable[int]) -> list[Region]:
    """Return the region (code, comment or string) of each byte offset of a UTF-8 source.

    The list is empty if the parser exceeds its budget.
    """
    tree = parsed(LibraryReader(language).parse, language, text)
    if tree is None:
        return []
    kept = tree.source  # blank where a comment was left out
    places = tuple(places)
    is_kept = (kept[place : place + 1] == text[place : place + 1] for place in places)
    return [region_at(tree.tree, place) if same else "comment" for place, same in zip(places, is_kept, strict=True)]


def occurrences_of(language: Language, text: bytes, name: str) -> list[Occurrence] | None:
    """Return the occurrences of a name in a UTF-8 source.

    None if the language has no rules for names, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    tree = parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else occurrences(tree.tree, text, name, rules())


def removals_of(language: Language, text: bytes, names: Iterable[tuple[int, int]]) -> list[Removal | None]:
    """Return what goes with each name, by its first and last byte in a UTF-8 source; None for one that can't go."""
    rules = SPECS[language].name_rules
    tree = parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    removal = rules().removal if rules is not None else None
    if removal is None or tree is None:
        return [None for _ in names]
    return removals_at(tree.tree, text, names, removal)


class Use(NamedTuple):
    """An occurrence of a name, when it is looked up, and the bytes of the statement that declares or imports it."""

    one: Occurrence
    when: When
    statement: tuple[int, int] | None


def uses_of(language: Language, text: bytes, names: Iterable[str]) -> dict[str, list[Use]]:
    """Return the occurrences of names in a UTF-8 source.

    None of any if its language can't remove elements, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    removal = rules().removal if rules is not None else None
    tree = parsed(LibraryReader(language).parse, language, text) if removal is not None else None
    if rules is None or removal is None or tree is None:
        return {}
    root = tree.tree
    return {
        name: [
            Use(one, when_read(root, one.start, one.end, removal), statement_at(root, one.start, one.end, removal))
            for one in occurrences(root, text, name, rules())
        ]
        for name in names
    }


def imports_of(language: Language, text: bytes, wanted: Iterable[Wanted]) -> list[Removal] | None:
    """Return the insertions into a UTF-8 source that import names.

    None if the language has no rules for imports, or the parser exceeds its budget.
    """
    rules = SPECS[language].import_rules
    tree = parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else imports_added(tree.tree, text, wanted, rules())


def replaced(language: Language, text: bytes, line: int, name: str, where: str, new: str) -> tuple[Span, bytes] | None:
    """Return the span of a UTF-8 source for a text (see span_of), and the bytes of the text, indented for it.

    None also if the language has no rules for imports, if the parser exceeds its budget, or if it can't tell which
    lines of the text begin inside a string.
    """
    rules = SPECS[language].import_rules
    tree = parsed(LibraryReader(language).parse, language, text)
    if tree is None or rules is None or (span := span_of(tree.tree, text, line, name, where, new, rules())) is None:
        return None
    new = new.replace("\r\n", "\n").strip("\n").rstrip()
    ending = text[span.end :].partition(b"\n")[0].decode("utf-8", "replace").strip() if where == "element" else ""
    new = new.removesuffix(ending).rstrip()  # the rest of its line stays: a semicolon, a comment
    new = new[:-1] if new[-1:] == ending[:1] in (";", ",") else new
    if span.indent is None or not new:
        return (span, new.strip().encode()) if new else None
    newline, count, found = b"\r\n" if b"\r\n" in text else b"\n", new.count("\n") + 1, list[frozenset[int]]()
    written = b"\n".join(span.indent + part.encode() for part in new.split("\n"))
    for _ in range(2):
        written = written.replace(b"\n", newline)
        start = span.start + len(span.before)
        source = text[: span.start] + span.before + written + span.after + text[span.end :]
        tree = parsed(LibraryReader(language).parse, language, source)
        if tree is None:
            return None
        found.append(lines_in_strings(tree.tree, source, start, count))
        written = indented(new, span.indent, found[0], unit_of(text, rules().indent))
    return (span, written.replace(b"\n", newline)) if found[0] == found[1] else None


def free_names_of(
    language: Language, text: bytes, start: int, end: int, among: Collection[str] | None = None
) -> dict[str, bool]:
    """Return the names between two bytes of a UTF-8 source that it doesn't declare, and whether types alone have them.

    It is empty if the language has no rules for names, or the parser exceeds its budget.
    """
    rules = SPECS[language].name_rules
    tree = parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return {} if rules is None or tree is None else free_names(tree.tree, text, start, end, rules(), among)


def line_of_error(language: Language, source: bytes) -> int:
    """Return the 1-based line of the first syntax error; 1 if the parser exceeds its budget or finds none."""
    tree = parsed(LibraryReader(language).parse, language, as_utf8(language, source))
    node = tree.tree.root_node if tree is not None else None
    while node is not None and not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node.start_point.row + 1 if node is not None and node.has_error else 1


def signatures_of(language: Language, text: bytes) -> Signatures | None:
    """Return the reader of the functions and calls of a UTF-8 source; None as in `occurrences_of`."""
    rules = SPECS[language].signature_rules
    tree = parsed(LibraryReader(language).parse, language, text) if rules is not None else None
    return None if rules is None or tree is None else Signatures(tree.tree, rules())


def respelled_in(language: Language, text: bytes, spell: Spell) -> list[tuple[int, int, bytes]] | None:
    """Return the edits of a UTF-8 source that give modules other names: first byte, last byte, and what stands there.

    None if files of the language can't be moved, or the parser exceeds its budget.
    """
    respelled = SPECS[language].respelled
    tree = parsed(LibraryReader(language).parse, language, text) if respelled is not None else None
    return list(respelled(tree.tree.root_node, text, spell)) if respelled is not None and tree is not None else None


def settings_of(language: Language, path: str, source: bytes, folder: str, keys: Container[str]) -> list[Setting]:
    """Return the literal settings of a configuration in a language, or in JSON; see languages/ecmascript/settings.py.

    None of it runs. The list is empty if the file is too long, or the parser exceeds its budget.
    """
    text = b"(" + source + b")" if source.lstrip()[:1] == b"{" else source
    tree = parsed(LibraryReader(language).parse, language, text) if len(text) <= _LONGEST_SETTINGS else None
    if tree is None or is_deep(tree):
        return []
    return read_settings(tree.tree.root_node, text, path, folder, keys)
