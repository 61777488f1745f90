"""Cuts the signatures of Python's standard library whose result's type depends on the arguments, from typeshed.

    python packaging/signatures/python.py .venv/lib/python3.11/site-packages/mypy/typeshed

writes `library.json` beside the rules of Python: see `resolve/rules/library_table.py` for its form. Typeshed is under
the Apache License 2.0, parts of it under the MIT licence.
"""

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

OUTPUT = Path(__file__).parents[2] / "src/bearings/code/resolve/rules/python/library.json"
MODULES = {
    "builtins": "builtins", "itertools": "itertools", "functools": "functools", "contextlib": "contextlib",
    "heapq": "heapq", "random": "random", "queue": "queue", "_queue": "queue", "copy": "copy", "weakref": "weakref",
    "_weakref": "weakref", "_heapq": "heapq", "_contextvars": "contextvars", "_asyncio": "asyncio",
    "collections": "collections", "contextvars": "contextvars", "dataclasses": "dataclasses",
    "concurrent/futures/_base": "concurrent.futures", "concurrent/futures/thread": "concurrent.futures",
    "concurrent/futures/process": "concurrent.futures", "multiprocessing/pool": "multiprocessing.pool",
    "asyncio/tasks": "asyncio", "asyncio/runners": "asyncio", "asyncio/queues": "asyncio", "asyncio/threads": "asyncio",
    "asyncio/taskgroups": "asyncio", "asyncio/events": "asyncio", "asyncio/futures": "asyncio",
}  # fmt: skip
"""Files of typeshed → the module by which they are imported."""
CONTAINERS = {
    "list", "dict", "set", "frozenset", "tuple", "type", "deque", "defaultdict", "OrderedDict", "Counter", "Iterable",
    "Iterator", "Sequence", "MutableSequence", "Collection", "AbstractSet", "MutableSet", "Mapping", "MutableMapping",
    "Generator", "AsyncIterator", "AsyncIterable", "Awaitable", "AbstractContextManager", "AbstractAsyncContextManager",
}  # fmt: skip
"""Generic types that the resolver knows by name."""
PROTOCOLS = {
    "SupportsLenAndGetItem": "Sequence", "SupportsIter": "Iterable", "SupportsNext": "Iterator",
    "SupportsKeysAndGetItem": "Mapping", "SupportsGetItem": "Mapping", "Reversible": "Iterable",
    "_SupportsNextT_co": "Iterator", "SupportsAiter": "AsyncIterable", "SupportsAnext": "AsyncIterator",
    "Set": "AbstractSet",
    "Coroutine": "Awaitable", "_GeneratorContextManager": "AbstractContextManager",
    "_AsyncGeneratorContextManager": "AbstractAsyncContextManager", "ContextManager": "AbstractContextManager",
    "List": "list", "Dict": "dict", "dict_keys": "Iterable", "dict_values": "Iterable", "KeysView": "Iterable",
    "ValuesView": "Iterable", "SupportsItems": "Mapping", "_CoroutineLike": "Awaitable", "_AwaitableLike": "Awaitable",
    "_SyncAndAsyncContextManager": "AbstractContextManager", "_AsCompletedFuture": "Future",
}  # fmt: skip
"""Protocols and aliases → the type that stands for them."""
LAST = {"Awaitable"}
"""Types of which the last argument counts: `Coroutine[Any, Any, T]`."""
ONE = {"Generator", "AbstractContextManager", "AbstractAsyncContextManager", "AsyncIterator"}
"""Types of which the first argument counts."""
KEPT = {"TaskGroup", "Executor", "ThreadPoolExecutor", "ProcessPoolExecutor", "ExitStack", "AsyncExitStack",
        "AbstractEventLoop", "Pool", "ThreadPool", "Runner"}  # fmt: skip
