"""The web frameworks of Python, one module each: a table of the calls that register endpoints.

docs/adding-a-framework.md adds one.
"""

from collections.abc import Sequence

from bearings.code.languages.python.frameworks import reader, rest_framework, tornado
from bearings.code.languages.python.frameworks.aiohttp import AIOHTTP
from bearings.code.languages.python.frameworks.django import DJANGO
from bearings.code.languages.python.frameworks.fastapi import FASTAPI
from bearings.code.languages.python.frameworks.flask import FLASK
from bearings.code.languages.python.frameworks.reader import Family
from bearings.code.languages.python.frameworks.sanic import SANIC
from bearings.code.languages.python.frameworks.starlette import LISTS, STARLETTE
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import Candidate

_FAMILIES = (Family(FLASK, FASTAPI, STARLETTE, SANIC, has_names=True), Family(AIOHTTP), Family(DJANGO), Family(LISTS))

DECORATORS = rest_framework.DECORATORS.union(*(family.decorators for family in _FAMILIES))
"""The last part of the callee of every call that may register an endpoint as a decorator, or in a list."""
CANDIDATES = rest_framework.CANDIDATES.union(*(family.calls for family in _FAMILIES))
"""The last part of the callee of every other call that may be part of a registration."""


def endpoints(builder: Builder, candidates: Sequence[Candidate], tables: Sequence[tornado.Table]) -> None:
    """Add the endpoints of a file.

    `candidates` are its calls of CANDIDATES, of routers' classes, and of DECORATORS; `tables` are lists of rules.
    """
    reader.endpoints(builder, candidates, _FAMILIES)
    rest_framework.endpoints(builder, candidates)
    tornado.endpoints(builder, tables)
