"""Parses text into a CodeRef, or into problems with their offset and a suggested fix.

@Fn/src/auth.ts#AuthService.login:24-30{status=stable}    type, path, element, lines, metadata
@Function/src/auth.ts                                     an unknown type; suggested: @Fn/src/auth.ts
"""

import difflib
import json
import re
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import unquote_to_bytes

from bearings.code.notation.conventions import unusual
from bearings.code.notation.model import (
    BARE,
    DATE,
    Block,
    BlockKind,
    CodeRef,
    Meta,
    Problem,
    RefType,
    Value,
    path_text,
    scalar,
)

START = re.compile(r"(?<![\w@/.])@([A-Za-z][A-Za-z0-9]*)/(?=[^\s/])")
"""The start of a reference in any text."""

_PATH = re.compile(r"(?:[A-Za-z0-9_\-.~%/]|\\[#:/{}])*")
_LENIENT_PATH = re.compile(r"(?:\\.|[^\s#:{}\"'`<>|,;)])*")
"""A path that may contain characters that should be percent-encoded."""
_PROSE = ".!?*_]…"
"""Final characters that end a sentence or a word in Markdown, and are no part of a lenient path."""
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_LINES = re.compile(r"([0-9]+)(?:-([0-9]+))?")
_BLOCK = re.compile(rf"({'|'.join(BlockKind)})\{{([^{{}}\r\n]*)\}}")
_DEEPEST = 4
"""The most levels of references nested in metadata."""
_MAX_LINE = 10**9
_ALIASES = {
    "function": "Fn", "func": "Fn", "fun": "Fn", "class": "Cl", "method": "M", "component": "C", "file": "F",
    "module": "F", "directory": "D", "folder": "D", "dir": "D", "variable": "V", "var": "V", "const": "V",
    "constant": "V", "property": "V", "interface": "I", "type": "T", "enum": "T", "hook": "H", "schema": "S",
    "api": "A", "endpoint": "A", "route": "R", "config": "Cfg", "context": "Ctx", "event": "E", "docs": "Doc",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of parsing: the reference (None after an error), its end in the text, errors and warnings."""

    ref: CodeRef | None
    end: int
    problems: tuple[Problem, ...] = ()


class _ParseError(Exception):
    def __init__(self, code: str, message: str, offset: int, suggestion: str = "") -> None:
        super().__init__(message)
        self.problem = Problem(code, message, offset, suggestion)


def parse(text: str) -> Parsed:
    """Parse text that is a CodeRef and nothing else."""
    parsed = parse_at(text, 0)
    if parsed.ref is None or parsed.end == len(text):
        return parsed
    message = f"unexpected text {text[parsed.end :][:40]!r} after the reference"
    return Parsed(None, parsed.end, (*parsed.problems, Problem("syntax", message, parsed.end, str(parsed.ref))))


def parse_at(text: str, start: int) -> Parsed:
    """Parse the CodeRef that starts at `start`, up to its end. Offsets of problems count from `start`."""
    reader = _Reader(text, start)
    try:
        ref = reader.reference()
    except _ParseError as error:
        return Parsed(None, max(reader.at, start + 1), (error.problem,))
    warnings = [problem for meta, at in reader.metas for problem in unusual(ref, meta, at - start)]
    return Parsed(ref, reader.at, tuple(warnings))


class _Reader:
    """A cursor over text, with one method for each rule of the grammar: each reads its rule and moves `at` behind it.

    A method raises _ParseError where the text does not follow its rule.
    """

    def __init__(self, text: str, start: int, depth: int = 0) -> None:
        self.text = text
        self.start = start
        self.at = start
        self._depth = depth
        self.metas: list[tuple[Meta, int]] = []

    def reference(self) -> CodeRef:
        """`@Type/path`, then optionally `#element`, `:place` and `{metadata}`."""
        match = re.compile(r"@([A-Za-z0-9]*)/").match(self.text, self.at)
        if match is None:
            raise self._error("syntax", "a reference starts with @Type/path")
        kind, self.at = match[1], match.end()
        path = self._path(kind)
        type_ = self._type(kind, match.end())
        element = self._element() if self._peek() == "#" else ""
        first, last, block = self._place(RefType(type_), path, element)
        ref = CodeRef(type_, path, element, first, last, block)
        if self._peek() == "{":
            self._metadata(ref)
        return CodeRef(type_, path, element, first, last, block, tuple(meta for meta, _ in self.metas))

    def _type(self, kind: str, path_at: int) -> RefType:
        """The type of this name. For another name, the error suggests an alias, the right case, or a similar name."""
        try:
            return RefType(kind)
        except ValueError:
            near = _ALIASES.get(kind.lower()) or next((t for t in RefType if t.lower() == kind.lower()), None)
            near = near or next(iter(difflib.get_close_matches(kind, [*RefType, *_ALIASES], 1, 0.7)), "")
            near = _ALIASES.get(near, near)
            rest = self._rest(path_at)
            problem = f"{kind} is not a type" if kind else "the type is missing"
            raise _ParseError(
                "unknown_type",
                f"{problem}; use one of {', '.join(RefType)}",
                1,
                f"@{near}/{rest}" if near else "",
            ) from None

    def _rest(self, start: int) -> str:
        """Return the text up to the next white space."""
        rest = re.compile(r"\S*").match(self.text, start)
        return rest.group() if rest else ""

    def _path(self, kind: str) -> str:
        """`src/auth.ts`: percent-encoded, without empty segments, `.` and `..`. A final `.` ends a sentence instead."""
        start = self.at
        match = _PATH.match(self.text, start)
        raw = match.group() if match else ""
        match = _LENIENT_PATH.match(self.text, start)
        lenient = match.group().rstrip(_PROSE) if match else ""
        if len(lenient) > len(raw):
            self.at = start + len(lenient)
            fixed = path_text(_unescaped(lenient).decode("utf-8", "replace"))
            raise self._bad_path(f"{lenient[len(raw)]!r} must be percent-encoded", start + len(raw), fixed, kind)
        raw = raw.rstrip(".")
        self.at = start + len(raw)
        try:
            path = _unescaped(raw).decode()
        except UnicodeDecodeError:
            raise self._bad_path("its percent-encoding is not valid UTF-8", start, "", kind) from None
        if not path:
            raise self._bad_path("it is empty", start, "", kind)
        parts = path.split("/")
        if ".." in parts or any(ord(c) < 32 or ord(c) == 127 for c in path):
            raise self._bad_path("it leaves the project, or contains a control character", start, "", kind)
        if "" in parts or "." in parts:
            tidy = path_text("/".join(part for part in parts if part not in ("", ".")))
            raise self._bad_path("it contains an empty segment or '.'", start, tidy, kind)
        return path

    def _bad_path(self, why: str, at: int, fixed: str, kind: str) -> _ParseError:
        suggestion = f"@{kind}/{fixed}{self._rest(self.at)}" if fixed else ""
        return _ParseError("bad_path", f"the path is invalid: {why}", at - self.start, suggestion)

    def _element(self) -> str:
        """`#AuthService.login`, `#Store.#key`, `#add(int, int)`, from the `#` on."""
        self.at += 1
        start = self.at
        self._name()
        while self._peek() == "." and _begins_name(self.text[self.at + 1 : self.at + 3]):
            self.at += 1
            self._name()
        if self._peek() == "(":
            self._parameters()
        return self.text[start : self.at]

    def _name(self) -> None:
        """An identifier of any script, with `$`; a private name with its `#`."""
        start = self.at
        if self._peek() == "#":
            self.at += 1
        first = self.at
        while (c := self._peek()) and (c == "$" or (c if self.at == first else f"_{c}").isidentifier()):
            self.at += 1
        if self.at == first:
            raise self._error("bad_element", "an element is a name, such as login or AuthService.login", start)

    def _parameters(self) -> None:
        """A parameter list up to the bracket that closes it, on one line."""
        opened = self.at
        depth = 0
        while c := self._peek():
            depth += (c == "(") - (c == ")")
            if c in "\r\n":
                break
            self.at += 1
            if not depth:
                return
        raise self._error("bad_element", "the parameter list is not closed", opened)

    def _place(self, type_: RefType, path: str, element: str) -> tuple[int, int, Block | None]:
        """`:24`, `:24-30` or `:if{id}`, as first line, last line and block; 0 and None for missing parts.

        A colon before white space ends a sentence, and is no place.
        """
        if self._peek() != ":" or not self.text[self.at + 1 : self.at + 2].strip():
            return 0, 0, None
        at = self.at + 1
        if match := _BLOCK.match(self.text, at):
            if not match[2].strip():
                raise self._error("bad_block", f"a block needs an id: {match[1]}{{id}}", at)
            self.at = match.end()
            return 0, 0, Block(BlockKind(match[1]), match[2])
        bare = CodeRef(type_, path, element)
        match = _LINES.match(self.text, at)
        if match is None or len(match.group()) > 40:
            raise self._error("bad_line", "':' needs a line (3), a range (3-7) or a block (if{id})", at, str(bare))
        self.at = match.end()
        first, last = int(match[1]), int(match[2] or 0)
        if first < 1 or (match[2] and last < 1) or max(first, last) > _MAX_LINE:
            raise self._error("bad_line", f"{match.group()}: lines are numbered from 1 to {_MAX_LINE}", at, str(bare))
        if last and first > last:
            swapped = CodeRef(type_, path, element, last, first)
            raise self._error("bad_range", f"{match.group()}: the range starts after its end", at, str(swapped))
        return first, last, None

    def _metadata(self, ref: CodeRef) -> None:
        """`{status=stable, team:owner="Ann"}`, into `metas`. `ref` is suggested in errors: the reference without it."""
        opened = self.at
        self.at += 1
        while True:
            self._space()
            at = self.at
            self.metas.append((self._meta(ref), at))
            self._space()
            mark = self._peek()
            if mark not in (",", "}"):
                where = self.at if mark else opened
                raise self._error("bad_metadata", "a metadata entry must be followed by ',' or '}'", where, str(ref))
            self.at += 1
            if mark == "}":
                return

    def _meta(self, ref: CodeRef) -> Meta:
        category, key = "", self._key(ref)
        if self._peek() == ":":
            self.at += 1
            category, key = key, self._key(ref)
        self._space()
        if self._peek() != "=":
            return Meta(key, True, category)
        self.at += 1
        self._space()
        return Meta(key, self._value(ref), category)

    def _key(self, ref: CodeRef) -> str:
        match = _KEY.match(self.text, self.at)
        if match is None:
            message = "a metadata entry is key, key=value or category:key=value"
            raise self._error("bad_metadata", message, self.at, str(ref))
        self.at = match.end()
        return match.group()

    def _value(self, ref: CodeRef) -> Value:
        """A JSON string or list, another reference, a date, a number or a word."""
        at, mark = self.at, self._peek()
        if mark in ('"', "["):
            try:
                value, self.at = json.JSONDecoder().raw_decode(self.text, at)
            except (ValueError, RecursionError):
                raise self._error("bad_metadata", "the value is not valid JSON", at, str(ref)) from None
            return _checked_json(value, self._error("bad_metadata", "the value is not valid JSON", at, str(ref)))
        if mark == "@":
            if self._depth >= _DEEPEST:
                message = f"references may be nested up to {_DEEPEST} levels deep"
                raise self._error("bad_metadata", message, at, str(ref))
            inner = _Reader(self.text, at, self._depth + 1)
            try:
                ref_inside = inner.reference()
            except _ParseError as error:
                raise self._error("bad_metadata", str(error), at + error.problem.offset, str(ref)) from None
            self.at = inner.at
            return ref_inside
        return self._word(at, ref)

    def _word(self, at: int, ref: CodeRef) -> Value:
        dated = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?").match(self.text, at)
        match = dated or BARE.match(self.text, at)
        if match is None:
            raise self._error(
                "bad_metadata", 'a value is a word, a number, "text", [json], @ref or a date', at, str(ref)
            )
        self.at = match.end()
        text = match.group()
        return _date(text) or scalar(text)

    def _space(self) -> None:
        while self._peek() in (" ", "\t"):
            self.at += 1

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _error(self, code: str, message: str, at: int | None = None, suggestion: str = "") -> _ParseError:
        return _ParseError(code, message, (self.at if at is None else at) - self.start, suggestion)


def _checked_json(value: Value, error: _ParseError) -> Value:
    """Return a value that can be written as JSON again, else raise `error`.

    Python's decoder also accepts NaN and lone surrogates, which are not valid JSON.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise error from None
    return value


def _begins_name(text: str) -> bool:
    text = text.removeprefix("#")
    return bool(text) and (text[0] == "$" or text[0].isidentifier())


def _unescaped(raw: str) -> bytes:
    return unquote_to_bytes(re.sub(r"\\([#:/{}])", r"\1", raw))


def _date(text: str) -> date | None:
    if not DATE.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text) if len(text) > len("2024-01-31") else date.fromisoformat(text)
    except ValueError:
        return None
