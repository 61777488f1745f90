"""How many imports of a project's own code resolve, and how many by their paths alone.

    python -m benchmarks.own_imports ~/langfuse ~/saleor … [--misses]  # lists the imports that fail

Imports are of files in JavaScript, TypeScript (also in Vue, Svelte and Astro) and Python. This script decides which are
own, not the resolver: relative ones, names of the workspace's packages, and those without the name of a dependency (of
package.json or deno.json), a builtin or a framework that have an alias's mark (`@/`, `~/`, `$x/`, `#x`) or begin with a
folder or file of the project. Assets don't count. The score does not check that the file is the right one.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import basename, dirname, splitext

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_facts import ProjectFacts
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.languages import language_of
from bearings.code.models import ProjectFiles
from bearings.code.project.working_tree import WorkingTree
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, OUTSIDE, UNSURE, Referent
from bearings.code.resolve.rules.ecmascript.builtin_names import is_node_module
from bearings.code.resolve.rules.families import PACKAGED, semantics_of
from bearings.progress import NoProgress
from benchmarks.measure import progress, revision, table

_ABOUT = """Own imports that resolve. Asked: a file is found, but not without the project's configuration. Without it,
the engine finds that file by its path (right), another one (wrong), several (pairs; in pairs: with that file), or none.
"""
_COLUMNS = ["Own", "Resolved", "Asked", "Right", "Wrong", "In pairs", "Pairs"]
_ASSET = re.compile(
    r"\.(?:s?css|sass|less|styl|p(?:ost)?css|png|jpe?g|gif|svg|webp|avif|ico|json[5c]?|mdx?|ya?ml|toml|txt|html?|xml|csv"
    r"|wasm|[ot]tf|woff2?|mp[34]|webm|wav|ogg|pdf|glsl|frag|vert|gql|graphql|po|node|hbs|ejs|sql|riv|m4a)$|\?"
)
_VIRTUAL = re.compile(
    r"\$(?:app|env|service-worker)(?:/|$)|#(?:app|app-manifest|imports|build|components|internal|nitro|auth|head|content"
    r"|vue-router|ui|ui-pro|i18n|og-image|pwa|color-mode|supabase|oauth)(?:/|$)|\.+/(?:.*/)?(?:\$types|\+types/)"
    r"|@(?:generated|docusaurus|theme)/|~icons/|[\w.@-]+:"
)
_FRAMEWORK = re.compile(rb'"(?:@sveltejs/kit|nuxt3?|@vue/cli-service|@remix-run/\w+|umi|@quasar/[\w-]+)"')


class Own:
    """The names of a project's own code."""

    def __init__(self, root: Path, paths: frozenset[str]) -> None:
        self._declared, names = set[str](), dict[str, str]()
        for path in paths:
            if basename(path) in ("package.json", "deno.json", "deno.jsonc", "import_map.json"):
                settings = read_jsonc((root / path).read_bytes())
                for field in [value for key, value in settings.items() if key.lower().endswith("dependencies")]:
                    self._declared |= {part for name in field for part in (name, re.sub(r"^(@[^/]+)/.*", r"\1", name))}
                mapped = settings.get("imports", {}).items()
                self._declared |= {key.rstrip("/") for key, to in mapped if isinstance(to, str) and to[0] != "."}
                names[path] = str(settings.get("name"))
        self._packages = {name for path, name in names.items() if "/" in path or name not in self._declared}
        code = [path for path in paths if language_of(path) is not None]
        stems = {splitext(path)[0].removesuffix(end) for path in code for end in ("", "/index", "/__init__", ".d")}
        self._tails = {stem.split("/", at)[-1] for stem in stems for at in range(stem.count("/") + 1)}
        packages = {dirname(path) for path in paths if basename(path) == "__init__.py"}
        cuts = ((stem, stem.split("/", at)[-1]) for stem in stems for at in range(stem.count("/") + 1))
        self._modules = {tail for stem, tail in cuts if stem[: -len(tail) - 1] not in packages}
        self._folders = {folder for path in code for folder in path.split("/")[:-1][:2]}
        self._roots = set(re.findall(r"(?m)^(?:src/)?([^/\n]+?)(?:/.*)?\.py$", "\n".join(code)))

    def has_script(self, module: str) -> bool:
        """Whether a specifier of ECMAScript is of own code."""
        plain = module.rpartition("!")[2]
        if not plain or _ASSET.search(plain) or _VIRTUAL.match(plain):
            return False
        first, _, rest = plain.partition("/")
        package = f"{first}/{rest.partition('/')[0]}" if first[:1] == "@" else first
        if plain[0] == "." or package in self._packages:
            return True
        if is_node_module(first) or {package, first, f"@types/{package}"} & self._declared:
            return False
        is_marked = first in ("", "@", "@@") or first[0] in "$#~"
        tail = rest if first[:1] == "@" else splitext(plain)[0]
        return is_marked or first.lstrip("@") in self._folders or tail in self._tails

    def has_package(self, module: str) -> bool:
        """Whether a module of Python is of own code."""
        first, tail = module.partition(".")[0], module.removeprefix("odoo.addons.").replace(".", "/")
        is_known = first in self._roots or ("/" in tail and tail in self._modules)
        return not first or (is_known and first not in sys.stdlib_module_names)


