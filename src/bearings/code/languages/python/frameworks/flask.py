"""Endpoints of Flask."""

import re

from bearings.code.languages.python.frameworks.declaration import DECORATORS, KEYWORD_ONLY, Framework, Mount, Route

FLASK = Framework(
    name="flask",
    router_origin=re.compile(r"flask(?:\.\w+)?\.(?:Flask|Blueprint)\(\)"),
    routes={
        **DECORATORS,
        "route": Route(path=(0, "rule"), is_placed=True),
        "add_url_rule": Route(path=(0, "rule"), handler=(2, "view_func")),
    },
    mounts={"register_blueprint": Mount([(0, "blueprint")], (KEYWORD_ONLY, "url_prefix"), replaces=True)},
    router_classes={"Blueprint": "url_prefix"},
)
