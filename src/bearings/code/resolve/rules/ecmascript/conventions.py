"""The conventions of a project by which files name others without an import, from its paths and manifests.

Nuxt and plugins of Vite import the exports of files in certain folders; scripts of pages share one scope, as do
TypeScript's declaration files; elements are registered under tags. A project with none of these signs has no such
names.

composables/useCart.ts     export const useCart = …        any file of the Nuxt application may call useCart()
components/cart/Row.vue                                    … and write <CartRow>
lib/cart.js                class Cart …                    a script of a page, whose other scripts may use Cart
row.js                     customElements.define("cart-row", Row)      any file may write <cart-row>

A cell is a key of the table in ambient.py; see cells.py.
"""

import re
from collections.abc import Iterator
from posixpath import dirname
from typing import Final, NamedTuple

from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of
from bearings.code.symbol_tags import TAGGED, component_names, declared_parts, element_name, pascal

_SLASH: Final = "|"
CELL: Final = "/.ambient/"
"""The end of the cell of a name that files see without an import."""
BY_FOLDER: Final = "imported by its folder"
BY_TAG: Final = "registered under its tag"
BY_SCOPE: Final = "one scope of scripts"
BY_DECLARATION: Final = "declared without a file"
MODULES: Final = "#"
"""The scope of `declare module "x"`."""
TAGS: Final = "<>"
"""The scope of elements that are registered under tags."""
BY_TAGS: Final = "tags"
"""The end of the scope of components, which an application's files see under tags."""
ALL_EXPORTS: Final = "*"
"""The name of `export * from "./cart"`, whose names are not known here."""
SECOND_CHOICE: Final = "~"
"""Added to a name that is found only if the project's settings say so; the name without it goes before."""

_IMPORTERS = frozenset(
    "nuxt nuxt3 nuxt-edge nuxt-nightly unplugin-auto-import unplugin-vue-components vite-plugin-components vue".split()
)
"""Packages with which a name without a declaration is imported from certain folders.

Vue alone registers nothing by folder, but in an application that does it itself, such a tag can be no other component.
"""
_REGISTERING = frozenset("lit lit-element lit-html @polymer/polymer @angular/core vue @stencil/core".split())
_LOADERS = frozenset({"requirejs"})
_SIGNS = tuple(f'"{name}"'.encode() for name in _IMPORTERS | _REGISTERING | _LOADERS)
_OF_PYTHON = (".txt", ".toml", ".cfg", ".py", "Pipfile")
_CONFIGURATION = r"(?:^|/)nuxt\.config\.[cm]?[jt]s$"
_LAYERS = r"(?:^|(?<=/))layers/[^/]+/$"
_PAGES = frozenset("html htm xhtml php jsp ejs erb twig hbs cshtml gs".split())
_LOADER = r"(?:^|/)(?:require|requirejs|almond|r)(?:-[\d.]+)?(?:\.min)?\.js$"
_AUTO_IMPORTED = (
    r"(?:layers/[^/]+/)?(?:(?P<side>server|shared)/(?:utils|types)/|(?:(?:app|src|client|frontend|web|source)/)?"
    r"(?:(?P<tags>components)|composables|utils|stores?|hooks)/)(?P<rest>.*)\.(?:vue|[cm]?[jt]sx?)"
)
"""server/utils/db.ts, components/cart/Row.vue, app/composables/useCart.ts, layers/base/utils/format.ts"""
_SERVER = r"(?:layers/[^/]+/)?server/"
_SIDES = {"server": ("server",), "shared": ("app", "server")}
_NOT_OFFERED = r"\.(?:d|test|spec|stories)\.[cm]?[jt]sx?$"
"""These patterns are compiled when they are first needed: most projects have no such files."""


class AutoImported(NamedTuple):
    """A file whose exports need no import.

    `app`: the folder of its application, with a slash. `sides`: the code that sees it: "app", "server", or BY_TAGS for
    a component. `names`: of a component, the names that it can be used by, Nuxt's first; of any other file, the name
    of its default export. `is_nested`: it is in a subfolder, which frameworks scan only if configured.
    """

    app: str
    sides: tuple[str, ...]
    names: tuple[str, ...]
    is_nested: bool = False


