"""Reads expressions, parameters, bases and docstrings from Python's syntax nodes."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import (
    SUPER,
    UNKNOWN,
    Expression,
    Item,
    Listed,
    Result,
    Root,
    Several,
    Step,
    Take,
    Typed,
    extended,
    followed,
    is_known,
    last_name,
    root_of,
    site_of,
    split,
    written,
)
from bearings.code.file_facts import SPLAT, Base, Import
from bearings.code.languages.python.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Expected
from bearings.code.languages.shared.kinds import Scopes
from bearings.code.languages.shared.nodes import first, inside
from bearings.code.type_expressions import TypeExpression, TypeReference, union

_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_MOST_VALUES = 20
"""The most values of a list or dict whose names are stored. A longer one is a table of data."""
NAMES = frozenset({"identifier", "attribute"})
_LITERALS = frozenset({"string", "integer", "float", "none", "true", "false", "concatenated_string"})
_NOT_GIVEN = frozenset({"comment", "dictionary_splat"})
_MOST_ARGUMENTS = 12
"""The most arguments of a call that are read."""
BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
"""Operators to their methods, without underscores."""
_TYPES = NAMES | {"subscript", "string", "binary_operator", "none"}
"""Subscripts that may be types."""
_TYPING = frozenset({"typing", "typing_extensions"})
_CAST = 2
"""The arguments of `cast`."""
_GENERATORS = frozenset({"Generator", "AsyncGenerator"})
COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension"}
)
_CLAUSES = 4
"""The most clauses of a comprehension that are read."""
_NARROWS = frozenset({"isinstance", "issubclass"})
_NARROWING = re.compile(r"\b(?:isinstance|issubclass)\b")
_SPREAD = frozenset({"list_splat", "dictionary_splat"})
PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple"})
_WRITTEN_LISTS = frozenset({"list", "list_comprehension", "dictionary", "dictionary_comprehension"})
_COLLECTIONS = frozenset({"list", "tuple", "set", "dictionary"})
_PLAIN = 3
"""The parts of a string without replacement fields or escapes: two quotes and a text."""
_QUOTES = frozenset({"'", '"'})
_LONGEST_KEY = 60
_LONGEST = 24
"""The most steps of a chain. A longer one is generated code, and unknown."""


def expression(node: Node, builder: Builder) -> Expression:
    """Return a node as an expression."""
    chain = builder.chain(node)
    if chain:
        return chain
    steps: list[Step] = []
    here: Node | None = node
    while here is not None and len(steps) < _LONGEST:
        kind = here.type
        if kind == "attribute":
            step = here.child_by_field_name("attribute")
            steps.append(builder.text(step) if step is not None else "?")
            here = here.child_by_field_name("object")
        elif kind == "subscript":
            key = here.child_by_field_name("subscript")
            if key is not None and key.type == "slice":
                steps.append(Item(Take.SAME, key="__getitem__"))
            else:
                steps.append(Item(Take.ELEMENT, _index(key, builder), key_of(key, builder)))
            here = here.child_by_field_name("value")
        elif kind == "parenthesized_expression":
            here = first(here)
        elif kind == "boolean_operator":
            is_or = here.children[1].type == "or"
            here = here.child_by_field_name("left" if is_or else "right")
        elif kind == "binary_operator" and here.children[1].type == "*" and here.children[2].type == "integer":
            steps.append(Item(Take.SAME, key="__mul__"))  # `rows * 2`
            here = here.children[0]
        elif kind == "await" and (waited := first(here)) is not None and waited.type in NAMES:
            steps.append(Item(Take.AWAITED))
            here = waited
        else:
            start = _start(here, kind, builder)
            if kind != "binary_operator" or is_known(start) or here.children[1].type not in BINARY:
                return followed(start, steps)
            steps.append(Item(Take.SAME, key=f"__{BINARY[here.children[1].type]}__"))
            here = here.children[0]
    return followed(UNKNOWN, steps)


def _sum(sum_: Node, builder: Builder) -> Expression:
    """Return the sum of a written list or dict and another one, unknown for another operation."""
    sides = [sum_.child_by_field_name("left"), sum_.child_by_field_name("right")]
    written_ones = [side for side in sides if side is not None and side.type in _WRITTEN_LISTS]
    if not written_ones or sum_.children[1].type not in ("+", "|"):
        return UNKNOWN
    keyed = any(side.type.startswith("dict") for side in written_ones)
    values = [expression(side, builder) for side in sides if side is not None and not _is_plain(side)]
    several = [value for value in values if type(value) is Several]
    if several:  # the names count, and none tells the type of an element
        names = tuple(name for value in several for name in value.names)
        return Several((*names, ""), (*(key for value in several for key in value.keys), "") if keyed else ())
    return _joined([extended(value, Item(Take.ELEMENT if keyed else Take.EACH)) for value in values], keyed=keyed)


def _is_plain(node: Node) -> bool:
    """Whether a node is a literal, or a list or dict of literals."""
    if node.type == "pair":
        return node.named_children[-1].type in _LITERALS
    return node.type in _LITERALS or (node.type in _COLLECTIONS and all(map(_is_plain, node.named_children)))


def _joined(elements: list[Expression], *, keyed: bool) -> Expression:
    """Return a list or dict of elements that are all like the first one, unknown if one of them is."""
    if not elements or not all(map(is_known, elements)):
        return UNKNOWN
    return Listed(elements[0], keyed=keyed, also=tuple(elements[1:]))


def _start(node: Node, kind: str, builder: Builder) -> Expression:
    """Return the value of a node that an expression starts with."""
    if kind == "identifier":
        return builder.text(node)
    if kind in ("call", "await"):
        return _result(node, builder)
    if kind == "conditional_expression":
        value = expression(node.named_children[0], builder)
        return value if is_known(value) else expression(node.named_children[-1], builder)
    if kind == "yield":
        return _sent(builder)
    if kind in COMPREHENSIONS:
        return _comprehension(node, builder)
    if kind == "binary_operator":
        return _sum(node, builder)
    return _several(node, builder) if kind in _COLLECTIONS else UNKNOWN


def _sent(builder: Builder) -> Root:
    """Return what is sent to a generator, of which `yield` is the value, by the generator's annotation."""
    declared = builder.declared_returns.get(builder.scope_of(Scopes.FUNCTION))
    if not isinstance(declared, TypeReference) or declared.name.rpartition(".")[2] not in _GENERATORS:
        return UNKNOWN
    return Typed(declared.arguments[1]) if len(declared.arguments) > 1 else UNKNOWN


