"""Reads what a test replaces: `vi.mock("./api")`, `jest.spyOn(api, "put").mockReturnValue(1)`, `sinon.stub(api, "a")`.

Each is a use of the module or the member. A spy without a value of its own calls what it watches.
"""

import re
from typing import Final

from tree_sitter import Node

from bearings.code.expressions import Expression, extended, is_known
from bearings.code.file_facts import ImportKind
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.names import string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.nodes import inside

_MODULES: Final = frozenset({"vi.mock", "jest.mock", "jest.unstable_mockModule"})
"""They hold for the whole file, unlike `doMock`."""
_SPIES: Final = frozenset({"vi.spyOn", "jest.spyOn", "sinon.spy", "sandbox.spy", "mock.method", "t.mock.method"})
_STUBS: Final = frozenset({"sinon.stub", "sinon.replace", "sandbox.stub", "sandbox.replace", "jest.replaceProperty"})
REPLACING: Final = frozenset(callee.rpartition(".")[2] for callee in _MODULES | _SPIES | _STUBS)
"""The last part of the callee of every call that may replace something."""
_KEEPS: Final = re.compile(rb"\b(?:importActual|requireActual|importOriginal)\b")
"""The module itself, in a factory or a test."""
_GIVES: Final = re.compile(r"mock(?:(?:Return|Resolved|Rejected)Value|ReturnThis|Implementation)")


def replaced(builder: Builder, call: Node, callee: Expression, name: str) -> None:
    """Add the module or the member that a call replaces or watches; `name` is the last part of its callee."""
    given = [part for part in inside(call, "arguments") if part.type != "comment"]
    if not given or type(callee) is not str:
        return
    if callee in _MODULES:
        module = string_of(given[0], builder)
        is_kept = _KEEPS.search(builder.source) is not None or (len(given) > 1 and _hands_on(given[1]))
        if module and not is_kept:
            builder.add_import(module, "", "", call, ImportKind.MOCK)
    elif callee in _SPIES | _STUBS and len(given) > 1:
        owner, member = expression(given[0], builder), string_of(given[1], builder)
        if member.isidentifier() and is_known(owner):
            has_value = callee in _STUBS or (name == "method" and len(given) > 2) or _is_given(builder, call)
            builder.add_access(given[1], Edges.WRITE if has_value else Edges.READ, extended(owner, member))


def _is_given(builder: Builder, spy: Node) -> bool:
    """Whether a spy is given another value at once: `spyOn(…).mockReturnValue(1)`."""
    step = spy.parent
    key = step.child_by_field_name("property") if step is not None and step.type == "member_expression" else None
    return key is not None and _GIVES.fullmatch(builder.text(key)) is not None


def _hands_on(factory: Node) -> bool:
    """Whether what makes a mock may hand on the module: options such as `{ spy: true }`, or a factory that takes it."""
    takes = factory.child_by_field_name("parameter") is not None or bool(inside(factory, "parameters"))
    return factory.type == "object" or takes
