"""The web frameworks of JavaScript and TypeScript: one module each, or for each family with the same forms.

To add a framework with routers, add its `RouterFramework` to `_ROUTERS`; for one whose endpoints are exports of files,
its `FileRoutes` to `_FILES`; for one with decorators, its `Controllers` beside `NEST`.
"""

from collections.abc import Sequence

from bearings.code.languages.ecmascript.frameworks import controllers, file_routes, nest, routers, trpc
from bearings.code.languages.ecmascript.frameworks.elysia import ELYSIA
from bearings.code.languages.ecmascript.frameworks.express import EXPRESS
from bearings.code.languages.ecmascript.frameworks.fastify import FASTIFY
from bearings.code.languages.ecmascript.frameworks.hono import HONO
from bearings.code.languages.ecmascript.frameworks.koa import KOA
from bearings.code.languages.ecmascript.frameworks.nextjs import NEXTJS
from bearings.code.languages.ecmascript.frameworks.nuxt import NUXT
from bearings.code.languages.ecmascript.frameworks.restify import RESTIFY
from bearings.code.languages.ecmascript.frameworks.sveltekit import SVELTEKIT
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import Candidate

_ROUTERS = (EXPRESS, ELYSIA, FASTIFY, HONO, KOA, RESTIFY)
_FILES = (NEXTJS, NUXT, SVELTEKIT)
_ROUTED = routers.candidates_of(_ROUTERS)
CANDIDATES = _ROUTED | nest.NEST.decorators() | nest.STARTING | trpc.CANDIDATES
"""The last part of the callee of every call that may register an endpoint."""
FACTORY_SUFFIXES = tuple({framework.factory_suffix for framework in _ROUTERS})
"""The ends of the last part of the callee of every call that creates a router."""
_SERVED = (b"express", b"Router", b"elysia")


def may_hand_on(source: bytes) -> bool:
    """Whether calls of a file may hand a router on to functions of other files, or be part of a chain on a router."""
    return any(word in source for word in _SERVED)


def endpoints(builder: Builder, candidates: Sequence[Candidate], handing: Sequence[Candidate]) -> None:
    """Add the endpoints of a file.

    `candidates` are its calls of names in CANDIDATES, or that end in MAKERS; `handing` are others, which may hand a
    router on.
    """
    verbs = {call.verb for call in candidates}
    routing = {verb for verb in verbs if verb in _ROUTED or verb.endswith(FACTORY_SUFFIXES)}
    if routing:
        routers.endpoints(builder, [call for call in candidates if call.verb in routing], handing, _ROUTERS)
    file_routes.endpoints(builder, _FILES)
    if nest.NEST.controller in verbs:
        controllers.endpoints(builder, candidates, nest.NEST)
    if not verbs.isdisjoint(nest.STARTING):
        nest.applications(builder, candidates)
    if any(map(trpc.may_make, verbs)):
        trpc.endpoints(builder, candidates)