def _several(node: Node, builder: Builder) -> Expression:
    """Return a literal collection by the names among its values; of a pair `("x", f)` the last part counts."""
    if not 0 < node.named_child_count <= _MOST_VALUES:
        return UNKNOWN
    names = []
    for part in node.named_children:
        value: Node | None = part
        if part.type == "pair":
            value = part.child_by_field_name("value")
        elif part.type == "tuple" and part.named_child_count:
            value = part.named_children[-1]
        names.append(builder.text(value) if value is not None and value.type in NAMES else "")
    if any(names):
        parts = node.named_children if node.type == "dictionary" else []
        return Several(tuple(names), tuple(key_of(part.child_by_field_name("key"), builder) for part in parts))
    return _alike(node, builder)


def under_key(value: Expression, key: str) -> Expression:
    """Return the key that a typed dictionary declares as its member: `film["title"]`."""
    return extended(extended(value, Item(Take.FIELDS, key=key)), key)


def key_of(key: Node | None, builder: Builder) -> str:
    """Return the text of a plain string that is a key, else an empty one."""
    text = builder.text(key) if key is not None and key.type == "string" and key.named_child_count == _PLAIN else ""
    return text[1:-1] if text[:1] in _QUOTES and len(text) <= _LONGEST_KEY else ""