"""Classes without type parameters whose methods have some."""
MEMBERS = {"__enter__", "__aenter__", "__iter__", "__aiter__", "__getitem__", "__await__", "__call__", "__next__"}
"""Special methods that are kept."""
PRIMITIVES = {"int", "str", "bytes", "float", "bool", "complex"}
SKIPPED = {"TypeGuard", "TypeIs", "Literal", "Any", "object", "ParamSpec"}
LEFT_OUT = {
    "getattr", "vars", "type", "memoryview", "slice", "staticmethod", "classmethod", "property", "frozendict", "super",
    "ExceptionGroup", "BaseExceptionGroup", "contextmanager", "asynccontextmanager", "dataclass", "field",
    "total_ordering", "cmp_to_key", "singledispatchmethod", "singledispatch", "eager_task_factory", "finalize",
    "object",
}  # fmt: skip
"""Functions that decorate, and classes whose arguments say nothing of a value."""
MOST_OVERLOADS = 8

Type = Any
"""A type expression as the facts store it: a name, or a list with a number for its form."""


class Module:
    """The declarations of a file."""

    def __init__(self, path: Path, public: str) -> None:
        self.public = public
        text = path.read_text()
        self.variables: dict[str, str] = {}
        self.aliases: dict[str, ast.expr] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in flat(ast.parse(text).body):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind), keywords=given)):
                    has_default = any(each.arg == "default" for each in given)
                    self.variables[name] = "with default" if has_default else kind
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self.aliases[name] = value
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.aliases[name] = value
                case ast.ClassDef():
                    self.classes[node.name] = node
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.functions.setdefault(node.name, []).append(node)
        if public == "builtins":
            for node in ast.parse(OVERRIDES).body:
                if isinstance(node, ast.FunctionDef):
                    self.functions[node.name] = [node]


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, of branches by version those of the newest Python."""
    for node in body:
        if isinstance(node, ast.If):
            newest = not isinstance(node.test, ast.Compare) or isinstance(node.test.ops[0], (ast.GtE, ast.NotEq))
            yield from flat(node.body if newest else node.orelse)
        else:
            yield node


OVERRIDES = """
def iter(object: Iterable[_T], /) -> Iterator[_T]: ...
def aiter(object: AsyncIterable[_T], /) -> AsyncIterator[_T]: ...
"""
"""Functions of `builtins` whose signatures depend on protocols that the table leaves out."""


def stub(path: Path) -> Path:
    """Return the file of a module."""
    return path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")


def main(stubs: Path) -> None:
    """Write the table."""
    modules = [Module(stub(stubs / "stdlib" / path), public) for path, public in MODULES.items()]
    table = Table(modules)
    for module in modules:
        table.add(module)
    text = json.dumps({"functions": table.functions, "classes": table.classes}, separators=(",", ":"), sort_keys=True)
    OUTPUT.write_text(text.replace('],"', '],\n"') + "\n")


class Table:
    """The rows that are written."""

    def __init__(self, modules: list[Module]) -> None:
        self.functions: dict[str, list[Type]] = {}
        self.classes: dict[str, Type] = {}
        self.homes: dict[tuple[str, str], Module] = {}
        self.iterators: dict[str, tuple[Module, ast.ClassDef]] = {}
        for module in modules:
            for name, node in module.classes.items():
                bases = {head(base) for base in node.bases}
                if bases & {"Iterator", "Generator"}:
                    self.iterators.setdefault(name, (module, node))
                elif not name.startswith("_") and name not in CONTAINERS and (generics(module, node) or name in KEPT):
                    self.homes.setdefault((module.public, name), module)

    def add(self, module: Module) -> None:
        """Add the functions and classes of a module."""
        for name, found in module.functions.items():
            if not name.startswith("_") and name not in LEFT_OUT:
                self._function(f"{module.public}.{name}", [signature(self, module, each, {}) for each in found])
        for name, node in module.classes.items():
            is_container = name in CONTAINERS and module.public in ("builtins", "collections")
            if name.startswith("_") or name in LEFT_OUT:
                continue
            if name == "Random":  # `choice = _inst.choice`
                for member, found in methods(node).items():
                    rows = [signature(self, module, each, {}, is_method=True) for each in found]
                    self._function(f"{module.public}.{member}", rows)
            if name in self.iterators:
                base = next(base for base in node.bases if head(base) in ("Iterator", "Generator"))
                made = self.read(module, base, {})
                self._constructed(module, node, name, made)
            elif is_container:
                made = [0, mark(name), ["~" + each for each in generics(module, node)]]
                self._constructed(module, node, name, made)
            elif self.homes.get((module.public, name)) is module:
                self._class(module, node, name)
        if module.public == "collections":  # it has no constructor of its own
            made = json.dumps(self.functions["dict"]).replace("~builtins.dict", "~builtins.OrderedDict")
            self.functions["collections.OrderedDict"] = json.loads(made)
        for name, value in module.aliases.items():
            if isinstance(value, ast.Name):
                for table in (self.functions, self.classes):
                    if f"{module.public}.{value.id}" in table:
                        table[f"{module.public}.{name}"] = table[f"{module.public}.{value.id}"]

    def home(self, module: Module, name: str) -> Module | None:
        """Return the module of a class: the one that names it, or the only one."""
        homes = [home for (_, known), home in self.homes.items() if known == name]
        return self.homes.get((module.public, name)) or (homes[0] if len(homes) == 1 else None)

    def _class(self, module: Module, node: ast.ClassDef, name: str) -> None:
        of_class = [
            "~" + each if module.variables.get(each) != "with default" else "Any" for each in generics(module, node)
        ]
        made = [0, mark(f"{module.public}.{name}"), of_class]
        members: dict[str, Type] = {}
        properties: dict[str, Type] = {}
        bases: list[str] = []
        for owner, given, its in self._lineage(module, node, {}):
            if owner is not node:
                bases.append(mark(f"{its.public}.{owner.name}"))
            for member, found in methods(owner).items():
                if (
                    "_ProtocolT" in "".join(map(ast.dump, found))
                    or (member.startswith("_") and member not in MEMBERS)
                    or member in {**members, **properties}
                ):
                    continue
                rows = [signature(self, its, each, {**given, "Self": made}, is_method=True) for each in found]
                kept = [row for row in rows if row and (row[2] is not None or calls_back(row))]
                if any(decorator(each, "property") for each in found):
                    if kept and kept[0][2] is not None:
                        properties[member] = kept[0][2]
                elif kept:
                    members[member] = kept[:MOST_OVERLOADS]
        if members or properties:
            self.classes[f"{module.public}.{name}"] = [of_class, bases, members, properties]
            self._constructed(module, node, name, made)

    def _lineage(
        self, module: Module, node: ast.ClassDef, given: Mapping[str, Type]
    ) -> Iterator[tuple[ast.ClassDef, Mapping[str, Type], Module]]:
        yield node, given, module
        for base in node.bases:
            name = head(base)
            home = self.home(module, name) or (module if name in module.classes else None)
            if home is None or name in ("Generic", "Protocol"):
                continue
            owner = home.classes[name]
            arguments = [self.read(module, part, given) for part in parts(base)]
            yield from self._lineage(home, owner, dict(zip(generics(home, owner), arguments, strict=False)))

    def _constructed(self, module: Module, node: ast.ClassDef, name: str, made: Type) -> None:
        public = name if module.public == "builtins" else f"{module.public}.{name}"
        found = methods(node)
        rows = []
        for each in [*found.get("__init__", []), *found.get("__new__", [])]:
            if (
                each.args.kwarg is not None
                and isinstance(each.args.kwarg.annotation, ast.Name)
                and each.args.kwarg.annotation.id[0] == "_"
            ):
                continue
            row = signature(self, module, each, {"Self": made}, is_method=True)
            if row and row[2] is None:
                own = [*each.args.posonlyargs, *each.args.args][0].annotation
                row = [
                    6,
                    row[1],
                    self.read(module, own, {"Self": made}) if own is not None and each.name == "__init__" else made,
                ]
            rows.append(row)
        rows = [row for place, row in enumerate(rows) if row and row not in rows[:place]] or [[6, [], made]]
        self._function(public, rows, is_class=True)
        for member, overloads in found.items():
            if any(decorator(each, "classmethod") for each in overloads):
                of_class = [signature(self, module, each, {"Self": made}, is_method=True) for each in overloads]
                self._function(f"{public}.{member}", of_class)

    def _function(self, name: str, rows: list[Type], *, is_class: bool = False) -> None:
        kept = [row for row in rows if row and (row[2] is not None or calls_back(row))]
        is_made = [row for row in kept if is_class or depends(row) or calls_back(row) or is_library(row[2])]
        if is_made:
            short = name.removeprefix("builtins.")
            self.functions.setdefault(short, is_made[:MOST_OVERLOADS])

    def read(self, module: Module, node: ast.expr | None, given: Mapping[str, Type]) -> Type:
        """Return the type of an annotation; None if it says nothing."""
        match node:
            case ast.Constant(value=str() as text):
                return self.read(module, ast.parse(text, mode="eval").body, given)
            case ast.Name(id=name):
                return self._named(module, name, [], given)
            case ast.Attribute(attr=name):
                return self._named(module, name, [], given)
            case ast.BinOp(left=left, right=right):
                found = [
                    part for part in (self.read(module, each, given) for each in (left, right)) if part is not None
                ]
                flat_parts: list[Type] = []
                for part in found:
                    flat_parts += part[1] if isinstance(part, list) and part[0] == 1 else [part]
                unique = [part for place, part in enumerate(flat_parts) if part not in flat_parts[:place]]
                return unique[0] if len(unique) == 1 else [1, unique] if unique else None
            case ast.Subscript() if own(node):
                return indexed(node)
            case ast.Subscript(value=value):
                name = head(node)
                if name == "Callable":
                    first, result = parts(node)
                    listed = first.elts if isinstance(first, ast.List) else []
                    types = [self.read(module, each, given) for each in listed]
                    while types and types[-1] is None:
                        types.pop()
                    return [6, [["", each] for each in types], self.read(module, result, given)]
                del value
                return self._named(module, name, parts(node), given)
        return None

    def _named(self, module: Module, name: str, arguments: list[ast.expr], given: Mapping[str, Type]) -> Type:
        if name in given:
            return given[name]
        if name in SKIPPED or (name in module.variables and module.variables[name] != "TypeVar"):
            return None
        if name in module.variables or name in ("_T", "_KT", "_VT", "_T_co", "_S", "AnyStr"):
            return None if name == "AnyStr" else "~" + name
        if name == "SupportsRichComparisonT":
            return "~" + name
        if name == "Self":
            return None
        if name in PRIMITIVES:
            return mark(name)
        if name in module.aliases and name not in module.classes:
            if isinstance(module.aliases[name], ast.Name):
                return self._named(module, module.aliases[name].id, arguments, given)
            names = [
                each.id
                for each in ast.walk(module.aliases[name])
                if isinstance(each, ast.Name) and each.id in module.variables
            ]
            types = [self.read(module, part, given) for part in arguments]
            aliased = module.aliases.pop(name)  # an alias may name itself
            found = self.read(module, aliased, dict(zip(dict.fromkeys(names), types, strict=False)))
            module.aliases[name] = aliased
            return found
        name = PROTOCOLS.get(name, name)
        types = [self.read(module, part, given) for part in arguments]
        if name in self.iterators:
            its, node = self.iterators[name]
            base = next(base for base in node.bases if head(base) in ("Iterator", "Generator"))
            return self.read(its, base, dict(zip(generics(its, node), types, strict=False)))
        if name in CONTAINERS:
            types = types[-1:] if name in LAST else types[:1] if name in ONE else types
            if (
                name == "tuple"
                and types
                and any(isinstance(part, ast.Constant) and part.value is ... for part in arguments)
            ):
                return [0, mark("tuple"), [types[0], "..."]] if types[0] is not None else None
            if not any(each is not None for each in types):
                return None
            return [0, mark(name), [each if each is not None else "Any" for each in types]]
        home = self.home(module, name)
        if home is not None and (types or name in KEPT):
            return [0, mark(f"{home.public}.{name}"), [each if each is not None else "Any" for each in types]]
        return None


def mark(name: str) -> str:
    """Return the name of a type of the library, as the table writes it."""
    return "~" + (name if "." in name else f"builtins.{name}")


def head(node: ast.expr) -> str:
    """Return the name of a type, without its module and arguments."""
    match node:
        case ast.Subscript(value=value):
            return head(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def parts(node: ast.expr) -> list[ast.expr]:
    """Return the arguments of a type."""
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def own(node: ast.expr) -> bool:
    """Whether a type is a part of the own class: `_Self["queryset"]`, `ReturnType[_Self["get_queryset"]]`."""
    return any(isinstance(each, ast.Name) and each.id == "_Self" for each in ast.walk(node)) and any(
        isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant) for each in ast.walk(node)
    )


def indexed(node: ast.expr) -> Type:
    """Return such a type: a member of the own class, an element, a result or an object."""
    match node:
        case ast.Subscript(value=ast.Name(id="ReturnType" | "InstanceType" as name), slice=part):
            return [0, name, [indexed(part)]]
        case ast.Subscript(value=value, slice=ast.Constant(value=key)):
            return [9, indexed(value), *([key] if isinstance(key, str) else [])]
    return "~_Self"


def generics(module: Module, node: ast.ClassDef) -> list[str]:
    """Return the type parameters of a class."""
    named = [base for base in node.bases if head(base) in ("Generic", "Protocol") and parts(base)]
    found = [each.id for base in named or node.bases for each in ast.walk(base) if isinstance(each, ast.Name)]
    return [
        name for name in dict.fromkeys(found) if name in module.variables or name in ("_T", "_KT", "_VT", "_T_co", "_S")
    ]


def methods(node: ast.ClassDef) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return the methods of a class."""
    found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
    for each in flat(node.body):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault(each.name, []).append(each)
    return found


