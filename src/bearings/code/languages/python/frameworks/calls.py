"""Reads which functions frameworks call: dependencies, commands, listeners of signals and events, error handlers.

To add a framework, add its methods to `_DECORATING` or `_TAKING`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, receiver, root_of
from bearings.code.framework_facts import FrameworkCall
from bearings.code.languages.python.frameworks.arguments import argument, keyword
from bearings.code.languages.python.names import NAMES, expression
from bearings.code.languages.python.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import above, first
from bearings.code.languages.shared.routes import Candidate


class _Framework(NamedTuple):
    """A framework, and the packages of which a file that uses it surely imports one."""

    name: str
    packages: frozenset[str]


_CLICK = _Framework("Click", frozenset({"click", "typer", "flask", "asyncclick", "rich_click", "quart"}))
_FLASK = _Framework("Flask", frozenset({"flask", "quart"}))
_FASTAPI = _Framework("FastAPI", frozenset({"fastapi"}))
_STARLETTE = _Framework("Starlette", frozenset({"starlette", "fastapi"}))
_SIGNALS = _Framework("signals", frozenset({"django", "blinker", "celery", "flask"}))
_SQLALCHEMY = _Framework("SQLAlchemy", frozenset({"sqlalchemy", "flask_sqlalchemy"}))

_FLASK_HOOKS = (
    "before_request after_request teardown_request teardown_appcontext before_app_request after_app_request "
    "teardown_app_request before_first_request context_processor app_context_processor url_value_preprocessor "
    "url_defaults shell_context_processor"
).split()

_DECORATING = {
    **dict.fromkeys(("command", "group", "callback", "result_callback"), _CLICK),
    **dict.fromkeys((*_FLASK_HOOKS, "errorhandler", "app_errorhandler"), _FLASK),
    **dict.fromkeys(("template_filter", "template_test", "template_global", "app_template_filter"), _FLASK),
    **dict.fromkeys(("on_event", "exception_handler", "middleware"), _STARLETTE),
    **dict.fromkeys(("receiver", "connect", "connect_via"), _SIGNALS),
    "listens_for": _SQLALCHEMY,
}
"""Methods that register the function that they decorate."""

_TAKING = {
    **dict.fromkeys(("Depends", "Security"), (_FASTAPI, 0, "dependency")),
    "add_command": (_CLICK, 0, "cmd"),
    **dict.fromkeys(_FLASK_HOOKS, (_FLASK, 0, "f")),
    "register_error_handler": (_FLASK, 1, "f"),
    "add_event_handler": (_STARLETTE, 1, "func"),
    "add_exception_handler": (_STARLETTE, 1, "handler"),
    "connect": (_SIGNALS, 0, "receiver"),
    "listen": (_SQLALCHEMY, 2, "fn"),
}
"""Functions and methods that take a function, with its position and keyword."""

_NAMING = {
    **dict.fromkeys(("FastAPI", "Starlette", "APIRouter"), (_STARLETTE, ("lifespan", "on_startup", "on_shutdown"))),
}
"""Classes that take functions under keywords."""

TAKING = frozenset({*_TAKING, *_NAMING})
_PACKAGES = frozenset({"click", "typer"})
"""Modules whose own functions make a command that nothing else runs."""
_AROUND = 12
"""The most nodes between a dependency and what it stands in."""


def may_be_called(decorator: str) -> bool:
    """Whether a decorator as written may have a framework call what it decorates."""
    return decorator.partition("(")[0].rpartition(".")[2] in _DECORATING


class _Reader:
    """Adds the functions of one file that frameworks call."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._roots = {entry.module.partition(".")[0] for entry in builder.imports}

    def decorated(self, node: Node, definition: Node) -> None:
        """Add a function below decorators that register it, as called by what registers it."""
        target = self._builder.functions.get(definition.byte_range, -1)
        for child in node.named_children if target > 0 else ():
            callee = child.named_children[0] if child.type == "decorator" and child.named_children else None
            call = callee if callee is not None and callee.type == "call" else None
            callee = call.child_by_field_name("function") if call is not None else callee
            written = expression(callee, self._builder) if callee is not None else ""
            framework = _DECORATING.get(last_name(written))
            by = receiver(written)
            if framework is None or (by is None and last_name(written) != "receiver") or by in _PACKAGES:
                continue
            first = _first(call) if by is None and call is not None else None
            registering = expression(first, self._builder) if first is not None else by
            source, line = self._named(registering, target), self._builder.line(child)
            if source != target:
                self._add(FrameworkCall(source, line, framework.name, target=target), framework)

    def taken(self, one: Candidate, symbol: int) -> None:
        """Add the functions that a call hands to a framework, as called by what stands around it."""
        for framework, node in self._handed(one):
            callee = self._type_around(one.node) if node is None else _function(node, self._builder)
            if callee is not None:
                source, line = self._around(one.node, symbol), self._builder.line(one.node)
                self._add(FrameworkCall(source, line, framework.name, one.scope, callee), framework)

    def _handed(self, one: Candidate) -> Iterator[tuple[_Framework, Node | None]]:
        """Yield the arguments of a call that are functions; None for a dependency that its annotation names."""
        if one.verb in _NAMING:
            framework, names = _NAMING[one.verb]
            for name in names:
                value = keyword(one, name, self._builder)
                for node in value.named_children if value is not None and value.type == "list" else [value]:
                    if node is not None:
                        yield framework, node
            return
        framework, at, name = _TAKING[one.verb]
        given = argument(one, at, name, self._builder)
        if given is not None:
            yield framework, given
        elif framework is _FASTAPI and not one.arguments():
            yield framework, None

    def _type_around(self, call: Node) -> Expression | None:
        """Return the name of the type of the parameter whose default a call is."""
        parent = call.parent
        type_ = parent.child_by_field_name("type") if parent is not None else None
        named = type_of(type_, self._builder) if type_ is not None else None
        return named if isinstance(named, str) else None

    def _around(self, call: Node, symbol: int) -> int:
        """Return the function whose decorator a call is in, or the variable that holds it; else the symbol around."""
        for here in islice(above(call), _AROUND):
            if here.type in ("block", "module", "parameters"):
                break
            if here.type == "decorator" and here.parent is not None:
                definition = here.parent.child_by_field_name("definition")
                span = definition.byte_range if definition is not None else (0, 0)
                return self._builder.functions.get(span, symbol)
            left = here.child_by_field_name("left") if here.type == "assignment" else None
            if left is not None and left.type == "identifier":
                return self._builder.members.get((symbol, self._builder.text(left)), symbol)
        return symbol

    def _named(self, value: Expression | None, target: int) -> int:
        """Return the symbol of this file from which an expression starts; else what is around the `target`."""
        drafts, root = self._builder.drafts, root_of(value) if value is not None else None
        around = symbol = drafts[target].parent
        while type(root) is str and symbol >= 0:
            known = self._builder.members.get((symbol, root))
            if known is not None:
                return known
            symbol = drafts[symbol].parent
        return around

    def _add(self, call: FrameworkCall, framework: _Framework) -> None:
        sure = not self._roots.isdisjoint(framework.packages)
        self._builder.framework_calls.append(
            FrameworkCall(call.source, call.line, call.by, call.scope, call.callee, call.target, sure)
        )


def _first(call: Node) -> Node | None:
    """Return the first argument of a call; of a list the first element."""
    arguments = call.child_by_field_name("arguments")
    given = first(arguments)
    if given is not None and given.type == "list":
        given = first(given)
    return given


def _function(node: Node, builder: Builder) -> Expression | None:
    """Return the name of a function or class; None for another expression."""
    return expression(node, builder) if node.type in NAMES else None


def framework_calls(builder: Builder, decorated: list[tuple[Node, Node]], taking: list[tuple[Candidate, int]]) -> None:
    """Add the functions that frameworks call.

    `decorated` are definitions below a decorator that may register them; `taking` are calls of TAKING, with the symbols
    around.
    """
    if decorated or taking:
        reader = _Reader(builder)
        for node, definition in decorated:
            reader.decorated(node, definition)
        for one, symbol in taking:
            reader.taken(one, symbol)
