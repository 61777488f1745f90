"""Endpoints of ASP.NET: controllers, and minimal APIs; what its container and MediatR connect."""

import re

from bearings.code.languages.shared.route_tables import Container, Framework
from bearings.code.languages.shared.routes import METHODS

_TITLES = {method.title(): method for method in METHODS}

FRAMEWORKS = (
    Framework(
        name="aspnet",
        signs=(b"Route(", b"[Http", b".Map", b": Controller"),
        prefix="Route",
        verbs={f"Http{title}": method for title, method in _TITLES.items()},
        path="Route",
        keys=frozenset({"", "template"}),
        has_tokens=True,
        conventional="Controller",
        inherits=True,
        calls={**{f"Map{title}": method for title, method in _TITLES.items()}, "MapMethods": ""},
        listed=1,
        chained=frozenset({"MapGroup"}),
        mounting=re.compile(r"(?:Map|Add|Use)[A-Z]\w*"),
    ),
)

CONTAINER = Container(
    signs=(b"class ", b".Add"),
    everywhere=True,
    registering=frozenset(f"{try_}Add{life}" for try_ in ("", "Try") for life in ("Scoped", "Singleton", "Transient")),
    handlers={
        "IRequestHandler": "Handle",
        "INotificationHandler": "Handle",
        "IStreamRequestHandler": "Handle",
        "ICommandHandler": "Handle",
        "IQueryHandler": "Handle",
    },
    senders=frozenset({"Send", "Publish", "CreateStream"}),
)
