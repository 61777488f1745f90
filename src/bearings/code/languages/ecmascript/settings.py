"""Reads the literal settings of a tool's configuration file, without running it.

    read(tree, source, "web/vite.config.js", "web", {"alias"})
    # [Setting("alias", ("resolve",), {"@": Place("web/src")})]

Paths that are made with `path.resolve`, `__dirname` or `new URL(…, import.meta.url)` are Places. Constants, functions
of one expression and spread values of the file itself are followed.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from posixpath import dirname, join, normpath

from tree_sitter import Node

from bearings.code.languages.ecmascript.names import literal, unwrapped
from bearings.code.languages.ecmascript.setting_values import DEEPEST, Place, RegularExpression, Setting, Value
from bearings.code.languages.shared.nodes import above, descendants, first, inside

_MOST_STEPS = 20_000
"""Evaluated nodes in one file; a webpack configuration of 500 lines takes some 300."""
_JOINS = frozenset({"resolve", "join", "normalize"})
_SAME = frozenset({"fileURLToPath", "searchForWorkspaceRoot", "normalizePath", "String", "Object.freeze"})
_FOLDERS = frozenset({"__dirname", "import.meta.dirname"})
_FILES = frozenset({"__filename", "import.meta.url", "import.meta.filename"})
_WORKING = frozenset({"process.cwd", "cwd", "Deno.cwd"})


def read(root: Node, source: bytes, path: str, folder: str, keys: Container[str]) -> list[Setting]:
    """Returns the settings with these keys, in order. The program's working directory is `folder`."""
    return list(_Reader(root, source, path, folder).settings(keys))


