"""How TypeScript and JavaScript write imports."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.languages.shared.importing import ImportRules, Statement, Wanted
from bearings.code.languages.shared.nodes import text_of

_DIRECTIVE = re.compile(
    rb"///|/[/*]+\s*(?:@(?:ts-|jsx|flow|vitest|jest|license|format)|(?:eslint|tslint|istanbul|biome|oxlint|c8|v8)\b)"
)
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_TYPES = re.compile(rb"^import\s+type\b", re.MULTILINE)
_INLINE_TYPES = re.compile(rb"^import\b[^;'\"]*[{,]\s*type\s+\w", re.MULTILINE)
_IMPORT = re.compile(rb"^import\b", re.MULTILINE)
_MODULE = re.compile(rb"^(?:import|export)\b", re.MULTILINE)
_REQUIRES = re.compile(rb"^(?:const|let|var)\b[^=\n]*=\s*require\(", re.MULTILINE)
_SOURCE = re.compile(rb"(?:\bfrom|^import|\brequire\()\s*([\"'])", re.MULTILINE)


_WHOLE = ("", "*", "default")
"""Names that stand outside of braces."""


class EcmaScriptImports(ImportRules):
    """The imports of a module; without any, its `require` calls."""

    indent = b"  "

    def statements(self, root: Node) -> list[Statement]:
        """All imports at the top level, or all `require` calls."""
        found = [one for node in root.named_children if node.type == "import_statement" for one in _import(node)]
        if found or not _REQUIRES.search(root.text or b""):
            return found
        return [one for node in root.named_children if node.type in _DECLARATIONS for one in _require(node)]

    def is_head(self, node: Node) -> bool:
        """Whether a node is a directive, of a tool too, or a line for the system."""
        if node.type == "comment":
            return _DIRECTIVE.match(node.text or b"") is not None
        is_text = node.type == "expression_statement" and node.named_children[0].type == "string"
        return is_text or node.type == "hash_bang_line"

    def joins(self, statement: Statement, wanted: Wanted, text: bytes) -> bool:
        """Whether a name joins `import { a } from "m"` or `import d from "m"`."""
        is_named = wanted.name not in _WHOLE and (statement.entries or statement.room)
        if statement.module != wanted.module or not is_named:
            return False
        if statement.is_type or not wanted.is_type:
            return statement.is_type == wanted.is_type
        return _is_inline(text) or not _TYPES.search(text)

    def entry(self, statement: Statement, wanted: Wanted, text: bytes) -> str:
        """A name with its alias, and marked as a type where the file does so."""
        if statement.node.type != "import_statement":
            return wanted.written(": ")
        return ("type " if wanted.is_type and not statement.is_type and _is_inline(text) else "") + wanted.written()

    def lines(self, module: str, wanted: Sequence[Wanted], text: bytes) -> list[str]:
        """A line for all names, and one for each import of the module itself, in the file's quotes."""
        quotes = [match[1] for match in _SOURCE.finditer(text)]
        single = quotes.count(b"'") * 2 > len(quotes) if quotes else text.count(b"'") > text.count(b'"')
        quote = "'" if single else '"'
        end = ";" if b";\n" in text or b";\r" in text or text.endswith(b";") or not text.strip() else ""
        source = f"{quote}{module}{quote}"
        if not _MODULE.search(text) and _REQUIRES.search(text):
            return [f"const {_required(one)} = require({source}){end}" for one in wanted]
        marks_types = _is_inline(text) or _TYPES.search(text) or not _IMPORT.search(text)
        is_typed = marks_types and all(one.is_type for one in wanted)
        clauses = [_clause(one) for one in wanted if one.name in _WHOLE]
        if names := ", ".join(one.written() for one in wanted if one.name not in _WHOLE):
            clauses.append(f"{{ {names} }} from ")
        return [f"import {'type ' if is_typed else ''}{clause}{source}{end}" for clause in clauses]


def _is_inline(text: bytes) -> bool:
    return _INLINE_TYPES.search(text) is not None


def _clause(wanted: Wanted) -> str:
    if not wanted.name:
        return ""
    return f"{'* as ' if wanted.name == '*' else ''}{wanted.bound} from "


def _required(wanted: Wanted) -> str:
    if wanted.name in ("*", "default"):
        return wanted.bound
    return f"{{ {wanted.written(': ')} }}"


def _import(node: Node) -> Iterator[Statement]:
    module = _unquoted(node.child_by_field_name("source"))
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    is_type = any(child.type == "type" for child in node.children)
    names, entries, room = list[tuple[str, str]](), list[Node](), 0
    for part in clause.named_children if clause is not None else ():
        if part.type == "identifier":
            names.append(("default", text_of(part)))
            room = part.end_byte if not is_type else 0
        elif part.type == "namespace_import":
            names.append(("*", text_of(part.named_children[0])))
            room = 0
        elif part.type == "named_imports":
            entries = [one for one in part.named_children if one.type == "import_specifier"]
            room = 0
            for one in entries:
                name = text_of(one.child_by_field_name("name"))
                names.append((name, text_of(one.child_by_field_name("alias")) or name))
    yield Statement(node, module, names or [("", "")], entries, room, is_type)


def _require(node: Node) -> Iterator[Statement]:
    for declarator in node.named_children if node.named_child_count == 1 else ():
        value, target = declarator.child_by_field_name("value"), declarator.child_by_field_name("name")
        function = value.child_by_field_name("function") if value is not None else None
        arguments = value.child_by_field_name("arguments") if value is not None else None
        if text_of(function) != "require" or arguments is None or target is None or arguments.named_child_count != 1:
            continue
        entries = target.named_children if target.type == "object_pattern" else []
        pairs = [(one.child_by_field_name("key"), one.child_by_field_name("value")) for one in entries]
        names = [(text_of(k or one), text_of(v or one)) for (k, v), one in zip(pairs, entries, strict=True)]
        yield Statement(node, _unquoted(arguments.named_children[0]), names or [("*", text_of(target))], entries)


def _unquoted(node: Node | None) -> str:
    return text_of(node).strip("\"'`")
