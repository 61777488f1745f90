"""Other names of the code tools' arguments, which models and other servers use. Tools accept but do not show them.

`target` is the name in the predecessor of these tools, so it is accepted without a note.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from bearings.code.service import CodeService
from bearings.errors import BearingsError
from bearings.forgiving import Habits

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "project_path": (
        "project", "root", "repo", "repository", "workspace", "cwd", "directory", "dir", "folder", "codebase",
        "project_root", "project_dir", "root_path", "root_dir", "repo_path", "repo_root", "base_path", "workspace_path",
    ),
    "element": (
        "target", "focus", "symbol", "name", "elements", "query", "targets", "symbols", "identifier", "entity", "node",
        "id", "ref", "reference", "coderef", "location", "element_name", "element_id", "symbol_name", "symbol_id",
        "qualified_name", "function", "function_name", "method", "method_name", "class", "class_name", "component",
        "target_element", "to", "q", "selector",
    ),
    "question": ("ask", "query", "text", "q", "prompt", "search", "search_query", "element", "symbol", "name", "words",
                 "elements", "symbols", "target", "targets"),
    "query_type": ("type", "kind", "relation", "relationship", "direction", "mode"),
    "diagram_type": ("type", "kind", "diagram", "edges"),
    "pattern_type": ("type", "kind", "pattern", "patterns", "category"),
    "types": ("type", "kind", "kinds", "element_types", "element_type", "symbol_types", "symbol_kinds"),
    "source": ("from", "start", "from_element", "source_element"),
    "max_depth": ("depth", "levels", "hops", "distance"),
    "depth": ("max_depth", "levels", "hops", "distance"),
    "limit": ("max_results", "top", "top_k", "count", "page_size", "max_items"),
    "cursor": ("next_cursor", "page_token"),
    "languages": ("language", "lang", "langs"),
    "lang": ("languages", "language", "langs"),
    "path": ("glob", "path_pattern", "file_pattern", "file", "files", "file_path", "target_path"),
    "pattern": ("glob", "path", "file_pattern", "path_pattern", "files"),
    "operation": ("op", "change_type", "change", "action"),
    "base": ("since", "commit", "base_ref", "from_ref", "ref", "branch", "revision", "base_commit"),
    "at": ("commit", "revision", "rev", "ref", "branch", "tag", "version", "at_commit", "git_ref", "sha"),
    "head": ("until", "to_ref", "head_ref", "to_commit", "head_commit", "target_ref"),
    "output_path": ("output", "output_file", "out", "file", "file_path", "destination"),
    "index_path": ("index", "index_file", "path"),
    "budget": ("max_chars", "max_characters", "character_budget"),
    "max_nodes": ("limit", "nodes"),
    "exclude": ("excludes", "exclude_patterns", "ignore"),
    "dry_run": ("preview",),
    "use_ast": ("ast",),
    "output_format": ("format",),
    "format": ("output_format",),
}  # fmt: skip
"""Other names of each argument. They are unambiguous in a tool that has the argument."""

RENAMING: Mapping[str, tuple[str, ...]] = {
    "new_name": (
        "to", "new", "to_name", "rename_to", "new_symbol", "new_identifier", "replacement", "replace_with",
        "target_name",
    ),
    "element": ("from", "old", "old_name", "from_name", "current", "current_name", "original_name", "rename"),
}  # fmt: skip
"""Other names in a tool that has a new name, where `to` is no element."""

MOVING: Mapping[str, tuple[str, ...]] = {
    "target": ("to", "destination", "target_path", "target_file", "new_path", "to_file", "dest", "new_file"),
    "element": ("from", "source", "source_path", "file", "path", "folder", "old_path"),
}  # fmt: skip
"""Other names in a tool that has a target, where `target` and `to` are no elements."""

_INHERITING = {"query_type": "depends-on-me", "kinds": ["extends", "implements"], "max_depth": 1}

OTHER_WORDS: Mapping[str, Mapping[str, str | Mapping[str, Any]]] = {
    "query_type": {
        **dict.fromkeys(
            ("caller", "callers", "called-by", "is-called-by", "who-calls", "incoming", "incoming-call",
             "incoming-calls", "call-site", "call-sites", "callsites", "invocations", "find-callers"),
            "calls-me",
        ),
        **dict.fromkeys(
            ("callee", "callees", "call", "outgoing", "outgoing-calls", "calls-to", "calls-from", "find-callees"),
            "calls",
        ),
        **dict.fromkeys(("importers", "imported-by", "who-imports", "is-imported-by", "find-importers"), "imports-me"),
        **dict.fromkeys(("import", "imported"), "imports"),
        **dict.fromkeys(
            ("usage", "usages", "used-by", "users", "user", "references", "reference", "refs", "ref", "referenced-by",
             "dependents", "dependent", "reverse-dependencies", "reverse-deps", "depended-on-by", "is-used-by",
             "who-uses", "find-references", "find-usages", "incoming-dependencies", "uses-me", "uses-of"),
            "depends-on-me",
        ),
        **dict.fromkeys(
            ("dependencies", "dependency", "deps", "depends", "uses", "requires", "outgoing-dependencies"), "depends-on"
        ),
        **dict.fromkeys(
            ("implementations", "implementation", "implementers", "implementors", "implemented-by", "subclasses",
             "subclass", "subtypes", "derived", "extended-by", "inheritors", "children", "implements-me", "extends-me",
             "inherited-by"),
            _INHERITING,
        ),
        **dict.fromkeys(("paths", "chain", "call-path", "shortest-path", "trace"), "path"),
    },
    "operation": {
        **dict.fromkeys(("change", "edit", "update", "changes", "modification", "alter"), "modify"),
        **dict.fromkeys(("remove", "removal", "deletion", "drop"), "delete"),
        **dict.fromkeys(("rename", "move", "signature", "restructure", "refactoring"), "refactor"),
    },
    "types": {
        **dict.fromkeys(("func", "funcs", "fn", "def", "defs"), "function"),
        **dict.fromkeys(("struct", "structs", "object"), "class"),
        **dict.fromkeys(("var", "vars"), "variable"),
        **dict.fromkeys(("const", "consts"), "constant"),
        **dict.fromkeys(("field", "fields", "attribute", "attributes", "props", "prop"), "property"),
        **dict.fromkeys(("route", "routes", "api", "apis", "handler", "handlers"), "endpoint"),
        **dict.fromkeys(("file", "files"), "module"),
        **dict.fromkeys(("ctor", "init"), "constructor"),
        **dict.fromkeys(("model", "models", "dataclass", "dataclasses"), "schema"),
        **dict.fromkeys(("type-alias", "alias", "typedef"), "type"),
        **dict.fromkeys(("protocol", "protocols"), "interface"),
        "enumeration": "enum",
    },
    "diagram_type": {
        **dict.fromkeys(("dependency", "deps", "dependency-graph", "modules", "architecture"), "dependencies"),
        **dict.fromkeys(("call-graph", "callgraph", "callers"), "calls"),
        **dict.fromkeys(("import-graph",), "imports"),
        **dict.fromkeys(("full", "everything"), "all"),
    },
    "format": {
        **dict.fromkeys(("graphviz", "gv"), "dot"),
        **dict.fromkeys(("mmd",), "mermaid"),
        **dict.fromkeys(("json-ld", "ld+json"), "jsonld"),
        **dict.fromkeys(("full", "details", "detail", "by-file"), "detailed"),
        **dict.fromkeys(("brief", "short"), "summary"),
    },
    "output_format": {**dict.fromkeys(("md", "text"), "markdown"), "all": "both"},
    "output_mode": {**dict.fromkeys(("markdown", "plain", "md", "human"), "text"), "structured": "json"},
}  # fmt: skip
"""Other words for the choices of an argument, normalized as in `forgiving`: with dashes, in lower case."""

_NAME = re.compile(r"[^\W\d][\w$.#:/-]*")
_NO_NAMES = frozenset({"true", "false", "yes", "no", "none", "null", "json", "text", "full", "lines", "all"})
_LINE_OF_ID = re.compile(r":\d+$")
_FILE = ("file", "file_path", "filepath", "filename", "path")
_LINE = ("line", "line_number", "lineno", "start_line")
_COLUMN = ("column", "col", "character")


def habits_of(service: CodeService, fields: Mapping[str, Any]) -> Habits:
    """The accepted names and words for a tool with these arguments."""

    async def project(given: Any) -> tuple[Any, str]:
        return await service.project_named(given) if given is None or isinstance(given, str) else (given, "")

    async def element(given: Mapping[str, Any]) -> str | None:
        """An element of the caller's own words; any other only if the call names none and writes nothing."""
        words = [value for name, value in given.items() if name not in fields and _is_name(value)]
        if words or _names_any(given.get("element")) or given.get("dry_run") is False:
            return words[0] if len(words) == 1 and not given.get("element") else None
        try:
            return await service.any_element(str(given["project_path"]))
        except BearingsError:  # the caller gets the original error
            return None

    async def new_name(given: Mapping[str, Any]) -> str | None:
        return _another_name(given.get("new_name"), given.get("element"))

    async def query_type(_: Mapping[str, Any]) -> str:
        return "calls-me"

    names: dict[str, str] = {}
    own = RENAMING if "new_name" in fields else MOVING if "target" in fields else {}
    tables = [*own.items(), *OTHER_NAMES.items()]
    for field, others in tables:
        if field in fields:
            names.update({other: field for other in others if other not in names and other not in fields})
    return Habits(
        names=names,
        silent=frozenset({"target"}),
        words=OTHER_WORDS,
        coerces=True,
        joined=_joined if "element" in fields else None,
        fillers={"project_path": project},
        examples={"element": element, "query_type": query_type, "new_name": new_name},
        of_one_list=frozenset({"cursor"}),
    )


