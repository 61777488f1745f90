"""Whole paths of endpoints beside the OpenAPI document that each application publishes of itself.

The routers of these applications are handed from file to file, so that an endpoint's own file has the end of its path
alone. An operation of the document is found if an endpoint of ours has its method and whole path. Names of parameters
don't count, nor does a prefix of ours in angle brackets: only a run of the application knows it. "Alone" is what would
be found if each file stood alone. Extra are endpoints of ours that the document does not list: of pages, of internal
use, or with a wrong path.

`python -m benchmarks.whole_paths FOLDER [--misses]`: FOLDER has a checkout of each repository as owner+name.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import yaml

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import SymbolKind
from bearings.code.search.endpoints import mounted_paths
from benchmarks.measure import revision, table

_PARAMETER = re.compile(r"\{[^}]*\}|<[^>]*>|[:*]\w+")
_UNKNOWN = re.compile(r"^/<[^>]*\W[^>]*>(?=/)")
"""A prefix that only runs of the application know, such as one from its configuration."""
_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_MAX_BYTES = 2_000_000


class Application(NamedTuple):
    """A repository, its document, and the folder of its sources."""

    framework: str
    repository: str
    document: str
    sources: str = ""


APPLICATIONS = (
    Application("echo", "xesina/golang-echo-realworld-example-app", "docs/swagger.json"),
    Application("fiber", "create-go-app/fiber-go-template", "docs/swagger.json"),
    Application("gin", "gotify/server", "docs/spec.json"),
    Application("gin", "apache/answer", "docs/swagger.json"),
    Application("gin", "photoprism/photoprism", "internal/api/swagger.json"),
    Application("FastAPI", "polarsource/polar", "docs/openapi/2026-10.openapi.json", "server"),
    Application("Express", "sct/overseerr", "overseerr-api.yml"),
    Application("gorilla/mux", "netbirdio/netbird", "shared/management/http/api/openapi.yml"),
    Application("gorilla/mux", "evcc-io/evcc", "server/openapi.yaml"),
)

ABOUT = (
    "The operations of netbird that are not found are of modules that are not in its repository. Three of answer stand "
    "below a path that a parameter gives; its other three, two of photoprism and three of evcc are not in the code as "
    "the documents have them. Overseerr and netbird were never looked into before this score; evcc scored .000 then."
)

Operation = tuple[str, str]
"""A method in upper case, and a path with `{}` for each parameter."""


def main() -> str:
    folder = Path(sys.argv[1])
    rows = []
    for one in APPLICATIONS:
        root = folder / one.repository.replace("/", "+")
        commit = subprocess.run(
            ["git", "log", "-1", "--format=%h"], cwd=root, capture_output=True, text=True, check=True
        )
        listed, whole, own = set(_listed(root, one)), set[Operation](), set[Operation]()
        for is_whole, operation in _ours(root / one.sources):
            (whole if is_whole else own).add(operation)
        found, alone = _found(listed, whole), _found(listed, own)
        if "--misses" in sys.argv:
            print(one.repository, *sorted(listed - found), "extra", *sorted(whole - listed), sep="\n")
        extra = len({operation for operation in whole if operation not in listed and operation[0] != "ANY"})
        rows.append([one.framework, f"{one.repository} {commit.stdout.strip()}", str(len(listed)), str(extra),
                     f"{len(alone) / len(listed):.3f}", f"**{len(found) / len(listed):.3f}**"])  # fmt: skip
    heads = ["framework", "application", "operations", "extra", "found alone", "found"]
    made = f"Made by `python -m benchmarks.whole_paths` at {revision()}."
    return f"# Whole paths\n\n{made}\n\n{ABOUT}\n\n{table(heads, rows)}"


def _listed(root: Path, one: Application) -> Iterator[Operation]:
    document = yaml.safe_load((root / one.document).read_text(encoding="utf-8"))  # JSON is YAML
    servers = [urlsplit(re.sub(r"^\{\w+\}", "", server["url"])).path for server in document.get("servers", ())]
    base = next(iter(servers), str(document.get("basePath", ""))).rstrip("/")
    for path, operations in document["paths"].items():
        yield from ((method.upper(), _plain(f"{base}{path}")) for method in operations if method in _METHODS)


def _ours(root: Path) -> Iterator[tuple[bool, Operation]]:
    """Whole paths of endpoints outside of tests; and what their own files say."""
    graph = Index(root, NoFacts(), _MAX_BYTES).refresh().graph
    for symbol in graph.symbols.values():
        if symbol.kind is SymbolKind.ENDPOINT and symbol.detail is not None and not is_test(symbol.file):
            yield False, (symbol.detail.method, _plain(symbol.detail.path))
            for path in mounted_paths(graph, symbol) or (symbol.detail.path,):
                yield True, (symbol.detail.method, _plain(path))


def _found(listed: set[Operation], ours: set[Operation]) -> set[Operation]:
    return {(method, path) for method, path in listed if (method, path) in ours or ("ANY", path) in ours}


def _plain(path: str) -> str:
    return _PARAMETER.sub("{}", _UNKNOWN.sub("", f"/{path.strip('/')}"))


if __name__ == "__main__":
    text = main()
    print(text)
    (Path(__file__).parent / "results" / "whole_paths.md").write_text(text, encoding="utf-8")
