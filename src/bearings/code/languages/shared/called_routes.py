"""Endpoints that calls register, behind the prefixes of chains, variables and the calls around."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Typed, extended, last_name
from bearings.code.file_facts import SPLAT
from bearings.code.framework_facts import ANYWHERE, Mount
from bearings.code.languages.shared.attributes import Literals, call_of, method_in, name_of, receiver_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges, Symbols
from bearings.code.languages.shared.nodes import above, text_of
from bearings.code.languages.shared.route_tables import Framework
from bearings.code.languages.shared.routes import joined, place, register

_FILE: Final = "routes"
"""The name of the router of a file of routes."""
_CALLABLE: Final = frozenset({Symbols.METHOD, Symbols.FUNCTION})
_HIGHEST: Final = 120
"""Nodes around a call in which groups are looked for: twenty groups in each other."""
_LONGEST_CHAIN: Final = 30
_LONGEST_ROOT: Final = 200
_LONGEST_TAKER: Final = 5_000
_DEEPEST: Final = 5
"""Variables that hold a group of another one."""
_STRING: Final = re.compile(r"""["']([^"']*)["']""")
_ROUTE_FILE: Final = re.compile(r"(\w[\w-]*/[\w.-]+\.php)['\"]")
_DECLARATORS: Final = frozenset({"variable_declarator", "assignment_expression"})
_ARGUMENTS: Final = frozenset({"arguments", "argument_list"})
_ENDS: Final = frozenset({*_ARGUMENTS, "block", "compound_statement", "lambda_expression", "expression_statement"})
"""Nodes that end a chain."""


class _Call(NamedTuple):
    """A call, its name, and its scope."""

    node: Node
    name: str
    scope: int


class _Chain(NamedTuple):
    """What the calls of a chain say: prefixes, what it starts with, the class of handlers that are named alone."""

    prefixes: list[str]
    root: str
    controller: str


class _Handler(NamedTuple):
    """The name of a handler as written, and the whole name of its class, if the file says it."""

    name: str
    owner: str = ""


class Called:
    """The endpoints that calls register."""

    def __init__(
        self, builder: Builder, framework: Framework, literals: Literals, called: Sequence[tuple[Node, int]]
    ) -> None:
        self._builder = builder
        self._framework = framework
        self._literals = literals
        known = {
            *framework.calls, *framework.resources, *framework.chained, *framework.grouping, *framework.files,
        }  # fmt: skip
        mounting = framework.mounting.fullmatch if framework.mounting is not None else None
        self._calls = [
            _Call(call, name, scope)
            for node, scope in called
            if ((name := builder.text(node)) in known or (mounting is not None and mounting(name)))
            and (call := call_of(node)) is not None
        ]
        self._variables: dict[tuple[int, str], _Call] = {}
        """A scope and a variable in it → the last call of a prefix whose result it holds."""
        self._inside: dict[tuple[int, int], _Chain] = {}
        """The span of a call → what it says of what is inside of it."""

    def read(self) -> None:
        """Add the endpoints."""
        framework = self._framework
        for one in self._calls:
            if one.name in framework.chained and (variable := self._variable(one.node)):
                self._variables[one.scope, variable] = one
        for one in self._calls:
            if one.name in framework.calls or one.name in framework.resources:
                self._register(one)
            elif one.name in framework.files or one.name in framework.grouping:
                self._files(one)
            elif framework.mounting is not None and framework.mounting.fullmatch(one.name):
                chain = self._chain(one)
                path = joined(*chain.prefixes) if chain.prefixes else ""
                line, router = self._builder.line(one.node), self._router(one, chain.root)
                self._builder.mounts.append(Mount(framework.name, path, router, ANYWHERE, one.name, line=line))

    def _variable(self, call: Node) -> str:
        """The variable that holds the result of a call, or of a chain that goes on from it; empty for none."""
        for node in islice(above(call), _LONGEST_CHAIN):
            if node.type in _ENDS:
                break
            if node.type in _DECLARATORS:
                return text_of(node.child_by_field_name("name") or node.child_by_field_name("left"))
        return ""

    def _chain(self, one: "_Call", depth: int = 0) -> "_Chain":
        """What the calls of a chain, up to this one, say: the prefixes, the root, the class of handlers."""
        framework, literals = self._framework, self._literals
        prefixes, controller, root = list[str](), "", ""
        node: Node | None = one.node
        for _ in range(_LONGEST_CHAIN):
            if node is None or node.child_by_field_name("arguments") is None:
                break
            name = literals.last_name(name_of(node))
            if name in framework.chained or (name == framework.controller and name):
                texts = [text for each in literals.arguments(node)[:1] for text in literals.texts(each.value)][:1]
                controller = texts[0] if name == framework.controller and texts else controller
                prefixes = [*texts, *prefixes] if name in framework.chained else prefixes
            node = receiver_of(node)
        if node is not None and node.end_byte - node.start_byte < _LONGEST_ROOT:
            root = self._builder.text(node)
        held = self._held(one.scope, root)
        if held is not None and held.node != one.node and depth < _DEEPEST:
            before = self._chain(held, depth + 1)
            return _Chain([*before.prefixes, *prefixes], before.root, controller)
        return _Chain(prefixes, root, controller)

    def _held(self, scope: int, variable: str) -> "_Call | None":
        held = (self._variables.get((each, variable)) for each in self._builder.outward(scope))
        return next(filter(None, held), None)

    def _around(self, one: "_Call") -> "_Chain":
        """What a chain and the calls around it say."""
        chain, node = self._chain(one), one.node
        prefixes, controller = chain.prefixes, chain.controller
        for around in islice(above(node), _HIGHEST):
            if node.type in _ARGUMENTS and self._literals.last_name(name_of(around)) in self._framework.grouping:
                outer = self._inside.get(around.byte_range)
                if outer is None:
                    outer = self._chain(_Call(around, "", one.scope))
                    outer = self._inside[around.byte_range] = outer._replace(
                        prefixes=outer.prefixes + self._own(around)
                    )
                prefixes, controller = outer.prefixes + prefixes, controller or outer.controller
            node = around
        return _Chain(prefixes, chain.root, controller)

    def _own(self, call: Node) -> list[str]:
        """The prefix that a call itself gives to what is inside of it: a string, one in an array, that of a call."""
        given = self._literals.arguments(call)
        first = given[0].value if len(given) > 1 else None
        if first is None:
            return []
        if pairs := list(self._literals.pairs(first)):
            return [text for one in pairs if one.key == "prefix" for text in self._literals.texts(one.value)][:1]
        for _ in range(_DEEPEST):  # `nest(path("/a").and(json()), …)`
            inner = receiver_of(first) if first.child_by_field_name("arguments") is not None else None
            if inner is None:
                break
            first = inner
        is_call = first.child_by_field_name("arguments") is not None
        if is_call and self._literals.last_name(name_of(first)) in self._framework.grouping:
            texts = [self._literals.texts(each.value) for each in self._literals.arguments(first)[:1]]
            return texts[0][:1] if texts else []
        return [text for text in self._literals.texts(first) if not text.startswith("<")][:1]

    def _register(self, one: "_Call") -> None:
        framework, literals, around = self._framework, self._literals, self._around(one)
        given = [each.value for each in literals.arguments(one.node)]
        if not given or (framework.roots is not None and framework.roots.fullmatch(around.root) is None):
            return
        texts = [literals.texts(self._used(value)) for value in given]
        methods = [framework.calls.get(one.name, "")]
        if one.name in framework.calls and not methods[0] and len(given) > 1:
            listed = texts.pop(framework.listed)
            methods = list(map(method_in, listed))
        if len(texts) > 1 and _is_name(texts[0]) and texts[1] and not _is_name(texts[1]):  # `MapPut(Update, "{id}")`
            texts[:2] = texts[1::-1]
        if len(texts) == 1 and (outer := self._taker(one.node)) is not None:  # `route(GET("/a"), handler::all)`
            texts += [literals.texts(each.value) for each in literals.arguments(outer)[1:]]
        is_resource = one.name in framework.resources
        if not (texts[0] or is_resource) or (len(texts) == 1 and not is_resource) or not (all(methods) or is_resource):
            return
        handler = next((name for each in texts[:0:-1] if (name := self._handler(each, around.controller))), None)
        router = self._router(one, around.root)
        if is_resource:
            self._resources(one, given, around, router)
            return
        for path in texts[0]:
            self._add(one, methods, joined(*around.prefixes, path), handler, router)

    def _used(self, value: Node) -> Node:
        """The handler in an array of options, `['uses' => 'C@m', 'as' => 'carts']`; any other value itself."""
        return next((one.value for one in self._literals.pairs(value) if one.key == "uses"), value)

    def _taker(self, call: Node) -> Node | None:
        """The call that takes a call, or a chain that goes on from it, as its first argument; None for a group."""
        for node in islice(above(call), _LONGEST_CHAIN):
            if node.type in _ENDS - _ARGUMENTS or node.end_byte - node.start_byte > _LONGEST_TAKER:
                return None
            if node.type in _ARGUMENTS and node.parent is not None:
                is_group = self._literals.last_name(name_of(node.parent)) in self._framework.grouping
                is_taker = node.named_children[0].start_byte <= call.start_byte < node.named_children[0].end_byte
                if not is_group and is_taker and len(node.named_children) > 1:
                    return node.parent
        return None

    def _handler(self, texts: Sequence[str], controller: str) -> "_Handler | None":
        """The handler that an argument names: a function, `[C::class, 'm']`, `C::class`, `'C@m'`, `'m'` of a class."""
        names, owner = [text.strip("<>").removesuffix(".class") for text in texts], self._whole_name(*texts[:1])
        invoked = self._framework.invoked
        if len(texts) == 1 and _is_name(texts):
            return _Handler(f"{names[0]}.{invoked}" if texts[0].endswith(".class>") and invoked else names[0], owner)
        if len(texts) == 2 and _is_name(texts) and names[1].isidentifier():
            return _Handler(f"{names[0]}.{names[1]}", owner)
        if len(texts) == 1 and re.fullmatch(r"[\w\\]+@\w+", texts[0]):
            return _Handler(texts[0].rpartition("\\")[2].replace("@", "."))
        if len(texts) == 1 and controller and texts[0].isidentifier():
            named = controller.strip("<>").removesuffix(".class")
            return _Handler(f"{named}.{texts[0]}", self._whole_name(controller))
        return None

    def _whole_name(self, text: str = "") -> str:
        """The whole name of the class in a text such as `<Cart.class>`, where the file says it."""
        name = text.strip("<>").removesuffix(".class").replace(".", "\\")
        return self._literals.whole_name(name) if text.endswith(".class>") else ""

    def _resources(self, one: "_Call", given: Sequence[Node], around: "_Chain", router: str) -> None:
        """Add the endpoints of resources: `resource('photos.comments', C::class)`, `resources([…])`."""
        literals = self._literals
        named = [(each.key, literals.texts(each.value)) for each in literals.pairs(given[0])]
        only, without = self._choice(one.node, given)
        if not named and len(given) > 1 and (path := literals.texts(given[0])):
            named = [(path[0], literals.texts(given[1]))]
        for name, texts in named:
            *outer, last = name.strip("/").split(".")
            start = "/".join([f"{part}/{{{_singular(part)}}}" for part in outer] + [last])
            controller = self._handler(texts, "")
            for method, end, action in self._framework.resources[one.name]:
                if (not only or action in only) and action not in without:
                    whole = joined(*around.prefixes, start + end.replace("{}", f"{{{_singular(last)}}}"))
                    handler = f"{controller.name.rpartition('.')[0]}.{action}" if controller is not None else ""
                    handled = controller and controller._replace(name=handler)
                    self._add(one, [method], whole, handled, router)

    def _choice(self, call: Node, given: Sequence[Node]) -> tuple[list[str], list[str]]:
        """The actions that a resource alone has, and those that it lacks."""
        found: dict[str, list[str]] = {"only": [], "except": []}
        for option in self._literals.pairs(given[2]) if len(given) > 2 else ():
            found.setdefault(option.key, []).extend(self._literals.texts(option.value))
        for node in islice(above(call), _LONGEST_CHAIN):
            if node.child_by_field_name("arguments") is None:
                break
            name = self._literals.last_name(name_of(node))
            if name in found:
                given_values = [each.value for each in self._literals.arguments(node)]
                found[name] += [text for value in given_values for text in self._literals.texts(value)]
        return found["only"], found["except"]

    def _router(self, one: "_Call", root: str) -> str:
        """The function that adds to the router which it takes; in a file of routes, the file."""
        if self._framework.mounting is None:
            return _FILE if self._framework.files else ""
        function = self._builder.drafts[self._builder.scopes[one.scope][2]]
        parameters = function.signature.partition("(")[2]
        is_taken = function.kind in _CALLABLE and root.isidentifier() and re.search(rf"\b{root}\b", parameters)
        return function.name if is_taken else ""

    def _add(self, one: "_Call", methods: Sequence[str], path: str, handler: "_Handler | None", router: str) -> None:
        builder = self._builder
        count, where = len(builder.uses), place(builder, one.node, one.node, one.scope)
        name, owner = handler or ("", "")
        register(builder, self._framework.name, methods, path, where, [name.lstrip(".") or None], router)
        for number in range(count, len(builder.uses)):  # the handler is called, with any arguments
            given = builder.uses[number]
            callee = extended(Typed(owner), last_name(name)) if owner else given.callee
            builder.uses[number] = replace(given, kind=Edges.CALL, callee=callee, arguments=(None,), keywords=(SPLAT,))

    def _files(self, one: "_Call") -> None:
        """Mount the files of routes that a call names: `prefix('api')->group(base_path('routes/api.php'))`."""
        framework, builder = self._framework, self._builder
        given = {each.key: self._short(each.value) for each in self._literals.arguments(one.node)}
        chain = self._around(one)
        for key, text in given.items():
            named = _ROUTE_FILE.search(text)
            prefix = framework.files.get(one.name, {}).get(key, "" if one.name in framework.grouping else None)
            if named is not None and prefix is not None:
                other = _STRING.match(given.get(f"{key}Prefix", ""))
                path = joined(*chain.prefixes, other[1] if other is not None else prefix)
                line = builder.line(one.node)
                builder.mounts.append(Mount(framework.name, path.rstrip("/"), "", f"/{named[1]}", _FILE, line=line))

    def _short(self, node: Node) -> str:
        return self._builder.text(node) if node.end_byte - node.start_byte < _LONGEST_ROOT else ""


def _is_name(texts: Sequence[str]) -> bool:
    return bool(texts) and texts[0].startswith("<") and texts[0].endswith(">")


def _singular(name: str) -> str:
    """The parameter of a resource."""
    word = name.rpartition("/")[2].replace("-", "_")
    for end, other in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("uses", "us")):
        if word.endswith(end) and word != "series":
            return word.removesuffix(end) + other
    return word if word.endswith(("ss", "series", "us")) else word.removesuffix("s")
