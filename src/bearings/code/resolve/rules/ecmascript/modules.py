"""Finds the file of an ECMAScript module specifier.

import "./cart"         src/cart.ts, src/cart/index.js …, beside the importer
import "@/cart"         by an alias of tsconfig.json, of a bundler's configuration or of a framework
import "@shop/cart"     the package of the workspace whose package.json has this name
import "#cart"          by `imports` in the package.json of the importer's package
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from posixpath import dirname, join, normpath, relpath, splitext
from typing import Any

from bearings.code.grouping import grouped
from bearings.code.installed import is_installed
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.by_path import Tails
from bearings.code.resolve.modules.folders import above, placed, prefixes
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import FOR_PLATFORM, MATCHING, MODULE, UNSURE, Referent
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING, module_at
from bearings.code.resolve.rules.ecmascript.aliases import best_of
from bearings.code.resolve.rules.ecmascript.builtin_names import is_node_module
from bearings.code.resolve.rules.ecmascript.configured import Configured
from bearings.code.resolve.rules.ecmascript.conventions import conventions_of
from bearings.code.resolve.rules.ecmascript.frameworks import VIRTUAL
from bearings.code.resolve.rules.ecmascript.installed import installed_module
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of, entries, satisfies, source_of, targets_of
from bearings.code.resolve.rules.ecmascript.paths import ENDINGS, EXTENSIONS, candidates, stem_of, written
from bearings.code.resolve.rules.ecmascript.tsconfig import Configurations

_MANIFEST = re.compile(r"(?:^|/)(?:package|deno)\.jsonc?$")
_PLATFORM = re.compile(r"\.(?:web|native|ios|android|macos|windows)(?=\.[cm]?[jt]sx?$)")
_SIGILS_OF_FOLDERS = "~#$"
_SIGILS = f"@{_SIGILS_OF_FOLDERS}"
"""`~cart` may be a folder `cart`, `@cart` is a scope of packages; a sigil alone is a folder of sources."""
_ALIAS_START = re.compile(r"[~$]|@{1,2}/")
"""The start of an alias, which no package's name has."""
_ALIASED = re.compile(
    r"(?:npm|jsr|workspace):/?(?P<name>@?[^@*^~]+)(?:@(?P<range>.*))?|(?:file|link|portal):(?P<folder>.+)"
)
"""Another package's name with its range of versions, or a folder, as a dependency's version."""


