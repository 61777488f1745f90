"""Resolving only the files that a change can affect gives the same uses as resolving all files."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed, pack, unpack_facts
from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.models import Confidence, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import Resolver
from bearings.code.symbol_keys import file_of

PYTHON = ("a.py", "b.py", "p/__init__.py", "p/c.py", "p/q/d.py", "lib/ns/c.py", "p/ns/sub.py")
ECMASCRIPT = ("a.ts", "b.ts", "lib/index.ts", "lib/c.tsx", "lib/c.native.tsx", "lib/d.js", "lib/in/d.ts")
NAMES = ("f", "g", "K", "x")

PYTHON_LINES = [
    "\n",
    "from a import *",
    "from p import *",
    "import p.c",
    "from p import c",
    "from . import q",
    "from .c import K",
    "K = f",
    "x = K()",
    "x = g().m",
    "x = x",
    "x.m()",
    "p.c.f()",
    "c.g().m()",
    "class K(x): pass",
    "class K:\n    m: 'K'\n    def m(self) -> 'K': return self\n    def n(self):\n        self.o = g()",
    "def f():\n    y = g()\n    y.m()\n    return y",
    "def g() -> K:\n    f()\n    class L: pass\n    return L()",
    "async def f() -> x: await g()",
    "def f(): return g()",
    "def g():\n    for y in x.m: y.m()\n    with K() as z: return z",
    "class K:\n    def __iter__(self) -> list[x]: return f()\n    m: dict[str, x]",
    "class K:\n    def __enter__(self): return self",
    "for x in K(): x.m()",
    "with f() as x: x.m['a'].m()",
    "from flask import Flask\napp = Flask('')\n@app.get('/u/<id>')\ndef f(): pass",
    "from fastapi import Depends\ndef f(y=Depends(g), z: K = Depends()): pass",
    "import p.c\n@x.command()\ndef g(): p.c.f.delay()",
    "x = [f, g]\nfor y in x: y()",
    "K = {'a': f, 'b': x}\nK.get(0)()\nfor y, z in K.items(): z()",
    "from a import x as w\nw[0]()",
    "import ext\nclass K(ext.L[x]):\n    m: ext.L[K]\n    def n(self): self.m.get(1).m(); return self.o().m",
    "match x:\n    case K(m=y) as z if z.m: y.m()\n    case K.m | p.c.K(): x.m()",
    "import unittest\nclass K(unittest.TestCase):\n    def setUp(self): f()",
    "from django.conf import settings as x\nx.f()\nx.g.m()\ngetattr(x, 'K')",
    "from django.conf import settings",
    "from a import settings as x\nx.f()",
    "override_settings(K=1)",
    "from ns import c, sub\nc.f()\nsub.g()",
    "def f(y: K, z): getattr(y, f'mm_{z}')()",
    "class K:\n    def mm_a(self): pass\n    def mm_b(self): pass",
    "import httpx\ndef g():\n    httpx.get('/u/1')\n    httpx.get(f'/v/{x}')\n",
    *(f"from {module} import {name}" for module in ("a", "b", "p", "p.c", "p.q.d") for name in NAMES),
]
ECMASCRIPT_LINES = [
    "\n",
    "export * from './lib'",
    "export * from './c'",
    "export * as x from '../a'",
    "export { f as g, g as default } from './b'",
    "import x from './b'",
    "import * as lib from '@/index'",
    "lib.f().m()",
    "const y = require('./lib/d'); y.f(); y()",
    "module.exports = { f: g, g }",
    "export interface K extends x { m(): K }",
    "export class K extends f { m() { return this.n() } n(): K { return super.m() } }",
    "export type x = K | null",
    "export const x: K = g()",
    "export const f = () => { const y = new K(); return y.m() }",
    "export function f(): K { return g() }",
    "export function g(y: x) { y.m(); class L {} return new L() }",
    "x.m().n()",
    "export const h = { f, g: x, ...lib }; h.g.m()",
    "export function f() { return g() }",
    "export const g = (y = x) => ({ m: f, n: () => y })",
    "export interface K<T> { (c: T): K<T>; m(c: (y: T, z: K<x>) => void): T; [key: string]: x }",
    "export type x = K<f> & { n: K<K<x>>[] }",
    "g<K>((y) => y.m()); f().m((y, z) => z.m())",
    "for (const y of x.n) y.m(); (x as K<x>).m(); const { m, n: [o] } = x; o.m()",
    "import { x as y } from './b'; export const f = router({ k: y, o: publicProcedure.query(g) })",
    "import { f, g } from './lib'; export const x = mergeRouters(f, router({ g }))",
    "export default router({ m: publicProcedure.query(g) }); trpc.k.m.useQuery(); trpc.k.o.useQuery(); trpc.m.query()",
    "import { x } from '../b'; export const g = router({ x, m: publicProcedure.mutation(f) })",
    "@Controller('u') class L { @Get(':id') m() {} }; import { Get, Controller } from '@nestjs/common'",
    "NestFactory.create(x).setGlobalPrefix('w')",
    "const app = require('express')(); app.get('/u/:id', g); app.get('/v/:id', f); app.use('/w', x)",
    "export const x = [f, g]; for (const y of x) y(); x.forEach((y) => y())",
    "export const K = { f, y: g }; K[x](); for (const y of Object.values(K)) y()",
    "const r = require('express').Router(); r.get('/1', f); export const o = () => fetch(`/v/${x}`)",
    "export const p = () => { fetch('/u/1'); fetch('/x/1') }",
    "import { L } from 'ext'; export class K extends L<x> { n: L<K>; m() { this.n.get().m(); return this.o().m } }",
    "import { L } from 'ext'; const z = L<K>(x); z.m(); for (const y of z.n) y.m().n()",
    "export function f(n: string) { return <F extends () => any>(y: F): F => y }",
    "export const x = f('')(g)",
    "export default f('')(g)",
    "import { f, K } from '$in/d'; f().m(); const y: K = new K()",
    "import { g, x } from '~/d'; g(x.m)",
    "let y: import('./b').K; let z: typeof import('./lib').x; y.m(); z.n()",
    *(f"import {{ {name} }} from '{module}'" for module in ("./a", "./b", "../b", "./lib", "@/c") for name in NAMES),
]
FIXTURES = ("conftest.py", "p/conftest.py", "p/q/test_d.py", "p/q/e.py", "a.py")
FIXTURE_LINES = [
    "\n",
    *(f"import pytest\n@pytest.fixture\ndef {one}({two}): return {two}" for one in NAMES for two in NAMES),
    *(f"import pytest\n@pytest.fixture(name='{one}')\ndef named(): pass" for one in NAMES),
    *(
        f"@pytest.mark.usefixtures('{one}')\ndef test_{one}({two}): pass"
        for one, two in zip(NAMES, "gKxf", strict=True)
    ),
    "class TestK:\n    @pytest.fixture\n    def f(self): pass\n    def test(self, f, g): pass",
    "class TestL(TestK):\n    def test(self, f, K): pass",
    "from a import TestK",
    "from p.q.e import *",
    *(f"def {one}({two}): return {two}" for one, two in zip(NAMES, "gKxf", strict=True)),
    "f = g",
    "pytest_plugins = ['p.q.e', 'a']",
    *(f"from {module} import {name}" for module in ("a", "p.q.e", ".conftest") for name in NAMES),
]
_CONFIGURATIONS = ("{}", '{"compilerOptions": {"paths": {"@/*": ["lib/*"]}}}')

_PYPROJECTS = (
    "",
    "[tool.pytest.ini_options]\npythonpath = ['p']",
    "[tool.setuptools.package-dir]\nns = 'p'",
    "[tool.poetry]\npackages = [{include = 'ns', from = 'lib'}, {include = 'ns', from = 'p'}]",
    "[tool.pytest.ini_options]\nDJANGO_SETTINGS_MODULE = 'p.c'",
    "# DJANGO_SETTINGS_MODULE = 'a' DJANGO_SETTINGS_MODULE = 'b'",
)

_edits = st.one_of(
    st.tuples(st.sampled_from(PYTHON), st.none() | st.lists(st.sampled_from(PYTHON_LINES), max_size=8)),
    st.tuples(st.sampled_from(ECMASCRIPT), st.none() | st.lists(st.sampled_from(ECMASCRIPT_LINES), max_size=8)),
    st.tuples(st.sampled_from(FIXTURES), st.none() | st.lists(st.sampled_from(FIXTURE_LINES), max_size=8)),
    st.tuples(st.just("pyproject.toml"), st.sampled_from(_PYPROJECTS).map(lambda text: [text])),
    st.tuples(st.just("tsconfig.json"), st.sampled_from(_CONFIGURATIONS).map(lambda text: [text])),
)


def parsed(path: str, text: str) -> FileFacts:
    language = language_of(path)
    assert language is not None
    return parse_file(path, language, text.encode())


def state(files: dict[str, str], known: dict[tuple[str, str], FileFacts]) -> tuple[dict[str, FileFacts], ProjectFiles]:
    """The facts of files (the same object for the same text), and their project."""
    sources = {path: text for path, text in sorted(files.items()) if language_of(path)}
    facts = {path: known.setdefault((path, text), parsed(path, text)) for path, text in sources.items()}
    manifests = {path: text.encode() for path, text in files.items() if path not in sources}
    return facts, ProjectFiles(frozenset(files), manifests)


def edit(files: dict[str, str], edits: Iterable[tuple[str, list[str] | None]]) -> None:
    """Replaces the lines of files; None removes one."""
    for path, lines in edits:
        files.pop(path, None)
        if lines is not None:
            files[path] = "\n".join(lines)


def found(resolver: Resolver) -> dict[str, object]:
    """The edges and outside uses of each file."""
    return {path: uses[:2] for path, uses in resolver.uses.items()}


def alone(facts: dict[str, FileFacts], project: ProjectFiles, path: str) -> object:
    """The uses of a file that a resolver resolves before all others."""
    resolver = Resolver()
    resolver.update({path: facts[path], **facts}, project)
    return resolver.uses[path][:2]


def packed(
    facts: Mapping[str, FileFacts], same: Mapping[str, FileFacts], before: PackedMap[FileFacts]
) -> PackedMap[FileFacts]:
    """Facts as an index holds them: packed. Those that are in `same` keep their row from `before`."""
    after = before.copy()
    for path in before:
        if path not in facts:
            after.pop(path)
    after.update({path: Packed(pack(file), unpack_facts) for path, file in facts.items() if same.get(path) is not file})
    after = after.copy()
    after.forget()
    return after


@pytest.mark.slow
@given(st.lists(st.lists(_edits, min_size=1, max_size=4), min_size=2, max_size=6), st.booleans())
def test_resolving_after_any_edits_equals_a_clean_resolution(
    rounds: list[list[tuple[str, list[str] | None]]], is_packed: bool
) -> None:
    files: dict[str, str] = {}
    known: dict[tuple[str, str], FileFacts] = {}
    previous: dict[str, FileFacts] = {}
    packed_map: PackedMap[FileFacts] = PackedMap()
    resolver = Resolver()
    for edits in rounds:
        edit(files, edits)
        before = dict(resolver.uses)
        facts, project = state(files, known)
        changed = {path for path in previous.keys() | facts.keys() if previous.get(path) is not facts.get(path)}
        packed_map = packed(facts, previous, packed_map)
        touched = resolver.update(packed_map if is_packed else facts, project, changed=changed)
        previous = facts
        clean = Resolver()
        clean.update(facts, project)
        assert found(resolver) == found(clean)
        assert {path for path, uses in resolver.uses.items() if before.get(path) is not uses} <= touched


@pytest.mark.slow
@given(st.lists(_edits, min_size=3, max_size=10))
@example([("a.py", ["K = f", "from p.c import K"]), ("p/c.py", ["class K: pass", "from a import K"])])
def test_the_order_of_resolving_makes_no_difference(edits: list[tuple[str, list[str] | None]]) -> None:
    files = {path: "\n".join(lines) for path, lines in edits if lines is not None}
    facts, project = state(files, {})
    whole = Resolver()
    whole.update(facts, project)
    assert {path: alone(facts, project, path) for path in facts} == {
        path: uses[:2] for path, uses in whole.uses.items()
    }


def test_a_prefix_in_another_file_changes_where_requests_lead() -> None:
    files = {
        "main.ts": "NestFactory.create(App)",
        "cats.ts": "import { Controller, Get } from '@nestjs/common'\n@Controller('c') class C { @Get() all() {} }\n",
        "root.ts": "import { x } from './x'\nexport const r = router({ x, k: trpc.procedure.query(f) })\n",
        "x/index.ts": "export const x = router({ m: t.procedure.query(f) })\n",
        "web.ts": "fetch('/api/c')\ntrpc.x.m.useQuery()\ntrpc.y.m.useQuery()\n",
    }
    edits = (
        ("main.ts", "NestFactory.create(App).setGlobalPrefix('api')", 1, Confidence.STRONG),
        ("root.ts", files["root.ts"].replace("{ x,", "{ y: x,"), 3, Confidence.STRONG),
        ("x.ts", "export const x = router({ m: t.procedure.query(f) })\n", 3, Confidence.STRONG),
    )
    known: dict[tuple[str, str], FileFacts] = {}
    resolver = Resolver()
    resolver.update(*state(files, known))
    targets = set()
    for path, text, line, confidence in edits:
        files[path] = text
        resolver.update(*state(files, known))
        (edge,) = (edge for edge in resolver.uses["web.ts"].edges if edge.line == line)
        assert edge.confidence is confidence
        targets.add(file_of(edge.target))
    assert targets == {"cats.ts", "x/index.ts", "x.ts"}


def test_a_change_inside_a_function_affects_its_file_only() -> None:
    files = {
        "a.py": "from b import f\ndef g(): f()\n",
        "b.py": "def h(): pass\n\n\ndef f():\n    x = 1\n    return [x]\n",
        "c.py": "import a\na.g()\n",
    }
    resolver = Resolver()
    known: dict[tuple[str, str], FileFacts] = {}
    resolver.update(*state(files, known))
    files["b.py"] = "def h(): pass\n\n\ndef f():\n    y = h()\n    return [1, y]\n"
    assert resolver.update(*state(files, known)) == {"b.py"}
    files["b.py"] = "\n" + files["b.py"]
    assert resolver.update(*state(files, known)) == {"b.py"}, "other lines change no key"
    assert resolver.update(*state(files, known)) == set()


def targets(resolver: Resolver, path: str) -> list[str]:
    return [edge.target for edge in resolver.uses[path].edges]


def test_a_function_that_becomes_a_fixture_affects_only_the_tests_that_may_ask_for_it() -> None:
    files = {
        "conftest.py": "import pytest\n\n\ndef db(): pass\n",
        "p/test_a.py": "def test(db): pass\n",
        "p/b.py": "def use(db): pass\n",
    }
    resolver = Resolver()
    known: dict[tuple[str, str], FileFacts] = {}
    resolver.update(*state(files, known))
    files["conftest.py"] = "import pytest\n\n\n@pytest.fixture\ndef db(): pass\n"
    assert resolver.update(*state(files, known)) == {"conftest.py", "p/test_a.py"}
    assert targets(resolver, "p/test_a.py") == ["conftest.py\0db"]
    files["p/conftest.py"] = files["conftest.py"]
    assert resolver.update(*state(files, known)) >= {"p/test_a.py"}
    assert targets(resolver, "p/test_a.py") == ["p/conftest.py\0db"]
    del files["p/conftest.py"]
    files |= {"p/b.py": files["conftest.py"], "conftest.py": "import pytest\n"}
    resolver.update(*state(files, known))
    assert targets(resolver, "p/test_a.py") == []
    files["conftest.py"] = "import pytest\npytest_plugins = 'p.b'\n"
    assert resolver.update(*state(files, known)) == {"conftest.py", "p/test_a.py"}
    assert targets(resolver, "p/test_a.py") == ["p/b.py\0db"]


def test_a_definition_added_to_a_hub_affects_only_files_that_can_refer_to_it() -> None:
    files = {
        "hub.py": "class K:\n    def m(self): pass\n\n\ndef f(): return K()\n",
        "a.py": "from hub import *\nf()\n",
        "b.py": "import hub\nhub.g()\n",
        "c.py": "from a import f as h\n\n\ndef use(k: 'hub.K'):\n    h()\n    k.n()\n",
        "d.py": "import hub\nhub.K().m()\n",
    }
    resolver = Resolver()
    known: dict[tuple[str, str], FileFacts] = {}
    resolver.update(*state(files, known))
    files["hub.py"] = "def g(): pass\n\n\n" + files["hub.py"]
    assert resolver.update(*state(files, known)) == {"hub.py", "b.py"}, "lines have moved, but not keys"
    assert [edge.target for edge in resolver.uses["b.py"].edges] == ["hub.py", "hub.py\0g"]
    assert [edge.target for edge in resolver.uses["d.py"].edges] == ["hub.py", "hub.py\0K.m", "hub.py\0K"]
    files["hub.py"] += "\n\ndef q(): pass\n"
    assert resolver.update(*state(files, known)) == {"hub.py"}
    files["hub.py"] += "\n\nimport os as g\n"
    assert resolver.update(*state(files, known)) == {"hub.py", "b.py"}
    files["hub.py"] = files["hub.py"].replace("class K:", "class K(int):")
    assert resolver.update(*state(files, known)) == set(files), "what f returns leads to it"
    files["hub.py"] = files["hub.py"].replace("class K(int):", "class K(int):\n    def __iter__(self): return self\n")
    assert resolver.update(*state(files, known)) == set(files), "a loop asks for it without a word"


def test_a_method_added_to_a_class_affects_files_that_compose_its_name() -> None:
    files = {
        "shop.py": "class Cart:\n    def do_add(self): pass\n",
        "use.py": "from shop import Cart\n\n\ndef run(cart: Cart, kind):\n    getattr(cart, f'do_{kind}')()\n",
        "other.py": "from shop import Cart\nCart()\n",
    }
    resolver = Resolver()
    known: dict[tuple[str, str], FileFacts] = {}
    resolver.update(*state(files, known))
    files["shop.py"] += "    def do_empty(self): pass\n"
    assert resolver.update(*state(files, known)) == {"shop.py", "use.py"}
    assert {"shop.py\0Cart.do_add", "shop.py\0Cart.do_empty"} <= set(targets(resolver, "use.py"))


def test_another_configuration_gives_other_modules_and_settings() -> None:
    files = {
        "a.py": "from django.conf import settings\nfrom util import f\nf()\nsettings.X\n",
        "one/util.py": "def f(): ...\nX = 1\n",
        "two/util.py": "def f(): ...\nX = 1\n",
    }
    resolver = Resolver()
    for folder in ("one", "two", "one"):
        files["tox.ini"] = f"[pytest]\npythonpath = {folder}\nDJANGO_SETTINGS_MODULE = {folder}.util\n"
        resolver.update(*state(files, {}))
        assert {file_of(edge.target) for edge in resolver.uses["a.py"].edges} == {f"{folder}/util.py"}
        assert len(resolver.uses["a.py"].edges) == 3
