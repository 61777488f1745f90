"""Writes the signatures of TypeScript's and JavaScript's frameworks, from the stubs of our own in `frameworks/`.

    PYTHONPATH=src python packaging/signatures/ecmascript.py

writes `frameworks.json` beside the rules of ECMAScript: see `resolve/rules/library_table.py` for its form. Our own
reader of TypeScript reads the stubs; `this` is the type variable of an own class that extends a stub's.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bearings.code.file_facts import BindingKind, FileFacts
from bearings.code.models import Language, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.resolve.rules.library_table import DEFAULT, SELF
from bearings.code.type_expressions import FunctionType, TypedMember, TypedParameter, TypeReference

FOLDER = Path(__file__).parent / "frameworks"
OUTPUT = Path(__file__).parents[2] / "src/bearings/code/resolve/rules/ecmascript/frameworks.json"
DEFAULT_EXPORTS = {"react", "lodash"}
"""Modules whose functions are members of their default export, too."""
ALIASES = {
    "lodash": ["lodash-es"],
    "@tanstack/react-query": ["@tanstack/vue-query", "@tanstack/svelte-query", "react-query"],
    "vue": ["@vue/composition-api", "@vue/reactivity", "#imports"],
    "sequelize": ["sequelize-typescript"],
    "zustand": ["zustand/vanilla", "zustand/react", "zustand/traditional"],
}
"""A module → its other names."""
DERIVED = {"ReturnType"}
"""Types that the evaluator takes apart by their names."""
BY_THEMSELVES = ("ref", "shallowRef", "useTemplateRef", "reactive", "computed", "toRef", "defineStore")
"""Functions of Vue and Pinia that Nuxt offers without an import."""


def main() -> None:
    """Write the table."""
    functions: dict[str, list[Any]] = {}
    classes: dict[str, list[Any]] = {}
    stubs = {}
    for path in sorted(FOLDER.glob("*.d.ts")):
        stubs[path.name.removesuffix(".d.ts").replace("+", "/")] = parse_file(
            path.name, Language("typescript"), path.read_bytes()
        )
    kinds = (SymbolKind.CLASS, SymbolKind.INTERFACE)
    named = {one.name: module for module, facts in stubs.items() for one in facts.symbols if one.kind in kinds}
    for module, facts in stubs.items():
        add(facts, module, named, functions, classes)
    aliases = {}
    for name in [*functions, *classes]:
        module, _, last = name.rpartition(".")
        others = [*ALIASES.get(module, ()), *([f"{module}.default"] if module in DEFAULT_EXPORTS else [])]
        aliases.update({f"{other}.{last}": name for other in others})
        if last in BY_THEMSELVES and module in ("vue", "pinia"):
            aliases[last] = name
    aliases["swr.default"] = "swr.useSWR"
    tables = {"functions": functions, "classes": classes, "aliases": aliases}
    OUTPUT.write_text(json.dumps(tables, separators=(",", ":"), sort_keys=True).replace('],"', '],\n"') + "\n")


def add(
    facts: FileFacts,
    module: str,
    named: Mapping[str, str],
    functions: dict[str, list[Any]],
    classes: dict[str, list[Any]],
) -> None:
    """Add the functions and classes of a stub."""
    generics: dict[int, list[str]] = {}
    for row in facts.bindings:
        if row.kind is BindingKind.TYPE_PARAMETER:
            generics.setdefault(row.scope, []).append(row.name)
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=True):
        owner = facts.symbols[shape.parent].name if shape.parent > 0 else ""
        own = generics.get(facts.shapes[shape.parent].inner, []) if owner else generics.get(shape.inner, [])
        if symbol.kind in (SymbolKind.CLASS, SymbolKind.INTERFACE):
            classes[f"{module}.{symbol.name}"] = [[f"~{name}" for name in own], [], {}, {}]
            continue
        if shape.head is not None:
            type_ = written(shape.head, {*own, *shape.head.generics}, named)
            if owner:
                classes[f"{module}.{owner}"][2].setdefault(symbol.name, []).append(type_)
            else:
                name = symbol.name.partition("__")[0]  # our reader takes overloads for one function
                functions.setdefault(f"{module}.{name}", []).append(type_)
        elif owner and shape.type is not None and f"{module}.{owner}" in classes:
            classes[f"{module}.{owner}"][3][symbol.name] = written(shape.type, set(own), named)


def written(type_: Any, own: set[str], named: Mapping[str, str]) -> Any:
    """Return a type as the table has it."""
    return msgspec.to_builtins(marked(type_, own, named))


def marked(type_: Any, own: set[str], named: Mapping[str, str]) -> Any:
    """Return a type with marked names: of type parameters, of the stubs' classes and of containers."""
    match type_:
        case "this":
            return SELF
        case str() if type_ in own:
            return f"~{type_}"
        case str() if type_ in named:
            return TypeReference(f"~{named[type_]}.{type_}", ())
        case TypeReference(name, arguments):
            home = "" if name in DERIVED else f"~{named.get(name, 'lib')}."
            return TypeReference(f"{home}{name}", tuple(marked(each, own, named) for each in arguments))
        case FunctionType():
            parameters = tuple(
                TypedParameter(
                    each.name + ("" if each.rest else DEFAULT),
                    marked(each.type, own | set(type_.generics), named),
                    each.rest,
                )
                for each in type_.parameters
            )
            result = marked(type_.result, own | set(type_.generics), named)
            names = tuple(f"~{name}" for name in type_.generics)
            return msgspec.structs.replace(type_, parameters=parameters, result=result, generics=names)
        case TypedMember(name, inner):
            return TypedMember(name, marked(inner, own, named))
        case msgspec.Struct():
            of = {field: marked(getattr(type_, field), own, named) for field in type_.__struct_fields__}
            return msgspec.structs.replace(type_, **of)
        case tuple():
            return tuple(marked(each, own, named) for each in type_)
    return type_


if __name__ == "__main__":
    main()