class EcmaScriptModules(ModuleFinder):
    """Finds modules: relative, by aliases, of a workspace's package, `#internal`, by their paths; else outside."""

    def __init__(self, project: ProjectFiles) -> None:
        self._paths = project.paths
        self._installed = project.installed
        self._folder_by_package: dict[str, str] = {}
        self._package_by_folder: dict[str, dict[str, Any]] = {}
        for path in sorted(filter(_MANIFEST.search, project.manifests), key=_rank):
            content = read_jsonc(project.manifests[path])
            self._package_by_folder.setdefault(dirname(path), content)
            if isinstance(content.get("name"), str):
                self._folder_by_package.setdefault(content["name"], dirname(path))
        self._tsconfigs = Configurations(project.manifests, self._folder_by_package)
        self._tool_aliases = Configured(project.manifests, self._package_by_folder)
        self._conventions = conventions_of(project)
        self._dependencies: dict[str, dict[str, str]] = {}
        self._modules: dict[tuple[str, int, str], Referent] = {}

    @cached_property
    def _stems(self) -> dict[str, str]:
        """The best file of each path without an extension or `/index`."""
        ranks = {extension: rank for rank, extension in enumerate(EXTENSIONS)}
        files: dict[str, str] = {}
        for path in sorted(self._paths, key=lambda path: (ranks.get(splitext(path)[1], 99), path)):
            if splitext(path)[1] in ranks:
                files.setdefault(stem_of(path), path)
                files.setdefault(path, path)
        return files

    @cached_property
    def _files_by_end(self) -> Tails:
        return Tails(self._stems)

    @cached_property
    def _platforms(self) -> dict[str, tuple[str, ...]]:
        """The files of each path that has one for a platform, without the platform's name."""
        special = sorted(filter(_PLATFORM.search, self._paths))
        return {
            stem: (*files, *(path for path in (f"{stem}{end}" for end in EXTENSIONS) if path in self._paths))
            for stem, files in grouped((stem_of(_PLATFORM.sub("", path)), path) for path in special).items()
        }

    def variants(self, path: str) -> tuple[str, ...]:
        """See ModuleFinder: the files for other platforms."""
        return self._platforms.get(stem_of(_PLATFORM.sub("", path)), ()) if self._platforms else ()

    def find(self, importer: str, specifier: str) -> Referent:
        """The module or outside referent that `specifier` names in `importer`."""
        aliases = self._tsconfigs.near(importer)  # the same object for files with the same aliases
        key = (importer.rpartition("/")[0], id(aliases), specifier)
        module = self._modules.get(key)
        if module is None:
            without_loaders = specifier.rpartition("!")[2].partition("?")[0]  # "raw-loader!./a.txt?url": ./a.txt
            module = self._modules[key] = self._resolve(importer, without_loaders)
        # A module that is found by the end of its path may be the importer itself, which can't import itself.
        return MISSING if module.files[:1] == UNSURE and importer in module.files else module

    def cells(self, importer: str, name: str, *, is_script: bool) -> Iterator[tuple[str, str]]:
        """See ModuleFinder."""
        return self._conventions.cells(importer, name, is_script=is_script)

    def spellings(self, importer: str, target: str, like: str, meant: str) -> Iterator[str]:
        """See ModuleFinder. A name by an alias or a package stays one where that covers the target, and `exports` too.

        A relative name leads out of its package only if `like` does, too.
        """
        name, mark, query = like.partition("?")
        path = written(target, name, meant)
        if name and not name.startswith("."):
            for prefix, folder in prefixes(name.split("/"), written(meant, name, meant).split("/")):
                for end in ("", "/index"):
                    parts = placed(prefix, folder, f"{path}{end}".split("/"))
                    if parts and self._is_exported(parts):
                        yield "/".join(parts) + mark + query
        ours, theirs, old = (next(self._package_folders(one)) for one in (importer, target, meant or target))
        if ours == theirs or (name.startswith(".") and old != ours):
            relative = relpath(f"/{path}", f"/{dirname(importer)}")
            yield (relative if relative.startswith(".") else f"./{relative}") + mark + query

    def _is_exported(self, parts: Sequence[str]) -> bool:
        """Whether the package of a specifier, if it is one of the project, lets others import the module."""
        count = 2 if parts[0].startswith("@") else 1
        folder = self._folder_by_package.get("/".join(parts[:count]))
        exports = self._package_by_folder.get(folder, {}).get("exports") if folder is not None else None
        return exports is None or (
            isinstance(exports, dict) and best_of(exports, "/".join((".", *parts[count:])))[0] is not None
        )

    def _resolve(self, importer: str, specifier: str) -> Referent:
        if self._installed is not None and is_installed(importer):
            found = installed_module(self._installed, importer, specifier)
            return module_at(found) if found else EXTERNAL
        if "*" in specifier:
            return self._matching(importer, specifier)
        if specifier.startswith("."):
            return self._relative(importer, specifier)
        for path in self._candidate_paths(importer, specifier):
            module = self._module_at(path)
            if module is not None:
                return module
        if specifier.startswith("/"):
            return MISSING if splitext(specifier)[1] in ENDINGS else EXTERNAL
        if is_node_module(specifier):
            return BUILTIN
        module = None
        if self._conventions.has_amd_loader and specifier[:1] not in (
            "",
            "#",
        ):  # an AMD loader's id, below the nearest folder
            loaded = (self._module_at(join(folder, specifier)) for folder in above(importer))
            module = next((candidate for candidate in loaded if candidate is not None), None)
        module = module or self._package_module(importer, specifier)
        if module.kind == MODULE:
            return module
        if self._installed is not None and module == EXTERNAL:
            found = installed_module(self._installed, importer, specifier)
            if found:
                return module_at(found)
        return self._by_end_of_path(importer, specifier) or module

    def _matching(self, importer: str, pattern: str) -> Referent:
        """The modules whose paths match a pattern: `*` is a part of a name, `**/` any folders, `{a,b}` a choice."""
        if pattern.count("{") > _MOST_CHOICES:
            return EXTERNAL
        is_relative = pattern.startswith(".")
        bases = [join(dirname(importer), pattern)] if is_relative else self._candidate_paths(importer, pattern)
        for base in bases:
            fits = re.compile(_expression_of(normpath(base)))
            files = [path for path in self._sources if path != importer and fits.fullmatch(path)]
            if files:
                return module_at(files[0], (*MATCHING, *files[:_MOST_MATCHING]))
        return EXTERNAL

    @cached_property
    def _sources(self) -> tuple[str, ...]:
        return tuple(sorted(path for path in self._paths if splitext(path)[1] in EXTENSIONS))

    def _by_end_of_path(self, importer: str, specifier: str) -> Referent | None:
        """The module that no rule finds, by the end of its path (see by_path.py); None for a dependency's module."""
        is_no_file = specifier.startswith(VIRTUAL) or ":" in specifier or splitext(specifier)[1] in _ASSETS
        if is_no_file or any(self._is_declared(folder, specifier) for folder in self._package_folders(importer)):
            return None
        names = dict.fromkeys((specifier, stem_of(specifier)))
        return self._files_by_end.find(end for name in names for end in _path_ends(name))

    def _relative(self, importer: str, specifier: str) -> Referent:
        base = normpath(join(dirname(importer), specifier))
        module = self._module_at(base)
        if module is None:
            in_others = (path for aliases in self._tsconfigs.near(importer) for path in aliases.in_merged_folders(base))
            module = next((found for path in in_others if (found := self._module_at(path)) is not None), None)
        is_code = splitext(specifier)[1] in ENDINGS  # a file with an unknown ending is an asset, not code
        return module or (MISSING if is_code else EXTERNAL)

    def _candidate_paths(self, importer: str, specifier: str) -> Iterator[str]:
        """The paths at which aliases and folders of modules place a specifier, best first."""
        for aliases in (*self._tsconfigs.near(importer), *self._tool_aliases.near(dirname(importer))):
            yield from aliases.targets_for(specifier)
        if specifier.startswith("/"):
            yield from (normpath(join(folder, specifier.lstrip("/"))) for folder in self._package_folders(importer))

    def _module_at(self, base: str) -> Referent | None:
        """The module at a path as imports write it: a file, a folder's index, or a folder with a package."""
        base = "" if base == "." else base
        path = next((path for path in candidates(base) if path in self._paths), None)
        if path is None and base in self._package_by_folder:
            path = next(entries(base, self._package_by_folder[base], ".", self._paths), None)
        variants = self._platforms.get(stem_of(base) if path is None else stem_of(path), ()) if self._platforms else ()
        path = variants[0] if path is None and variants else path
        files = (*FOR_PLATFORM, *variants) if variants else ()  # Nav.web.tsx and Nav.native.tsx, for ./Nav
        return None if path is None else module_at(path, files)

    def _package_folders(self, importer: str) -> Iterator[str]:
        """The folders of packages around a file, the nearest first, and the project's."""
        return (folder for folder in above(importer) if folder in self._package_by_folder or not folder)

    def _package_module(self, importer: str, specifier: str) -> Referent:
        """The module of a package's name, or of a name that a package gives its own modules."""
        if specifier.startswith("#"):
            return self._internal(importer, specifier)
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        folder = self._folder_by_package.get(name)
        if folder is None:
            folder = self._folder_of(importer, name)
        if folder is None:
            return MISSING if _ALIAS_START.match(specifier) and not specifier.startswith(VIRTUAL) else EXTERNAL
        path = next(
            entries(folder, self._package_by_folder.get(folder, {}), f"./{rest}" if rest else ".", self._paths), None
        )
        return (self._module_at(path) if path is not None else None) or MISSING

    def _folder_of(self, importer: str, name: str) -> str | None:
        """The folder of a dependency with another name than its package's: `"name": "npm:package@1"`."""
        for package_folder in self._package_folders(importer):
            dependency = self._dependencies_of(package_folder).get(name)
            match = _ALIASED.match(dependency) if dependency is not None else None
            if match is None:
                continue
            if match["folder"]:
                return normpath(join(package_folder, match["folder"]))
            folder = self._folder_by_package.get(match["name"])
            if folder is not None:
                version = str(self._package_by_folder[folder].get("version", ""))
                return folder if satisfies(version, match["range"] or "*") else None
        return None

    def _dependencies_of(self, folder: str) -> dict[str, str]:
        dependencies = self._dependencies.get(folder)
        if dependencies is None:
            dependencies = self._dependencies[folder] = dependencies_of(self._package_by_folder.get(folder, {}))
        return dependencies

    def _is_declared(self, folder: str, specifier: str) -> bool:
        """Whether the package in `folder` depends on the package of a specifier, or on another one of its scope."""
        scope_or_name = specifier.partition("/")[0]
        names = self._dependencies_of(folder)
        is_scope = len(scope_or_name) > 1 and scope_or_name[0] == "@"
        return scope_or_name in names or (is_scope and any(name.startswith(f"{scope_or_name}/") for name in names))

    def _internal(self, importer: str, specifier: str) -> Referent:
        """The module of `#internal`, by the `imports` of the package around the importer."""
        folder = next(self._package_folders(importer))
        imports = self._package_by_folder.get(folder, {}).get("imports")
        if isinstance(imports, dict):
            for target in targets_of(imports, specifier):
                if not target.startswith((".", "#")):
                    return self._package_module(importer, target)
                path = next(source_of(folder, target, self._paths), None)
                if path is not None:
                    return self._module_at(path) or MISSING
        return EXTERNAL if specifier.startswith(VIRTUAL) else MISSING


