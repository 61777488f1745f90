"""Resolution: specifiers to files, types to names, and rules that hold for any facts."""

import re
import textwrap
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.languages.ecmascript import operators as ecmascript_operators
from bearings.code.languages.python import flow, operators
from bearings.code.languages.python.names import BINARY
from bearings.code.models import EdgeKind, Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING
from bearings.code.resolve.resolver import resolve
from bearings.code.resolve.rules.ecmascript.modules import EcmaScriptModules
from bearings.code.resolve.rules.ecmascript.semantics import TYPESCRIPT
from bearings.code.resolve.rules.ecmascript.tsconfig import Configurations
from bearings.code.resolve.rules.python.implied import IMPLIED_CALLS
from bearings.code.resolve.rules.python.modules import PythonModules
from tests.code.cases import resolution_of
from tests.code.test_parse import SOURCES


def ecmascript(paths: str, manifests: dict[str, str] | None = None) -> EcmaScriptModules:
    raw = {path: text.encode() for path, text in (manifests or {}).items()}
    return EcmaScriptModules(ProjectFiles(frozenset(paths.split()), raw))


@pytest.mark.parametrize(
    ("specifier", "file"),
    [
        ("./b", "src/b.ts"),
        ("./b.js", "src/b.ts"),
        ("./b.ts", "src/b.ts"),
        ("./view", "src/view.tsx"),
        ("./view.jsx", "src/view.tsx"),
        ("./esm.mjs", "src/esm.mts"),
        ("./folder", "src/folder/index.ts"),
        ("./folder/", "src/folder/index.ts"),
        (".", "src/index.js"),
        ("..", "index.ts"),
        ("../lib/types", "lib/types.d.ts"),
        ("./b?raw", "src/b.ts"),
        ("./plain.js", "src/plain.js"),
        ("./dotted.name", "src/dotted.name.ts"),
    ],
)
def test_a_relative_specifier_names_a_source(specifier: str, file: str) -> None:
    modules = ecmascript(
        "src/a.ts src/b.ts src/view.tsx src/esm.mts src/folder/index.ts src/index.js index.ts lib/types.d.ts "
        "src/plain.js src/dotted.name.ts"
    )
    assert modules.find("src/a.ts", specifier).file == file


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("./*", "a.ts ab.ts"),
        ("./a*b*c.ts", ""),
        ("./x/*a*b.ts", "x/1a2a3b.ts"),
        ("./x/***/*.ts", "x/1a2a3b.ts x/y/b.ts x/y/z/y/b.ts"),
        ("./**/**/y/b", "x/y/b.ts x/y/z/y/b.ts"),
        ("./**/z/**/y/*.ts", "x/y/z/y/b.ts"),
        ("./x/**b.{js,ts}", "x/1a2a3b.ts"),
        ("./x/**", "x/1a2a3b.ts x/y/b.ts x/y/z/y/b.ts"),
        ("./{a,b}*{a,b}*{a,b}*{a,b}.ts", ""),
    ],
)
def test_a_pattern_names_the_files_that_match(pattern: str, files: str) -> None:
    modules = ecmascript("main.ts a.ts ab.ts x/1a2a3b.ts x/y/b.ts x/y/z/y/b.ts")
    assert modules.find("main.ts", pattern).files[1:] == tuple(files.split())


@pytest.mark.parametrize("pattern", ["*a" * 60, "**/a/" * 60, "**/" * 60, "*" * 9_000])
def test_a_pattern_of_many_stars_is_matched_at_once(pattern: str) -> None:
    modules = ecmascript(f"{'a' * 200}.ts {'a/' * 200}b.ts main.ts")
    assert modules.find("main.ts", f"./{pattern}z.ts") == EXTERNAL


