"""Endpoints of frameworks beside an independent count, on published applications.

Nothing of an application is run: a pattern finds the lines that register endpoints, and where folders do, files are
counted. A line is found if we have an endpoint on it. Extra are lines of ours that the pattern does not match. They
are read by eye: registrations over several lines, or in other forms (`register` of Koa), or wrong ones.

`python -m benchmarks.routes FOLDER [--misses]`: FOLDER has a checkout of each repository under its name.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bearings.code.languages import language_of
from bearings.code.models import SymbolKind
from bearings.code.parse import parse_file
from benchmarks.measure import revision, table

_VERBS = "get|post|put|patch|delete|head|options"
_ROUTER = rf"\b\w*[rR]outer\.(?:{_VERBS}|del|all)(?:<[^(]*>)?\("
_DECORATOR = r"^\s*@(?:Get|Post|Put|Delete|Patch|All|Sse)\("


class Application(NamedTuple):
    """A repository at a commit, its files with endpoints, and the lines that register them; no pattern: one a file."""

    framework: str
    repository: str
    commit: str
    files: str
    pattern: str = ""


APPLICATIONS = (
    Application("Koa", "outline/outline", "d77dcdf", r"^(?!.*test).*\.ts$", _ROUTER),
    Application("Koa", "gothinkster/koa-knex-realworld-example", "602e234", r"\.js$", _ROUTER),
    Application("NestJS", "ghostfolio/ghostfolio", "c542997", r"\.ts$", _DECORATOR),
    Application("NestJS", "lujakob/nestjs-realworld-example-app", "c1c2cc4", r"\.ts$", _DECORATOR),
    Application(
        "SvelteKit", "huggingface/chat-ui", "c100c16", r"\+(?:page\.)?server\.ts$",
        r"^export (?:async )?(?:function|const) (?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|load|fallback)\b",
    ),
    Application("Nuxt", "npmx-dev/npmx.dev", "7688cd7", r"(?:^|/)server/(?:api|routes)/.*\.ts$"),
    Application("Nuxt", "nuxt/nuxt.com", "a38a8bd", r"(?:^|/)server/(?:api|routes)/.*\.ts$"),
    Application("tRPC", "t3-oss/create-t3-turbo", "e69b585", r"/router/.*\.ts$", r"^  \w+: \w+Procedure\b"),
    Application("Tornado", "mher/flower", "e6cf8ef", r"urls\.py$", r"^\s*(?:url)?\(r\""),
    Application("Tornado", "jupyter-server/jupyter_server", "9a4d6ee", r"^jupyter_server/.*\.py$",
                r"\((?:r\"/?.*|csp_\w+), \w+Handler\)"),
    Application("Starlette", "encode/hostedapi", "af5944b", r"\.py$", r"\bRoute\(\""),
    Application("aiohttp", "aio-libs/aiohttp-demos", "5362c18", r"^(?!.*/tests/).*\.py$",
                rf"\.add_(?:{_VERBS}|route|view)\(|^\s*add_route\(|\bweb\.(?:{_VERBS}|view)\(|@\w+\.(?:{_VERBS}|view)\(\""),
)  # fmt: skip


def main() -> str:
    folder = Path(sys.argv[1])
    rows = []
    for one in APPLICATIONS:
        root = folder / one.repository.rpartition("/")[2]
        theirs, ours = set(_theirs(root, one)), set(_ours(root, one))
        found = len(theirs & ours)
        if "--misses" in sys.argv:
            print(*sorted(theirs - ours), *(f"extra {place}" for place in sorted(ours - theirs)), sep="\n")
        rows.append([one.framework, f"{one.repository} {one.commit}", str(len(theirs)), str(len(theirs) - found),
                     str(len(ours - theirs)), f"**{found / len(theirs):.3f}**"])  # fmt: skip
    heads = ["framework", "application", "counted", "not found", "extra", "found"]
    return f"# Routes\n\nMade by `python -m benchmarks.routes` at {revision()}.\n\n{table(heads, rows)}"


def _files(root: Path, one: Application) -> Iterator[tuple[str, Path]]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and "node_modules" not in path.parts and re.search(one.files, name):
            yield name, path


def _theirs(root: Path, one: Application) -> Iterator[str]:
    for name, path in _files(root, one):
        if not one.pattern:
            yield name
            continue
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if re.search(one.pattern, line):
                yield f"{name}:{number}"


def _ours(root: Path, one: Application) -> Iterator[str]:
    for name, path in _files(root, one):
        language = language_of(name)
        facts = parse_file(name, language, path.read_bytes()) if language is not None else None
        for symbol in facts.symbols if facts is not None else ():
            if symbol.kind is SymbolKind.ENDPOINT:
                yield f"{name}:{symbol.line}" if one.pattern else name


if __name__ == "__main__":
    print(main())
