"""The source files of a package's entries: by `exports`, `main` and the like, or by where sources usually lie.

package.json      { "exports": { ".": "./dist/index.js", "./*": "./dist/*.js" } }
                  the entry "." is src/index.ts, "./cart" is src/cart.ts: the sources of the files that a build writes
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from operator import ge, gt, le, lt
from posixpath import join, normpath
from typing import Any

from bearings.code.resolve.rules.ecmascript.aliases import best_of
from bearings.code.resolve.rules.ecmascript.paths import candidates

_BUILD_FOLDERS = ("dist", "lib", "build", "out", "esm", "cjs", "es", "types", "dist/esm", "dist/cjs", "dist/types")
_DECLARATION = re.compile(r"\.d\.([mc]?ts)$")
_BUILT = re.compile(r"(?:\.d|\.esm|\.cjs|\.umd|\.min|\.development|\.production)*\.[mc]?[jt]s$")
"""The end of a file that a bundler writes, of which the source has another: `cart.esm.js` of `cart.ts`."""
_CONDITIONS = (
    "source", "import", "module", "default", "require", "node", "browser", "types", "react-native", "worker", "workerd",
    "deno", "bun", "edge-light", "electron",
)  # fmt: skip
"""Known conditions, best first."""
_CONDITION_RANKS = {condition: rank for rank, condition in enumerate(_CONDITIONS)}
_CUSTOM = -1
"""The rank of an unknown condition. A project invents one, such as "@shop/source", to name its own sources."""
_COMPARISONS: Mapping[str, Callable[[list[int], list[int]], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt}


def entries(folder: str, manifest: Mapping[str, Any], subpath: str, paths: Collection[str]) -> Iterator[str]:
    """The possible source files of a package's subpath, best first: "." is the package itself, "./cart" a part."""
    exports = manifest.get("exports")
    if isinstance(exports, str) or (isinstance(exports, dict) and not any(key.startswith(".") for key in exports)):
        exports = {".": exports}  # exports of "." alone, in short form
    if isinstance(exports, dict):
        for target in targets_of(exports, subpath):
            yield from source_of(folder, target, paths)
    if subpath != ".":
        for base in (join(folder, subpath[2:]), join(folder, "src", subpath[2:])):
            yield from (path for path in candidates(base) if path in paths)
        yield from source_of(folder, subpath, paths)
        return
    for field in ("source", "module", "main", "types", "typings"):
        if isinstance(manifest.get(field), str):
            yield from source_of(folder, manifest[field], paths)
    for base in (join(folder, "src"), folder):
        yield from (path for path in candidates(normpath(base) if base else "") if path in paths)


def source_of(folder: str, target: str, paths: Collection[str]) -> Iterator[str]:
    """The source of a published file: itself, or its path with `src` or nothing in place of the build's folder."""
    target = normpath(target)
    yield from (path for path in candidates(normpath(join(folder, target))) if path in paths)
    for build_folder in sorted(_BUILD_FOLDERS, key=len, reverse=True):
        if f"{target}/".startswith(f"{build_folder}/"):
            for base in ("src", ""):
                stem = normpath(join(folder, base, target[len(build_folder) + 1 :]))
                for one in (_DECLARATION.sub(r".\1", stem), _BUILT.sub("", stem)):
                    yield from (path for path in candidates(one) if path in paths)


def targets_of(table: Mapping[str, Any], subpath: str) -> list[str]:
    """The paths of a subpath in an `exports` or `imports` table, `*` filled in, preferred conditions first."""
    value, fill = best_of(table, subpath)
    return [target.replace("*", fill) for target in _paths_in(value)]


def dependencies_of(package: Mapping[str, Any]) -> dict[str, str]:
    """The names of all dependencies of a package.json or deno.json, with their versions as written."""
    tables = (package.get(field) for field in ("dependencies", "devDependencies", "peerDependencies", "imports"))
    return {name: str(version) for table in tables if isinstance(table, dict) for name, version in table.items()}


def satisfies(version: str, wanted: str) -> bool:
    """Whether a version is in a range: `1.2.3`, `^1.2.3`, `~1.2`, `1.x`, `>=1.1 <2`, `0.9 || 1.3`, `*`, a tag."""
    return any(all(_fits(version, part) for part in choice.split()) for choice in wanted.split("||"))


def _fits(version: str, wanted: str) -> bool:
    """Whether a version is in one part of a range, such as `<2`."""
    have, want = (list(map(int, re.findall(r"\d+", text)[:3])) for text in (version, wanted))
    if not want or not have:
        return True
    compare = _COMPARISONS.get(wanted[: 2 if wanted[1:2] == "=" else 1])
    if compare is not None:
        return compare(have[: len(want)], want)
    if wanted[0] not in "^~":  # 1.2: the numbers that are written
        return have[: len(want)] == want
    # ^1.2.3: the same major number, and no older; ^0.2.3 and ~1.2.3: the same major and minor number
    numbers_that_must_match = 1 if wanted[0] == "^" and want[0] else min(2, len(want))
    return have >= want and have[:numbers_that_must_match] == want[:numbers_that_must_match]


def _paths_in(tree: Any) -> list[str]:
    """All paths in a tree of conditions, best first: {"import": "./a.mjs", "default": ["./a.js"]}, or a path alone."""
    paths, stack = [], [tree]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            paths.append(value)
        elif isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):  # the best condition goes last on the stack, and so comes off it first
            conditions = sorted(value, key=lambda name: _CONDITION_RANKS.get(name, _CUSTOM), reverse=True)
            stack += [value[condition] for condition in conditions]
    return paths
