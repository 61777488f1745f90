"""The methods that Python calls by itself, by its reference ("Data model", special method names)."""

from collections.abc import Iterator
from typing import Final

from bearings.code.resolve.rules.semantics import Implied

_ARITHMETIC: Final = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_COMPARED: Final = {"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">="}


def _arithmetic() -> Iterator[tuple[str, Implied]]:
    for name in _ARITHMETIC:
        yield f"__{name}__", Implied("by an operator")
        yield f"__r{name}__", Implied("by an operator")
        yield f"__i{name}__", Implied("by an operator", (f"__{name}__",))


IMPLIED_CALLS: Final = {
    "__contains__": Implied("by `in`", ("__iter__", "__getitem__")),
    "__iter__": Implied("by iteration", ("__getitem__",)),
    "__aiter__": Implied("by `async for`"),
    "__next__": Implied("by iteration"),
    "__reversed__": Implied("by `reversed`", ("__getitem__",)),
    "__len__": Implied("by `len`"),
    "__getitem__": Implied("by an index"),
    "__class_getitem__": Implied("by an index"),
    "__setitem__": Implied("by an index"),
    "__delitem__": Implied("by `del`"),
    "__enter__": Implied("by `with`", then="__exit__"),
    "__exit__": Implied("by `with`"),
    "__aenter__": Implied("by `async with`", then="__aexit__"),
    "__aexit__": Implied("by `async with`"),
    "__await__": Implied("by `await`"),
    "__call__": Implied("by a call"),
    "__bool__": Implied("by a condition", ("__len__",)),
    "__str__": Implied("by `str`", ("__repr__",)),
    "__repr__": Implied("by `repr`"),
    "__format__": Implied("by a format", ("__str__", "__repr__")),
    "__init_subclass__": Implied("by a subclass"),
    "__set_name__": Implied("by an attribute of a class"),
    "__getattr__": Implied("by an attribute that is not declared"),
    "__getattribute__": Implied("by an attribute that is not declared"),
    "__hash__": Implied("by `hash`"),
    "__get__": Implied("by an attribute"),
    "__set__": Implied("by an attribute"),
    **{f"__{name}__": Implied(f"by `{sign}`", ("__eq__",) * (name == "ne")) for name, sign in _COMPARED.items()},
    **{f"__{name}__": Implied("by an operator") for name in ("neg", "pos", "invert")},
    **{f"__{name}__": Implied(f"by `{name}`") for name in ("int", "float", "abs", "bytes", "round")},
    **dict(_arithmetic()),
}
"""By the name of a method."""
