"""A table of Go's interfaces and methods by name: any type of the project may implement an interface."""

from collections.abc import Iterator, Mapping

import msgspec

from bearings.code.file_facts import FileFacts, Trait
from bearings.code.models import Language, SymbolKind
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.rules.go.packages import NAMELESS
from bearings.code.resolve.strategy import ProjectTable
from bearings.code.type_expressions import OtherType, TypeExpression, type_names

_INTERFACE = "/.interface/"
_METHODS = "/.methods/"


def interface_cell(name: str) -> str:
    """The cell of interfaces by the name of a method, or (after `+`) by their first embedded interface."""
    return f"{name}{_INTERFACE}"


def methods_cell(file: str, type_: str) -> str:
    """The cell of the methods that a package declares for a type."""
    return f"{file.rpartition('/')[0]}/{type_}{_METHODS}"


class GoInterfaces(ProjectTable):
    """The interfaces of a project, each by its first method by name, else by its first embedded interface."""

    def covers(self, path: str) -> bool:
        """See ProjectTable: files of Go."""
        return path.endswith(".go")

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell.endswith((_INTERFACE, _METHODS))

    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterator[Entry]:
        """See ProjectTable."""
        return _entries(facts[path])

    def named(self, name: str) -> list[tuple[str, str]]:
        """The interfaces with this name of a method: their files and names."""
        return sorted({(path, declared) for path, (_, declared, _) in self.in_cell(interface_cell(name))})


def _entries(facts: FileFacts) -> Iterator[Entry]:
    if facts.language is not Language.GO:
        return
    inside: dict[int, list[str]] = {}
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=True):
        if symbol.kind is SymbolKind.METHOD and shape.traits & Trait.ABSTRACT:
            inside.setdefault(shape.parent, []).append(f"{symbol.name} {_stored(shape.type)}")
        elif symbol.kind is SymbolKind.METHOD:
            owner = symbol.qualified_name.rpartition(".")[0]
            yield methods_cell(facts.path, owner), symbol.qualified_name, _stored(shape.type)
    for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
        if symbol.kind is SymbolKind.INTERFACE and shape.parent == 0 and symbol.qualified_name not in NAMELESS:
            methods = sorted(inside.get(index, ()))
            bases = [_stored(base.type) for base in shape.bases]
            if methods:
                first = methods[0].partition(" ")[0]
                yield interface_cell(first), symbol.qualified_name, "\n".join((*methods, "", *bases))
            elif bases and not isinstance(shape.bases[0].type, OtherType):
                last = next(type_names(shape.bases[0].type), "").rpartition(".")[2]
                yield interface_cell(f"+{last}"), symbol.qualified_name, "\n".join(bases)


def _stored(type_: TypeExpression | None) -> str:
    """A type as text, equal for equal types."""
    return msgspec.json.encode(type_).decode()
