"""Endpoints of SvelteKit: each method that `+server` exports, `load` and the actions of forms of `+page.server`."""

import re
from typing import Final

from bearings.code.languages.ecmascript.frameworks.file_routes import FileRoutes
from bearings.code.languages.shared.routes import ANY, METHODS

SVELTEKIT: Final = (
    FileRoutes(
        "sveltekit",
        file=re.compile(r"(?:^|/)routes/(?:(?P<path>.*)/)?\+server\.[jt]s$"),
        exports={**{method: method for method in METHODS}, "fallback": ANY},
    ),
    FileRoutes(
        "sveltekit",
        file=re.compile(r"(?:^|/)routes/(?:(?P<path>.*)/)?\+page\.server\.[jt]s$"),
        exports={"load": "GET", "actions": "POST"},
        actions="actions",  # `/login?/register` is the action `register`, and `/login` the one named `default`
    ),
)
