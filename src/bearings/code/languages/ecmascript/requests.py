"""Reads requests: `fetch("/x")`, axios and its like, the clients of tests (supertest, inject), and those of tRPC."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, root_of
from bearings.code.languages.ecmascript.frameworks.arguments import property_of, text_of, verb_of
from bearings.code.languages.ecmascript.names import FUNCTIONS, unwrapped
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.origins import Origins
from bearings.code.languages.shared.requests import HOLE, add_request
from bearings.code.languages.shared.routes import METHODS, Candidate

_PROCEDURE_HOOKS = {
    "useQuery": "GET", "useSuspenseQuery": "GET", "useInfiniteQuery": "GET", "useSuspenseInfiniteQuery": "GET",
    "usePrefetchQuery": "GET", "useMutation": "POST", "useSubscription": "SUBSCRIPTION",
    "queryOptions": "GET", "infiniteQueryOptions": "GET", "mutationOptions": "POST",
    "subscriptionOptions": "SUBSCRIPTION",
}  # fmt: skip
_PROCEDURE_CALLS = {
    "query": "GET",
    "mutate": "POST",
    "subscribe": "SUBSCRIPTION",
    "prefetch": "GET",
    "ensureData": "GET",
}
_CALLING = frozenset({*_PROCEDURE_HOOKS, *_PROCEDURE_CALLS})
"""The last part of the callee of every call of a procedure. The keys of its routers come before it."""
_TRPC = "trpc"
_PROCEDURE_CLIENT = re.compile(r"(?i)(?:trpc\w*|\w*client|api|proxy|utils|helpers)$")
"""Names of objects that are taken for clients of tRPC, if keys follow."""
_PROCEDURE = "procedure"
"""The end of names that make a procedure, `t.procedure.query(…)`, instead of calling one."""
_SURE = re.compile(r"(?i)trpc|client$")
_VERBS = {**{method.lower(): method for method in METHODS}, "del": "DELETE"}
_FETCHING = frozenset({"fetch", "$fetch", "useFetch", "ofetch", "axios", "ky", "got"})
"""Functions that send a request to their first argument."""
_SENDING = frozenset({"inject", "request"})
"""Methods of applications and clients that send a request to their first argument."""
CANDIDATES = _FETCHING | _SENDING | _CALLING
_CLIENTS = re.compile(
    r"(?:axios|supertest|ky|got|superagent|undici|node-fetch|cross-fetch|ofetch|chai-http|@playwright/test"
    r"|@angular/common/http)(?:[.(]|$)"
)
_BASED = re.compile(r"\.(?:create|extend|defaults)\(")
"""Functions that make a client, which may have a base URL."""
_RELATIVE = re.compile(r"[\w-]+/")
_RELATIVE_OR_WORD = re.compile(r"[\w-]+(?:[/?]|$)")
"""The start of a URL that a client puts behind its base URL; a word alone may be a key, `client.get("total")`."""
_HTTP = re.compile(r"(?i)(?:http|axios|api)$")
"""Names of clients that have no keys."""
_BASE = re.compile(r"(?i)(?:url|uri|base)$")
"""The end of the names of base URLs."""
_SERVERS = re.compile(r"(?:fastify|hono)(?:[./(]|$)")
_CONVENTIONAL = re.compile(r"(?i)(?:client|http|axios|agent|fetcher|requests?|api)$")
"""Names of objects that are taken for clients."""
_CLIENT = "client"
"""The end of the names of objects that surely are clients."""
_INJECTED = "@angular/core.inject()"
"""The origin of `http = inject(HttpClient)`."""
_STRINGS = frozenset({"string", "template_string", "binary_expression"})
_NAMING = frozenset({"identifier", "member_expression", "call_expression"})
_DEEPEST = 5
_NESTED = 2
_MOST_PARTS = 30
"""The most template strings in each other, and parts of one."""


def requests(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Record the requests among the calls. A call that registers an endpoint is none."""
    registering = {draft.line for draft in builder.drafts if draft.kind is Symbols.ENDPOINT}
    is_trpc = any(_TRPC in entry.module for entry in builder.imports)
    origins = Origins(builder)
    for call in candidates:
        if call.verb in _CALLING:
            if "." in call.receiver_name:
                _procedure_call(builder, call, origins if is_trpc else None)
            continue
        url, options = _url_and_options(builder, call)
        if url is None or (registering and builder.line(verb_of(call.node)) in registering):
            continue
        sure = _sends(origins, call)
        if sure is not None:
            method = _VERBS.get(call.verb) or _method(builder, options)
            text = _url(builder, url)
            if call.receiver is not None and (_RELATIVE_OR_WORD if _is_http(call.receiver) else _RELATIVE).match(text):
                text = f"{HOLE}/{text}"
            add_request(builder, method, text, builder.line(call.node), call.scope, sure=sure)


def _procedure_call(builder: Builder, call: Candidate, origins: Origins | None) -> None:
    """Record the call of a procedure, if keys follow the name of a client: `trpc.user.byId.useQuery(…)`.

    Without `origins`, nothing comes from tRPC. Only endpoints of tRPC answer.
    """
    names = call.receiver_name.split(".")
    is_made = origins is not None and _TRPC in origins.of(call.scope, names[0]).name
    at = 0 if is_made else next((at for at, name in enumerate(names) if _PROCEDURE_CLIENT.match(name)), len(names))
    keys = ".".join(names[at + 1 :])
    if keys and not keys.lower().endswith(_PROCEDURE):
        method = _PROCEDURE_HOOKS.get(call.verb) or _PROCEDURE_CALLS[call.verb]
        is_sure = is_made or call.verb in _PROCEDURE_HOOKS or _SURE.search(names[at]) is not None
        add_request(builder, method, f"/{keys}", builder.line(call.node), call.scope, sure=is_sure, by=_TRPC)


