"""Endpoints of Flask."""

import re

from bearings.code.languages.python.frameworks.decorated import Dialect

FLASK = Dialect(
    name="flask",
    made=re.compile(r"flask(?:\.\w+)?\.(?:Flask|Blueprint)\(\)"),
    decorating=frozenset({"route"}),
    adding={"add_url_rule": (2, "view_func")},
    mounting={"register_blueprint": "url_prefix"},
    making={"Blueprint": "url_prefix"},
    replacing=frozenset({"register_blueprint"}),
)
