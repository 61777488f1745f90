"""Endpoints of Express."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from bearings.code.languages.ecmascript.expressions import NAMES
from bearings.code.languages.ecmascript.frameworks.router_framework import (
    CHAINED,
    Mounting,
    RouterFramework,
    leading_string,
)
from bearings.code.languages.shared.builder import Builder

_PATH = re.compile(r"(?:(?i:path|prefix|base|root|url)|\b[A-Z][A-Z0-9_]*)$")
"""The end of a name that we read as a path, not as middleware: `config.api.prefix`, `API_V1`."""


def _prefix(given: Sequence[Node], builder: Builder) -> Node | None:
    """Return the first argument as a prefix if it is a string, or called one and not the only argument."""
    path = leading_string(given, builder)
    is_called_path = len(given) > 1 and given[0].type in NAMES and _PATH.search(builder.text(given[0]))
    return given[0] if path is None and is_called_path else path


EXPRESS: Final = RouterFramework(
    name="express",
    router_origin=re.compile(
        r"(?:\.{1,2}/(?:.*/)?)?express(?:\.default)?(?:\.(?:Router|Express|Application|IRouter))?\(\)" + CHAINED
    ),
    package=re.compile(r"(?:\.{1,2}/(?:.*/)?)?express(?:/|$)"),
    mounting={"use": Mounting(_prefix)},
)
