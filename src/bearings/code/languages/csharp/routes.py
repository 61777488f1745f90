"""Endpoints of ASP.NET: controllers, and minimal APIs."""

import re

from bearings.code.languages.shared.route_tables import Framework
from bearings.code.languages.shared.routes import METHODS

_TITLES = {method.title(): method for method in METHODS}

FRAMEWORKS = (
    Framework(
        name="aspnet",
        sign=re.compile(rb"\[\w*Route\b|\[Http(?:Get|Post|Put|Patch|Delete|Head|Options)\b|\.Map[A-Z]\w*\("),
        prefix="Route",
        verbs={f"Http{title}": method for title, method in _TITLES.items()},
        path="Route",
        keys=frozenset({"", "template"}),
        has_tokens=True,
        inherits=True,
        calls={**{f"Map{title}": method for title, method in _TITLES.items()}, "MapMethods": ""},
        listed=1,
        chained=frozenset({"MapGroup"}),
        mounting=re.compile(r"(?:Map|Add|Use)[A-Z]\w*"),
    ),
)
