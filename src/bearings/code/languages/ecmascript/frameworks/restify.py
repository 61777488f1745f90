"""Endpoints of Restify, and of restify-router."""

import re
from typing import Final

from bearings.code.languages.ecmascript.frameworks.router_framework import Mounting, RouterFramework, first_argument

RESTIFY: Final = RouterFramework(
    name="restify",
    router_origin=re.compile(r"restify\.(?:createServer|Server)\(\)|restify-router\.Router\(\)"),
    package=re.compile(r"restify(?:-router)?(?:/|$)"),
    mounting={"add": Mounting(first_argument, slice(1, 2))},
    verbs={"opts": "OPTIONS"},
    path_keys=("path", "url"),
)
