"""The code that moves with elements, and why it may not: it means something else in another file, or shares state."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bearings.code.languages import spec_of
from bearings.code.languages.shared.import_lists import with_module
from bearings.code.languages.shared.occurrences import MODULE, Part
from bearings.code.languages.shared.removals import Removal, When
from bearings.code.models import VARIABLES, Symbol, SymbolKind
from bearings.code.questions.move.texts import Text
from bearings.code.questions.move.users import Users, is_star
from bearings.code.refactoring.edits import Edit
from bearings.code.refactoring.loading import Loading
from bearings.code.refactoring.plans import Plan
from bearings.code.refactoring.specifiers import Specifiers
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import Use

_FORBIDDEN = re.compile(
    rb"__file__|__path__|__package__|__spec__|__dirname|__filename|import\.meta|\bglobals\(\)|modules\[__name__\]"
    rb"|^[ \t]+global\s+\w+",
    re.MULTILINE,
)
_DECORATED = re.compile(rb"^@([\w$]+)\.", re.MULTILINE)
_OVERLOAD = re.compile(rb"^@(?:\w+\.)?overload\b|^(?:export\s+)?(?:declare\s+)?function\b[^{]*\Z", re.MULTILINE)
_BINDING = frozenset({Part.BINDING, Part.HEAD})
READ = frozenset({Part.NAME, Part.SHORTHAND})


class MovingCode:
    """Code of the file `source` that moves to the file `target`, as definitions of some elements."""

    def __init__(self, view: WholeGraph, symbols: Sequence[Symbol], target: str, draft: Plan) -> None:
        self._view, self._draft, self._snapshot = view, draft, view.snapshot
        self._symbols = {symbol.name: symbol for symbol in symbols}
        source, project = symbols[0].file, view.snapshot.project
        is_new = target not in self._snapshot.facts
        after = replace(project, paths=project.paths | {target}) if is_new else None
        self._specifiers = Specifiers(self._snapshot, after)
        self._source = Text.of(source, view.lines.data(source))
        self._target = Text.of(target, None if is_new else view.lines.data(target))
        self._facts, self._others = self._snapshot.facts[source], self._snapshot.facts.get(target)
        names = {row.name for row in self._facts.bindings if row.scope == 0} | self._symbols.keys()
        self._uses = self._source.uses_of(names & words_of(self._source.text))
        spec = spec_of(source)
        rules = spec.name_rules().removal if spec is not None and spec.name_rules is not None else None
        self._is_live = rules is not None and rules.is_live
        self._loading = Loading(self._snapshot, is_live=self._is_live)
        self._users = Users(view, self._specifiers, source, target, self._loading, draft)
        self._inner: list[Edit] = []
        """The edits of the code that moves."""
        self._blocks = set[tuple[int, int]]()
        """The bytes of statements that import names under conditions, of which the target gets a copy."""
        self._unneeded: list[Use] = []
        """The imports of the source that the moved code alone uses."""
        self._definitions = {
            one.id: one
            for one in self._facts.symbols
            if one.qualified_name in self._symbols and not one.inside and one.kind is not SymbolKind.ENDPOINT
        }
        self._spans = self._cut()

    def _refuse(self, at: int, why: str) -> None:
        self._draft.refused.append((self._source.path, self._source.line(at), why))

    def _moves(self, at: int) -> bool:
        return any(span.start <= at < span.end for span in self._spans)

    def _cut(self) -> list[Removal]:
        """The bytes of the source that go, in order."""
        names, found, text = [], set[Removal](), self._source.text
        for one in self._definitions.values():
            here = [
                use.one
                for use in self._uses.get(one.name, ())
                if one.line <= use.one.line <= one.end_line and use.one.part in _BINDING
            ]
            if here and here[0].scope == MODULE:
                names.append((here[0].start, here[0].end))
            else:
                self._draft.refused.append((one.file, one.line, "its definition can't be taken out alone"))
        others = [
            (use.one.start, use.one.end)
            for name in self._symbols
            for use in self._uses.get(name, ())
            if use.one.part in _BINDING and use.one.scope == MODULE and (use.one.start, use.one.end) not in names
        ]
        heads = zip(others, self._source.removals_of(others), strict=True)
        names += [span for span, one in heads if one is not None and _OVERLOAD.search(text, one.start, one.end)]
        for (start, _), removal in zip(names, self._source.removals_of(names), strict=True):
            if removal is None or not removal.lines:
                self._refuse(start, "it shares a statement or a line with other code")
            elif text[removal.start : removal.end].lstrip(b"\r\n")[:1].isspace():
                self._refuse(start, "it is defined under a condition")
            elif re.search(rb"^export\s+default\b", text[removal.start : removal.end], re.MULTILINE):
                self._refuse(start, "it is the default export of its file")
            else:
                found.add(removal)
        return sorted(found)

    def _check_code(self) -> None:
        """Refuse code that means something else in another file, or that shares its state."""
        for span in self._spans:
            code = self._source.text[span.start : span.end]
            for match in _FORBIDDEN.finditer(code):
                self._refuse(span.start + match.start(), f"{match[0].decode().strip()} is another one in another file")
            for match in _DECORATED.finditer(code):  # @app.route("/"): `app` gets it as the file is loaded
                if self._is_variable(match[1].decode()):
                    self._refuse(span.start + match.start(), "it is registered as its file is loaded")
            for match in re.finditer(rb"\b__name__\b", code):
                line = self._source.line(span.start + match.start())
                self._draft.left.append((self._source.path, line, "its value is the name of the new module"))
            self._respell_inside(span)
        for name, symbol in self._symbols.items():
            for one in (use.one for use in self._uses.get(name, ()) if not self._moves(use.one.start)):
                if one.part is Part.BINDING and one.scope == MODULE:
                    self._refuse(one.start, f"{name} is assigned or declared again here")
            for edge in self._snapshot.graph.edges_to(symbol.id):
                if edge.kind == "write" and not (edge.file == symbol.file and self._moves_line(edge.line)):
                    self._draft.refused.append((edge.file, edge.line, f"{name} is assigned here"))
        for row in self._facts.imports:
            if is_star(row) and not self._specifiers.meant(self._source.path, row.module):
                self._draft.refused.append((self._source.path, row.line, "names may come from this star import"))
        for export in self._facts.exports:
            if export.name == "=" or str(export.local).startswith("exports."):
                self._draft.refused.append((self._source.path, export.line, "its file exports by assignments"))

    def _moves_line(self, line: int) -> bool:
        return any(line in self._lines_of(span) for span in self._spans)

    def _lines_of(self, span: Removal) -> range:
        """The lines of code that moves."""
        blank = len(code := self._source.text[span.start : span.end]) - len(code.lstrip(b"\r\n"))
        return range(self._source.line(span.start + blank), self._source.line(span.end - 1) + 1)

    def _respell_inside(self, span: Removal) -> None:
        """Respell the relative modules that functions of the moved code import."""
        text = self._source
        for row in self._facts.imports:
            if not (row.module.startswith(".") and self._moves_line(row.line)):
                continue
            start, end = text.span_of(row.line)
            meant = self._users.meant(text.path, row)
            spelled = self._users.spelled(self._target.path, row, text.path, meant) if meant else None
            code = with_module(text.text[start:end], row.module, spelled[0]) if spelled is not None else None
            if code is None:
                self._draft.refused.append((text.path, row.line, f"{row.module} has no sure name in the target"))
            elif span.start <= start < span.end:
                self._inner.append(Edit(start, end, code))

    def _is_variable(self, name: str) -> bool:
        """Whether a name is a variable of the project, and no module, function or class."""
        graph = self._snapshot.graph
        found = [one for one in self._facts.symbols if one.qualified_name == name]
        lines = {row.line for row in self._facts.imports if row.local == name}
        edges = (edge for edge in graph.edges_from(self._source.path) if edge.line in lines and edge.is_name_of_import)
        found += [graph.symbols[edge.target] for edge in edges]
        return any(one.kind in VARIABLES for one in found)

    def _bound(self) -> dict[str, int]:
        """The names at the top of the target, with their lines."""
        rows = self._others.bindings if self._others is not None else ()
        return {row.name: row.line for row in rows if row.scope == 0}


def words_of(text: bytes) -> set[str]:
    """The names and keywords in a text."""
    return set(re.findall(r"[\w$]+", text.decode("utf-8", "replace")))


def is_read(use: Use) -> bool:
    """Whether an occurrence reads a name of its module."""
    is_type = use.one.part is Part.STRING and (use.when is When.TYPE or use.one.called == "cast")
    return is_type or (use.one.part in READ and use.one.scope == MODULE)