def main(folders: Sequence[Path]) -> str:
    """The table."""
    rows = []
    for folder in folders:
        progress(f"{folder.name} …")
        commit = subprocess.check_output(["git", "-C", str(folder), "rev-parse", "--short=9", "HEAD"], text=True)
        rows.append((folder.name, commit.strip(), _counts(folder.resolve())))
    rows.append(("all", "", sum((counts for *_, counts in rows), Counter[str]())))
    cells = [
        [name, commit, *(str(counts[column]) for column in _COLUMNS), f"{counts['Resolved'] / counts['Own']:.4f}"]
        for name, commit, counts in rows
    ]
    made = f"Made by `python -m benchmarks.own_imports` at {revision()}. {' '.join(_ABOUT.split())}"
    return f"# Own imports\n\n{made}\n\n{table(['Application', 'Commit', *_COLUMNS, 'Share'], cells)}"


def _counts(root: Path) -> Counter[str]:
    facts = ProjectFacts(WorkingTree(root, None), NoFacts(), 1_000_000, WorkerPool(1))
    facts.refresh(NoProgress())
    own = Own(root, facts.project.paths)
    configured, hidden = Modules(facts.project), Modules(_hidden(facts.project))
    counts, misses = Counter[str](), dict[str, list[str]]()
    for path, file in facts.by_path.items():
        family = semantics_of(file.language).family
        is_own = {"ecmascript": own.has_script, PACKAGED: own.has_package}.get(family, lambda _: False)
        modules = {*(one.module for one in file.imports), *(one.module for one in file.exports if one.module)}
        for module in sorted(filter(is_own, modules)):
            found = configured.find(path, module, family)
            counts.update(_columns(found, hidden.find(path, module, family)))
            if found.kind == OUTSIDE:
                misses.setdefault("/".join(module.split("/")[:2]), []).append(f"{path} {module}")
    for start, examples in sorted(misses.items(), key=lambda one: -len(one[1])) if "--misses" in sys.argv else ():
        progress(f"  {len(examples)} {start}: {examples[0]}")
    return counts


def _columns(found: Referent, alone: Referent) -> Iterator[str]:
    """The columns in which an import counts, by its answers with and without configuration."""
    yield from ("Own", "Resolved")[: 1 + (found.kind != OUTSIDE)]
    if found.kind != MODULE or found.files[:1] == UNSURE or alone == found:
        return
    candidates = alone.files[1:] if alone.files[:1] == UNSURE else (alone.file,) * (alone.kind == MODULE)
    yield "Asked"
    if len(candidates) > 1:
        yield from ("Pairs", "In pairs")[: 1 + (found.file in candidates)]
    elif candidates:
        yield "Right" if found.file in candidates else "Wrong"


def _hidden(project: ProjectFiles) -> ProjectFiles:
    """The project without its configuration of imports; of package.json files only the frameworks' names are hidden."""
    packages = {path: data for path, data in project.manifests.items() if basename(path) == "package.json"}
    return ProjectFiles(project.paths, {path: _FRAMEWORK.sub(b'"x"', data) for path, data in packages.items()})


if __name__ == "__main__":
    print(main([Path(one) for one in sys.argv[1:] if not one.startswith("-")]))
