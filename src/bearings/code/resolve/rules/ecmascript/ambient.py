"""The table of names that files see without an import: see conventions.py.

An entry is the cell of a name, the name in its file, and how it is found there: as an export, or as an own declaration.
Of a relation of Django's, see rules/python/related.py, it has the number and the text of its field.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Damaged, inflated
from bearings.code.file_facts import Binding, BindingKind, Export, FileFacts, Import
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.cells import EXPORTED, OWN_NAME, Entry
from bearings.code.resolve.rules.ecmascript.conventions import (
    ALL_EXPORTS,
    BY_TAGS,
    CELL,
    SECOND_CHOICE,
    TAGS,
    AutoImported,
    Conventions,
    ambient_cell,
    conventions_of,
    module_cell,
)
from bearings.code.resolve.rules.python.related import MODELS, RELATED, related_names
from bearings.code.resolve.strategy import ProjectTable
from bearings.code.symbol_tags import TAGGED, declared_parts

_PROGRAM = re.compile(r"\.(?:[cm]?[jt]sx?|gs|vue|svelte|astro|mdx)$")
_DECLARED = frozenset({BindingKind.SYMBOL, BindingKind.TYPE})
_SKIPPED = msgspec.Raw

REGISTERS = rb"customElements\.define|\bcomponent\s*[(<]|\bcustomElement\s*[(<]|@Component\b"
REGISTER_WORDS = "customElements", "component", "customElement", "Component"
"""What the text of a file holds that registers an element under a tag: see languages/ecmascript/elements.py."""


DECLARES = rb"\bdeclare\s+(?:module\s*['\"]|global\b)"
"""What the text of a file holds that declares a module, or what is global, although it is a module itself."""
TYPES_ENDING: Final = ".d.ts"
_HEAD = (
    rb"\b(?:var|let|const|class|interface|type|enum|namespace|module|typedef|callback)\s+|\bfunction\s*\*?\s*"
    rb"|(?:@typedef\b|^\s*\*).*\}\s*",  # `@typedef {string} Name`
    rb"",
)
DECLARING = {
    "script": (_HEAD, (rb"(?:^|[,{\[:.}])\s*", rb"\s*(?:[,;=:}\]]|$)")),
    "types": (_HEAD, (rb"(?:^|,)\s*", rb"\s*[,;:]")),
}
"""By scope, what the text of a file has before and behind a name that it may declare: `class Cart`, `{ Cart }`.

Most files that hold the name of a global, such as `Promise`, only use it.
"""
REGISTERING = rb"(?:^|['\"`,])\s*", rb"\s*['\"`,]"
"""The same of a tag that a file may register: `"my-el"`, `"first-el, my-el"`."""
BEGINS_AS_MODULE = rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|['\"]use strict['\"];?)*(import\s*[\w{*$'\"]|export\b)"
"""The start of a file that imports or exports, so that none of its declarations is seen elsewhere."""


class _Names(msgspec.Struct, array_like=True):
    """The first fields of FileFacts, of which only bindings, imports and exports are read."""

    path: _SKIPPED
    language: _SKIPPED
    lines: _SKIPPED
    symbols: _SKIPPED
    shapes: _SKIPPED
    scopes: _SKIPPED
    bindings: msgspec.Raw
    returns: _SKIPPED
    type_members: _SKIPPED
    imports: msgspec.Raw
    exports: msgspec.Raw


_NAMES = msgspec.msgpack.Decoder(_Names)
_BINDINGS = msgspec.msgpack.Decoder(tuple[Binding, ...])
_IMPORTS = msgspec.msgpack.Decoder(tuple[Import, ...])
_EXPORTS = msgspec.msgpack.Decoder(tuple[Export, ...])


class AmbientTable(ProjectTable):
    """The names of a project that need no import; none of them if it has no convention for that."""

    def __init__(self) -> None:
        super().__init__()
        self._conventions = Conventions()

    def settle(self, project: ProjectFiles) -> bool:
        """See ProjectTable."""
        before, self._conventions = self._conventions, conventions_of(project)
        return before != self._conventions

    def covers(self, path: str) -> bool:
        """See ProjectTable."""
        conventions = self._conventions
        if conventions.has_django and MODELS.fullmatch(path):
            return True
        if not (conventions.registers_elements or conventions.script_endings or conventions.apps):
            return False
        if path.endswith(conventions.script_endings) or conventions.auto_imported(path) is not None:
            return True
        return conventions.registers_elements and _PROGRAM.search(path) is not None

    def auto_imported(self, path: str) -> AutoImported | None:
        """See Conventions."""
        return self._conventions.auto_imported(path)

    def covers_by_text(self, path: str) -> bool:
        """Whether a covered file has entries only if its text matches REGISTERS."""
        return not path.endswith(self._conventions.script_endings)

    def completes(self, path: str) -> bool:
        """See ProjectTable: resolution itself asks for these names."""
        del path
        return False

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell.endswith(CELL)

    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterator[Entry]:
        """See ProjectTable."""
        if path.endswith(".py"):
            for name, index in related_names(facts[path]) if self.covers(path) else ():
                symbol = facts[path].symbols[index]
                yield ambient_cell(RELATED, name), symbol.qualified_name, f"{index} {symbol.signature}"
            return
        imported = self._conventions.auto_imported(path)
        if imported is not None and imported.sides == (BY_TAGS,):
            for rank, name in enumerate(imported.names):
                part = name + SECOND_CHOICE if rank else name
                yield ambient_cell(f"{imported.app}{BY_TAGS}", part), "default", EXPORTED
            imported = None
        names = facts.part(path, _names) if isinstance(facts, PackedMap) else facts[path]
        exports = names.exports if isinstance(names, FileFacts) else _EXPORTS.decode(names.exports)
        for export in exports:
            if export.name.startswith(TAGGED):
                module, name = declared_parts(export.name)
                cell = ambient_cell("types", name) if not module else module_cell(module)
                yield cell if name else ambient_cell(TAGS, module), export.name, EXPORTED
            elif imported is not None and export.name != "=":
                name = imported.names[0] if export.name == "default" else export.name
                part = name + SECOND_CHOICE if imported.is_nested and name != ALL_EXPORTS else name
                for side in imported.sides:
                    yield ambient_cell(f"{imported.app}{side}", part), export.name, EXPORTED
        shares_scope = path.endswith(self._conventions.script_endings)
        if not shares_scope or not all(export.name.startswith(TAGGED) for export in exports):
            return
        # The declarations at the top of a file that imports and exports nothing.
        if names.imports if isinstance(names, FileFacts) else _IMPORTS.decode(names.imports):
            return
        scope = "types" if path.endswith(TYPES_ENDING) else "script"
        for row in names.bindings if isinstance(names, FileFacts) else _BINDINGS.decode(names.bindings):
            if row.scope == 0 and row.kind in _DECLARED and row.name.isidentifier():
                yield ambient_cell(scope, row.name), row.name, OWN_NAME

    def _put(self, path: str, now: frozenset[Entry]) -> set[str]:
        """See ProjectTable. A cell without entries is gone: without any, no name is looked up."""
        changed = super()._put(path, now)
        for cell in changed:
            if not self._in_cell[cell]:
                del self._in_cell[cell]
        return changed


def _names(data: bytes) -> _Names:
    try:
        return _NAMES.decode(inflated(data))
    except msgspec.MsgspecError as error:
        raise Damaged(str(error)) from error