def _alike(node: Node, builder: Builder) -> Expression:
    """Return a list, set or dict of results of the same function or class, else unknown."""
    keyed = node.type == "dictionary"
    values = [part.child_by_field_name("value") if keyed else part for part in node.named_children]
    if any(part.type in _SPREAD for part in node.named_children):  # `[*carts, Cart()]`
        taken = Item(Take.ELEMENT if keyed else Take.EACH)
        elements = [
            extended(expression(part.named_children[0], builder), taken)
            if part.type in _SPREAD
            else expression(value or part, builder)
            for part, value in zip(node.named_children, values, strict=True)
            if part.type in _SPREAD or (value is not None and not _is_plain(part))
        ]
        return _joined(elements, keyed=keyed)
    callees = {_callee(value, builder) for value in values}
    if node.type == "tuple" or len(callees) > 1 or "" in callees or values[0] is None:
        return UNKNOWN
    value = expression(values[0], builder)
    return Listed(value, keyed=keyed) if is_known(value) else UNKNOWN


def _callee(value: Node | None, builder: Builder) -> str:
    """Return the name of the callee of a call, empty for another value."""
    callee = value.child_by_field_name("function") if value is not None and value.type == "call" else None
    return builder.text(callee) if callee is not None and callee.type in NAMES else ""


def _comprehension(node: Node, builder: Builder) -> Expression:
    """Return the list or dict that a comprehension makes, by its value; its variables stand for what they take."""
    body, *clauses = (part for part in node.named_children if part.type != "comment")
    taken: dict[str, Expression] = {}
    for clause in clauses[:_CLAUSES]:
        if clause.type != "for_in_clause":
            narrowed = _narrowed(clause.named_children[0], builder) if _NARROWING.search(builder.text(clause)) else {}
            if narrowed is None:
                return UNKNOWN
            taken.update(narrowed)
            continue
        left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
        if left is None or right is None:
            return UNKNOWN
        each = extended(_meant(expression(right, builder), taken), Item(Take.EACH))
        taken.update((builder.text(name), value) for name, value in names_taken(left, each))
    keyed = node.type == "dictionary_comprehension"
    given = body.child_by_field_name("value") if keyed else body
    value = _meant(expression(given, builder), taken) if given is not None and len(clauses) <= _CLAUSES else UNKNOWN
    key = body.child_by_field_name("key") if keyed else None
    if key is not None and key.type == "call" and is_known(by_key := _meant(expression(key, builder), taken)):
        return Listed(value, keyed=True, key=by_key)
    return Listed(value, keyed=keyed) if is_known(value) and type(root_of(value)) is not Several else UNKNOWN


def _narrowed(test: Node, builder: Builder) -> dict[str, Expression] | None:
    """Return the names that a condition narrows, with the types that it tests for; None for another form of a test."""
    parts, found = [test], dict[str, Expression]()
    while parts:
        part = parts.pop()
        callee = _callee(part, builder)
        if part.type == "parenthesized_expression" or (
            part.type == "boolean_operator" and part.children[1].type == "and"
        ):
            parts += part.named_children
        elif callee in _NARROWS:
            narrowed = narrowed_name(part, builder, is_class=callee == "issubclass")
            if narrowed is None:
                return None
            found[narrowed[0]] = Typed(narrowed[1])
        elif _NARROWING.search(builder.text(part)):
            return None
    return found


def narrowed_name(call: Node, builder: Builder, *, is_class: bool) -> tuple[str, TypeExpression] | None:
    """Return the name that `isinstance` or (`is_class`) `issubclass` tests, and its type if the test holds.

    None if the name has dots, or if the classes are not plain names.
    """
    given = inside(call, "arguments")
    types = _tested_types(given[1], builder) if len(given) == 2 and given[0].type == "identifier" else None
    if types is None:
        return None
    return builder.text(given[0]), TypeReference("type", (types,)) if is_class else types


def _tested_types(node: Node, builder: Builder) -> TypeExpression | None:
    """Return the classes of a test as a union; None if they are not plain names."""
    if node.type in NAMES:
        return written(expression(node, builder))
    parts = node.named_children if node.type == "tuple" else []
    if not parts or not all(part.type in NAMES for part in parts):
        return None
    return union([builder.text(part) for part in parts])


def _meant(value: Expression, taken: dict[str, Expression]) -> Expression:
    """Return a value inside a comprehension as its surroundings see it."""
    root, steps = split(value)
    return extended(taken[root], *steps) if type(root) is str and root in taken else value