def test_what_is_not_in_the_project_is_told_apart() -> None:
    modules = ecmascript("a.ts", {"package.json": '{"imports": {"#x": "./x.js"}}'})
    found = {
        name: modules.find("a.ts", name)
        for name in ("./gone", "./a.css", "node:fs", "fs/promises", "react", "#x", "#y")
    }
    assert found == {
        "./gone": MISSING,
        "./a.css": EXTERNAL,
        "node:fs": BUILTIN,
        "fs/promises": BUILTIN,
        "react": EXTERNAL,
        "#x": MISSING,
        "#y": MISSING,
    }


@pytest.mark.parametrize(
    ("manifest", "specifier", "file"),
    [
        ('{"name": "p", "main": "./dist/main.js"}', "p", "p/src/main.ts"),
        ('{"name": "p", "main": "lib"}', "p", "p/lib/index.js"),
        ('{"name": "p"}', "p", "p/src/index.ts"),
        ('{"name": "p"}', "p/sub", "p/src/sub.ts"),
        ('{"name": "p"}', "p/lib/deep", "p/lib/deep.js"),
        ('{"name": "p", "exports": "./dist/main.js"}', "p", "p/src/main.ts"),
        ('{"name": "p", "exports": {"types": "./x.d.ts", "import": "./dist/main.mjs"}}', "p", "p/src/main.ts"),
        ('{"name": "p", "exports": {"types": "./x.d.ts", "import": "./dist/gone.mjs"}}', "p", None),
        ('{"name": "p", "exports": {"types": "./x.d.ts", "my-source": "./src/main.ts"}}', "p", "p/src/main.ts"),
        ('{"name": "p", "exports": {"./*": ["./dist/*.js"]}}', "p/sub", "p/src/sub.ts"),
        ('{"name": "p", "exports": {"./s*": "./dist/s*.js", "./*": "./x/*.js"}}', "p/sub", "p/src/sub.ts"),
        ('{"name": "p", "types": "dist/main.d.ts"}', "p", "p/src/main.ts"),
    ],
)
def test_a_workspace_package_names_its_source(manifest: str, specifier: str, file: str | None) -> None:
    modules = ecmascript(
        "a.ts p/src/main.ts p/src/index.ts p/src/sub.ts p/lib/index.js p/lib/deep.js", {"p/package.json": manifest}
    )
    assert modules.find("a.ts", specifier).file == (file or "p/src/index.ts")


def test_a_package_without_sources_is_missing() -> None:
    assert ecmascript("a.ts", {"p/package.json": '{"name": "@s/p"}'}).find("a.ts", "@s/p") == MISSING


def test_a_folder_with_a_manifest_names_its_main() -> None:
    modules = ecmascript("a.ts p/code/main.ts", {"p/package.json": '{"main": "code/main.js"}'})
    assert modules.find("a.ts", "./p").file == "p/code/main.ts"


def test_files_at_any_depth_are_found_by_the_configurations_far_above() -> None:
    deep = f"{'d/' * 2_000}a.ts"
    manifests = {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}', "vite.config.js": ""}
    assert ecmascript(f"{deep} src/b.ts", manifests).find(deep, "@/b").file == "src/b.ts"
    assert ecmascript(f"{deep} src/b.ts", {"vite.config.js": manifests["vite.config.js"]}).find(deep, "x") == EXTERNAL


def places(configurations: Configurations, path: str, specifier: str) -> list[str]:
    return [place for aliases in configurations.near(path) for place in aliases.targets_for(specifier)]


def test_the_nearest_configuration_holds_and_extends_others() -> None:
    configurations = Configurations(
        {
            "tsconfig.json": b'{"extends": ["./base", "@tsconfig/node"], "compilerOptions": {"baseUrl": "."}}',
            "base.json": b'{"compilerOptions": {"paths": {"@/*": ["src/*", 3], "bad": 1, "exact": ["one"]}}}',
            "app/jsconfig.json": b'{"extends": "./jsconfig.json"}',
        }
    )
    assert places(configurations, "src/a.ts", "@/b") == ["src/b"]
    assert places(configurations, "src/a.ts", "exact") == ["one"]
    assert places(configurations, "src/a.ts", "lib/c") == ["lib/c"]
    assert places(configurations, "app/deep/a.js", "@/b") == []


