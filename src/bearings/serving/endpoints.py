"""Routes for the endpoints that a wing offers beside its tools, behind the same guards.

A page of an origin that the operator allows (`hosts.py` refuses others) may read the answers.
"""

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from bearings.endpoint import Endpoint, Request
from bearings.errors import Forbidden
from bearings.serving.identity import PEER
from bearings.serving.peer import Peer
from bearings.serving.refusal import retry_after


def endpoint_routes(endpoints: tuple[Endpoint, ...]) -> list[Route]:
    """`GET` of each path."""
    return [_route(path, endpoint) for endpoint in endpoints for path in endpoint.paths]


def _route(path: str, endpoint: Endpoint) -> Route:
    async def answer(asked: HttpRequest) -> HttpResponse:
        peer: Peer = asked.scope[PEER]
        if peer.toolsets is not None and endpoint.tool not in peer.toolsets:
            error = Forbidden(f"{path} is not among the tools of your token", "Ask the server's operator.")
            return JSONResponse(error.body(), 403)
        request = Request(dict(asked.query_params), asked.headers.get("accept-language", ""))
        response = await endpoint.answer(request)
        headers = {"Content-Type": response.content_type, **retry_after(response.retry_after_s)}
        if origin := asked.headers.get("origin"):
            headers |= {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}
        return HttpResponse(response.body, response.status, headers)

    return Route(path, answer, methods=["GET"])
