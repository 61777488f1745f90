"""How a framework is declared whose endpoints are registered by calls: `@app.get("/x")`, `path("x/", view)`.

`reader.py` reads all of them; docs/adding-a-framework.md adds one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder

Argument = tuple[int, str]
"""An argument of a call: its position and its keyword."""
KEYWORD_ONLY = 1_000
"""The position of an argument that has only a keyword."""

LISTED = "methods="
"""The methods are in a list, `methods=["GET", "POST"]`. Without it GET; of a view `View.as_view()` all."""
FIRST = "first"
"""The method is the first argument: `add_route("GET", "/x", handler)`."""


class Route(NamedTuple):
    """A call that registers endpoints.

    `methods` is a method of HTTP, ANY, LISTED or FIRST. `path` and `handler` are arguments; a decorator registers the
    definition below it. If it `is_placed`, the call counts only as a decorator or in a list, because other calls have
    its name, too. It counts on an object with the last name `on` wherever that comes from. If it `has_classes`, a
    handler may be a class that answers each method by a verb of its own. If it `is_pattern`, its path is a regular
    expression, which loses its anchors.
    """

    methods: str = LISTED
    path: Argument = (0, "path")
    handler: Argument | None = None
    is_placed: bool = False
    on: str = ""
    has_classes: bool = False
    is_pattern: bool = False


class Mount(NamedTuple):
    """A call that puts routers, or variables with routes, under a prefix.

    `routers` are arguments; without them all arguments that have no keyword. `prefix` is None if the call gives none.
    If it `replaces`, its prefix takes the place of the router's own. If it is `on_any`, it counts on every object.
    `find_routers` returns the names that such an argument mounts, or None if it is no router.
    """

    routers: Sequence[Argument] = ()
    prefix: Argument | None = None
    replaces: bool = False
    on_any: bool = False
    find_routers: Callable[[Node, Builder], Sequence[Node] | None] | None = None


class Framework(NamedTuple):
    """A framework, which has the name of its package.

    `router_origin` matches the origins (see Origins) of objects that have the methods in `routes` and `mounts`, such as
    `flask.Blueprint()`; `functions` matches the origins of functions in them. `router_attribute` is the attribute of an
    application that has its methods: `router` of `app.router.add_get`. `router_classes` maps classes of routers to the
    keyword of their own prefix. `resources` are methods that make an object for a path, whose methods take the
    remaining arguments of a route. `root` precedes all paths, which need no slash at their start then.

    `router` says how other files mount a module's routes. None: by its routers' variables. A name: by the module, in
    which the variable of that name holds all routes. Empty: mounts in other files are not followed.

    `routers_of` is a package whose routers have a list of their routes as their attribute `routes_attribute`.
    """

    name: str
    routes: Mapping[str, Route]
    mounts: Mapping[str, Mount]
    router_origin: re.Pattern[str] | None = None
    functions: re.Pattern[str] | None = None
    router_attribute: str = ""
    router_classes: Mapping[str, str] = MappingProxyType({})
    resources: Mapping[str, Argument] = MappingProxyType({})
    root: str = ""
    router: str | None = None
    routers_of: str = ""
    routes_attribute: str = ""


VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
DECORATORS = {verb: Route(verb.upper(), is_placed=True) for verb in VERBS}
"""`@router.get("/x")` and the other verbs."""