@pytest.mark.parametrize(
    ("source", "content"),
    [
        (b'\xef\xbb\xbf{"a": "// no comment", /* yes */ "b": [1, 2,], // yes\n}', {"a": "// no comment", "b": [1, 2]}),
        (b"[1]", {}),
        (b"{", {}),
        (b"\xff", {}),
        (b"[" * 100_000, {}),
    ],
)
def test_json_with_comments(source: bytes, content: dict[str, object]) -> None:
    assert read_jsonc(source) == content


@pytest.mark.parametrize(
    ("importer", "module", "where"),
    [
        ("src/pkg/a.py", "pkg.b", "src/pkg/b.py"),
        ("src/pkg/a.py", ".b", "src/pkg/b.py"),
        ("src/pkg/sub/c.py", "..b", "src/pkg/b.py"),
        ("src/pkg/sub/c.py", "..", "src/pkg/__init__.py"),
        ("src/pkg/a.py", "json", "builtin"),
        ("src/pkg/json.py", "json", "builtin"),
        ("src/pkg/a.py", "pkg.gone", "unresolved"),
        ("src/pkg/a.py", ".gone", "unresolved"),
        ("src/pkg/a.py", "requests.api", "external"),
        ("tests/test_a.py", "pkg", "src/pkg/__init__.py"),
        ("tests/test_a.py", "helper", "tests/helper.py"),
        ("other/x.py", "pkg.b", "src/pkg/b.py"),
        ("other/x.py", "stubs", "stubs/__init__.pyi"),
        ("other/x.py", "space", "space"),
        ("other/x.py", "space.one", "space/one.py"),
        ("x.py", "lone.deep", "libs/lone/deep.py"),
    ],
)
def test_a_python_module_names_a_file(importer: str, module: str, where: str) -> None:
    paths = """src/pkg/__init__.py src/pkg/a.py src/pkg/b.py src/pkg/json.py src/pkg/sub/__init__.py src/pkg/sub/c.py
    tests/test_a.py tests/helper.py other/x.py stubs/__init__.pyi space/one.py x.py libs/lone/__init__.py
    libs/lone/deep.py"""
    assert PythonModules(ProjectFiles(frozenset(paths.split()))).find(importer, module).file == where


@pytest.mark.parametrize(
    "source",
    [
        "const a = b, b = c, c = a; a.x(); a();",
        "class A extends B {} class B extends A { m() { this.n(); super.n(); } }",
        'import { a } from "./a"; export { a }; export * from "./a"; a(); a.b();',
        'import * as me from "./a"; export default me; me.me.x(); me.default.default();',
        "type A = B; type B = A; function f(a: A) { a.x(); }",
        "function f(): f { return f().f().f(); } interface I extends I { m(): I }",
        "const a = " + "f(" * 3000 + ")" * 3000,
        "const a = f" + ".g()" * 3000,
        "".join(f"const a{n} = a{n + 1}.b; " for n in range(500)) + "a0.c();",
    ],
    ids=range(9),
)
def test_what_goes_round_in_circles_ends(source: str) -> None:
    _, resolution = resolution_of({"a.ts": source})
    assert {edge.file for edge in resolution.edges} <= {"a.ts"}


@pytest.mark.parametrize(
    "source",
    [
        "from . import a\nfrom .a import b\nb.c()\n",
        "class A(B): ...\nclass B(A):\n  def m(self): self.n(); super().n()\n",
        "x = y\ny = x\nx.z()\nx()\n",
        "from a import *\nq()\n",
        "import a\na.a.a.a()\n",
    ],
)
def test_python_that_goes_round_in_circles_ends(source: str) -> None:
    resolution_of({"a.py": source, "__init__.py": source})