def decorator(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a function has a decorator."""
    return any(head(each) == name for each in node.decorator_list)


def signature(
    table: Table,
    module: Module,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    given: Mapping[str, Type],
    *,
    is_method: bool = False,
) -> Type:
    """Return a function's type; None for a type guard."""
    own = given
    listed = [*node.args.posonlyargs, *node.args.args]
    if is_method and not decorator(node, "staticmethod"):
        receiver = listed[0].annotation if listed else None
        listed = listed[1:]
        if (
            receiver is not None
            and isinstance(receiver, ast.Subscript)
            and head(receiver) != "type"
            and node.name not in ("__init__", "__new__")
        ):
            return None
    if any(each in ast.dump(node) for each in ("'TypeGuard'", "'TypeIs'")):
        return None
    needed = len(listed) - len(node.args.defaults)
    rows: list[Type] = [
        [each.arg + ("=" if place >= needed else ""), table.read(module, each.annotation, own)]
        for place, each in enumerate(listed)
    ]
    if rows and rows[-1][0].endswith("=") and is_none(listed[-1].annotation):  # another overload takes an argument
        rows.pop()
    if node.args.vararg is not None:
        rest = table.read(module, node.args.vararg.annotation, own)
        rows.append([node.args.vararg.arg, [0, mark("tuple"), [rest, "..."]] if rest is not None else None, True])
    rows += [
        ["=" + each.arg, table.read(module, each.annotation, own)]
        for each in node.args.kwonlyargs
        if not is_none(each.annotation)
    ]
    if node.args.kwarg is not None:
        rows.append(["**", None])
    result = table.read(module, node.returns, own)
    result = None if isinstance(result, str) and "." in result else result
    if isinstance(node, ast.AsyncFunctionDef) and result is not None:
        result = [0, mark("Awaitable"), [result]]
    return [6, rows, result]


def is_none(annotation: ast.expr | None) -> bool:
    """Whether a parameter takes nothing but None, its default."""
    return isinstance(annotation, ast.Constant) and annotation.value is None


def variables(type_: Type) -> set[str]:
    """Return the type variables in a type."""
    return {
        each
        for each in json.dumps(type_).replace('"', " ").replace(",", " ").split()
        if each[0] == "~" and "." not in each
    }


def depends(row: Type) -> bool:
    """Whether the result depends on a parameter."""
    return bool(variables(row[2]) & variables(row[1]))


def calls_back(row: Type) -> bool:
    """Whether a parameter is a function that is given what another parameter holds."""
    taking = [variables(type_[1]) for _, type_, *_ in row[1] if isinstance(type_, list) and type_[0] == 6]
    return any(taking)


def is_library(type_: Type) -> bool:
    """Whether a type is one of the table's classes."""
    return isinstance(type_, list) and type_[0] == 0 and not type_[1].startswith("~builtins.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