_ASSETS = frozenset(
    """.css .scss .sass .less .styl .pcss .png .jpg .jpeg .gif .svg .webp .avif .ico .json .json5 .yaml .yml .toml .txt
    .md .html .woff .woff2 .ttf .mp3 .mp4 .wasm .glsl .graphql .gql .csv .pdf""".split()
)

_MOST_MATCHING = 200
_MOST_CHOICES = 3
"""The most `{a,b}` in a pattern: between stars, matching takes a name's length to the power of their number."""
_PART_OF_NAME = re.compile(r"(?<=[^/*])\*+|(?<!\*)\*++(?=[^/])")
_FOLDERS = re.compile(r"(?:\*\*+/)+")
_WILD = re.compile(r"\*\*+|\*(?P<before_star>[^*/{]+)(?=\*)|\*|\{(?P<choices>[\w,.]+)\}|[^*{]+|\{")


def _expression_of(pattern: str) -> str:
    """A regular expression for the paths that match a pattern, with any extension if it names none.

    The first place where a part fits before a further star is as good as a later one: no other is tried.
    """
    first, *rest = map(_names, _FOLDERS.split(_PART_OF_NAME.sub("*", pattern)))
    inner = "".join(f"(?>(?:.*?/)??{names})" for names in rest[:-1])
    last = f"(?:.*/)?{rest[-1]}" if rest else ""
    return first + inner + last + ("" if splitext(pattern)[1] else r"(?:\.\w+|/index\.\w+)?")