class Conventions(NamedTuple):
    """`apps` are the folders of applications, the longest first; empty for none.

    `script_endings`: the ends of the paths of files that share a scope. `registers_elements`: elements may be
    registered under tags. `has_amd_loader`: modules are found below the base of an AMD loader. `has_django`: its models
    name each other's relations.
    """

    apps: tuple[str, ...] = ()
    script_endings: tuple[str, ...] = ()
    registers_elements: bool = False
    has_amd_loader: bool = False
    has_django: bool = False

    def auto_imported(self, path: str) -> AutoImported | None:
        """The file at a path, if its exports need no import; None for any other."""
        app = self._app_of(path)
        if app is None or re.search(_NOT_OFFERED, path):
            return None
        match = re.fullmatch(_AUTO_IMPORTED, path[len(app) :])
        if match is None:
            return None
        if match["tags"]:
            return AutoImported(app, (BY_TAGS,), component_names(match["rest"]))
        *folders, stem = match["rest"].split("/")
        if stem == "index" and folders:
            stem = folders.pop()
        return AutoImported(app, _SIDES.get(match["side"], ("app",)), (_camel(stem),), is_nested=bool(folders))

    def _app_of(self, path: str) -> str | None:
        """The folder of the application that a file belongs to."""
        return next((app for app in self.apps if path.startswith(app)), None)

    def cells(self, importer: str, name: str, *, is_script: bool) -> Iterator[tuple[str, str]]:
        """The cells in which a name may be that a file does not declare, best first, and the reason for each.

        The name may be that of a declaration's export, `<api#ping>`: see symbol_tags.py.
        `is_script`: the file imports and exports nothing.
        """
        if name.startswith(TAGGED):
            if self.script_endings:
                yield module_cell(declared_parts(name)[0]), BY_DECLARATION
            return
        app = self._app_of(importer)
        is_identifier = "-" not in name
        is_tag = not is_identifier or name[:1].isupper()
        if app is not None and is_identifier:
            side = "server" if re.match(_SERVER, importer[len(app) :]) else "app"
            for export in (name, name + SECOND_CHOICE, ALL_EXPORTS):
                yield ambient_cell(f"{app}{side}", export), BY_FOLDER
        tag = element_name(name)
        if is_tag and app is not None:
            yield ambient_cell(f"{app}{BY_TAGS}", tag), BY_FOLDER
            yield ambient_cell(f"{app}{BY_TAGS}", tag + SECOND_CHOICE), BY_FOLDER
            if tag.startswith("Lazy"):  # Nuxt: <LazyCart> is Cart, loaded later
                yield ambient_cell(f"{app}{BY_TAGS}", tag.removeprefix("Lazy")), BY_FOLDER
        if is_tag and self.registers_elements:
            yield ambient_cell(TAGS, tag), BY_TAG
        if self.script_endings and is_identifier:
            if is_script:
                yield ambient_cell("script", name), BY_SCOPE
            yield ambient_cell("types", name), BY_SCOPE


def ambient_cell(scope: str, name: str) -> str:
    """The cell of a name in a scope: a side of an application, its tags, TAGS, MODULES, `script` or `types`."""
    return f"{scope}/{name}{CELL}"


def module_cell(module: str) -> str:
    """The cell of a module that is declared without a file."""
    return ambient_cell(MODULES, module.replace("/", _SLASH))


def name_in(cell: str) -> str:
    """The name whose cell this is."""
    return cell.removesuffix(CELL).rpartition("/")[2].replace(_SLASH, "/")


def _camel(text: str) -> str:
    return text[:1] + pascal(text)[1:]


def conventions_of(project: ProjectFiles) -> Conventions:
    """The conventions of a project."""
    dependencies = {
        path: _dependencies(data) for path, data in project.manifests.items() if path.endswith("package.json")
    }
    packages = frozenset[str]().union(*dependencies.values())
    folders = {f"{dirname(path)}/".lstrip("/") for path, names in dependencies.items() if names & _IMPORTERS}
    has_pages = has_loader = has_declarations = False
    has_django = any(path.endswith(_OF_PYTHON) and b"jango" in data for path, data in project.manifests.items())
    for path in project.paths:
        end = path.rpartition(".")[2]
        if end in _PAGES or path.endswith("appsscript.json"):
            has_pages = True
        elif "nuxt.config." in path and re.search(_CONFIGURATION, path):
            folders.add(path.rpartition("nuxt.config")[0])
        elif path.endswith(".d.ts"):
            has_declarations = True
        elif end == "js" and re.search(_LOADER, path):
            has_loader = True
    compiles_to_one_scope = any("config" in path and _shares_scope(data) for path, data in project.manifests.items())
    scripts = (".js", ".gs") if has_pages or compiles_to_one_scope else ()
    declarations = (".ts",) if compiles_to_one_scope else (".d.ts",) if has_declarations else ()
    apps = {re.sub(_LAYERS, "", folder) for folder in folders}
    return Conventions(
        apps=tuple(sorted(apps, key=lambda app: (-len(app), app))),
        script_endings=(*scripts, *declarations),
        registers_elements=has_pages or bool(packages & _REGISTERING),
        has_amd_loader=has_loader or bool(packages & _LOADERS),
        has_django=has_django,
    )


def _dependencies(data: bytes) -> frozenset[str]:
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
