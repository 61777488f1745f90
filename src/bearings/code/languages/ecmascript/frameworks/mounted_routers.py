"""The routers of one file: the prefixes under which its calls mount them, and where they come from."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Result, site_of, split
from bearings.code.file_facts import Binding, Import
from bearings.code.languages.ecmascript.frameworks.arguments import OWN_MODULES, property_of, text_of, verb_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import MOST_PREFIXES, Candidate, joined

CHAIN_PREFIXES = frozenset({"basePath", "route"})
"""Calls on a router that return one with a longer prefix, if a path is their only argument."""
_NAMES = frozenset({"identifier", "member_expression"})
_DEEPEST = 5
_LONGEST_CHAIN = 200


class Start(NamedTuple):
    """Where the chain of calls before a call starts: at the call site `number`, whose result `row` holds, if any does.

    `prefixes` are those that the chain's calls add, and None stands for no binding. `number` is -1 for a parameter.
    """

    prefixes: list[str]
    row: Binding | None
    number: int


class MountedRouters:
    """The routers of a file. First record what mounts them, then ask for `prefixes`.

    `calls` may be methods of a router, `makers` may make one, and `links` are other calls of a chain on one.
    """

    def __init__(
        self, builder: Builder, calls: Sequence[Candidate], makers: Sequence[Candidate], links: Sequence[Candidate]
    ) -> None:
        self.builder = builder
        self.origins = Origins(builder)
        self.calls = sorted(calls, key=lambda call: verb_of(call.node).start_byte)
        self._by_site = {builder.site_at[call.node.byte_range]: call for call in (*calls, *links)}
        self._makers = {builder.site_at[call.node.byte_range]: call for call in makers}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        """The scope and name of a router → the calls that mount it, and its prefixes there."""
        self.outside: list[tuple[Candidate, Import, str]] = []
        """The calls that mount routers of other files, and the prefixes."""
        self.borrowed: dict[str, Import] = {}
        """The routers of other files that this one gives endpoints, by the names that it imports."""
        self._prefixes_of: dict[tuple[int, str], list[tuple[str, str]]] = {}
        self._own_prefixes: dict[tuple[int, str], str] = {}
        self._holders = self._chain_holders()

    def before(self, call: Candidate) -> Candidate | None:
        """Return the call on whose result a call is made: `route("/x")` before `.get(…)`."""
        return self._by_site.get(site_of(call.receiver))

    def mount(self, call: Candidate, argument: Node, prefix: str) -> None:
        """Record that a call mounts the router in a variable, or in a module, under a prefix.

        Other arguments are ignored.
        """
        if argument.type == "call_expression":  # `require("./users")`, `routes()`
            number = self.builder.site_at.get(argument.byte_range, -1)
            site = self.builder.calls[number] if number >= 0 else None
            entry = self.import_of(call.scope, Result(number))
            if entry is None and site is not None:
                entry = self.import_of(call.scope, site.callee, own=True)
            if entry is not None:
                self.outside.append((call, entry, prefix))
            return
        root, _, member = self.builder.text(argument).partition(".") if argument.type in _NAMES else ("", "", "")
        row = self.origins.row(call.scope, root) if root else None
        if row is not None and not member:
            self.mount_row(call, row, prefix)
        elif row is not None and row.kind is Bindings.IMPORT and member.isidentifier():
            self.outside.append((call, replace(self.builder.imports[row.target], name=member), prefix))

    def mount_row(self, call: Candidate, row: Binding, prefix: str) -> None:
        """Record that a call mounts the router of a binding under a prefix."""
        if row.kind is Bindings.IMPORT:
            entry = self.builder.imports[row.target]
            if prefix or entry.module.startswith(OWN_MODULES):
                self.outside.append((call, entry, prefix))
        self._mounts.setdefault((row.scope, row.name), []).append((call, prefix))

    def mount_parameter(self, call: Candidate, function: Node, prefix: str) -> None:
        """Record that a call mounts the first parameter of a function: `register(async (instance) => …)`."""
        builder = self.builder
        parameter = function.child_by_field_name("parameter") or first(function.child_by_field_name("parameters"))
        name = parameter.child_by_field_name("pattern") or parameter if parameter is not None else None
        if name is not None:
            line, text = builder.line(name), builder.text(name)
            fits = (row for row in builder.bindings if row.line == line and row.name == text)
            row = next((row for row in fits if row.kind is Bindings.PARAMETER), None)
            if row is not None:
                self.mount_row(call, row, prefix)

    def set_prefix(self, call: Candidate, prefix: str) -> None:
        """Record that the router on which a call is made puts a prefix before all its paths."""
        row = self.origins.row(call.scope, call.receiver_name)
        if row is not None:
            self._own_prefixes[row.scope, row.name] = prefix

    def import_of(self, scope: int, called: Expression, *, own: bool = False) -> Import | None:
        """Return the import of a name, of a member of a module, or of `require` in an expression; None for others.

        With `own`, only one from the project counts.
        """
        root, steps = split(called)
        if type(root) is Result:
            entry = next((entry for entry in self.builder.imports if entry.site == root.site), None)
        else:
            row = self.origins.row(scope, root) if type(root) is str else None
            entry = self.builder.imports[row.target] if row is not None and row.kind is Bindings.IMPORT else None
        if entry is None or len(steps) > 1 or (own and not entry.module.startswith(OWN_MODULES)):
            return None
        return replace(entry, name=steps[0]) if steps and type(steps[0]) is str else entry

    def prefixes(self, call: Candidate) -> list[tuple[str, str]]:
        """Return the first prefixes of a call's path, each once; computed once for all calls on a variable.

        With each comes the router that holds all others, as in Detail.
        """
        name = (call.scope, call.receiver_name)
        prefixes = self._prefixes_of.get(name)
        if prefixes is None:
            prefixes = list(dict.fromkeys(islice(self._prefixes(call), MOST_PREFIXES)))
            if call.receiver_name:
                self._prefixes_of[name] = prefixes
        return prefixes

    def _prefixes(self, call: Candidate, depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the prefixes of a call's path: its router's mounts, its own, then its chain (`basePath`, `route`)."""
        own, row, number = self.start(call)
        prefix = self._own_prefix(row, number)
        parts = own if prefix is None else [prefix, *own]
        path = joined(*parts) if parts else ""
        mounts = self._mounts.get((row.scope, row.name), []) if row is not None and depth < _DEEPEST else []
        if not mounts:
            yield path, self._exported(row)
        for mount, prefix in mounts:
            for outer, router in self._prefixes(mount, depth + 1):
                yield joined(outer, prefix, path), router

    def start(self, call: Candidate) -> Start:
        """Return the start of the chain of calls before a call, also through variables: `a = app.basePath("/x")`."""
        own: list[str] = []
        row: Binding | None = None
        called_on, scope = call.receiver, call.scope
        for _ in range(_LONGEST_CHAIN):
            number = site_of(called_on)
            if number < 0:
                row = self.origins.row(scope, called_on) if type(called_on) is str else None
                number = site_of(self.origins.value(row))
            before = self._by_site.get(number)
            if before is None:
                row = row or self._holders.get(number)
                break
            if before.verb in CHAIN_PREFIXES and len(before.arguments()) == 1:
                own.insert(0, text_of(before.arguments()[0], self.builder))
            called_on, scope, row = before.receiver, before.scope, None
        return Start(own, row, number)

    def is_given(self, row: Binding | None) -> bool:
        """Whether a binding is a parameter that a call gives a router: `group("/x", (app) => …)`."""
        return row is not None and row.kind is Bindings.PARAMETER and (row.scope, row.name) in self._mounts

    def _exported(self, row: Binding | None) -> str:
        """Return how other files may name a router: by its variable, or by the function that takes it."""
        if row is None:
            return ""
        if row.kind is Bindings.IMPORT:
            self.borrowed[row.name] = self.builder.imports[row.target]
            return row.name
        if row.kind is Bindings.PARAMETER:
            return self._function(row.scope)
        return row.name if row.scope == 0 else self._function(row.scope)

    def _function(self, scope: int) -> str:
        """Return the name of the function of the module around a scope, which may return a router that it makes."""
        owner = self.builder.drafts[self.builder.scopes[scope][2]]
        return owner.name if owner.parent == 0 else ""

    def _own_prefix(self, row: Binding | None, number: int) -> str | None:
        """Return a router's own prefix, if any: by `router.prefix("/x")`, or by `new Router({ prefix: "/x" })`."""
        if row is not None and (row.scope, row.name) in self._own_prefixes:
            return self._own_prefixes[row.scope, row.name]
        maker = self._makers.get(number)
        given = maker.arguments() if maker is not None else []
        prefix = property_of(given[0], self.builder, "prefix") if given else None
        return text_of(prefix, self.builder) if prefix is not None else None

    def _chain_holders(self) -> dict[int, Binding]:
        """Map the first call site of each chain of calls to the variable that holds the chain's result."""
        holders: dict[int, Binding] = {}
        for row in self.builder.bindings:
            number = site_of(self.origins.value(row))
            while (call := self._by_site.get(number)) is not None:
                number = site_of(call.receiver)
            if number >= 0:
                holders.setdefault(number, row)
        return holders
