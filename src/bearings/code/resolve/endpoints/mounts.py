"""The whole paths of endpoints: with the prefixes that other files of the project give them.

    main.py     app.include_router(carts.router, prefix="/carts")
    carts.py    @router.get("/{id}")                                 # the whole path is /carts/{id}

The controllers of NestJS belong to the nearest application, which is the one in the nearest folder: `apps/shop/main.ts`
is nearer to `apps/shop/cats/cats.controller.ts` than `apps/admin/main.ts`. If the nearest ones set several prefixes,
none is meant.

The routers of other frameworks hold each other: `app.use("/users", users)`, `include_router(users.router, prefix=…)`,
`include("app.urls")`. In tRPC, `router({ user: userRouter })` puts the procedures of the imported router below `user.`.
A router is found by its variable in the imported file; behind a file that only passes it on, by its variable in the
whole project, if no other has that name. In Go, a router is found by the function that takes or makes it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from posixpath import commonpath, dirname
from typing import NamedTuple

from bearings.code.framework_facts import ANYWHERE, Mount
from bearings.code.grouping import grouped
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import FILES_CELL

_DEEPEST = 8
"""The most routers in each other."""
_MOST = 50
"""The most whole paths of an endpoint."""

KEYED = "trpc"
"""The framework whose prefixes are keys with a dot behind each."""
CLASSES = "rest_framework"
"""The framework whose routers are classes, so that a file has many."""
FILES = "laravel"
"""The framework whose routers are files, which hold each other by their paths."""
_OF_CLASS = "[controller]"
"""Stands in a path for the name of the class that has the endpoint."""
_VERSION = re.compile(r"/v\d")

_Router = tuple[str, str]
"""A router: its place, which is a file or the cell of a package of Go, and its name there."""
_MOUNTED = "mounted: "
"""The start of the reason of an edge to an endpoint from the call that holds its router; its whole paths follow."""
_SEPARATOR = " | "
_MOST_SHOWN = 10
"""The most whole paths of an endpoint by one call."""


class Endpoint(NamedTuple):
    """An endpoint as its own file has it: its key, framework, router, method, the name of its URL, and path."""

    key: str
    framework: str
    router: str
    method: str
    name: str
    path: str


class MountedRouter(NamedTuple):
    """A router that a line mounts, with the prefixes of its paths. It is not sure if only its name led to it."""

    line: int
    router: _Router
    prefixes: list[str]
    is_sure: bool


class Mounts:
    """The prefixes of a project. `mounts` are those that each file gives, `routers` those that have endpoints.

    `source(file, specifier, name)` returns the router that a file imports, None for one from outside. `place(file)`
    returns a router's place: see _Router.
    """

    def __init__(
        self,
        mounts: Mapping[str, Sequence[Mount]],
        routers: set[_Router],
        source: Callable[[str, str, str], _Router | None],
        place: Callable[[str], str],
    ) -> None:
        self._place = place
        rows = [(path, row) for path, rows_of_file in sorted(mounts.items()) for row in rows_of_file]
        self._applications = [(path, row) for path, row in rows if not row.module]
        self._application_of: dict[str, list[Mount]] = {}
        """Folder → the row of the application nearest to it, at most one: none if several give other prefixes."""
        imported = [
            (path, row, attempt(path, partial(source, path, row.module, row.name), None))
            for path, row in rows
            if row.module
        ]
        routers = routers | {(place(path), row.router) for path, row, _ in imported}
        routers |= {router for _, row, router in imported if row.is_inside and router is not None}
        self._in_place = grouped((router[0], router) for router in sorted(routers))
        self._by_name = grouped((_last_part(router[1]), router) for router in sorted(routers))
        self._outer: dict[_Router, list[tuple[_Router, str]]] = {}
        """A router → those that mount it, each with the prefix that it gives."""
        self._aliases: dict[_Router, list[_Router]] = {}
        """A router → the names in other files that import it to give it more endpoints."""
        self._mounted: dict[str, list[tuple[Mount, _Router]]] = {}
        """File → its mounts, with the routers of other files that they mount."""
        for path, row, named in imported:
            other, own_router = self._known_router(row, named, place(path)), (place(path), row.router)
            if other is None:
                continue
            if row.is_inside:  # this file's name stands for the other router, and has its prefixes
                self._outer.setdefault(own_router, []).append((other, ""))
                self._aliases.setdefault(other, []).append(own_router)
            else:
                self._outer.setdefault(other, []).append((own_router, row.path))
                self._mounted.setdefault(path, []).append((row, other))

    def paths(self, file: str, endpoint: Endpoint) -> list[str]:
        """The whole paths of an endpoint.

        The path in its own file is among them, except in a router that another one mounts: a request may be relative to
        the prefix of an application.
        """
        if self.is_mounted(file, endpoint):
            prefixes = dict.fromkeys(islice(self._prefixes((self._place(file), endpoint.router), ()), _MOST))
            if endpoint.framework == KEYED:  # the keys that lead to the procedure's router: `/user.posts.list`
                return [f"/{prefix}{endpoint.path.lstrip('/')}" for prefix in prefixes]
            return [whole_path(prefix, endpoint) for prefix in prefixes]
        applications = self._nearest_application(dirname(file))
        return [endpoint.path, *(path for mount in applications for path in _application_paths(mount, endpoint))]

    def is_mounted(self, file: str, endpoint: Endpoint) -> bool:
        """Whether another file mounts the router of an endpoint. Then the path in its own file is only the end."""
        return bool(endpoint.router) and (self._place(file), endpoint.router) in self._outer

    def mounted_by(self, file: str) -> Iterator[MountedRouter]:
        """The routers that the lines of a file mount, with what they give to them; each line and router once."""
        lines: dict[tuple[int, _Router], tuple[bool, dict[str, None]]] = {}
        for mount, inner in self._mounted.get(file, []):
            outer = islice(self._prefixes((self._place(file), mount.router), ()), _MOST_SHOWN)
            prefixes = dict.fromkeys(joined(prefix, mount.path) for prefix in outer)
            for router in (inner, *self._aliases.get(inner, [])):
                lines.setdefault((mount.line, router), (mount.module != ANYWHERE, {}))[1].update(prefixes)
        for (line, router), (is_sure, prefixes) in lines.items():
            yield MountedRouter(line, router, list(prefixes)[:_MOST_SHOWN], is_sure)

    def _nearest_application(self, folder: str) -> list[Mount]:
        """The prefix of the applications that are nearest to a folder, in a list; empty if they have several."""
        rows = self._application_of.get(folder)
        if rows is None:
            shared = {}  # the number of folders that the folder and an application's begin with
            for path, _ in self._applications:
                common = commonpath([folder, dirname(path)])
                shared[path] = common.count("/") + 1 if common else 0
            largest = max(shared.values(), default=0)
            rows = [row for path, row in self._applications if shared[path] == largest and (row.path or row.version)]
            rows = rows[:1] if len({(row.path, row.version) for row in rows}) == 1 else []
            self._application_of[folder] = rows
        return rows

    def _known_router(self, row: Mount, imported: _Router | None, own: str) -> _Router | None:
        """The known router of another file that a row of the place `own` mounts, or, if it `is_inside`, adds to."""
        if row.module == ANYWHERE and not row.name:
            return None
        if row.module == ANYWHERE:
            return _only_router(self._by_name.get(_last_part(row.name), []), row.name)
        if imported is None:
            return None
        place, name = imported
        routers_there = self._in_place.get(place, [])
        if place.endswith(FILES_CELL):
            return _only_router([router for router in routers_there if _last_part(router[1]) == _last_part(name)], name)
        if imported in routers_there:
            return imported
        if row.by in (CLASSES, FILES) or place == own:
            return None
        candidates = self._by_name.get(name, []) or routers_there  # behind a file that only passes it on
        return candidates[0] if len(candidates) == 1 else None

    def _prefixes(self, router: _Router, inner: tuple[_Router, ...]) -> Iterator[str]:
        """The prefixes of a router, or the keys that lead to it, each with a dot behind it.

        Yields none for a router that mounts itself; `inner` are the routers on the way from the first one to this one.
        """
        outers = self._outer.get(router, [])
        if not outers:
            yield ""
        if len(inner) >= _DEEPEST or router in inner:
            return
        for outer, path in outers:
            for prefix in self._prefixes(outer, (*inner, router)):
                yield prefix + path if path.endswith(".") else joined(prefix, path)


def reason_of(endpoint: Endpoint, prefixes: Sequence[str]) -> str:
    """The reason of an edge from a call that gives these prefixes to an endpoint."""
    paths = [whole_path(prefix, endpoint) for prefix in prefixes]
    return f"{_MOUNTED}{endpoint.method} {_SEPARATOR.join(paths)}"


def whole_paths(reason: str) -> list[str]:
    """The whole paths in the reason of an edge; none in another reason."""
    is_of_mount = reason.startswith(_MOUNTED)
    return reason.removeprefix(_MOUNTED).partition(" ")[2].split(_SEPARATOR) if is_of_mount else []


def whole_path(prefix: str, endpoint: Endpoint) -> str:
    """The path of an endpoint behind a prefix, which may name the class that is its router."""
    return joined(prefix, endpoint.path).replace(_OF_CLASS, endpoint.router.removesuffix("Controller"))


def joined(prefix: str, path: str) -> str:
    """A prefix followed by a path, with one slash between them."""
    return f"{prefix.rstrip('/')}/{path.lstrip('/')}" if path.strip("/") else prefix or "/"


def _only_router(routers: Sequence[_Router], name: str) -> _Router | None:
    """The only one of some routers, or the only one with a name; None if there are several."""
    candidates = [router for router in routers if router[1] == name] or routers
    return candidates[0] if len(candidates) == 1 else None


def _last_part(router: str) -> str:
    """The last part of a router's name: Go's methods have the name of their type before it."""
    return router.rpartition(".")[2]


def _application_paths(mount: Mount, endpoint: Endpoint) -> Iterator[str]:
    """The paths of an endpoint in an application: with its prefix, and with its version if it may lack one."""
    is_excluded = any(_matches(endpoint.path, pattern) for pattern in mount.excluded)
    if mount.by == endpoint.framework and not is_excluded:
        prefix = f"/{mount.path.strip('/')}" if mount.path else ""
        if prefix:
            yield f"{prefix}{endpoint.path}"
        if mount.version and not _VERSION.match(endpoint.path):
            yield f"{prefix}/{mount.version}{endpoint.path}"


def _matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern of `exclude`: `health`, `cats/:id`, `cats/(.*)`, `cats/*rest`."""
    path_parts, pattern_parts = ([part for part in text.split("/") if part] for text in (path, pattern))
    for index, part in enumerate(pattern_parts):
        if "*" in part:
            return len(path_parts) > index
        if index >= len(path_parts) or (part != path_parts[index] and not part.startswith(":")):
            return False
    return len(path_parts) == len(pattern_parts)
