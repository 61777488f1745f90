"""Endpoints of Laravel and Symfony; what Laravel's container connects."""

import re

from bearings.code.languages.shared.route_tables import Container, Framework
from bearings.code.languages.shared.routes import ANY, METHODS

_API = (
    ("GET", "", "index"),
    ("POST", "", "store"),
    ("GET", "/{}", "show"),
    ("PUT", "/{}", "update"),
    ("PATCH", "/{}", "update"),
    ("DELETE", "/{}", "destroy"),
)
_PAGES = (("GET", "/create", "create"), ("GET", "/{}/edit", "edit"))

FRAMEWORKS = (
    Framework(
        name="laravel",
        signs=(b"Route::", b"$router", b"withRouting("),
        calls={**{method.lower(): method for method in METHODS}, "any": ANY, "match": "", "view": "GET"},
        roots=re.compile(r"(?:\\?\w+\\)*Route|\$(?:router|route|app|api)"),
        chained=frozenset({"prefix"}),
        grouping=frozenset({"group"}),
        controller="controller",
        invoked="__invoke",
        resources={
            "resource": (*_API, *_PAGES),
            "resources": (*_API, *_PAGES),
            "apiResource": _API,
            "apiResources": _API,
        },
        files={"withRouting": {"api": "api", "web": ""}},
    ),
    Framework(
        name="symfony",
        signs=(b"Symfony\\", b"Route("),
        prefix="Route",
        verbs={"Route": "", **{method.title(): method for method in METHODS}},
        keys=frozenset({"", "path"}),
        methods="methods",
        invoked="__invoke",
        in_comments=True,
    ),
)

CONTAINER = Container(
    signs=(b"__construct", b"->bind(", b"->singleton(", b"->scoped("),
    everywhere=True,
    registering=frozenset({"bind", "bindIf", "singleton", "singletonIf", "scoped"}),
)
