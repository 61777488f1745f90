"""The routers of one file: the prefixes under which its calls mount them, and where they come from.

const users = Router();            // a factory call: it makes a router
app.use("/users", users);          // a mount: the prefix of `users` is /users
app.use("/pay", require("./pay"))  // mounts a router of another file
users.get("/:id", show);           // the path of this endpoint is /users/:id
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Result, site_of, split
from bearings.code.file_facts import Binding, Import
from bearings.code.languages.ecmascript.expressions import NAMES
from bearings.code.languages.ecmascript.frameworks.arguments import OWN_MODULES, property_of, text_of, verb_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.routes import MOST_PREFIXES, Candidate, joined

CHAIN_PREFIXES = frozenset({"basePath", "route"})
"""Calls on a router that return one with a longer prefix, if a path is their only argument."""
_DEEPEST = 5
_LONGEST_CHAIN = 200


class Start(NamedTuple):
    """The start of the chain of calls before a call: `app` for the last call of `app.basePath("/x").get("/y", show)`.

    `prefixes` are those that the chain's calls add: "/x". The chain starts at the call site `site_number`, -1 for a
    parameter. `binding` is the variable that holds its result; None for none.
    """

    prefixes: list[str]
    binding: Binding | None
    site_number: int


class MountedRouters:
    """The routers of a file. First record what mounts them, then ask for `prefixes`.

    `router_calls` may be methods of a router, `factory_calls` may make one, and `chain_calls` are other calls in a
    chain on one.
    """

    def __init__(
        self,
        builder: Builder,
        router_calls: Sequence[Candidate],
        factory_calls: Sequence[Candidate],
        chain_calls: Sequence[Candidate],
    ) -> None:
        self.builder = builder
        self.origins = Origins(builder)
        self.router_calls = sorted(router_calls, key=lambda call: verb_of(call.node).start_byte)
        self._by_site = {builder.site_at[call.node.byte_range]: call for call in (*router_calls, *chain_calls)}
        self._factory_calls = {builder.site_at[call.node.byte_range]: call for call in factory_calls}
        self._mounts: dict[tuple[int, str], list[tuple[Candidate, str]]] = {}
        """The scope and name of a router → the calls that mount it, and its prefixes there."""
        self.mounts_elsewhere: list[tuple[Candidate, Import, str]] = []
        """The calls that mount routers of other files, and the prefixes."""
        self.imported_routers: dict[str, Import] = {}
        """The routers of other files to which this one adds endpoints, by the names that it imports."""
        self._prefixes_of: dict[tuple[int, str], list[tuple[str, str]]] = {}
        self._own_prefixes: dict[tuple[int, str], str] = {}
        self._holders = self._chain_holders()

    def previous_call(self, call: Candidate) -> Candidate | None:
        """Return the call on whose result a call is made: `route("/x")` before `.get(…)`."""
        return self._by_site.get(site_of(call.receiver))

    def mount(self, call: Candidate, argument: Node, prefix: str) -> None:
        """Record that a call mounts the router in a variable, or in a module, under a prefix.

        Other arguments are ignored.
        """
        if argument.type == "call_expression":  # `require("./users")`, `routes()`
            site_number = self.builder.site_at.get(argument.byte_range, -1)
            site = self.builder.calls[site_number] if site_number >= 0 else None
            entry = self.import_of(call.scope, Result(site_number))
            if entry is None and site is not None:
                entry = self.import_of(call.scope, site.callee, from_project=True)
            if entry is not None:
                self.mounts_elsewhere.append((call, entry, prefix))
            return
        root, _, member = self.builder.text(argument).partition(".") if argument.type in NAMES else ("", "", "")
        binding = self.origins.row(call.scope, root) if root else None
        if binding is not None and not member:
            self.mount_binding(call, binding, prefix)
        elif binding is not None and binding.kind is Bindings.IMPORT and member.isidentifier():
            self.mounts_elsewhere.append((call, replace(self.builder.imports[binding.target], name=member), prefix))

    def mount_binding(self, call: Candidate, binding: Binding, prefix: str) -> None:
        """Record that a call mounts the router of a binding under a prefix."""
        if binding.kind is Bindings.IMPORT:
            entry = self.builder.imports[binding.target]
            if prefix or entry.module.startswith(OWN_MODULES):
                self.mounts_elsewhere.append((call, entry, prefix))
        self._mounts.setdefault((binding.scope, binding.name), []).append((call, prefix))

    def mount_parameter(self, call: Candidate, function: Node, prefix: str) -> None:
        """Record that a call mounts the first parameter of a function: `register(async (instance) => …)`."""
        builder = self.builder
        parameter = function.child_by_field_name("parameter") or first(function.child_by_field_name("parameters"))
        name = parameter.child_by_field_name("pattern") or parameter if parameter is not None else None
        if name is not None:
            line, text = builder.line(name), builder.text(name)
            parameters = (binding for binding in builder.bindings if binding.line == line and binding.name == text)
            binding = next((binding for binding in parameters if binding.kind is Bindings.PARAMETER), None)
            if binding is not None:
                self.mount_binding(call, binding, prefix)

    def set_prefix(self, call: Candidate, prefix: str) -> None:
        """Record that the router on which a call is made puts a prefix before all its paths."""
        binding = self.origins.row(call.scope, call.receiver_name)
        if binding is not None:
            self._own_prefixes[binding.scope, binding.name] = prefix

    def import_of(self, scope: int, called: Expression, *, from_project: bool = False) -> Import | None:
        """Return the import of a name, of a member of a module, or of `require` in an expression; None for others.

        With `from_project`, only one from the project counts.
        """
        root, steps = split(called)
        if type(root) is Result:
            entry = next((entry for entry in self.builder.imports if entry.site == root.site), None)
        else:
            binding = self.origins.row(scope, root) if type(root) is str else None
            entry = (
                self.builder.imports[binding.target]
                if binding is not None and binding.kind is Bindings.IMPORT
                else None
            )
        if entry is None or len(steps) > 1 or (from_project and not entry.module.startswith(OWN_MODULES)):
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
        chain_prefixes, binding, site_number = self.start(call)
        prefix = self._own_prefix(binding, site_number)
        parts = chain_prefixes if prefix is None else [prefix, *chain_prefixes]
        path = joined(*parts) if parts else ""
        mounts = self._mounts.get((binding.scope, binding.name), []) if binding is not None and depth < _DEEPEST else []
        if not mounts:
            yield path, self._exported(binding)
        for mount, prefix in mounts:
            for outer, router in self._prefixes(mount, depth + 1):
                yield joined(outer, prefix, path), router

    def start(self, call: Candidate) -> Start:
        """Return the start of the chain of calls before a call, also through variables: `a = app.basePath("/x")`."""
        chain_prefixes: list[str] = []
        binding: Binding | None = None
        called_on, scope = call.receiver, call.scope
        for _ in range(_LONGEST_CHAIN):
            site_number = site_of(called_on)
            if site_number < 0:
                binding = self.origins.row(scope, called_on) if type(called_on) is str else None
                site_number = site_of(self.origins.value(binding))
            previous_call = self._by_site.get(site_number)
            if previous_call is None:
                binding = binding or self._holders.get(site_number)
                break
            if previous_call.verb in CHAIN_PREFIXES and len(previous_call.arguments()) == 1:
                chain_prefixes.insert(0, text_of(previous_call.arguments()[0], self.builder))
            called_on, scope, binding = previous_call.receiver, previous_call.scope, None
        return Start(chain_prefixes, binding, site_number)

    def is_router_parameter(self, binding: Binding | None) -> bool:
        """Whether a binding is a parameter that a call gives a router: `group("/x", (app) => …)`."""
        return (
            binding is not None and binding.kind is Bindings.PARAMETER and (binding.scope, binding.name) in self._mounts
        )

    def _exported(self, binding: Binding | None) -> str:
        """Return how other files may name a router: by its variable, or by the function that takes it."""
        if binding is None:
            return ""
        if binding.kind is Bindings.IMPORT:
            self.imported_routers[binding.name] = self.builder.imports[binding.target]
            return binding.name
        if binding.kind is Bindings.PARAMETER:
            return self._module_function(binding.scope)
        return binding.name if binding.scope == 0 else self._module_function(binding.scope)

    def _module_function(self, scope: int) -> str:
        """Return the name of the function of the module around a scope, which may return a router that it makes."""
        owner = self.builder.drafts[self.builder.scopes[scope][2]]
        return owner.name if owner.parent == 0 else ""

    def _own_prefix(self, binding: Binding | None, site_number: int) -> str | None:
        """Return a router's own prefix, if any: by `router.prefix("/x")`, or by `new Router({ prefix: "/x" })`."""
        if binding is not None and (binding.scope, binding.name) in self._own_prefixes:
            return self._own_prefixes[binding.scope, binding.name]
        factory_call = self._factory_calls.get(site_number)
        arguments = factory_call.arguments() if factory_call is not None else []
        prefix = property_of(arguments[0], self.builder, "prefix") if arguments else None
        return text_of(prefix, self.builder) if prefix is not None else None

    def _chain_holders(self) -> dict[int, Binding]:
        """Map the first call site of each chain of calls to the variable that holds the chain's result."""
        holders: dict[int, Binding] = {}
        for binding in self.builder.bindings:
            site_number = site_of(self.origins.value(binding))
            while (call := self._by_site.get(site_number)) is not None:
                site_number = site_of(call.receiver)
            if site_number >= 0:
                holders.setdefault(site_number, binding)
        return holders
