"""Tables of built-in types: which of them are containers or promises, and the arguments and results of their methods.

Array<Cart>, list[Cart]        SEQUENCES: the only type argument is the type of an element
carts.slice(1).pop()           `slice` is in SAME: it returns a similar sequence; `pop` is in ELEMENT
carts.forEach((cart) => …)     CALLBACKS: the parameter 0 of the callback is an element
"""

from bearings.code.type_expressions import ArrayType, Hole, ObjectType, TupleType, TypedMember, TypeReference

PAIRS = ArrayType(TupleType(("string", Hole())))
"""An array of pairs of a name or number and a value; the Hole stands for the value."""
NUMBERED = ArrayType(TupleType(("number", Hole())))
"""An array of pairs of a number and a value."""
ITERATED = ObjectType((TypedMember("value", Hole()), TypedMember("done", "boolean")))
"""What an iterator of ECMAScript gives for each element."""
KEYED = TypeReference("dict", ("Any", Hole()))
"""A map with keys of any type; the Hole stands for the value."""

WRAPPERS = frozenset(
    {
        "Readonly", "Required", "Partial", "NonNullable", "Pick", "Omit", "Exclude", "Extract", "NoInfer", "ThisType",
        "DeepPartial", "Simplify", "Prettify", "Mutable", "Writable",
        "PropsWithChildren", "PropsWithRef", "PropsWithoutRef",
        "Annotated", "Final", "ClassVar", "NotRequired", "ReadOnly", "Mapped", "DynamicMapped", "WriteOnlyMapped",
    }
)  # fmt: skip
"""Utility types whose objects have the members of their first argument."""
PARTS = frozenset({"Partial", "DeepPartial", "Pick", "Omit"})
"""Those whose objects may lack some members."""
PROMISES = frozenset({"Promise", "PromiseLike", "Awaitable", "Coroutine", "Future", "Task"})
"""Types whose last argument is the type of the awaited value."""
SEQUENCES = frozenset(
    {
        "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator", "IterableIterator",
        "AsyncIterable", "AsyncIterator", "AsyncIterableIterator", "Generator", "AsyncGenerator", "ArrayLike",
        "ArrayIterator", "SetIterator", "MapIterator", "IteratorObject", "NodeListOf",
        "list", "List", "Sequence", "MutableSequence", "set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet",
        "Collection", "deque", "Deque",
        "tuple", "Tuple",
    }
)  # fmt: skip
"""Types with one argument: the type of their elements."""
MAPS = frozenset(
    {
        "Map", "ReadonlyMap", "WeakMap", "Record", "dict", "Dict", "Mapping", "MutableMapping", "defaultdict",
        "DefaultDict", "OrderedDict", "Counter",
    }
)  # fmt: skip
"""Types with two arguments: keys and values."""
PRIMITIVES = frozenset({"string", "number", "boolean", "bigint", "symbol", "object", "RegExp", "Function"})
"""Types without members of the project."""

SAME = frozenset(
    {
        "filter", "slice", "concat", "sort", "reverse", "fill", "splice", "toSorted", "toReversed", "toSpliced", "with",
        "values", "add", "copyWithin", "take", "drop", "copy", "union", "intersection", "difference", "toArray",
        "symmetricDifference",
    }
)  # fmt: skip
"""Methods of sequences that return a similar sequence."""
ELEMENT = frozenset(
    {
        "find", "findLast", "pop", "shift", "at", "popleft",
        "send", "asend", "throw", "athrow", "__next__", "__anext__",
    }
)  # fmt: skip
"""Methods of sequences that return an element."""
CALLBACKS = {
    "forEach": (0,), "map": (0,), "filter": (0,), "find": (0,), "findLast": (0,), "findIndex": (0,), "some": (0,),
    "every": (0,), "flatMap": (0,), "sort": (0, 1), "toSorted": (0, 1), "reduce": (1,), "reduceRight": (1,),
    "findLastIndex": (0,),
}  # fmt: skip
"""Methods of sequences that take a callback → the positions of the callback's parameters that are elements."""
TAKING = {"push": None, "unshift": None, "add": 0, "append": 0, "fill": 0}
"""Methods of sequences that take elements → the position of the argument that is one; None if all are."""
LIBRARY = (
    SAME
    | ELEMENT
    | frozenset(CALLBACKS)
    | frozenset(name for kind in (list, dict, set, tuple, frozenset) for name in dir(kind) if not name.startswith("_"))
    | frozenset(
        """push unshift join includes indexOf lastIndexOf keys entries has get set delete clear size length toString
        flat toLocaleString hasOwnProperty call apply bind next""".split()
    )
)
"""Members of containers and functions."""
