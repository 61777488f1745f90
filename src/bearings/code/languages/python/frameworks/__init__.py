"""The web frameworks of Python: one module each, or for each family with the same forms.

To add a framework whose routers decorate handlers, add its `Dialect` to `_DECORATED`; for another one, add its module
to `_OTHERS`.
"""

from collections.abc import Sequence

from bearings.code.languages.python.frameworks import aiohttp, decorated, django, starlette, tornado
from bearings.code.languages.python.frameworks.fastapi import FASTAPI
from bearings.code.languages.python.frameworks.flask import FLASK
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.routes import Candidate

_DECORATED = (FLASK, FASTAPI, starlette.STARLETTE)
_OTHERS = (aiohttp, django, starlette)

DECORATORS = decorated.decorators_of(_DECORATED) | aiohttp.DECORATORS
"""The last part of the callee of every call that may register an endpoint as a decorator, or in a list."""
CANDIDATES = decorated.candidates_of(_DECORATED).union(*(module.CANDIDATES for module in _OTHERS))
"""The last part of the callee of every other call that may be part of a registration."""


def endpoints(builder: Builder, candidates: Sequence[Candidate], tables: Sequence[tornado.Table]) -> None:
    """Add the endpoints of a file.

    `candidates` are its calls of CANDIDATES, of routers' classes, and of DECORATORS; `tables` are lists of rules.
    """
    decorated.endpoints(builder, candidates, _DECORATED)
    for module in _OTHERS:
        module.endpoints(builder, candidates)
    tornado.endpoints(builder, tables)
