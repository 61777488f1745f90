"""The conventions of a project by which files name others without an import, from its paths and manifests.

Nuxt and plugins of Vite import the exports of files in certain folders; scripts of pages share one scope, as do
TypeScript's declaration files; elements are registered under tags. A project with none of these signs has no such
names.
"""

import re
from collections.abc import Iterator
from posixpath import dirname
from typing import Final, NamedTuple

from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of
from bearings.code.symbol_tags import component_names, element_name, pascal

CELL: Final = "/.ambient/"
"""The end of the cell of a name that files see without an import."""
BY_FOLDER: Final = "imported by its folder"
BY_TAG: Final = "registered under its tag"
BY_SCOPE: Final = "one scope of scripts"

_IMPORTERS = frozenset(
    "nuxt nuxt3 nuxt-edge nuxt-nightly unplugin-auto-import unplugin-vue-components vite-plugin-components vue".split()
)
"""Packages with which a name that no file declares is that of a file in certain folders: in an application of Vue that
registers them itself, a tag without a declaration can be no other component.
"""
_REGISTERING = frozenset("lit lit-element lit-html @polymer/polymer @angular/core vue @stencil/core".split())
_LOADERS = frozenset({"requirejs"})
_SIGNS = tuple(f'"{name}"'.encode() for name in _IMPORTERS | _REGISTERING | _LOADERS)
_CONFIGURATION = r"(?:^|/)nuxt\.config\.[cm]?[jt]s$"
_LAYERS = r"(?:^|(?<=/))layers/[^/]+/$"
_PAGES = frozenset("html htm xhtml php jsp ejs erb twig hbs cshtml gs".split())
_LOADER = r"(?:^|/)(?:require|requirejs|almond|r)(?:-[\d.]+)?(?:\.min)?\.js$"
_PLACE = (
    r"(?:layers/[^/]+/)?(?:(?P<side>server|shared)/(?:utils|types)/|(?:(?:app|src|client|frontend|web|source)/)?"
    r"(?:(?P<tags>components)|composables|utils|stores?|hooks)/)(?P<rest>.*)\.(?:vue|[cm]?[jt]sx?)"
)
_SERVER = r"(?:layers/[^/]+/)?server/"
_SIDES = {"server": ("server",), "shared": ("app", "server")}
_ASIDE = r"\.(?:d|test|spec|stories)\.[cm]?[jt]sx?$"
"""These patterns are compiled when they are first needed: most projects have no such files."""


class Place(NamedTuple):
    """The place of a file whose exports need no import: its application, the sides that see it, and its own names.

    The first of the names is by the convention, the others may be by its settings. Of a file of functions there is one,
    the name of its default export; with `is_nested`, only settings can have it seen.
    """

    app: str
    sides: tuple[str, ...]
    names: tuple[str, ...]
    is_nested: bool = False


class Conventions(NamedTuple):
    """`apps` are the folders of applications, the longest first; `scripts` the endings of files that share a scope.

    `registers`: elements may be registered under tags. `loads`: modules are found below the base of an AMD loader.
    """

    apps: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    registers: bool = False
    loads: bool = False

    def place(self, path: str) -> Place | None:
        """The place of a file whose names are known without an import; None for any other."""
        app = next((app for app in self.apps if path.startswith(app)), None)
        match = re.fullmatch(_PLACE, path[len(app) :]) if app is not None and not re.search(_ASIDE, path) else None
        if app is None or match is None:
            return None
        if match["tags"]:
            return Place(app, ("tags",), component_names(match["rest"]))
        *folders, stem = match["rest"].split("/")
        if stem == "index" and folders:
            stem = folders.pop()
        return Place(app, _SIDES.get(match["side"], ("app",)), (_camel(stem),), is_nested=bool(folders))

    def cells(self, importer: str, name: str, *, alone: bool) -> Iterator[tuple[str, str]]:
        """The cells in which a name may be that a file does not declare, best first, and the reasons for each.

        `alone`: the file imports and exports nothing.
        """
        app = next((app for app in self.apps if importer.startswith(app)), None)
        is_tag = "-" in name or name[:1].isupper()
        if app is not None and "-" not in name:
            side = "server" if re.match(_SERVER, importer[len(app) :]) else "app"
            for part in (name, f"{name}~", "*"):
                yield ambient_cell(f"{app}{side}", part), BY_FOLDER
        tag = element_name(name)
        for part in (tag, f"{tag}~", *([tag.removeprefix("Lazy")] if tag.startswith("Lazy") else [])):
            if is_tag and app is not None:
                yield ambient_cell(f"{app}tags", part), BY_FOLDER
        if is_tag and self.registers:
            yield ambient_cell("<>", tag), BY_TAG
        if self.scripts and "-" not in name:
            if alone:
                yield ambient_cell("script", name), BY_SCOPE
            yield ambient_cell("types", name), BY_SCOPE


def ambient_cell(scope: str, name: str) -> str:
    """The cell of a name in a scope."""
    return f"{scope}/{name}{CELL}"


def _camel(text: str) -> str:
    return text[:1] + pascal(text)[1:]


def conventions_of(project: ProjectFiles) -> Conventions:
    """The conventions of a project."""
    needs = {path: _needs(data) for path, data in project.manifests.items() if path.endswith("package.json")}
    used = frozenset[str]().union(*needs.values())
    folders = {f"{dirname(path)}/".lstrip("/") for path, names in needs.items() if names & _IMPORTERS}
    pages = loads = declares = False
    for path in project.paths:
        end = path.rpartition(".")[2]
        if end in _PAGES or path.endswith("appsscript.json"):
            pages = True
        elif "nuxt.config." in path and re.search(_CONFIGURATION, path):
            folders.add(path.rpartition("nuxt.config")[0])
        elif path.endswith(".d.ts"):
            declares = True
        elif end == "js" and re.search(_LOADER, path):
            loads = True
    joined = any("config" in path and _shares_scope(data) for path, data in project.manifests.items())
    return Conventions(
        tuple(sorted({re.sub(_LAYERS, "", folder) for folder in folders}, key=lambda app: (-len(app), app))),
        (*((".js", ".gs") if pages or joined else ()), *((".ts",) if joined else (".d.ts",) if declares else ())),
        pages or bool(used & _REGISTERING),
        loads or bool(used & _LOADERS),
    )


def _needs(data: bytes) -> frozenset[str]:
    """The dependencies of a package.json; none if no name in it is a sign."""
    if not any(sign in data for sign in _SIGNS):
        return frozenset()
    return frozenset(dependencies_of(read_jsonc(data)))


def _shares_scope(data: bytes) -> bool:
    """Whether a tsconfig.json compiles files without modules."""
    options = read_jsonc(data).get("compilerOptions") if b"outFile" in data or b'"module"' in data else None
    if not isinstance(options, dict):
        return False
    return "outFile" in options or str(options.get("module")).lower() in ("none", "amd", "system")
