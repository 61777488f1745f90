"""Reads calls of tRPC's procedures by its clients: `trpc.user.byId.useQuery(…)`, `client.user.byId.query(…)`."""

import re

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.requests import add_request
from bearings.code.languages.shared.routes import Candidate

_HOOKS = {
    "useQuery": "GET", "useSuspenseQuery": "GET", "useInfiniteQuery": "GET", "useSuspenseInfiniteQuery": "GET",
    "usePrefetchQuery": "GET", "useMutation": "POST", "useSubscription": "SUBSCRIPTION",
    "queryOptions": "GET", "infiniteQueryOptions": "GET", "mutationOptions": "POST",
    "subscriptionOptions": "SUBSCRIPTION",
}  # fmt: skip
_CALLS = {"query": "GET", "mutate": "POST", "subscribe": "SUBSCRIPTION", "prefetch": "GET", "ensureData": "GET"}
CANDIDATES = frozenset({*_HOOKS, *_CALLS})
"""The last part of the callee of every call of a procedure. The keys of its routers come before it."""
_TRPC = "trpc"
_CLIENT = re.compile(r"(?i)(?:trpc\w*|\w*client|api|proxy|utils|helpers)$")
"""Names of objects that are taken for clients of tRPC, if keys follow."""
_PROCEDURE = "procedure"
"""The end of names that make a procedure, `t.procedure.query(…)`, instead of calling one."""
_SURE = re.compile(r"(?i)trpc|client$")


class ProcedureCalls:
    """Records the calls of procedures in one file, as requests that only endpoints of tRPC answer."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        is_imported = any(_TRPC in entry.module for entry in builder.imports)
        self._origins = Origins(builder) if is_imported else None

    def add(self, one: Candidate) -> None:
        """Record a call, if keys follow the name of a client before its last part."""
        names = one.receiver_name.split(".")
        is_made = self._is_made(one.scope, names[0])
        at = 0 if is_made else next((at for at, name in enumerate(names) if _CLIENT.match(name)), len(names))
        keys = ".".join(names[at + 1 :])
        if keys and not keys.lower().endswith(_PROCEDURE):
            method = _HOOKS.get(one.verb) or _CALLS[one.verb]
            is_sure = is_made or one.verb in _HOOKS or _SURE.search(names[at]) is not None
            line = self._builder.line(one.node)
            add_request(self._builder, method, f"/{keys}", line, one.scope, sure=is_sure, by=_TRPC)

    def _is_made(self, scope: int, name: str) -> bool:
        """Whether a name comes from tRPC, or from a file that is called after it."""
        return self._origins is not None and _TRPC in self._origins.of(scope, name).name
