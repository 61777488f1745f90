"""Reads AMD's `define(["./dep"], function (dep) { … })` and `require([…], …)` as imports and as the module's export."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import Result
from bearings.code.file_facts import Export, Import, ImportKind
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.names import FUNCTIONS, string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings

CALLS = frozenset({"define", "require", "requirejs"})
_OWN = frozenset({"require", "exports", "module"})
"""Names that a module gets from its loader: they stay free in the callback, as in a CommonJS module."""
_MOST = 200
_ARRAY = re.compile(rb"\s*\(\s*\[")


def may_load(builder: Builder, callee: str, start: int) -> bool:
    """Whether a call may be a loader's: `define`, or one with an array as its first argument."""
    return callee == "define" or _ARRAY.match(builder.source, start + len(callee)) is not None


def amd_call(builder: Builder, node: Node, number: int, *, defines: bool) -> None:
    """Add the imports of a call, which are bound in its callback, and at a file's top the export of `define`."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None and arguments.type == "arguments" else []
    is_named = defines and bool(given) and given[0].type == "string"
    is_other = is_named and not f"/{builder.path}".rpartition(".")[0].endswith(f"/{string_of(given[0], builder)}")
    given = [one for one in given[is_named:] if one.type != "comment"]
    listed = given[0] if given and given[0].type == "array" else None
    made = next((one for one in given if one.type in FUNCTIONS), None)
    if listed is None and (not defines or not given):
        return
    modules = [string_of(one, builder) for one in listed.named_children[:_MOST]] if listed is not None else []
    if made is not None:
        builder.expectations.loaded[made.byte_range] = modules if listed is not None else [*_OWN]
    else:
        for module in filter(_is_imported, modules):
            builder.add_import(module, "", "", node, ImportKind.REQUIRE)
    if defines and not is_other and builder.frames[-1].scope == 0:
        value = made if made is not None else given[-1] if given[-1].type == "object" else None
        if made is not None:
            builder.expectations.invoked[made.byte_range] = number
        if value is not None:
            local = Result(number) if made is not None else expression(value, builder)
            builder.exports.append(Export("=", local, "", builder.line(node)))


def bind_loaded(builder: Builder, function: Node, modules: list[str], scope: int) -> None:
    """Bind the parameters of a callback to the modules that it is called with."""
    names = list(_parameters(function))
    for position, module in enumerate(modules):
        name = builder.text(names[position]) if position < len(names) else ""
        if not _is_imported(module):
            continue
        line = builder.line(names[position] if name else function)
        builder.imports.append(Import(module, "=" if name else "", name, line, scope, ImportKind.REQUIRE))
        if name:
            builder.bind(name, Bindings.IMPORT, line, len(builder.imports) - 1, scope=scope)
    builder.bound |= {(scope, builder.text(name)) for name in names if builder.text(name) in _OWN}


def _is_imported(module: str) -> bool:
    return bool(module) and "!" not in module and module not in _OWN


def _parameters(function: Node) -> Iterator[Node]:
    single, several = function.child_by_field_name("parameter"), function.child_by_field_name("parameters")
    for one in [single] if single is not None else several.named_children if several is not None else []:
        pattern = one.child_by_field_name("pattern") or one
        if pattern.type != "comment":
            yield pattern