class _Reader:
    def __init__(self, root: Node, source: bytes, path: str, folder: str) -> None:
        self._root = root
        self._source = source
        self._here = Place(dirname(path))
        self._file = Place(path)
        self._folder = Place(folder)
        self._steps = _MOST_STEPS
        self._nodes = list(descendants(root))
        self._named: dict[str, Node] = {}
        for node in self._nodes:
            if node.type in ("variable_declarator", "function_declaration"):
                value = node.child_by_field_name("value") if node.type == "variable_declarator" else node
                name = node.child_by_field_name("name")
                if value is not None and name is not None:
                    self._named.setdefault(self._text(name), value)

    def settings(self, keys: Container[str]) -> Iterator[Setting]:
        for node in self._nodes:
            key, value, entry = "", None, ""
            if node.type == "pair":
                key, value = self._key(node), node.child_by_field_name("value")
            elif node.type == "shorthand_property_identifier":
                key, value = self._text(node), node
            elif node.type == "assignment_expression":
                *_, key = names = self._path(node.child_by_field_name("left"))
                value = node.child_by_field_name("right") if len(names) > 1 else None
                if names[-2:-1] == ["alias"]:
                    key, entry = "alias", key
            elif node.type == "call_expression":
                key, value, entry = self._put(node)
            if value is not None and key in keys:
                found = self._value(value, {}, 0)
                yield Setting(key, self._around(node), {entry: found} if entry else found)

    def _put(self, node: Node) -> tuple[str, Node | None, str]:
        """The key, value and entry of `resolve.alias.set(entry, value)` and `resolve.modules.push(value)`."""
        callee, given = node.child_by_field_name("function"), inside(node, "arguments")
        if callee is None or callee.type != "member_expression" or not given:
            return "", None, ""
        of, name = self._text(callee.child_by_field_name("object")), self._text(callee.child_by_field_name("property"))
        if name == "set" and len(given) > 1 and ".alias" in of:
            return "alias", given[1], self._string(given[0])
        is_root = name in ("push", "unshift", "add", "prepend") and of.endswith(".modules")
        return ("modulePaths" if is_root else ""), given[0], ""

    def _path(self, node: Node | None) -> list[str]:
        """The names of `a.b["c"]`."""
        names: list[str] = []
        while node is not None and node.type in ("member_expression", "subscript_expression"):
            last = node.child_by_field_name("property") or node.child_by_field_name("index")
            names.append(literal(self._text(last)))
            node = unwrapped(node.child_by_field_name("object"))
        return [self._text(node), *reversed(names)]

    def _around(self, node: Node) -> tuple[str, ...]:
        return tuple(self._key(each) for each in above(node) if each.type == "pair")[::-1]

    def _text(self, node: Node | None) -> str:
        return "" if node is None else self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _key(self, pair: Node) -> str:
        key = pair.child_by_field_name("key")
        if key is not None and key.type == "computed_property_name":
            return self._string(first(key))
        return literal(self._text(key))

    def _string(self, node: Node | None) -> str:
        found = self._value(node, {}, 0)
        return found if isinstance(found, str) else ""

    def _value(self, node: Node | None, local: Mapping[str, Value], depth: int) -> Value:
        node = unwrapped(node)
        self._steps -= 1
        if node is None or depth > DEEPEST or self._steps < 0:
            return None
        deeper = depth + 1
        match node.type:
            case "string":
                return literal(self._text(node)) if node.named_child_count else ""
            case "template_string":
                return self._joined(node, local, deeper)
            case "regex":
                return RegularExpression(self._text(node.child_by_field_name("pattern")))
            case "object":
                return self._object(node, local, deeper)
            case "array":
                return self._array(node.named_children, local, deeper)
            case "identifier" | "shorthand_property_identifier":
                return self._name(self._text(node), local, deeper)
            case "member_expression" | "subscript_expression":
                return self._member(node, local, deeper)
            case "call_expression" | "new_expression":
                return self._call(node, local, deeper)
            case "binary_expression":
                return _added(
                    *(self._value(node.child_by_field_name(side), local, deeper) for side in ("left", "right"))
                )
            case "await_expression" | "spread_element":
                return self._value(first(node), local, deeper)
            case "ternary_expression":
                found = self._value(node.child_by_field_name("consequence"), local, deeper)
                return self._value(node.child_by_field_name("alternative"), local, deeper) if found is None else found
            case "arrow_function" | "function_declaration" | "function_expression":
                return self._value(self._body(node), local, deeper)
        return None

    def _joined(self, node: Node, local: Mapping[str, Value], depth: int) -> Value:
        """A template string; a Place if it begins with one."""
        text, made = self._text(node)[1:-1], str
        for part in node.named_children:
            if part.type == "template_substitution":
                value, written = self._value(first(part), local, depth), self._text(part)
                if not isinstance(value, str):
                    return None
                made = Place if text.startswith(written) and isinstance(value, Place) else made
                text = text.replace(written, value, 1)
        return made(text.lstrip("/")) if made is Place else text

    def _object(self, node: Node, local: Mapping[str, Value], depth: int) -> Value:
        found: dict[str, Value] = {}
        for child in node.named_children:
            if child.type == "pair":
                found[self._key(child)] = self._value(child.child_by_field_name("value"), local, depth)
            elif child.type == "shorthand_property_identifier":
                found[self._text(child)] = self._value(child, local, depth)
            elif child.type == "spread_element":
                spread = self._value(child, local, depth)
                found.update(spread if isinstance(spread, dict) else {})
        return found

    def _array(self, nodes: Iterable[Node], local: Mapping[str, Value], depth: int) -> list[Value]:
        found: list[Value] = []
        for child in nodes:
            value = self._value(child, local, depth)
            found += value if child.type == "spread_element" and isinstance(value, list) else [value]
        return found

    def _name(self, name: str, local: Mapping[str, Value], depth: int) -> Value:
        if name in local:
            return local[name]
        if name in _FOLDERS:
            return self._here
        if name in _FILES:
            return self._file
        return self._value(self._named.get(name), {}, depth)

    def _member(self, node: Node, local: Mapping[str, Value], depth: int) -> Value:
        text = self._text(node)
        if text in _FOLDERS or text in _FILES:
            return self._name(text, {}, depth)
        names = self._path(node)
        owner = self._value(node.child_by_field_name("object"), local, depth)
        if isinstance(owner, dict):
            return owner.get(names[-1])
        return owner if isinstance(owner, str) and names[-1] in ("pathname", "href") else None

    def _call(self, node: Node, local: Mapping[str, Value], depth: int) -> Value:
        callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        name = self._text(callee)
        short = name.rpartition(".")[2]
        if name in _WORKING:
            return self._folder
        given = self._array(inside(node, "arguments"), local, depth)
        if name in self._named:
            return self._applied(self._named[name], given, depth)
        if short in _JOINS and all(isinstance(part, str) for part in given):
            start = self._folder if short == "resolve" else ""
            return Place(_resolved([start, *given])) if short == "resolve" or _has_place(given) else join("", *given)
        if short == "dirname" and given and isinstance(given[0], Place):
            return Place(dirname(given[0]))
        if name == "URL" and len(given) == 2 and isinstance(given[0], str) and isinstance(given[1], Place):
            folder = given[1] if given[1] == self._here else dirname(given[1])
            return _under(Place(folder), given[0])
        if name == "require.resolve" or name in _SAME or short in _SAME:
            return given[0] if given else None
        if name == "Object.assign" and given:
            return {key: value for part in given if isinstance(part, dict) for key, value in part.items()}
        return None

    def _applied(self, function: Node, given: list[Value], depth: int) -> Value:
        """The result of a function of the file whose body is an expression or one return statement."""
        parameters = inside(function, "parameters") or [
            node for node in (function.child_by_field_name("parameter"),) if node is not None
        ]
        names = [self._text(node.child_by_field_name("pattern") or node).lstrip(".") for node in parameters]
        rest = bool(parameters) and "..." in self._text(parameters[-1])
        local = dict(zip(names, [*given[: len(names) - 1], given[len(names) - 1 :]] if rest else given, strict=False))
        return self._value(self._body(function), local, depth)

    def _body(self, function: Node) -> Node | None:
        body = function.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return body
        returns = [node for node in body.named_children if node.type == "return_statement"]
        return first(returns[-1]) if returns else None


def _has_place(parts: list[Value]) -> bool:
    return any(isinstance(part, Place) for part in parts)


def _resolved(parts: Iterable[str]) -> str:
    """The path of several parts; the last Place among them is where it starts."""
    path = ""
    for part in parts:
        path = part if isinstance(part, Place) else join(path, part.lstrip("/"))
    return "" if (found := normpath(path)) == "." else found


def _under(folder: Place, path: str) -> Place:
    return Place(_resolved([folder, path]))


def _added(left: Value, right: Value) -> Value:
    if not (isinstance(left, str) and isinstance(right, str)):
        return None
    return Place((left + right).lstrip("/")) if isinstance(left, Place) else left + right
