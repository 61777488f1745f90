"""What every reply about code is made of: elements, the index, lines of text."""

from datetime import UTC, datetime
from urllib.parse import quote

from bearings.code.models import Symbol, SymbolKind
from bearings.reply import Part
from bearings.untrusted import clean_line

# What a CodeRef calls each kind. Kinds that the grammar has no letter for take that of what they are most like.
_REF_TYPES = {
    SymbolKind.MODULE: "F",
    SymbolKind.FUNCTION: "Fn",
    SymbolKind.DECORATOR: "Fn",
    SymbolKind.CLASS: "Cl",
    SymbolKind.COMPONENT: "C",
    SymbolKind.HOOK: "H",
    SymbolKind.METHOD: "M",
    SymbolKind.CONSTRUCTOR: "M",
    SymbolKind.CONSTANT: "V",
    SymbolKind.VARIABLE: "V",
    SymbolKind.PROPERTY: "V",
    SymbolKind.INTERFACE: "I",
    SymbolKind.TYPE: "T",
    SymbolKind.ENUM: "T",
    SymbolKind.ENDPOINT: "A",
    SymbolKind.SCHEMA: "S",
}


def ref_of(symbol: Symbol) -> str:
    """The symbol as a CodeRef: `@Fn/src/auth.ts#login:24`. A name that the grammar can't hold is left to the line."""
    path = quote(symbol.file, safe="/~")
    if symbol.kind is SymbolKind.MODULE:
        return f"@F/{path}"
    name = symbol.qualified_name
    plain = all(part.lstrip("#").replace("$", "_").isidentifier() for part in name.split("."))
    return f"@{_REF_TYPES[symbol.kind]}/{path}{f'#{name}' if plain else ''}:{symbol.line}"


def path_line(text: str) -> str:
    """A path, name or id from a project, as it may stand in a reply."""
    return clean_line(text, 500)


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

    def to_text(self) -> str:
        """The same, as a line's end."""
        return f"[{self.files} files, {self.elements} elements, revision {self.revision}, {self.took_ms:g} ms]"


class Element(Part):
    """A symbol. `ref` is its CodeRef."""

    type: SymbolKind
    name: str
    qualified_name: str
    file: str
    line: int
    end_line: int
    exported: bool
    ref: str

    @classmethod
    def of(cls, symbol: Symbol) -> "Element":
        """A symbol as replies show it."""
        return cls(
            type=symbol.kind,
            name=path_line(symbol.name),
            qualified_name=path_line(symbol.qualified_name),
            file=path_line(symbol.file),
            line=symbol.line,
            end_line=symbol.end_line,
            exported=symbol.exported,
            ref=path_line(ref_of(symbol)),
        )

    def to_text(self) -> str:
        """One line."""
        exported = " exported" if self.exported else ""
        return f"{self.type} {self.qualified_name} {self.file}:{self.line}-{self.end_line}{exported}"


def rest_of(omitted: int, cursor: str | None) -> list[str]:
    """The line that says how much a page left out, if it did."""
    return [f"… {omitted} more: cursor {cursor}"] if omitted else []


def title_of(name: str, total: int, shown: int) -> str:
    """A list's heading: how many there are, and how many of them are shown."""
    return f"{name}: {total}" + (f" (first {shown})" if shown < total else "")
