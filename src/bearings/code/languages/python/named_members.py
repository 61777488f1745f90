"""Reads what a call names: a member in a string, a test's replacement by its path, a Django setting by a keyword.

`getattr(a, "b")`, `patch("shop.cart.total")`, `override_settings(DEBUG=True)`

`getattr(a, f"do_{kind}")` names the members that fit: `a.do_*`.
"""

import re
from typing import Final

from tree_sitter import Node

from bearings.code.expressions import FITTING, Expression, Typed, extended, is_known
from bearings.code.framework_facts import DJANGO_SETTINGS
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.nodes import inside
from bearings.code.type_expressions import ImportType, TypeReference

SETTINGS: Final = Typed(ImportType(DJANGO_SETTINGS, is_value=True))
"""Django's settings where no import names them."""
FIXTURES: Final[dict[str, Expression]] = {"settings": SETTINGS}
"""Fixtures of libraries by their names, and their values."""
SESSION: Final = Typed(TypeReference("~sqlalchemy.orm.Session", ()))
"""A parameter `session` without a type, in a file that imports one of ORMS: the class in the library of signatures."""
ORMS: Final = frozenset({"sqlalchemy", "sqlmodel"})
_BY_STRING: Final = dict.fromkeys(("getattr", "hasattr"), Edges.READ) | dict.fromkeys(
    ("setattr", "delattr", "object", "patch"), Edges.WRITE
)
_REPLACES: Final = re.compile(r"(?:(?:mock|mocker|unittest\.mock)\.)?patch|monkeypatch\.(?:setattr|delattr)")
_PATH: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_COMPOSED: Final = re.compile(
    r"""[rRfFuU]*["'](\w{2,60})(?=[{%]|["']\s*\+)"""
    r"""(?:.*(?:\}|%(?:\(\w+\))?[sdri]|\+\s*["'])(\w+)["'](?:\s*%.*|\.format\(.*)?\Z)?""",
    re.DOTALL,
)
"""A text with values, its beginning and perhaps its end; resolve/demand/composed.py looks for the beginning, too."""
_LONGEST: Final = 500
"""The most characters of a text that is looked at."""
_OVERRIDING: Final = frozenset({"override_settings", "modify_settings", "settings"})
NAMING: Final = _OVERRIDING.union(_BY_STRING)
"""The last part of the callee of every call that may name members."""
_OWN: Final = frozenset({"self.settings", "cls.settings", "self.modify_settings", "cls.modify_settings"})


def name_members(builder: Builder, call: Node, callee: str, name: str) -> None:
    """Add the uses of the members that a call names; `name` is the last part of its callee."""
    if name in _BY_STRING:
        _by_string(builder, call, callee, name)
    elif name == callee or callee in _OWN or callee.endswith(".override_settings"):
        for part in inside(call, "arguments"):
            key = part.child_by_field_name("name") if part.type == "keyword_argument" else None
            if key is not None and builder.text(key).isupper():
                builder.add_access(key, Edges.WRITE, extended(SETTINGS, builder.text(key)))


def _by_string(builder: Builder, call: Node, callee: str, name: str) -> None:
    """Add the member of the first argument that the second one names, or what a path in the first one names."""
    given = inside(call, "arguments")
    text = builder.text(given[0])[1:-1] if given and given[0].type == "string" else ""
    keys = [part.child_by_field_name("name") for part in given if part.type == "keyword_argument"]
    is_wrapped = any(key is not None and builder.text(key) == "wraps" for key in keys)  # the mock calls the member
    if _REPLACES.fullmatch(callee) and _PATH.fullmatch(text):
        package, *parts = text.split(".")
        kind = Edges.READ if is_wrapped else Edges.WRITE
        builder.add_access(given[0], kind, extended(Typed(ImportType(package, is_value=True)), *parts))
        return
    replaces = (name == "setattr" or name == "delattr") and callee == f"monkeypatch.{name}"
    if len(given) < 2 or not (callee == name or replaces or callee.endswith("patch.object")):
        return
    owner, key = expression(given[0], builder), builder.text(given[1])[1:-1]
    if given[1].type == "string" and key.isidentifier() and is_known(owner):
        builder.add_access(given[1], Edges.READ if is_wrapped else _BY_STRING[name], extended(owner, key))
    elif callee == name and is_known(owner) and (fitting := _composed(given[1], builder)):
        is_called = call.parent is not None and call.parent.child_by_field_name("function") == call
        builder.add_access(given[1], Edges.CALL if is_called else _BY_STRING[name], extended(owner, fitting))


def _composed(key: Node, builder: Builder) -> str:
    """Return the form of the names that a text with values gives: `do_*` of `f"do_{kind}"`; empty for another one."""
    match = _COMPOSED.match(builder.text(builder.constants.string(key) or key)[:_LONGEST])
    return f"{match[1]}{FITTING}{match[2] or ''}" if match is not None and match[1].strip("_") else ""
