"""Cuts the signatures of Go's standard library whose result's type depends on type parameters, from its sources.

    PYTHONPATH=src python packaging/signatures/go.py $(go env GOROOT)

writes `library.json` beside the rules of Go: see `resolve/rules/library_table.py` for its form; `limits` are the
constraints of the type parameters. Our own reader of Go reads the sources, which are under a BSD licence (LICENSE.go).
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bearings.code.file_facts import BindingKind, FileFacts
from bearings.code.models import Language, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.type_expressions import FunctionType, TypeReference, type_words

OUTPUT = Path(__file__).parents[2] / "src/bearings/code/resolve/rules/go/library.json"
SKIPPED = {"internal", "vendor", "cmd", "testdata", "runtime", "builtin", "_gen", "arena"}
BUILT_IN = {"any", "bool", "error", "int", "string", "uintptr"}


def main(root: Path) -> None:
    """Write the table."""
    functions: dict[str, list[Any]] = {}
    classes: dict[str, Any] = {}
    for path in sorted(root.rglob("*.go")):
        folder = path.relative_to(root).parent
        if not path.name.endswith("_test.go") and SKIPPED.isdisjoint(folder.parts):
            add(parse_file(str(path), Language("go"), path.read_bytes()), folder.as_posix(), functions, classes)
    found = {name: rows for name, rows in classes.items() if rows[0]}
    text = json.dumps({"functions": functions, "classes": found}, separators=(",", ":"), sort_keys=True)
    OUTPUT.write_text(text.replace('],"', '],\n"') + "\n")


def add(facts: FileFacts, package: str, functions: dict[str, list[Any]], classes: dict[str, Any]) -> None:
    """Add the generic functions and types of a file."""
    modules = {entry.module.rpartition("/")[2]: entry.module for entry in facts.imports}
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=True):
        if not symbol.exported or symbol.kind is SymbolKind.MODULE:
            continue
        rows = [row for row in facts.bindings if row.scope == shape.inner and row.kind is BindingKind.TYPE_PARAMETER]
        names = {row.name: f"~{row.name}" for row in rows}
        owner, _, name = symbol.qualified_name.rpartition(".")
        if symbol.kind is SymbolKind.METHOD or symbol.kind is SymbolKind.FUNCTION:
            depends = isinstance(shape.type, FunctionType) and not names.keys().isdisjoint(
                type_words(shape.type.result)
            )
            if not depends:
                continue
            limits = () if owner else tuple(row.type or "any" for row in rows)
            declared = msgspec.structs.replace(shape.type, generics=() if owner else tuple(names), limits=limits)
            written = msgspec.to_builtins(renamed(declared, names, modules, package))
            if owner:
                classes.setdefault(f"{package}.{owner}", [[], [], {}, {}])[2][name] = [written]
            else:
                functions[f"{package}.{name}"] = [written]
        elif names:
            classes.setdefault(f"{package}.{symbol.name}", [[], [], {}, {}])[0] = list(names.values())


def renamed(type_: Any, names: Mapping[str, str], modules: Mapping[str, str], package: str) -> Any:
    """Return a type with marked names: of type parameters, and of generic types; all others are unknown."""
    match type_:
        case str():
            return names.get(type_, type_ if type_ in BUILT_IN else "any")
        case TypeReference(name, arguments):
            module, _, last = name.rpartition(".")
            whole = f"~{modules.get(module, package)}.{last}"
            return TypeReference(whole, tuple(renamed(each, names, modules, package) for each in arguments))
        case FunctionType() if type_.generics:
            names_of_generics = tuple(names[name] for name in type_.generics)
            inner = renamed(msgspec.structs.replace(type_, generics=()), names, modules, package)
            return msgspec.structs.replace(inner, generics=names_of_generics)
        case msgspec.Struct():
            fields = [field for field in type_.__struct_fields__ if field not in ("name", "length")]
            of = {field: renamed(getattr(type_, field), names, modules, package) for field in fields}
            return msgspec.structs.replace(type_, **of)
        case tuple():
            return tuple(renamed(each, names, modules, package) for each in type_)
    return type_


if __name__ == "__main__":
    main(Path(sys.argv[1]) / "src")
