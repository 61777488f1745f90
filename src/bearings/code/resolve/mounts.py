"""The whole paths of endpoints: with the prefixes that other files of the project give them.

The controllers of NestJS belong to the nearest application, which is the one in the nearest folder: `apps/shop/main.ts`
is nearer to `apps/shop/cats/cats.controller.ts` than `apps/admin/main.ts`. If the nearest ones set several prefixes,
none is meant.
"""

from collections.abc import Mapping, Sequence
from posixpath import commonpath, dirname
from typing import NamedTuple

from bearings.code.models import Mount


class Endpoint(NamedTuple):
    """An endpoint as its own file has it: its key, framework, method and path."""

    key: str
    by: str
    method: str
    path: str


class Mounts:
    """The prefixes of a project. `mounts` are those that each file gives."""

    def __init__(self, mounts: Mapping[str, Sequence[Mount]]) -> None:
        self._applications = {path: rows for path, rows in sorted(mounts.items()) if not rows[0].module}
        self._nearest: dict[str, list[Mount]] = {}

    def paths(self, file: str, endpoint: Endpoint) -> list[str]:
        """The paths of an endpoint. Its own one is among them, as a request may be relative to a prefix."""
        whole = [
            f"/{mount.path.strip('/')}/{endpoint.path.lstrip('/')}"
            for mount in self._around(dirname(file))
            if mount.by == endpoint.by and not any(_is_like(endpoint.path, pattern) for pattern in mount.excluded)
        ]
        return [endpoint.path, *whole]

    def _around(self, folder: str) -> list[Mount]:
        """The prefix of the applications that are nearest to a folder; none if they have several."""
        known = self._nearest.get(folder)
        if known is None:
            shared = {path: _shared(folder, dirname(path)) for path in self._applications}
            most = max(shared.values(), default=0)
            rows = [row for path, rows in self._applications.items() if shared[path] == most for row in rows]
            known = [row for row in rows if row.path]
            known = known[:1] if len({row.path for row in known}) == 1 else []
            self._nearest[folder] = known
        return known


def _shared(one: str, other: str) -> int:
    """The number of folders that two paths begin with."""
    shared = commonpath([one, other])
    return shared.count("/") + 1 if shared else 0


def _is_like(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern of `exclude`: `health`, `cats/:id`, `cats/(.*)`, `cats/*rest`."""
    own, wanted = ([part for part in text.split("/") if part] for text in (path, pattern))
    for place, part in enumerate(wanted):
        if "*" in part:
            return len(own) > place
        if place >= len(own) or (part != own[place] and not part.startswith(":")):
            return False
    return len(own) == len(wanted)