def names_taken(target: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    """Yield the names of an assignment target, each with its part of the value."""
    if target.type == "identifier":
        yield target, value
    elif target.type in PATTERNS:
        count, is_after = target.named_child_count, False
        for position, part in enumerate(target.named_children):
            if part.type == "list_splat_pattern":
                is_after = True
                yield from names_taken(part.named_children[0], Listed(extended(value, Item(Take.EACH, position))))
            else:
                place = position - count - 1 if is_after else position
                yield from names_taken(part, extended(value, Item(Take.ELEMENT, place)))


def _index(key: Node | None, builder: Builder) -> int:
    """Return the index in a subscript; -1 if it is no plain number."""
    text = builder.text(key) if key is not None and key.type == "integer" else ""
    return int(text) if text.isdecimal() else -1


def _result(node: Node, builder: Builder) -> Expression:
    """Return the result of a call or an awaited call, unknown for anything else.

    Of `super()` it is `super`; of `super(Cart, self)`, in another class, `super(Cart)`.
    """
    awaited = node.type == "await"
    call = first(node) if awaited else node
    if call is None or call.type != "call":
        return UNKNOWN
    callee = call.child_by_field_name("function")
    if callee is not None and callee.type == "identifier" and builder.text(callee) == "super":
        return _super(call, builder)
    if callee is not None and not awaited and (cast := _cast(call, callee, builder)) is not None:
        return cast
    number = builder.site_at.get(call.byte_range)
    if number is None:
        return UNKNOWN
    if number not in builder.arguments:
        builder.arguments[number] = []  # an argument may hold the call itself
        builder.arguments[number] = _arguments(call, number, builder)
    return Result(number, awaited)


def _super(call: Node, builder: Builder) -> str:
    given = first(call.child_by_field_name("arguments"))
    if given is None or given.type != "identifier":
        return "super"
    around = builder.drafts[builder.drafts[builder.frames[-1].symbol].parent].name
    name = builder.text(given)
    return "super" if name in (around, "self", "cls", "__class__") else f"{SUPER}{name})"


def _cast(call: Node, callee: Node, builder: Builder) -> Typed | None:
    """Return the value of `typing.cast(Type, value)`; None for another call."""
    name = builder.text(callee)
    root, _, rest = name.rpartition(".")
    if rest != "cast" or not any(_imports_cast(entry, root) for entry in builder.imports):
        return None
    given = inside(call, "arguments")
    if len(given) != _CAST or given[0].type == "keyword_argument":
        return None
    type_ = type_of(given[0], builder)
    return builder.typed(given[0], type_) if given[0].type == "string" else Typed(type_)


def _imports_cast(entry: Import, root: str) -> bool:
    """Whether an import binds the module `root`, or without one the function `cast`, of `typing`."""
    if entry.module not in _TYPING:
        return False
    return entry.local == root and entry.name in ("", "*") if root else (entry.name, entry.local) == ("cast", "cast")


def _arguments(call: Node, number: int, builder: Builder) -> list[Expression | None]:
    """Return the arguments of a call, on which the type of its result may depend, and store the words before them."""
    listed = call.child_by_field_name("arguments")
    parts = inside(call, "arguments")
    if listed is not None and listed.type == "generator_expression":
        parts = [listed]
    words: list[str] = []
    values: list[Expression | None] = []
    for part in parts[:_MOST_ARGUMENTS]:
        kind, word, given = part.type, "", part
        if kind in _NOT_GIVEN:
            continue
        if kind == "keyword_argument":
            word, given = builder.text(part.named_children[0]), part.named_children[-1]
        elif kind == "list_splat":
            word, given = SPLAT, part.named_children[0]
        value: Expression = UNKNOWN
        if word == "bound":
            value = Typed(type_of(given, builder))
        elif given.type not in _LITERALS:
            value = expression(given, builder)
        words.append(word)
        values.append(value if is_known(value) else None)
    if any(words):
        first_word = next(place for place, word in enumerate(words) if word)
        builder.keywords[number] = tuple(words[first_word:])
    return values


def expect_lambdas(call: Node, number: int, builder: Builder) -> None:
    """Record the functions that are written as arguments of a call, which gives them their parameters."""
    given = [part for part in inside(call, "arguments") if part.type not in _NOT_GIVEN][:_MOST_ARGUMENTS]
    for index, part in enumerate(given):
        function = part.named_children[-1] if part.type == "keyword_argument" else part
        if function.type == "lambda":
            builder.expectations.functions[function.byte_range] = Expected(context=(number, index, ()))
            if number not in builder.arguments:
                builder.arguments[number] = _arguments(call, number, builder)


def base_class(node: Node, builder: Builder) -> Base:
    """Return a base class with its type arguments."""
    value = node.child_by_field_name("value") if node.type == "subscript" else None
    if value is None:
        return Base(expression(node, builder))
    arguments = tuple(type_of(part, builder) for part in node.children_by_field_name("subscript"))
    return Base(expression(value, builder), arguments)


def class_arguments(node: Node, builder: Builder) -> tuple[TypeExpression, ...]:
    """Return the type arguments in `Class[Argument]`; none of a subscript of anything that is not named as a class."""
    value, parts = node.child_by_field_name("value"), node.children_by_field_name("subscript")
    name = builder.text(value).rpartition(".")[2].lstrip("_") if value is not None else ""
    is_class = name[:1].isupper() and not name.isupper()
    if not is_class or not all(part.type in _TYPES for part in parts):
        return ()
    return tuple(type_of(part, builder) for part in parts)


def type_parameters(bases: list[Node], builder: Builder) -> list[str]:
    """Return the type variables of a class, in the order of its `Generic` or `Protocol`, else of its bases."""
    generic: list[str] = []
    others: list[str] = []
    for base in bases:
        if base.type == "subscript":
            value = builder.text(base.named_children[0]).rpartition(".")[2]
            names = [
                builder.text(part) for part in base.children_by_field_name("subscript") if part.type == "identifier"
            ]
            (generic if value in ("Generic", "Protocol") else others).extend(names)
    return generic or [name for name in dict.fromkeys(others) if _is_variable(name, builder)]


def _is_variable(name: str, builder: Builder) -> bool:
    """Whether a name is a type variable that this file defines."""
    index = builder.members.get((0, name), 0)
    number = site_of(builder.drafts[index].value) if index else -1
    site = builder.calls[number] if number >= 0 else None
    return site is not None and last_name(site.callee) == "TypeVar"


def parameter(node: Node, builder: Builder) -> tuple[Node | None, TypeExpression | None, Expression | None]:
    """Return a parameter's name, its annotation, and its default value if it has no annotation.

    The name is None for `*`, `/` and patterns.
    """
    if node.type == "identifier":
        return node, None, None
    name: Node | None = node
    if node.type not in ("list_splat_pattern", "dictionary_splat_pattern"):
        name = node.child_by_field_name("name") or first(node)
    type_, given = node.child_by_field_name("type"), node.child_by_field_name("value")
    annotation = type_of(type_, builder) if type_ is not None else None
    value = expression(given, builder) if given is not None and annotation is None else None
    if name is not None and name.type.endswith("splat_pattern"):
        name, annotation = first(name), None
    if name is None or name.type != "identifier":
        return None, None, None
    return name, annotation, value if is_known(value) else None


def docstring(body: Node | None, builder: Builder) -> str:
    """Return the first paragraph of a body's docstring, on one line; empty for none."""
    opening = first(body)
    text = first(opening) if opening is not None and opening.type == "expression_statement" else None
    if text is None or text.type != "string":
        return ""
    content = "".join(builder.text(child) for child in text.named_children if child.type == "string_content")
    return " ".join(_EMPTY_LINE.split(content.lstrip(), 1)[0].split())


def is_public(builder: Builder, name: str) -> bool:
    """Whether a name is public where it is declared: at the top level or in a public class, and not `_private`."""
    frame = builder.frames[-1]
    in_class = builder.scopes[frame.scope][0] is Scopes.CLASS
    at_top = frame.scope == 0 or (in_class and builder.drafts[frame.symbol].exported)
    return at_top and (not name.startswith("_") or name.startswith("__"))
