"""Resolves requests to endpoints by method and path, in a table of the whole project.

    fetch("/api/carts/1")      leads to `@app.get("/api/carts/{id}")`, in whatever file and language that is

A request leads to the endpoint whose path equals it in most literal segments, and to none if several fit equally, but
to methods of one controller that answer by what is sent. The edge is strong if the whole path is literal and is the
endpoint's whole path, else a guess: the prefix of a router from another file, a base URL or a segment isn't known.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from posixpath import dirname
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import inflated
from bearings.code.file_facts import FileFacts
from bearings.code.framework_facts import NAMED_URL, OWN_PACKAGE, Mount, Request
from bearings.code.grouping import grouped
from bearings.code.languages import spec_of
from bearings.code.models import Confidence, Edge, EdgeKind, SymbolKind
from bearings.code.resolve.endpoints.mounts import KEYED, Endpoint, Mounts, reason_of
from bearings.code.resolve.endpoints.passed_on import PassedOn
from bearings.code.resolve.endpoints.path_constants import PathConstants, has_name
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import FILES_CELL, Entry, files_cell
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, PACKAGE
from bearings.code.resolve.referents import CALLABLE
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.strategy import Completion, ProjectTable
from bearings.code.symbol_keys import MARK, keys_of

_ENDPOINTS = "/.endpoints/"
"""The cell of all endpoints. Files with requests depend on it; few files have some."""
_REQUESTS = "/.requests/"
"""The cell of an entry that says that a file has requests."""
_MOUNTS = "/.mounts/"
"""The cell of an entry that is a Mount. A change of one is a change of the endpoints."""
_CELLS = frozenset({_ENDPOINTS, _REQUESTS, _MOUNTS})
_PARAMETER = re.compile(r"[:{<\[(]")
_REST = re.compile(r"\*|\.\.\.|:path\b|\(\.")
"""Segments that stand for any number of segments: catch-all routes answer no request in particular."""
_EXACT_END = "{$}"
"""The end of a pattern of Go that stands for no longer path."""
_NAME = re.compile(r"""\bname\s*=\s*["']([\w.-]+)["']""")
"""The name of a URL of Django's, in the call that registers it."""
_UNKNOWN_SEGMENT = "{}"
_ANY = "ANY"
_MOST = 2_000
"""More endpoints with the same end are generated, and not compared."""
_CASELESS = frozenset({"aspnet"})
"""Frameworks whose paths may be in upper or lower case."""
_VARYING = frozenset({"aspnet", "jaxrs", "micronaut", "spring"})
"""Frameworks in which several methods of a controller may answer one path, by the type of what a request sends."""
_MOST_VARIANTS = 4
"""The most methods of a controller that a request leads to."""
_LONGEST_BASE = 3
"""The most segments of a base URL, which a client may have if a request is not sure."""
_MOST_MOUNTED = 20_000
"""The most endpoints that the calls of a file mount."""
_EMPTY = b"\x90\x90"
"""The end of packed facts without requests and mounts, which are their last fields."""
_MOUNT = msgspec.json.Decoder(Mount)


class RequestTable(ProjectTable):
    """The endpoints of a project, and the files that have requests."""

    def covers(self, path: str) -> bool:
        """See ProjectTable: files of languages that have endpoints or requests."""
        spec = spec_of(path)
        return spec is not None and spec.has_endpoints

    def owns(self, cell: str) -> bool:
        """See ProjectTable."""
        return cell in _CELLS

    def completes(self, path: str) -> bool:
        """See ProjectTable."""
        return any(cell != _ENDPOINTS for cell, _, _ in self._of_file.get(path, ()))

    def completion(self, facts: Mapping[str, FileFacts], modules: Modules) -> "Requests":
        """See ProjectTable."""
        return Requests(facts, modules, self)

    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterator[Entry]:
        """See ProjectTable: for each endpoint its key, and the other fields of an Endpoint, a line each."""
        if isinstance(facts, PackedMap):
            if facts.part(path, _has_no_entries) is True:
                return
            file = facts.glance(path)
        else:
            file = facts[path]
        if file.requests:
            yield _REQUESTS, "", ""
        for mount in file.mounts:
            yield _MOUNTS, "", msgspec.json.encode(mount).decode()
        if any(symbol.kind is SymbolKind.ENDPOINT for symbol in file.symbols):
            for symbol, key in zip(file.symbols, keys_of(file), strict=True):
                detail = symbol.detail if symbol.kind is SymbolKind.ENDPOINT else None
                if detail is not None:
                    named = _NAME.search(symbol.signature) if detail.by == "django" else None
                    name = named[1] if named is not None else ""
                    yield _ENDPOINTS, key, "\n".join((detail.by, detail.router, detail.method, name, detail.path))

    def _put(self, path: str, now: frozenset[Entry]) -> set[str]:
        return {_ENDPOINTS for cell in super()._put(path, now) if cell != _REQUESTS}

    def endpoints(self) -> Iterator[tuple[str, Endpoint]]:
        """Each endpoint, and its file."""
        for path, (_, key, data) in self.in_cell(_ENDPOINTS):
            yield path, Endpoint(key, *data.split("\n", 4))

    def mounts(self) -> dict[str, list[Mount]]:
        """The mounts of each file that has some."""
        return grouped((path, _MOUNT.decode(data)) for path, (_, _, data) in self.in_cell(_MOUNTS))


def _has_no_entries(data: bytes) -> bool:
    """Whether packed facts surely have nothing for the table: unpacking all files would take too long."""
    facts = inflated(data)
    return facts.endswith(_EMPTY) and SymbolKind.ENDPOINT.value.encode() not in facts


class _Path(NamedTuple):
    """A path of an endpoint; a segment of `parts` is None if it is a parameter. `is_part`: it follows a prefix."""

    key: str
    framework: str
    method: str
    parts: tuple[str | None, ...]
    is_part: bool


class _Rank(NamedTuple):
    """How well an endpoint fits a request, the most important first."""

    is_whole: bool
    literals: int
    missing: int
    is_own_method: bool


class Requests(Completion):
    """The requests of one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules, table: RequestTable) -> None:
        self._facts = facts
        self._modules = modules
        self._table = table
        self._depends: frozenset[str] = frozenset({_ENDPOINTS})
        """The cell of endpoints, and the files on which their paths depend, once those are read: files that mount or
        pass on a router, or have or name a string of a path."""
        self._mounts: Mounts | None = None
        self._ends: dict[str | None, list[_Path]] = {}
        """The last segment of a whole path → such paths of all endpoints; None stands for a parameter."""
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        """The name of a URL → the files and keys of endpoints that have it."""
        self._by_router: dict[tuple[str, str], list[Endpoint]] = {}

    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """See Completion."""
        facts = self._facts[file]
        edges: dict[tuple[str, str, int], Edge] = {}
        for request in facts.requests:
            targets, sure = self._match(request)
            for target in targets:
                source = facts.symbols[facts.scopes[request.scope].symbol].id
                confidence = Confidence.STRONG if sure else Confidence.HEURISTIC
                reason = "URL" if not request.path.startswith(NAMED_URL) else "name of a URL"
                edge = Edge(source, target, EdgeKind.REQUEST, file, request.line, confidence, reason)
                edges.setdefault((source, target, request.line), edge)
        mounted = islice(self._mounted(file, facts), _MOST_MOUNTED)
        return uses._replace(edges=(*uses.edges, *edges.values(), *mounted)), self._depends

    def give_up(self) -> frozenset[str]:
        """See Completion."""
        return self._depends

    def _mounted(self, file: str, facts: FileFacts) -> Iterator[Edge]:
        """The edges from calls that mount a router of another file to the router's endpoints."""
        if not any(row.module and row.line for row in facts.mounts):
            return
        for mounted in self._read_paths().mounted_by(file):
            if not mounted.line:
                continue
            functions = (symbol for symbol in facts.symbols if symbol.kind in CALLABLE)
            enclosing = (symbol for symbol in functions if symbol.line <= mounted.line <= symbol.end_line)
            source = max(enclosing, key=lambda symbol: symbol.line, default=facts.symbols[0]).id  # the innermost one
            confidence = Confidence.STRONG if mounted.is_sure else Confidence.HEURISTIC
            for endpoint in self._by_router.get(mounted.router, ()):
                reason = reason_of(endpoint, mounted.prefixes)
                yield Edge(source, endpoint.key, EdgeKind.REFERENCE, file, mounted.line, confidence, reason)

    def _named(self, name: str) -> tuple[str, bool] | None:
        """The key of the endpoint whose URL has a name, behind its application's: `shop:cart`.

        It is sure with the folder of its application: `admin:index` is a library's.
        """
        self._read_paths()
        application, _, last = name.rpartition(":")
        found = {key: file.split("/") for file, key in self._by_name.get(last, ())}
        near = [key for key, folders in found.items() if application.rpartition(":")[2] in folders]
        keys = [*found] if len(found) == 1 else near
        return (keys[0], not application or keys == near) if len(keys) == 1 else None

    def _match(self, request: Request) -> tuple[list[str], bool]:
        """The key of the endpoint that fits best, and whether that is sure; several keys, see _VARYING."""
        if request.path.startswith(NAMED_URL):
            found = self._named(request.path.removeprefix(NAMED_URL))
            return ([found[0]], found[1]) if found is not None else ([], False)
        parts = [part for part in request.path.split("/") if part]
        is_whole = request.path.startswith("/")
        self._read_paths()
        ends = self._ends
        near = [ends.get(end, []) for end in (parts[-1].lower(), None)]
        candidates = [path for paths in near if len(paths) <= _MOST for path in paths]
        best: _Rank | None = None
        fitting: list[_Path] = []
        for endpoint in candidates:
            rank = _rank_of(request, parts, endpoint, is_whole=is_whole)
            if rank is not None and (best is None or rank >= best):
                fitting = [*(fitting if rank == best else ()), endpoint]
                best = rank
        keys = list(dict.fromkeys(path.key for path in fitting))
        if best is None or len(keys) > 1:
            named = {tuple(path.key.split(MARK)[:2]) for path in fitting}  # by file, method and path
            is_one = len(named) == 1 and fitting[0].framework in _VARYING and len(keys) <= _MOST_VARIANTS
            return (keys if is_one else []), False
        return keys, best.is_whole and request.sure and _UNKNOWN_SEGMENT not in parts

    def _read_paths(self) -> Mounts:
        """Read the whole paths of all endpoints, once, and return the mounts that they follow from."""
        if self._mounts is not None:
            return self._mounts
        constants = PathConstants(self._facts, self._imported_files)

        def filled(file: str, path: str) -> str:
            return attempt(file, lambda: constants.filled(file, path), path)

        rows = {
            file: [replace(mount, path=filled(file, mount.path)) for mount in mounts]
            for file, mounts in self._table.mounts().items()
        }
        endpoints = [
            (file, endpoint._replace(path=filled(file, endpoint.path))) for file, endpoint in self._table.endpoints()
        ]
        for file, endpoint in endpoints:
            if endpoint.name:
                self._by_name.setdefault(endpoint.name, []).append((file, endpoint.key))
            self._by_router.setdefault((_router_place(file), endpoint.router), []).append(endpoint)
        passed = PassedOn(self._facts, self._imported_place)
        routers = {router for router in self._by_router if router[1]}
        mounts = self._mounts = Mounts(rows, routers, passed.source, _router_place)
        mounting = (path for path, mounts_of_file in rows.items() if any(row.module for row in mounts_of_file))
        self._depends = self._depends.union(constants.read, passed.read, mounting)
        for file, endpoint in endpoints:
            for path in mounts.paths(file, endpoint):
                self._add(endpoint, path, is_part=False)
            knows_prefix = endpoint.framework == KEYED or endpoint.framework in _CASELESS
            if mounts.is_mounted(file, endpoint) and not knows_prefix:  # else a client may know the prefix
                self._add(endpoint, endpoint.path, is_part=True)
        return mounts

    def _add(self, endpoint: Endpoint, path: str, *, is_part: bool) -> None:
        """Add a path to the table of paths by their last segment."""
        parts = tuple(
            None if _PARAMETER.search(part) else part.strip("^$")
            for part in path.removesuffix(_EXACT_END).split("/")
            if part
        )
        if parts and not _REST.search(path):
            is_part = is_part or has_name(path)
            whole = _Path(endpoint.key, endpoint.framework, endpoint.method, parts, is_part)
            last = parts[-1]
            self._ends.setdefault(last.lower() if last is not None else None, []).append(whole)

    def _imported_place(self, importer: str, specifier: str) -> str | None:
        """The place that a file imports; None for none of the project."""
        spec = spec_of(importer)
        if spec is None:
            return None
        is_package = _router_place(importer) != importer
        if is_package and specifier == OWN_PACKAGE:
            return _router_place(importer)
        module = self._modules.find(importer, specifier, semantics_of(spec.language).family)
        if is_package and module.kind == PACKAGE:
            return files_cell(module.folder)
        return module.file if module.kind == MODULE else None

    def _imported_files(self, importer: str, specifier: str) -> Sequence[str]:
        """The files that a file imports: one module, or those of a package."""
        place = self._imported_place(importer, specifier)
        spec = spec_of(importer)
        if place is None or spec is None or not place.endswith(FILES_CELL):
            return () if place is None else (place,)
        return self._modules.find(place, "", semantics_of(spec.language).family).files


def _router_place(file: str) -> str:
    """The file, or the cell of its folder in a language whose packages are folders."""
    spec = spec_of(file)
    is_folder = spec is not None and semantics_of(spec.language).files_share_names
    return files_cell(dirname(file)) if is_folder else file


def _rank_of(request: Request, parts: list[str], endpoint: _Path, *, is_whole: bool) -> _Rank | None:
    """How well an endpoint fits; None if it doesn't. Only the ends of both are compared if one is longer."""
    if (request.method and endpoint.method not in (request.method, _ANY)) or request.by not in ("", endpoint.framework):
        return None
    endpoint_parts = endpoint.parts
    if is_whole and len(endpoint_parts) > len(parts) + (0 if request.sure else _LONGEST_BASE):
        return None
    shared = min(len(endpoint_parts), len(parts))
    if endpoint.framework in _CASELESS:
        endpoint_parts = tuple(part and part.lower() for part in endpoint_parts)
        parts = [part.lower() for part in parts]
    pairs = list(zip(endpoint_parts[-shared:], parts[-shared:], strict=True))
    if any(segment is not None and segment != requested for segment, requested in pairs):
        return None
    literals = sum(segment is not None for segment, _ in pairs)
    if not literals:
        return None
    missing = abs(len(endpoint_parts) - len(parts))
    return _Rank(
        is_whole and not missing and not endpoint.is_part, literals, -missing, endpoint.method == request.method
    )
