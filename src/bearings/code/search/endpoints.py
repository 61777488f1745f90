"""Endpoints: their whole paths, and frameworks in manifests whose endpoints are not supported.

For these, an empty list of endpoints is no evidence.
"""

from collections.abc import Mapping

from bearings.code.graph.project_graph import Graph
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.resolve.endpoints.mounts import whole_paths
from bearings.code.search.manifests import dependencies
from bearings.code.search.python_needs import is_requirement_file, requirement_files

_UNKNOWN = {
    "package.json": {
        "h3": "h3", "nitropack": "Nitro",
        "@hapi/hapi": "hapi", "polka": "Polka", "itty-router": "itty-router",
        "@remix-run/node": "Remix", "@remix-run/server-runtime": "Remix", "@react-router/node": "React Router",
        "@tanstack/react-start": "TanStack Start", "astro": "Astro", "@solidjs/start": "SolidStart",
        "@feathersjs/feathers": "Feathers", "@adonisjs/core": "AdonisJS", "sails": "Sails", "moleculer": "Moleculer",
        "@loopback/rest": "LoopBack", "@loopback/core": "LoopBack", "routing-controllers": "routing-controllers",
        "tsoa": "tsoa", "@ts-rest/core": "ts-rest", "@apollo/server": "Apollo Server", "graphql-yoga": "GraphQL Yoga",
        "type-graphql": "TypeGraphQL", "mercurius": "Mercurius", "@grpc/grpc-js": "gRPC", "socket.io": "Socket.IO",
        "serverless": "Serverless Framework", "@azure/functions": "Azure Functions",
        "encore.dev": "Encore", "@marblejs/core": "Marble", "@tinyhttp/app": "tinyhttp",
        "uwebsockets.js": "uWebSockets.js", "hyper-express": "HyperExpress",
    },
    "pyproject.toml": {
        "bottle": "Bottle",
        "falcon": "Falcon", "pyramid": "Pyramid", "litestar": "Litestar", "quart": "Quart", "cherrypy": "CherryPy",
        "web-py": "web.py", "django-ninja": "Django Ninja",
        "flask-restful": "Flask-RESTful", "flask-restx": "Flask-RESTX", "flask-smorest": "Flask-Smorest",
        "connexion": "Connexion", "responder": "Responder", "blacksheep": "BlackSheep", "robyn": "Robyn",
        "masonite": "Masonite", "turbogears2": "TurboGears", "hug": "hug", "molten": "Molten", "emmett": "Emmett",
        "strawberry-graphql": "Strawberry", "graphene": "Graphene", "ariadne": "Ariadne", "grpcio": "gRPC",
        "chalice": "Chalice", "aws-lambda-powertools": "Powertools for AWS Lambda", "twisted": "Twisted",
        "klein": "Klein", "fasthtml": "FastHTML", "python-fasthtml": "FastHTML", "microdot": "Microdot",
        "python-socketio": "Socket.IO", "nicegui": "NiceGUI", "reflex": "Reflex",
    },
    "go.mod": {
        "github.com/beego/beego": "Beego", "github.com/revel/revel": "Revel", "github.com/kataras/iris": "Iris",
        "github.com/julienschmidt/httprouter": "HttpRouter", "github.com/valyala/fasthttp": "fasthttp",
        "github.com/gobuffalo/buffalo": "Buffalo",
        "github.com/go-kratos/kratos": "Kratos", "github.com/zeromicro/go-zero": "go-zero",
        "connectrpc.com/connect": "Connect",
        "github.com/danielgtaylor/huma": "Huma", "goa.design/goa": "Goa", "github.com/go-martini/martini": "Martini",
        "github.com/urfave/negroni": "Negroni", "google.golang.org/grpc": "gRPC", "github.com/twitchtv/twirp": "Twirp",
        "github.com/99designs/gqlgen": "gqlgen", "github.com/graphql-go/graphql": "graphql-go",
        "github.com/emicklei/go-restful": "go-restful", "github.com/uptrace/bunrouter": "BunRouter",
        "github.com/gogf/gf": "GoFrame", "github.com/savsgio/atreugo": "Atreugo", "goji.io": "Goji",
        "github.com/dimfeld/httptreemux": "httptreemux", "github.com/go-kit/kit": "Go kit",
        "github.com/aws/aws-lambda-go": "AWS Lambda",
    },
}  # fmt: skip
"""By the manifest's name: package → name of the framework. Remove a row when the engine supports its endpoints."""


def frameworks_not_understood(snapshot: Snapshot) -> tuple[str, ...]:
    """Frameworks in any manifest of a project whose endpoints are not supported, as `Falcon (requirements.txt)`."""
    others = {path: data for path, data in snapshot.project.manifests.items() if not is_requirement_file(path)}
    return not_understood({**others, **requirement_files(snapshot)})


def not_understood(manifests: Mapping[str, bytes]) -> tuple[str, ...]:
    """Frameworks in manifests whose endpoints are not supported, as `Koa (server/package.json)`."""
    names: dict[str, str] = {}
    for path in sorted(manifests, key=lambda path: (path.count("/"), path)):
        table = _UNKNOWN.get("pyproject.toml" if is_requirement_file(path) else path.rpartition("/")[2])
        for package in dependencies(path, manifests[path]) if table else ():
            name = (table or {}).get(package)
            if name is not None:
                names.setdefault(name, path)
    return tuple(f"{name} ({path})" for name, path in names.items())


def mounted_paths(graph: Graph, endpoint: Symbol) -> tuple[str, ...]:
    """The whole paths of an endpoint, in order, without its method; none if no other file gives it a prefix."""
    paths = {path for edge in graph.edges_to(endpoint.id) for path in whole_paths(edge.reason)}
    return tuple(sorted(paths - {endpoint.detail.path if endpoint.detail else ""}))
