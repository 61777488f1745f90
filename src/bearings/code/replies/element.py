"""What every reply about code is made of: elements, the index, lines of text."""

from datetime import UTC, datetime

from bearings.code.models import Symbol, SymbolKind
from bearings.code.notation.model import CodeRef, RefType, is_name
from bearings.code.replies.lines import Row
from bearings.reply import Part, SymbolName
from bearings.untrusted import escape_line

# What a CodeRef calls each kind. Kinds that the notation has no letter for take that of what they are most like.
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

_LONGEST = 2_000
"""Characters of a path or an id that stand in a reply; longer ones are possible, but nobody's."""


def ref_of(symbol: Symbol) -> CodeRef:
    """The symbol as a CodeRef: `@Fn/src/auth.ts#login:24`. A name that it can't write is left to the line."""
    type_ = REF_TYPES[symbol.type]
    if symbol.kind is SymbolKind.MODULE:
        return CodeRef(type_, symbol.file)
    name = symbol.qualified_name
    return CodeRef(type_, symbol.file, name if is_name(name) else "", symbol.line)


def path_line(text: str) -> str:
    """A path, name or id from a project, as it may stand in a reply."""
    return escape_line(text, _LONGEST)


class IndexInfo(Part):
    """What an answer was drawn from; no change before `fresh_at` was missed."""

    files: int
    elements: int
    revision: str
    fresh_at: str
    took_ms: float
    engine: str

    @staticmethod
    def moment(seconds: float) -> str:
        """A time as ISO 8601 in UTC."""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def to_line(self) -> str:
        """The same in a few words."""
        return f"{self.files} files, {self.elements} elements, revision {self.revision}, {self.took_ms:g} ms"

    def to_text(self) -> str:
        """The same, as a line's end."""
        return f"[{self.to_line()}]"


class Element(Part):
    """A symbol. `ref` is its CodeRef.

    `detail` is the framework or rule that makes it an endpoint, a schema, a decorator. An endpoint has a method, a path
    and, if that has a name, a handler.
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
    handler: SymbolName | None = None

    @classmethod
    def of(cls, symbol: Symbol) -> "Element":
        """A symbol as replies show it."""
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
            handler=(path_line(detail.handler) or None) if detail else None,
        )

    def placed(self) -> Row:
        """The lines that it takes, its kind and name; `local` if it is not exported."""
        said = " → ".join(part for part in (self.detail, self.handler) if part)
        local = "" if self.exported else "local "
        lines = f"{self.line}-{self.end_line}" if self.end_line > self.line else str(self.line)
        return self.file, f":{lines} {local}{self.type} {self.qualified_name}{f' ({said})' if said else ''}"

    def to_text(self) -> str:
        """One line."""
        exported = " exported" if self.exported else ""
        said = " → ".join(part for part in (self.detail, self.handler) if part)
        line = f"{self.type} {self.qualified_name} {self.file}:{self.line}-{self.end_line}{exported}"
        return f"{line} ({said})" if said else line


def rest_of(omitted: int, cursor: str | None) -> list[str]:
    """The line that says how much a page left out, if it did."""
    return [f"… {omitted} more: cursor {cursor}"] if omitted else []


def last_of(element: str) -> str:
    """The name of an element without its path, between marks if it stands between marks."""
    path, _, name = element.rpartition("#")
    return f"«{name}" if path.startswith("«") else name


def known(figure: int | None) -> str:
    """A figure for reading."""
    return "unknown" if figure is None else str(figure)


def title_of(name: str, total: int | None, shown: int) -> str:
    """A list's heading: how many there are, and how many of them are shown."""
    if total is None:
        return f"{name}: unknown" + (f" ({shown} guessed)" if shown else "")
    return f"{name}: {total}" + (f" (first {shown})" if shown < total else "")
