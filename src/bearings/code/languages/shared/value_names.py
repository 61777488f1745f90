"""Finds names that are used as values: passed, assigned, compared, returned.

Only names of module symbols and imports count; in files that may see names of others without an import, also those
without a declaration. Callees have call sites of their own, and local variables matter to no other code.
"""

import re
from collections.abc import Sequence
from operator import itemgetter

from tree_sitter import Node

from bearings.code.file_facts import BindingKind, CallSite
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.kinds import Bindings, Edges


def mentions(builder: Builder, captures: Captures, free: str = "") -> tuple[CallSite, ...]:
    """Return the names used as values, each once per line, in the order of the source.

    Call this only after all facts of the file are collected. `free` is a LanguageSpec's `paths_sharing_names`.
    """
    names = {row.name for row in builder.bindings if _is_outer(row.kind)}
    operands = _operands(captures.of("m.binary"))
    in_template: set[str] = set()
    if free and (not (builder.imports or builder.exports) or re.search(free, builder.path)):
        written = {builder.source[start:end].decode("utf-8", "replace") for start, end in captures.spans("value")}
        written.update(map(builder.text, operands))
        in_template = written - _bound_in_template(builder) if builder.template_scope else in_template
        names |= written - {row.name for row in builder.bindings}
    found = captures.among("value", names | in_template)
    for node in operands:
        text = builder.text(node)
        if text in names or text in in_template:
            found.append((node.start_byte, text))
    if not found:
        return ()
    found.sort(key=itemgetter(0))
    declarations = _Declarations(builder)
    once = dict.fromkeys([(builder.row(start) + 1, text) for start, text in found])
    uses = [declarations.use(line, text) for line, text in once if (line, text) not in builder.unmentioned]
    template = builder.template_scope or -1
    return tuple([use for use in uses if use is not None and (use.callee in names or use.scope == template)])


def _bound_in_template(builder: Builder) -> set[str]:
    """Return the names that a template sees: those of its module, and those that it binds, without objects' keys."""
    inner = {builder.template_scope}
    for index in range(builder.template_scope + 1, len(builder.scopes)):
        if builder.scopes[index][1] in inner:
            inner.add(index)
    seen = {0, *inner} - {literal.scope for literal in builder.objects.values()}
    return {row.name for row in builder.bindings if row.scope in seen}


def _is_outer(kind: BindingKind) -> bool:
    """Whether it is the kind of a module symbol or an import. A set would be slower: it hashes the enum's member."""
    return kind is Bindings.SYMBOL or kind is Bindings.IMPORT


def _operands(expressions: Sequence[Node]) -> list[Node]:
    """Return the operands that are plain names."""
    operands = [node.child_by_field_name(side) for node in expressions for side in ("left", "right")]
    return [node for node in operands if node is not None and node.type == "identifier"]


class _Declarations:
    """The declarations around a line, and the names of their local variables.

    Lines must be asked for in ascending order: `_open` are the declarations around `_line`, innermost first, `_next`
    the first one that starts later, and `_local_names` the local variables by symbol.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._drafts = sorted(range(len(builder.drafts)), key=lambda index: builder.drafts[index].line)
        self._next = self._line = 0
        self._open: list[int] = []
        self._local_names: dict[int, set[str]] = {}
        literals = {literal.scope for literal in builder.objects.values()}
        for row in builder.bindings:
            if row.scope and not _is_outer(row.kind) and row.scope not in literals:
                self._local_names.setdefault(builder.scopes[row.scope][2], set()).add(row.name)

    def use(self, line: int, text: str) -> CallSite | None:
        """Return the use of a name at a line, or None if it is a local variable of an enclosing function."""
        innermost = -1
        for symbol in self._around(line):
            if text in self._local_names.get(symbol, ()):
                return None
            if innermost < 0 and self._builder.drafts[symbol].inner >= 0:
                innermost = self._builder.drafts[symbol].inner
        return CallSite(Edges.REFERENCE, text, line, max(innermost, 0))

    def _around(self, line: int) -> list[int]:
        """Return the declarations around a line, innermost first."""
        if line != self._line:
            self._line, drafts = line, self._builder.drafts
            began = self._next
            while self._next < len(self._drafts) and drafts[self._drafts[self._next]].line <= line:
                self._next += 1
            if self._next > began:
                self._open = [*reversed(self._drafts[began : self._next]), *self._open]
            self._open = [symbol for symbol in self._open if drafts[symbol].end_line >= line]
        return self._open
