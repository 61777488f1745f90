"""How a framework with routers is declared: which objects are its routers, and what their methods do."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from tree_sitter import Node

from bearings.code.languages.ecmascript.frameworks.mounted_routers import MountedRouters
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import ANY, METHODS, Candidate

VERBS: Final = MappingProxyType({**{method.lower(): method for method in METHODS}, "del": "DELETE", "all": ANY})
"""The methods of routers that register, `router.get("/x", handler)`, and the HTTP methods that they stand for."""
CHAINED = r"(?:\.\w+\(\))*"
"""Calls on a router that return it, as the name of its origin shows them."""


class Mounting(NamedTuple):
    """How a call mounts routers: `app.use("/users", users)` puts the prefix `/users` before the paths of `users`.

    `prefix` picks the prefix out of the arguments. `routers` are the places of the arguments that may be routers, and
    `mount` records such an argument; without it, a name, a member of a module, or a call that makes a router counts.
    """

    prefix: Callable[[Sequence[Node], Builder], Node | None] | None = None
    routers: slice = slice(None)
    mount: Callable[[MountedRouters, Candidate, Node, str], None] | None = None


class Registration(NamedTuple):
    """How a call registers endpoints other than by `router.verb(path, …)`: the places of its arguments.

    `on(["GET"], "/x", handler)` of Hono has the methods at 0, the path at 1, and handlers from 2. With `keys`, the
    arguments are the values of an object literal: `route({ method: "GET", url: "/x", handler })` of Fastify.
    """

    methods: int
    path: int
    handlers: slice
    keys: Sequence[Sequence[str]] = ()


class RouterFramework(NamedTuple):
    """A framework of the family.

    `router_origin` matches the origin of a router, such as `express.Router()`, and `package` the start of a module that
    belongs to the framework. `factory_suffix` ends the names of functions and classes that create a router, with or
    without `new`. `mounting` and `registering` are methods of routers, and so is `prefixing`, which gives a router its
    own prefix; `verbs` are more than VERBS. Behind the path, `handlers` are the places of the handlers. `path_keys` are
    the keys of a path in an object: `server.get({ path: "/x" }, handler)`. `is_chained`: all methods return the router.
    """

    name: str
    router_origin: re.Pattern[str]
    package: re.Pattern[str]
    mounting: Mapping[str, Mounting]
    registering: Mapping[str, Registration] = MappingProxyType({})
    prefixing: str = ""
    factory_suffix: str = "Router"
    verbs: Mapping[str, str] = MappingProxyType({})
    handlers: slice = slice(None)
    path_keys: Sequence[str] = ()
    is_chained: bool = False


def first_argument(given: Sequence[Node], _builder: Builder) -> Node | None:
    """Return the first argument as a prefix: `app.route(PREFIX, users)`."""
    return given[0] if given else None


def leading_string(given: Sequence[Node], builder: Builder) -> Node | None:
    """Return the first argument as a prefix if it is a string: `app.use("/users", users)`, but not `app.use(users)`."""
    return builder.constants.string(given[0]) if given else None