def _is_name(value: Any) -> bool:
    """Whether an argument of an unknown name may be an element."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value)) and value.lower() not in _NO_NAMES


def _names_any(element: Any) -> bool:
    """Whether the caller named an element, or several."""
    return any(isinstance(one, str) and one.strip() for one in (element if isinstance(element, list) else [element]))


def _another_name(refused: Any, element: Any) -> str | None:
    """A name that may be free: the refused one as an identifier, else the element's, with an underscore."""
    for text in (refused, element):
        if isinstance(text, str) and (words := re.findall(r"\w+", _LINE_OF_ID.sub("", text))):
            name = "_".join(words) if text is refused else words[-1]
            return (
                name if name != text and text is refused and not name[0].isdigit() else f"{name.lstrip('0123456789')}_"
            )
    return None


def _joined(arguments: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """Joins an element that is passed as `file` and `line`, or `file` and `name`, into one argument."""
    given = dict(arguments)
    for name in [name for name, value in given.items() if name not in fields and isinstance(value, dict)]:
        if OTHER_NAMES["element"].count(name):
            given.update(given.pop(name))
    if isinstance(given.get("element"), dict):
        given.update(given.pop("element"))
    file, line, _ = (_pop_first(given, pieces, fields) for pieces in (_FILE, _LINE, _COLUMN))
    if not isinstance(file, str) or not file:
        return given
    names = [name for name in ("element", *OTHER_NAMES["element"]) if isinstance(given.get(name), str)]
    element = str(given.pop(names[0])) if names else ""
    # A file and the name login are src/a.ts#login, a file and the line 24 are src/a.ts:24.
    if element and not element.startswith(file):
        return {**given, "element": f"{file}#{element}"}
    return {**given, "element": element or (f"{file}:{line}" if line else file)}


def _pop_first(given: dict[str, Any], names: Collection[str], fields: Collection[str]) -> Any:
    """Removes the arguments of these names that are no fields, and returns the first."""
    found = [given.pop(name) for name in names if name in given and name not in fields]
    return found[0] if found else None
