"""Endpoints of Next.js: each HTTP method that `app/…/route.ts` exports, and the default export of `pages/api/…`."""

import re
from typing import Final

from bearings.code.languages.ecmascript.frameworks.file_routes import FileRoutes
from bearings.code.languages.shared.routes import ANY, METHODS

NEXTJS: Final = (
    FileRoutes(
        "next",
        file=re.compile(r"(?:^|/)app/(?:(?P<path>.*)/)?route\.[cm]?[jt]sx?$"),
        exports={method: method for method in METHODS},
        left_out=re.compile(r"(?:^|/)_"),  # folders that Next.js treats as private
        hidden="(@",  # `(group)` and `@slot`
    ),
    FileRoutes(
        "next",
        file=re.compile(r"(?:^|/)pages/(?P<path>api(?:/.*)?)\.[cm]?[jt]sx?$"),
        exports={"default": ANY},
        left_out=re.compile(r"\.(?:test|spec|d)$|(?:^|/)_"),
        hidden="",
        index_name="index",
    ),
)