def _url_and_options(builder: Builder, call: Candidate) -> tuple[Node | None, Node | None]:
    """Return the URL of a call, as an argument or in its options, and the options; None for what it doesn't have."""
    if call.verb not in _VERBS and call.verb not in CANDIDATES:
        return None, None
    given = call.arguments()
    url, options = given[0] if given else None, given[1] if len(given) > 1 else None
    if url is not None and url.type == "object" and call.verb not in _VERBS:
        url, options = property_of(url, builder, "url", "path"), url
    if url is not None and url.type in _NAMING and (call.receiver is None or _is_conventional(call.receiver)):
        url = _named(builder, url)
    return (url if url is not None and url.type in _STRINGS else None), options


def _named(builder: Builder, node: Node | None, depth: int = 0) -> Node | None:
    """Return what a name stands for in its file, `URL`, `urls.all` or `urls.one(id)`; a node that is no name itself."""
    node = unwrapped(node)
    if node is None or node.type not in _NAMING or depth > _DEEPEST:
        return node
    if node.type == "identifier":
        return _named(builder, builder.constants.value(node), depth + 1)
    inner = _named(builder, node.child_by_field_name("object") or node.child_by_field_name("function"), depth + 1)
    if inner is None or node.type == "member_expression":
        key = node.child_by_field_name("property")
        found = property_of(inner, builder, builder.text(key)) if key is not None else None
    else:
        found = inner.child_by_field_name("body") if inner.type in FUNCTIONS else None
    return _named(builder, found, depth + 1)


def _sends(origins: Origins, call: Candidate) -> bool | None:
    """Whether a call surely sends a request; None if it doesn't look like call."""
    if call.receiver is None:
        row = origins.row(call.scope, call.verb)
        origin = origins.of(call.scope, call.callee).name
        if call.verb not in _FETCHING:
            return None
        return row is None or bool(_CLIENTS.match(origin)) or None
    origin = origins.of(call.scope, call.receiver).name
    if _CLIENTS.match(origin) or (call.verb in _SENDING and _SERVERS.match(origin)):
        return not _BASED.search(origin)
    if _SERVERS.match(origin):
        return None
    if call.verb == "fetch" and call.receiver in ("window", "globalThis", "self"):
        return True
    name = _last_of(call.receiver)
    is_app = call.verb == "inject" and name in ("app", "server", "fastify")
    if not is_app and not _is_conventional(call.receiver):
        return None
    return name.lower().endswith(_CLIENT) or (origin == _INJECTED and name.lower().endswith("http"))


def _last_of(receiver: Expression) -> str:
    """Return the last name of a receiver; its first if it does not end in a name."""
    root = root_of(receiver)
    return last_name(receiver) or (root if type(root) is str else "")


def _is_conventional(receiver: Expression) -> bool:
    """Whether a receiver is called like a client, or is in one: `http.silently.post(url)`."""
    return _CONVENTIONAL.search(_last_of(receiver)) is not None or _is_http(receiver)


def _is_http(receiver: Expression) -> bool:
    """Whether the last name of a receiver, or its first, is that of a client without keys."""
    root = root_of(receiver)
    return any(type(name) is str and _HTTP.search(name) is not None for name in (_last_of(receiver), root))


def _method(builder: Builder, options: Node | None) -> str:
    """Return the method in the options of `fetch`: GET without one, empty if it isn't known."""
    if options is None:
        return "GET"
    if options.type != "object":
        return ""
    method = property_of(options, builder, "method")
    if method is None:
        return "" if any(child.type == "spread_element" for child in options.named_children) else "GET"
    text = text_of(method, builder).upper()
    return text if text.isalpha() else ""


def _url(builder: Builder, node: Node, depth: int = 0) -> str:
    """Return the text of a URL, with HOLE for each expression in it. Names in template strings are read, see _named."""
    if node.type == "string":
        return builder.text(node)[1:-1]
    if node.type == "template_string":
        return "".join(_part(builder, child, depth) for child in node.named_children[:_MOST_PARTS])
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or left is None or right is None or depth > _DEEPEST:
        return _hole(builder, node)
    return _url(builder, left, depth + 1) + _url(builder, right, depth + 1)


def _part(builder: Builder, part: Node, depth: int) -> str:
    """Return a part of a template string: as it is written, the string that an expression names, or HOLE."""
    if part.type != "template_substitution":
        return builder.text(part)
    inner = _named(builder, first(part)) if depth < _NESTED else None
    if inner is None or inner.type not in _STRINGS:
        return _hole(builder, part, "}")
    return _url(builder, inner, depth + 1)


def _hole(builder: Builder, node: Node, closing: str = "") -> str:
    """Return HOLE for an expression, with a slash behind it if it is called like a base URL, which may end with one."""
    return f"{HOLE}/" if _BASE.search(builder.text(node).removesuffix(closing)) else HOLE
