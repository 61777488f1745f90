"""Tags in the text of one file: a comment line with a CodeRef above each declaration. Pure: lines in, lines out.

Bytes outside tags never change, in any encoding and with any line breaks. The result is parsed again: a tag that
would not be a comment in its place, or would change the file's declarations, is not written.
"""

import codecs
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bearings.code.coderefs.declarations import anchor, declarations
from bearings.code.file_facts import FileFacts
from bearings.code.languages import SPECS
from bearings.code.languages.shared.comment_lines import Rows
from bearings.code.models import Language, Symbol
from bearings.code.notation.model import CodeRef
from bearings.code.notation.parsing import parse
from bearings.code.parse import parse_file
from bearings.code.replies.element import ref_of
from bearings.code.syntax_trees import rows_of

_MARKERS = b"|".join(sorted({re.escape(spec.comment.encode()) for spec in SPECS.values()}))
"""A pattern for the start of a line comment in any language."""


@dataclass(frozen=True, slots=True)
class Style:
    """Options. `force` rewrites existing tags (their metadata stays), `update_lineno` only their lines."""

    force: bool = False
    update_lineno: bool = False
    include_private: bool = False
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """An existing tag: the CodeRef, and the bytes around it in its line."""

    ref: CodeRef
    before: bytes
    after: bytes

    @property
    def line(self) -> bytes:
        """The whole line."""
        return self.before + str(self.ref).encode() + self.after


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tagged file. Tags are identified by their line, from 1 (those of `removed` by their former line)."""

    data: bytes
    added: Mapping[int, CodeRef]
    updated: Mapping[int, CodeRef]
    removed: Mapping[int, CodeRef]
    kept: int = 0
    refused: tuple[str, ...] = ()


@dataclass(slots=True)
class _Slot:
    """A place for a tag: the line of the untagged text below it, the symbol, and the existing tag, if any."""

    row: int
    symbol: Symbol | None
    tag: Tag | None


def tagged(path: str, language: Language, data: bytes, style: Style, known: FileFacts | None = None) -> Tagged:
    """The file, tagged by `style`; the same bytes if there is nothing to do. `known` are the facts of these bytes."""
    bom, lines = _split(data)
    tags = _tags(language, data, lines)
    plain = [line for row, line in enumerate(lines) if row not in tags]
    text = _Text(path, language, bom, plain, style, bom + b"".join(plain) if tags else data)
    if style.remove:
        return Tagged(text.plain, {}, {}, {row + 1: tag.ref for row, tag in tags.items()})
    facts = parse_file(path, language, text.plain) if tags or known is None else known
    rows = rows_of(language, text.plain)
    slots = _slots(text, facts, rows, tags)
    refused: set[str] = set()
    while True:
        result, owners = _assembled(text, slots)
        bad = _unsound(text, facts, rows, result, owners)
        if not bad:
            return replace(result, refused=tuple(sorted(refused)))
        refused |= bad
        slots = [slot for slot in slots if slot.tag is not None or slot.symbol is None or slot.symbol.id not in bad]


@dataclass(frozen=True)
class _Text:
    """A file without its tags, as lines and as a whole, and the style of its tags."""

    path: str
    language: Language
    bom: bytes
    lines: Sequence[bytes]
    style: Style
    plain: bytes

    @cached_property
    def is_utf8(self) -> bool:
        """Whether the file is UTF-8, so that a tag may contain any character."""
        return _is_utf8(self.plain)

    @property
    def marker(self) -> bytes:
        """The start of a line comment."""
        return SPECS[self.language].comment.encode()


def _split(data: bytes) -> tuple[bytes, list[bytes]]:
    """The byte order mark, and the lines with their breaks: LF, CR LF or CR."""
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return bom, data[len(bom) :].splitlines(keepends=True)


def _tags(language: Language, data: bytes, lines: Sequence[bytes]) -> dict[int, Tag]:
    """The tags of a file by row: comment lines that hold nothing but a CodeRef."""
    if _MAYBE.search(data) is None:
        return {}
    tags = {}
    for first, last in rows_of(language, data).comments:
        match = _TAG.match(lines[first]) if first == last and first < len(lines) else None
        if match is None:
            continue
        try:
            ref = parse(match[2].decode()).ref
        except UnicodeDecodeError:
            continue
        if ref is not None:
            tags[first] = Tag(ref, match[1], match[3])
    return tags


_MAYBE = re.compile(rb"(?:\A|\xbf|[\r\n])[ \t\f]*(?:%b)[ \t]*@[A-Za-z]" % _MARKERS)
"""The start of a line that may be a tag; a byte order mark may precede it."""

_TAG = re.compile(rb"([ \t\f]*(?:%b)[ \t]*)(@[A-Za-z][^\r\n]*?)([ \t]*(?:\r\n?|\n)?)\Z" % _MARKERS)


def _slots(text: _Text, facts: FileFacts, rows: Rows, tags: Mapping[int, Tag]) -> list[_Slot]:
    """The places of existing and future tags, in order."""
    anchors: dict[int, Symbol] = {}
    for symbol in declarations(facts, include_private=text.style.include_private):
        anchors.setdefault(anchor(symbol, rows, text.lines), symbol)
    starts = sorted(anchors)
    slots: list[_Slot] = []
    owned: set[int] = set()
    for number, (row, tag) in enumerate(tags.items()):
        owner = _owner(row - number, starts, anchors)
        mine = owner if owner not in owned else None
        slots.append(_Slot(row - number, anchors[mine] if mine is not None else None, tag))
        owned |= {owner} if owner is not None else set()
    slots += [_Slot(row, symbol, None) for row, symbol in anchors.items() if row not in owned]
    return sorted(slots, key=lambda slot: slot.row)


def _owner(row: int, starts: Sequence[int], anchors: Mapping[int, Symbol]) -> int | None:
    """The anchor of the declaration of a tag above `row`, which lies between the anchor and the name."""
    at = bisect_left(starts, row + 1) - 1
    if at < 0:
        return None
    return starts[at] if row <= anchors[starts[at]].line - 1 else None


def _assembled(text: _Text, slots: Sequence[_Slot]) -> tuple[Tagged, dict[int, str]]:
    """The text with its tags, and the symbols of the new tags by line."""
    rows = [slot.row for slot in slots]
    pieces: list[bytes] = [text.bom]
    added: dict[int, CodeRef] = {}
    updated: dict[int, CodeRef] = {}
    owners: dict[int, str] = {}
    done = 0
    for number, slot in enumerate(slots):
        pieces += text.lines[done : slot.row]
        done, line = slot.row, slot.row + number + 1
        tag = _written(text, slot, rows)
        pieces.append(tag.line)
        if slot.tag is None:
            added[line], owners[line] = tag.ref, slot.symbol.id if slot.symbol else ""
        elif tag.line != slot.tag.line:
            updated[line] = tag.ref
    pieces += text.lines[done:]
    unchanged = len(slots) - len(added) - len(updated)
    return Tagged(b"".join(pieces), added, updated, {}, unchanged), owners


def _written(text: _Text, slot: _Slot, rows: Sequence[int]) -> Tag:
    """The tag of a slot: a new one, the existing one, or the corrected one."""
    symbol, tag, style = slot.symbol, slot.tag, text.style
    if symbol is None or (tag is not None and not (style.force or style.update_lineno)):
        assert tag is not None
        return tag
    line = symbol.line + bisect_left(rows, symbol.line)
    if tag is not None and not style.force:
        return replace(tag, ref=tag.ref.at(line))
    ref = ref_of(symbol).at(line)
    if not ref.element.isascii() and not text.is_utf8:
        ref = replace(ref, element="")
    if tag is not None:
        return replace(tag, ref=replace(ref, metadata=tag.ref.metadata))
    below = text.lines[slot.row]
    indentation = below[: len(below) - len(below.lstrip(b" \t\f"))]
    return Tag(ref, indentation + text.marker + b" ", _line_end(text.lines, slot.row))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _line_end(lines: Sequence[bytes], row: int) -> bytes:
    """The line break of the line below, or of the line above at the end of a file without one."""
    for line in (lines[row], lines[row - 1] if row else b""):
        for end in (b"\r\n", b"\n", b"\r"):
            if line.endswith(end):
                return end
    return b"\n"


def _unsound(text: _Text, before: FileFacts, rows: Rows, result: Tagged, owners: Mapping[int, str]) -> set[str]:
    """The former ids of elements whose new tag is not a comment, is a directive, or changes the file's declarations."""
    if not owners:
        return set()
    after = rows_of(text.language, result.data)
    comments = {first + 1 for first, last in after.comments if first == last}
    bad = {owner for line, owner in owners.items() if line not in comments}
    if (is_directive := SPECS[text.language].is_directive) is not None:
        lines = _split(result.data)[1]
        bad |= {owner for line, owner in owners.items() if is_directive(line, lines[line - 1])}
    if not bad and rows.shape and rows.shape == after.shape:
        return set()
    if not bad and _without_lines(before) != _without_lines(parse_file(text.path, text.language, result.data)):
        return set(owners.values())
    return bad


def _without_lines(facts: FileFacts) -> tuple[object, ...]:
    """A file's declarations without their lines."""
    return facts.errors, [(symbol.qualified_name, symbol.kind, symbol.exported) for symbol in facts.symbols]
