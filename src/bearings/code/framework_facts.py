"""Facts of one file about frameworks, servers and the environment: requests, mounts, fixtures, variables."""

from typing import Final

import msgspec

from bearings.code.expressions import Expression
from bearings.code.models import EdgeKind

DJANGO_SETTINGS: Final = "django.conf:settings"
"""The specifier of the modules of Django's settings, which configuration names."""


NAMED_URL: Final = "name:"
"""The start of a request's path that is the name of a URL instead: `reverse("shop:cart")`."""


class Request(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A request with a literal URL, in the scope that sends it: `fetch("/users/1")`, `client.get(f"/users/{id}")`.

    `method` is upper case, and empty if it isn't known. `path` has `{}` in place of each segment with an expression;
    without a leading slash, it follows a part that isn't known. `sure`: the callee is known to send requests. Only
    endpoints of the framework `by` answer, if it is one.
    """

    method: str
    path: str
    line: int
    scope: int
    sure: bool
    by: str = ""


OWN_PACKAGE = "."
"""Stands, as a mount's module, for the folder of the file itself."""
ANYWHERE = "*"
"""Stands, as a mount's module, for the only file that has a router of that name; without a name, the file has one."""


class Mount(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file gives a prefix to the paths of endpoints in other files. `by` is the framework.

    With a `module`, the `router` of this file (see Detail) holds under `path` the router that the module exports as
    `name`. In Go, the function that takes or makes a router stands for it, and the module may be OWN_PACKAGE or
    ANYWHERE. `path` has the prefixes of this file; of tRPC, it is keys with a dot behind each. Without a module, the
    file makes an application. All paths of the application start with `path`, except those like `excluded`, and then
    with `version`, if they have no version of their own. Both are empty if they are unknown or there is none. `line` is
    the line of the call that mounts the router; 0 if no call does. With `is_inside`, the `router` of this file is an
    import of the module's router: this file adds endpoints to it.
    """

    by: str
    path: str
    router: str = ""
    module: str = ""
    name: str = ""
    excluded: tuple[str, ...] = ()
    version: str = ""
    line: int = 0
    is_inside: bool = False


class EnvironmentUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The code of the symbol at `symbol` in `symbols` reads or writes (`kind`) the environment variable `name`."""

    name: str
    kind: EdgeKind
    line: int
    symbol: int


class Fixture(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The function at `symbol` in `symbols` gives its result to tests that have a parameter of this name."""

    symbol: int
    name: str


class FixtureUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The test, fixture, class or module at `symbol` in `symbols` has a fixture run by its name."""

    symbol: int
    name: str
    line: int


INJECTED: Final = "injected"
SENT: Final = "sent"
PROVIDED: Final = "provided"
"""The `by` of a FrameworkCall about a type, by its name: `source` gets an object of it, sends a message of it, or the
`target` provides it. A registration names a class instead, behind the type: Chain("Store", ("Carts",))."""


class FrameworkCall(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A framework (`by`) calls a function: the one that `callee` names in `scope`, or the symbol at `target`.

    `source` in `symbols` is what has it called, by registering or needing it. `sure`: the file uses the framework.
    """

    source: int
    line: int
    by: str
    scope: int = 0
    callee: Expression | None = None
    target: int = -1
    sure: bool = True
