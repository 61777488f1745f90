"""Endpoints of Django: `path("x/", view)`, with the prefixes of the paths that include it."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.expressions import last_name, receiver
from bearings.code.languages.python.frameworks.declaration import Framework, Mount, Route
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.routes import ANY

_FUNCTIONS = ("path", "re_path", "url")


def _included(view: Node, builder: Builder) -> Sequence[Node] | None:
    """Return the names in `include(extra)` and `include((extra, "shop"))`; none of a list and of `admin.site.urls`."""
    written = expression(view, builder)
    callee = view.child_by_field_name("function") if view.type == "call" else None
    if callee is not None and last_name(expression(callee, builder)) == "include":
        given = first(view.child_by_field_name("arguments"))
        if given is not None and given.type == "tuple" and given.named_children:
            given = given.named_children[0]
        return [given] if given is not None else []
    is_list = receiver(written) is not None and last_name(written) == "urls"
    return [] if is_list or view.type in ("list", "tuple") else None


DJANGO = Framework(
    name="django",
    functions=re.compile(r"django\.(?:urls|conf\.urls)\.(?:path|re_path|url)"),
    routes={name: Route(ANY, (0, "route"), (1, "view"), is_pattern=name != "path") for name in _FUNCTIONS},
    mounts={name: Mount([(1, "view")], (0, "route"), find_routers=_included) for name in _FUNCTIONS},
    root="/",
    router="urlpatterns",
    routers_of="rest_framework",
    routes_attribute="urls",
)