@pytest.mark.slow
@given(data=st.data())
def test_every_edge_joins_two_symbols_and_none_is_made_twice(data: st.DataObject) -> None:
    facts = {}
    for name, language in (("a.py", Language.PYTHON), ("b.tsx", Language.TSX), ("c.js", Language.JAVASCRIPT)):
        lines = textwrap.dedent(SOURCES[language]).splitlines()
        kept = data.draw(st.lists(st.sampled_from(lines), max_size=len(lines)))
        facts[name] = parse_file(name, language, "\n".join(kept).encode())
    resolution = resolve(facts, ProjectFiles(frozenset(facts)))
    ids = {symbol.id for file in facts.values() for symbol in file.symbols}
    assert {end for edge in resolution.edges for end in (edge.source, edge.target)} <= ids
    assert {use.source for use in resolution.outside} <= ids
    keys = [(edge.source, edge.target, edge.kind, edge.line) for edge in resolution.edges]
    assert len(set(keys)) == len(keys)
    assert {use.why for use in resolution.outside} <= {"external", "builtin", "unresolved", "ambiguous"}
    assert all(edge.kind in EdgeKind for edge in resolution.edges)


def _source_of(module: ModuleType) -> str:
    """The source of a module, which may be compiled."""
    spec = module.__spec__
    assert spec is not None
    place = Path(str(spec.origin))
    return place.with_name(f"{place.name.partition('.')[0]}.py").read_text(encoding="utf-8")


def test_every_method_that_python_calls_unnamed_has_a_rule() -> None:
    written = re.findall(r'"(__[a-z]+__)"', "".join(map(_source_of, (operators, flow))))
    made = [f"__{mark}{name}__" for mark in ("", "r", "i") for name in BINARY.values()]
    names = {*written, *made, *operators.CALLED.values()}
    assert len(names) > 70
    assert names <= IMPLIED_CALLS.keys()


def test_every_method_that_javascript_calls_unnamed_has_a_rule() -> None:
    written = re.findall(r'"(\[Symbol\.\w+\])"', _source_of(ecmascript_operators))
    names = {*written, *ecmascript_operators.CALLED.values()}
    assert len(names) == 7
    assert names <= TYPESCRIPT.implied_calls.keys()


def test_a_write_goes_to_the_setter_of_the_class_or_of_its_objects() -> None:
    source = """\
        class Cart {
          static get total() { return 0; }
          static set total(v: number) {}
          get total() { return 0; }
          set total(v: number) {}
        }
        new Cart().total = 1;
        Cart.total = 1;
    """
    edges = resolution_of({"a.ts": textwrap.dedent(source)})[1].edges
    assert {edge.line: edge.target for edge in edges if edge.kind is EdgeKind.WRITE} == {
        7: "a.ts#Cart.total:5",
        8: "a.ts#Cart.total:3",
    }


def test_a_configuration_is_read_once_however_many_extend_it() -> None:
    twice = {
        f"tsconfig{number}.json": b'{"extends": ["./tsconfig%d.json", "./tsconfig%d.json"]}' % (number + 1, number + 1)
        for number in range(60)
    }
    last = {"tsconfig60.json": b'{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}'}
    first = {"tsconfig.json": b'{"extends": "./tsconfig0.json"}'}
    configurations = Configurations({**first, **twice, **last})
    assert places(configurations, "a/b/c.ts", "@/x")[0] == "src/x"
    assert configurations.near("a/d.ts") is configurations.near("e.ts")


@pytest.mark.parametrize("open_", ['"' + '\\"' * 50_000, "/* " * 50_000, "{" + '"a" ' * 50_000])
def test_what_is_open_ends_with_the_text(open_: str) -> None:
    assert read_jsonc(open_.encode()) == {}


def test_the_edges_of_a_variable_that_is_assigned_many_functions_grow_with_its_calls() -> None:
    lines = [line for n in range(60) for line in (f"def run{n}(): ...", f"run = run{n}", "run()")]
    local = [f"    if kind == {n}: at = run{n}" for n in range(60)]
    source = "\n".join(["run = None", *lines, "def use(kind):", *local, "    at()"])
    edges = resolution_of({"m.py": source})[1].edges
    assert len([edge for edge in edges if edge.kind is EdgeKind.CALL]) < 2 * 61
