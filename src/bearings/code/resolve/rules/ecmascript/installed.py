"""Finds the declarations of an installed package's module.

import { Hono } from "hono"      node_modules/hono/dist/types/index.d.ts, by `exports` or `types` in its package.json
import glob from "glob"          node_modules/@types/glob/index.d.ts, if the package has none
"""

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath, splitext
from typing import Any, Final

from bearings.code.installed import NODE
from bearings.code.models import Installed
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.rules.ecmascript.packages import targets_of
from bearings.code.resolve.rules.library_table import library_of

_DECLARES: Final = re.compile(r"\.[cm]?tsx?$")
_DECLARED: Final = {
    ".js": (".d.ts", ".ts", ".tsx"),
    ".mjs": (".d.mts", ".mts", ".d.ts"),
    ".cjs": (".d.cts", ".cts", ".d.ts"),
    ".jsx": (".d.ts", ".tsx"),
}
_ENDINGS: Final = (".d.ts", ".ts", ".tsx", ".d.mts", ".d.cts", "/index.d.ts", "/index.ts", "/index.d.mts")


def installed_module(installed: Installed, importer: str, specifier: str) -> str:
    """The file that declares a module; empty for a module without declarations, or one that a table knows."""
    if specifier.startswith("."):
        return installed.first(_declarations(normpath(join(dirname(importer), specifier))))
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") else 1
    name, rest = "/".join(parts[:count]), "/".join(parts[count:])
    if name in library_of("ecmascript").frameworks:
        return ""
    types = f"@types/{name.removeprefix('@').replace('/', '__')}"
    for folder in above(importer):
        for package in (name, types):
            place = join(folder, NODE, package)
            manifest = installed.manifest(place)
            if manifest is not None:
                found = installed.first(_entries(place, manifest, rest))
                if found:
                    return found
    return ""


def _entries(folder: str, manifest: Mapping[str, Any], rest: str) -> Iterator[str]:
    """The files that may declare a package, or the part `rest` of it, best first."""
    exports = manifest.get("exports")
    if isinstance(exports, str) or (isinstance(exports, dict) and not any(key.startswith(".") for key in exports)):
        exports = {".": exports}
    if isinstance(exports, dict):
        targets = targets_of(exports, f"./{rest}" if rest else ".")
        for target in sorted(targets, key=lambda target: not _DECLARES.search(target)):
            yield from _declarations(normpath(join(folder, target)))
    if rest:
        yield from _declarations(join(folder, rest))
        return
    for field in ("types", "typings", "module", "main"):
        if isinstance(manifest.get(field), str):
            yield from _declarations(normpath(join(folder, manifest[field])))
    yield join(folder, "index.d.ts")


def _declarations(base: str) -> Iterator[str]:
    """The files that may declare the module at a path."""
    if _DECLARES.search(base):
        yield base
        return
    stem, extension = splitext(base)
    yield from (stem + ending for ending in _DECLARED.get(extension, ()))
    yield from (base + ending for ending in _ENDINGS)
