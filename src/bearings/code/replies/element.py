"""The parts that replies about code share: elements, the index, lines of text."""

from collections.abc import Sequence
from datetime import UTC, datetime

from bearings.code.models import Symbol, SymbolKind
from bearings.code.notation.model import CodeRef, RefType, is_name
from bearings.code.replies.lines import Row
from bearings.reply import Part, SymbolName
from bearings.untrusted import escape_line

# The type of each kind in a CodeRef. A kind without a type of its own has that of the most similar kind.
REF_TYPES = {
    SymbolKind.MODULE: RefType.FILE,
    SymbolKind.FUNCTION: RefType.FUNCTION,
    SymbolKind.DECORATOR: RefType.FUNCTION,
    SymbolKind.CLASS: RefType.CLASS,
    SymbolKind.COMPONENT: RefType.COMPONENT,
    SymbolKind.HOOK: RefType.HOOK,
    SymbolKind.METHOD: RefType.METHOD,
    SymbolKind.CONSTRUCTOR: RefType.METHOD,
    SymbolKind.CONSTANT: RefType.VARIABLE,
    SymbolKind.VARIABLE: RefType.VARIABLE,
    SymbolKind.PROPERTY: RefType.VARIABLE,
    SymbolKind.INTERFACE: RefType.INTERFACE,
    SymbolKind.TYPE: RefType.TYPE,
    SymbolKind.ENUM: RefType.TYPE,
    SymbolKind.ENDPOINT: RefType.ENDPOINT,
    SymbolKind.SCHEMA: RefType.SCHEMA,
}

_MAX_LENGTH = 2_000
"""Characters of a path or an id in a reply; real ones are shorter."""


def ref_of(symbol: Symbol) -> CodeRef:
    """The symbol as a CodeRef: `@Fn/src/auth.ts#login:24`. Without a name if the notation can't express it."""
    type_ = REF_TYPES[symbol.type]
    if symbol.kind is SymbolKind.MODULE:
        return CodeRef(type_, symbol.file)
    name = symbol.qualified_name
    return CodeRef(type_, symbol.file, name if is_name(name) else "", symbol.line)


def path_line(text: str) -> str:
    """A path, name or id from a project, made safe for a reply."""
    return escape_line(text, _MAX_LENGTH)


class IndexInfo(Part):
    """The state of the index behind an answer; it includes every change before `fresh_at`.

    Without an index, an answer is made of the files that may hold it: `read` is their number, `elements` is unknown.
    `commit` is the start of the commit's name if the answer is about one, not about the files on disk. `earlier` says
    what a command that was stopped left half-written, or what was done about it. `took_ms` is the caller's waiting
    time: queue, index and computation.
    """

    files: int
    elements: int | None
    revision: str
    fresh_at: str
    took_ms: float
    engine: str
    commit: str | None = None
    earlier: SymbolName | None = None
    read: int | None = None

    @staticmethod
    def moment(seconds: float) -> str:
        """A time as ISO 8601 in UTC."""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def to_text(self) -> str:
        """The state in brackets, for the end of a line."""
        extent = f"{self.files} files, {self.elements} elements"
        if self.read is not None:
            extent = f"no index, read {self.read} of {self.files} files"
        state = f"{extent}, revision {self.revision}, {self.took_ms:g} ms"
        return f"[commit {self.commit}, {state}]" if self.commit else f"[{state}]"


def not_indexed() -> IndexInfo:
    """The state in an answer until the index behind it is known."""
    return IndexInfo(files=0, elements=0, revision="", fresh_at="", took_ms=0.0, engine="")


class Element(Part):
    """A symbol. `ref` is its CodeRef.

    `detail` is the framework or rule that makes it an endpoint, a schema or a decorator. An endpoint has a method, a
    path and, if the handler has a name, a handler; `mounted` are its whole paths, where other files give its router a
    prefix.
    """

    type: SymbolKind
    name: SymbolName
    qualified_name: SymbolName
    file: SymbolName
    line: int
    end_line: int
    exported: bool = False
    ref: SymbolName
    detail: SymbolName | None = None
    method: SymbolName | None = None
    path: SymbolName | None = None
    mounted: tuple[SymbolName, ...] | None = None
    handler: SymbolName | None = None

    @classmethod
    def of(cls, symbol: Symbol, mounted: Sequence[str] = ()) -> "Element":
        """A symbol as a part of replies."""
        detail = symbol.detail
        return cls(
            type=symbol.type,
            name=path_line(symbol.name),
            qualified_name=path_line(symbol.qualified_name),
            file=path_line(symbol.file),
            line=symbol.line,
            end_line=symbol.end_line,
            exported=symbol.exported,
            ref=path_line(str(ref_of(symbol))),
            detail=path_line(detail.by) if detail else None,
            method=(path_line(detail.method) or None) if detail else None,
            path=path_line(detail.path) if detail and detail.method else None,
            mounted=tuple(map(path_line, mounted)) or None,
            handler=(path_line(detail.handler) or None) if detail else None,
        )

    def placed(self) -> Row:
        """The element's lines, kind and name; `local` if it is not exported."""
        role = self._role()
        local = "" if self.exported else "local "
        lines = f"{self.line}-{self.end_line}" if self.end_line > self.line else str(self.line)
        return self.file, f":{lines} {local}{self.type} {self.qualified_name}{f' ({role})' if role else ''}"

    def _role(self) -> str:
        """The framework with the handler, and the whole paths."""
        role = " → ".join(part for part in (self.detail, self.handler) if part)
        return f"{role}, as {', '.join(self.mounted)}" if self.mounted else role

    def to_text(self) -> str:
        """One line."""
        exported = " exported" if self.exported else ""
        role = self._role()
        line = f"{self.type} {self.qualified_name} {self.file}:{self.line}-{self.end_line}{exported}"
        return f"{line} ({role})" if role else line


def rest_of(omitted: int, cursor: str | None) -> list[str]:
    """A line with the number of omitted items and the cursor, if any are omitted."""
    return [f"… {omitted} more: cursor {cursor}"] if omitted else []


def last_of(element: str) -> str:
    """The name of an element without its path, between marks if the id is between marks."""
    path, _, name = element.rpartition("#")
    return f"«{name}" if path.startswith("«") else name


def known(figure: int | None) -> str:
    """A figure as text; None is unknown."""
    return "unknown" if figure is None else str(figure)


def title_of(name: str, total: int | None, shown: int) -> str:
    """A list's heading with the total, and the number of items shown."""
    if total is None:
        return f"{name}: unknown" + (f" ({shown} shown)" if shown else "")
    return f"{name}: {total}" + (f" (first {shown})" if shown < total else "")