def _names(pattern: str) -> str:
    """The regular expression of a pattern without `**/`."""
    parts = []
    for found in _WILD.finditer(pattern):
        if found["before_star"]:
            parts.append(f"(?>[^/]+?{re.escape(found['before_star'])})")
        elif found["choices"]:
            parts.append(f"(?:{'|'.join(map(re.escape, found['choices'].split(',')))})")
        else:
            parts.append({"*": "[^/]+"}.get(found[0]) or (".*" if found[0][0] == "*" else re.escape(found[0])))
    return "".join(parts)


def _rank(path: str) -> tuple[bool, int, str]:
    """A sort key: each package.json before each deno.json, as a folder may have both; then the shortest path."""
    return not path.endswith("package.json"), len(path), path


def _path_ends(name: str) -> list[str]:
    """The ends of a path that an import may mean, best first: of two names at least, or of one behind a sigil.

    @/cart/row       cart/row
    ~cart/row        cart/row, row
    @shop/cart/row   shop/cart/row, cart/row
    shop/cart        shop/cart
    cart             none
    """
    head, slash, rest = name.partition("/")
    if head.strip(_SIGILS) == "":
        return [rest] if rest else []
    if head[0] in _SIGILS_OF_FOLDERS:
        return [f"{head[1:]}/{rest}", rest] if slash else [head[1:]]
    if head[0] == "@":
        return [f"{head[1:]}/{rest}", *([rest] if "/" in rest else [])] if slash else []
    return [name] if slash else []
