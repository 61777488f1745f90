"""coderef_rename: every place that is the element, no other, all files or none, and back again."""

import asyncio
import re
import stat
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.facts.store import NoFacts
from bearings.code.questions.rename import Rename, RenameReply
from bearings.code.questions.validate import Validate
from bearings.code.refactoring.edits import Change, write_all
from bearings.code.service import CodeService
from bearings.errors import InvalidInput, Unsupported, WriteFailed
from tests.code.in_process import InProcessEngine
from tests.code.trees import git, repository, write


def ask(root: Path, question: Any) -> Any:
    async def reply() -> Any:
        service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), None)
        try:
            return await service.reply_to(str(root), question)
        finally:
            await service.aclose()

    return asyncio.run(reply())


def rename(root: Path, element: str, new_name: str, **arguments: Any) -> RenameReply:
    reply: RenameReply = ask(root, Rename(element=element, new_name=new_name, **{"dry_run": False, **arguments}))
    return reply


def contents(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


MARKED = re.compile(r"§(\w+)")
"""In the sources below a sign stands before each name that is to be renamed."""

RENAMED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "a type variable with the name that it is made with": (
        "m.py#old",
        {
            "m.py": (
                "from typing import TypeVar\n\n§old = TypeVar(\n    '§old', bound=int\n)\nother = TypeVar('old')\n\n\n"
                "def f(x: §old) -> '§old': ...\n"
            ),
            "use.py": "from m import §old\n\nx: §old\n",
        },
    ),
    "names that module.exports lists": (
        "a.js#old",
        {
            "a.js": "function §old() {}\nmodule.exports = {\n  §old,\n  other: §old,\n};\n",
            "b.js": "const { §old } = require('./a');\n§old();\n",
            "c.js": "const { §old: mine, other } = require('./a');\nmine(other);\n",
        },
    ),
    "a member of exports": (
        "a.js#old",
        {
            "a.js": "exports.§old = () => 1;\nmodule.exports.two = () => exports.§old();\n",
            "b.js": "const m = require('./a');\nm.§old();\n",
        },
    ),
    "a field of a declared object": (
        "cfg.old",
        {
            "cfg.ts": "export const cfg = {\n  §old: 1,\n  run() {\n    return this.§old;\n  },\n};\n",
            "use.ts": "import { cfg } from './cfg';\nconst { §old: mine } = cfg;\ncfg.§old + mine;\n",
        },
    ),
    "a class in patterns of match": (
        "m.py#old",
        {
            "m.py": "class §old:\n    b = 1\n",
            "use.py": (
                "import m\n\n\ndef g(c):\n    match c:\n        case {'a': m.§old.b}:\n            return 3\n"
                "        case m.§old():\n            return 4\n"
            ),
        },
    ),
    "a function, its imports, aliases, modules and list of exports": (
        "m.py#old",
        {
            "pkg/__init__.py": "from .m import §old\nfrom . import m\n",
            "pkg/m.py": '__all__ = ["§old"]\n\n\ndef §old(x):\n    return §old(x - 1) if x else [§old]\n',
            "use.py": (
                "import pkg\nfrom pkg import §old\nfrom pkg.m import §old as other\n\n\n"
                "def run(d, old=§old):\n    old()\n    d.old()\n    other()\n"
                "    return pkg.m.§old(1), pkg.§old(2), {'old': 1}, dict(old=1)\n"
            ),
            "star.py": "from pkg.m import *\n\n\ndef go():\n    return §old(1)\n",
        },
    ),
    "names that scopes of Python hide": (
        "m.py#old",
        {
            "m.py": (
                "def §old(x):\n    return x\n\n\n"
                "a = [old for old in [§old]]\nb = lambda old: old\nc = lambda y: §old(y)\n\n\n"
                "def first():\n    for old in range(3):\n        print(old)\n\n\n"
                "def second():\n    global §old\n    §old(1)\n\n\n"
                "class Box:\n    held = §old\n\n    def get(self):\n        return §old(self.old)\n\n\n"
                "def third():\n    with open('x') as old:\n        return old\n\n\n"
                "def fourth():\n    if (y := §old(1)):\n        return y\n"
            )
            .replace("global §old", "global §old")
            .replace("    old = §old\n", "    held = §old\n"),
        },
    ),
    "a class with annotations in strings and decorators": (
        "m.py#Old",
        {
            "m.py": "class §Old:\n    def me(self) -> '§Old':\n        return self\n\n\n@§Old\ndef f(x: §Old): ...\n",
            "sub.py": "from m import §Old\n\n\nclass Sub(§Old):\n    pass\n\n\nexcept_me = isinstance(1, §Old)\n",
        },
    ),
    "a method with what it overrides and what overrides it": (
        "m.py#Base.old",
        {
            "m.py": (
                "class Base:\n    def §old(self): ...\n\n    def call(self):\n        return self.§old()\n\n\n"
                "class Sub(Base):\n    def §old(self):\n        return super().§old()\n\n\n"
                "class Other:\n    def old(self): ...\n\n\n"
                "def run(base: Base, other: Other):\n    base.§old()\n    other.old()\n    Sub().§old()\n"
            ),
        },
    ),
    "a function that is a key, a keyword and a parameter elsewhere": (
        "m.py#old",
        {
            "m.py": "def §old(x): ...\n\n\ndef f(a, *old, b=1): ...\n\n\n"
            "def g(a=§old, **old: int):\n    return old\n\n\n"
            "def h(x):\n    match x:\n        case K(old=1) | {'k': [old, *_]}:\n            return f(old=2)\n\n\n"
            "def outer():\n    old = 1\n\n    def inner():\n        nonlocal old\n        old = 2\n",
            "use.py": "import m as old\n\nold.§old(1)\n",
        },
    ),
    "a field of a dataclass": (
        "m.py#Point.old",
        {
            "m.py": (
                "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    §old: int = 0\n\n\n"
                "def move(point: Point):\n    point.§old += 1\n    return Point(§old=2).§old\n"
            ),
        },
    ),
    "a function of TypeScript, its overloads, imports, re-exports and shorthands": (
        "m.ts#old",
        {
            "m.ts": "export function §old(a: number): number;\nexport function §old(a: any) { return §old(a); }\n",
            "index.ts": "export { §old } from './m';\nexport { §old as fresh } from './m';\n",
            "use.ts": (
                "import { §old } from './index';\nimport { §old as other } from './m';\nimport * as ns from './m';\n"
                "let x: typeof §old = §old;\nns.§old(1);\nother(2);\n"
                "function f(old: number) { return { old }; }\nfunction g() { return { old: §old(1), b: §old }; }\n"
                "function h(o: any) { const { old } = o; return old; }\n"
            ),
        },
    ),
    "a component": (
        "m.tsx#Old",
        {
            "m.tsx": "export function §Old(p: { children?: any }) { return <p>{p.children}</p>; }\n",
            "use.tsx": "import { §Old } from './m';\nexport const A = () => <§Old><§Old /></§Old>;\n",
        },
    ),
    "members of TypeScript": (
        "m.ts#Box.old",
        {
            "m.ts": (
                "export class Box {\n  §old = 1;\n  get() { return this.§old; }\n}\n"
                "export function f(box: Box) {\n  box.§old = 2;\n  const { inner } = { inner: 1 };\n"
                "  const old = 3;\n  return old + box\n    .§old;\n}\n"
            ),
        },
    ),
    "a member with functions that are assigned to it, beside a namesake at the top": (
        "m.ts#Box.old",
        {
            "m.ts": "export interface Box { §old?: () => void }\n",
            "top.ts": "export function old() {}\n",
            "use.ts": (
                "import { Box } from './m';\nimport * as z from './top';\ndeclare const box: Box;\n"
                "box.§old = () => {\n  z.old();\n};\nbox.§old?.();\nconst other: Box = {\n  §old() {},\n};\n"
            ),
        },
    ),
    "a member that an interface declares, and the prototype of its class defines": (
        "Box.old",
        {
            "m.ts": (
                "export class Box {}\nexport interface Box { §old(): this }\n"
                "Box.prototype.§old = function () { return this; };\nnew Box().§old().§old();\n"
            ),
        },
    ),
    "a default export, which each file names itself": (
        "m.ts#old",
        {
            "m.ts": "export default function §old() { return 1; }\n",
            "use.ts": "import old from './m';\nimport other from './m';\nold();\nother();\n",
        },
    ),
    "a default export that a barrel gives a name, which stays": (
        "Button.tsx#old",
        {
            "Button.tsx": "export default function §old() { return null; }\n",
            "index.ts": 'export { default as old } from "./Button";\n',
            "again.ts": 'import { old } from "./index";\nexport { old };\n',
            "star.ts": 'export * from "./again";\n',
            "own.ts": 'import old from "./Button";\nexport { old };\n',
            "use.tsx": (
                'import { old } from "./star";\nimport * as ui from "./index";\nimport { old as other } from "./own";\n'
                "export const a = <old.b />;\nexport const c = [ui.old, old, other];\n"
            ),
        },
    ),
    "a property with its setter and deleter": (
        "Base.old",
        {
            "m.py": (
                "class Base:\n    @property\n    def §old(self): ...\n\n"
                "    @§old.setter\n    def §old(self, value): ...\n\n"
                "    @§old.deleter\n    def §old(self): ...\n\n\n"
                "class Sub(Base):\n    @property\n    def §old(self):\n        return super().§old\n\n\n"
                "def f(base: Base):\n    base.§old = 1\n    return base.§old\n"
            ),
        },
    ),
    "a member of an enum": (
        "m.ts#Color.old",
        {
            "m.ts": "export enum Color { §old = 1, other = §old }\nconst old = 2;\nexport const b = old;\n",
            "use.ts": "import { Color } from './m';\nexport const a = Color.§old;\n",
        },
    ),
    "a function of Go in all files of its package, and of a test beside it": (
        "a.go#Old",
        {
            "go.mod": "module ex.com/m\n",
            "a.go": (
                "package m\n\nfunc §Old(old int) int {\n\tif Old := §Old(1); Old > 1 {\n\t\tx.Old()\n\t}\n"
                "\tx.Old()\n\treturn map[int]int{§Old(2): 1}[1] + T{Old: 1}.Old\n}\n\ntype T struct{ Old int }\n"
            ),
            "b_linux.go": "package m\n\nfunc f() { for Old := range []int{§Old(1)} { _ = Old } }\n",
            "b_test.go": 'package m_test\n\nimport "ex.com/m"\n\nvar x = m.§Old(1)\n\nfunc Old() {}\n',
            "c_test.go": 'package m_test\n\nimport n "ex.com/m"\n\nfunc g(v any) any { n.§Old(2); return v.(n.T) }\n',
            "other/o.go": 'package other\n\nimport . "ex.com/m"\n\nvar y = §Old(2)\n',
        },
    ),
    "variants of a function of Go for several systems": (
        "a_linux.go#old",
        {
            "a_linux.go": "package m\n\nfunc §old() {}\n",
            "a_windows.go": "package m\n\nfunc §old() {}\n",
            "b.go": "package m\n\nfunc f() { §old() }\n",
            "gen.go": "//go:build ignore\n\npackage main\n\nfunc old() {}\n",
        },
    ),
    "a type of Go, and the fields that embed it": (
        "sub/s.go#Old",
        {
            "go.mod": "module ex.com/m\n",
            "sub/s.go": "package sub\n\n// Old.\ntype §Old struct{ N int }\n\nfunc (old *§Old) Run() {}\n",
            "a.go": (
                'package m\n\nimport "ex.com/m/sub"\n\ntype T struct {\n\t*sub.§Old\n\tu U\n}\n\n'
                "type U struct{ Old int }\n\n"
                "func f(t T, v any) {\n\tt.§Old.Run()\n\tt.u.Old = 1\n\tt = T{§Old: nil}\n"
                "\tswitch v.(type) {\n\tcase *sub.§Old, []sub.§Old:\n\t}\n}\n"
            ),
        },
    ),
    "a method of Go with its interface and what implements it": (
        "a.go#Runner.Old",
        {
            "go.mod": "module ex.com/m\n",
            "a.go": "package m\n\ntype Runner interface{ §Old(a int) }\n\nfunc All(r Runner) { r.§Old(1) }\n",
            "b/b.go": (
                'package b\n\nimport "ex.com/m"\n\ntype mine struct{}\n\nfunc (mine) §Old(a int) {}\n\n'
                "func Old() {\n\tm.All(mine{})\n\tmine{}.§Old(1)\n}\n"
            ),
        },
    ),
    "strings that name it for mocks": (
        "pkg/m.py#old",
        {
            "pkg/__init__.py": "from .m import §old as §old\n",
            "pkg/m.py": "def §old(): ...\n",
            "use.py": "from pkg.m import §old\n\n\ndef run():\n    return §old()\n",
            "test_use.py": (
                "import pkg.m as m\nimport use\nfrom unittest.mock import patch\n\n\n"
                '@patch("pkg.m.§old")\n@patch("use.§old")\n@patch("pkg.§old")\n'
                "def test_a(*_):\n    use.run()\n\n\n"
                "def test_b(monkeypatch, mocker):\n"
                '    monkeypatch.setattr("use.§old", 1)\n    monkeypatch.setattr(m, "§old", getattr(m, "§old"))\n'
                '    mocker.patch("use.§old")\n    mocker.patch.object(m, "§old")\n    patch.multiple(m, §old=1)\n'
                '    monkeypatch.setattr("os.old", 1)\n'
                '    patch.multiple("use", §old=1)\n    patch.multiple("os", old=1)\n    patch.dict("pkg.m.§old")\n'
            ),
        },
    ),
    "strings that name a class or its members for mocks": (
        "m.py#Old",
        {
            "m.py": "class §Old:\n    def run(self): ...\n",
            "test_m.py": (
                "from unittest.mock import patch\n\nimport m\n\n\n"
                '@patch("m.§Old.run")\n@patch("m.§Old")\n@patch.object(m.§Old, "run")\ndef test_a(*_): ...\n'
            ),
        },
    ),
    "strings that name a method for mocks": (
        "m.py#Box.old",
        {
            "m.py": "class Box:\n    def §old(self): ...\n",
            "test_m.py": (
                "from unittest.mock import patch\n\nimport m\n\n\n"
                '@patch("m.Box.§old")\n@patch.object(m.Box, "§old")\ndef test_a(*_): ...\n'
            ),
        },
    ),
    "keys and strings that replace it in tests of TypeScript": (
        "m.ts#old",
        {
            "m.ts": "export function §old() {}\n",
            "index.ts": "export { §old } from './m';\n",
            "a.test.ts": (
                "import { §old } from './m';\n"
                "vi.mock('./m', () => ({ §old: vi.fn(() => ({ old: 1 })), '§old': 2, other: { old: 1 } }));\n"
                "jest.mock('./m.js', () => { return { ...jest.requireActual('./m'), §old() {} }; });\n"
                "vi.mock('@/m', () => ({ §old: 1 }));\nvi.mock('./other', () => ({ old: 1 }));\n"
                "mock.module('./m.ts', { namedExports: { §old: 1 } });\nvi.mocked(§old);\n"
            ),
            "c.test.ts": "import * as m from './m';\nvi.spyOn(m, '§old');\n",
            "b.test.ts": "jest.doMock('./index', async (get) => ({ ...(await get()), §old: 1 }));\n",
        },
    ),
    "a type": (
        "m.ts#Old",
        {
            "m.ts": "export interface §Old { a: number }\nexport type Many = §Old[];\n",
            "use.ts": "import type { §Old } from './m';\nconst x: §Old = { a: 1 };\nfunction f<T extends §Old>() {}\n",
        },
    ),
}


def _split(files: Mapping[str, str], new: str) -> tuple[dict[str, str], dict[str, str]]:
    """The files before and after."""
    before = {path: MARKED.sub(r"\1", text) for path, text in files.items()}
    return before, {path: MARKED.sub(new, text) for path, text in files.items()}


@pytest.mark.parametrize(("element", "files"), RENAMED.values(), ids=RENAMED)
def test_every_place_of_the_element_is_renamed_and_back(tmp_path, element, files):
    old = element.replace("#", ".").rpartition(".")[2]
    new = "Anew" if old[0].isupper() else "anew"
    before, after = _split(files, new)
    root = write(tmp_path, before)
    reply = rename(root, element, new)
    assert not reply.refused
    assert reply.written
    assert contents(root) == after
    assert rename(root, f"{element.removesuffix(old)}{new}", old).written
    assert contents(root) == before


def test_a_shorthand_keeps_its_key(tmp_path):
    root = write(tmp_path, {"m.ts": "export const old = 1;\nexport const all = { old };\n"})
    assert rename(root, "m.ts#old", "anew").written
    assert contents(root)["m.ts"] == "export const anew = 1;\nexport const all = { old: anew };\n"


def test_a_pattern_keeps_its_variable(tmp_path):
    source = "interface Box { old: number }\nfunction f(box: Box) {\n  const { old } = box;\n  return old;\n}\n"
    root = write(tmp_path, {"m.ts": source})
    assert rename(root, "Box.old", "anew").written
    assert "{ anew: number }" in contents(root)["m.ts"]
    assert "const { anew: old } = box;\n  return old;" in contents(root)["m.ts"]


def coderefs_of(root: Path) -> tuple[int, int, int]:
    """The number of references in a project, of those that are invalid, and of those with a warning."""
    report = ask(root, Validate())
    return report.references_found, report.invalid_found, report.warned_found


TAGGED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "a function": (
        "pkg/é.py#old",
        {
            "pkg/é.py": "# é @Fn/pkg/%C3%A9.py#§old:2\ndef §old(): ...\n\n\n# old: @V/pkg/old.py#old:1\nx = 'old'\n",
            "pkg/old.py": "old = 1  # see @Fn/pkg/%C3%A9.py#§old\n",
            "README.md": "old: see @Fn/pkg/%C3%A9#§old:2{status=old}, or @V/pkg/old.py#old, old.\n",
            "graph.json": '{"old": 1}\n',
            "win.txt": "\ufeff@Fn/pkg/%C3%A9.py#§old\r\nold\r\n",
        },
    ),
    "a class, with tags of its members": (
        "m.ts#Old",
        {
            "m.ts": (
                "// @Cl/m.ts#§Old:2\nexport class §Old {\n  // @M/m.ts#§Old.Old:4\n  Old() {}\n}\n"
                "export class New {\n  // @M/m.ts#New.Old:8\n  Old() {}\n}\n"
            ),
            "view.vue": '<script lang="ts">\n// @Cl/m#§Old\n</script>\n',
        },
    ),
    "a method, with what it overrides": (
        "m.py#Base.old",
        {
            "m.py": (
                "class Base:\n    # @M/m.py#Base.§old:3\n    def §old(self): ...\n\n\n"
                "class Sub(Base):\n    # @M/m.py#Sub.§old:8\n    def §old(self): ...\n\n\n"
                "class Other:\n    # @M/m.py#Other.old:13\n    def old(self): ...\n"
            ),
        },
    ),
}


@pytest.mark.parametrize(("element", "files"), TAGGED.values(), ids=TAGGED)
def test_references_to_the_element_are_renamed_and_stay_valid(tmp_path, element, files):
    old = element.replace("#", ".").rpartition(".")[2]
    new = "Anew" if old[0].isupper() else "anew"
    before, after = _split(files, new)
    root = write(tmp_path, before)
    counts = coderefs_of(root)
    assert counts[1] == 0
    reply = rename(root, element, new)
    assert [(place.file, place.line, place.why) for place in reply.refused] == []
    assert contents(root) == after
    assert coderefs_of(root) == counts
    assert not any(place.why == "a reference to it" for place in reply.left)
    assert rename(root, f"{element.removesuffix(old)}{new}", old).written
    assert contents(root) == before


def test_a_reference_to_something_else_stays_though_comments_are_renamed(tmp_path):
    root = write(tmp_path, {"m.py": "# old, @Fn/old.py#old\ndef old(): ...\n", "old.py": "def old(): ...\n"})
    assert rename(root, "m.py#old", "anew", comments=True).written
    assert contents(root)["m.py"] == "# anew, @Fn/old.py#old\ndef anew(): ...\n"


def test_a_reference_in_bytes_that_are_no_text_stays(tmp_path):
    line = b"old \xff @Fn/m.py#old\n"
    root = write(tmp_path, {"m.py": "def old(): ...\n", "a.txt": line})
    assert rename(root, "m.py#old", "anew").written
    assert (root / "a.txt").read_bytes() == line


BOX = "class A:\n    def __init__(self):\n        self.old = 1\n\n    def f(self, x):\n"

REFUSED = {
    "a protocol's own member, if a class fits it": (
        {"m.py": "from typing import Protocol\n\n\nclass P(Protocol):\n    def old(self): ...\n\n\nclass A:\n"
         "    def old(self): ...\n\n\ndef f(p: P):\n    p.old()\n"},
        "P.old", 9
    ),
    "a protocol that the class fits": (
        {"m.py": "from typing import Protocol\n\n\nclass P(Protocol):\n    def old(self): ...\n\n\nclass A:\n"
         "    def old(self): ...\n\n\ndef f(p: P):\n    p.old()\n"},
        "A.old", 13
    ),
    "a receiver of unknown type": (
        {"m.py": "class A:\n    def old(self): ...\n\n\ndef f(x):\n    x.old()\n"}, "A.old", 6
    ),
    "an item of a library's container of unknown objects": (
        {"m.py": "class A:\n    def old(self): ...\n\n\ndef some(x):\n    return tuple(x)\n\n\nsome(1)[0].old()\n"},
        "A.old", 9
    ),
    "a member of an unknown object beside a use that is read, too": (
        {"m.py": f"{BOX}        return self.old + x.old\n"}, "A.old", 6
    ),
    "a member of an unknown object that the element gets": (
        {"m.py": f"{BOX}        self.old = x.box.old\n"}, "A.old", 6
    ),
    "a member of an unknown object that gets the element": (
        {"m.py": f"{BOX}        x.box.old = self.old\n"}, "A.old", 6
    ),
    "a member of any object of TypeScript beside a use": (
        {"m.ts": "export class A {\n  old = 1;\n  f(x: any) { return this.old + x.old; }\n}\n"}, "A.old", 3
    ),
    "a member of an element of its module, beside a use": (
        {"m.py": "class Box:\n    def __init__(self):\n        self.old = 1\n\n\nbox = Box()\n\n\ndef old(x): ...\n",
         "u.py": "import m\n\n\nm.old(m.box.old)\n"},
        "m.py#old", 4
    ),
    "a base outside of the project": (
        {"m.py": "from lib import Base\n\n\nclass A(Base):\n    def old(self): ...\n"}, "A.old", 4
    ),
    "a base outside of the project, of a metaclass with the member": (
        {
            "m.py": "import web\n\n\nclass Meta(web.Meta):\n    def old(cls): ...\n\n\n"
            "class A(metaclass=Meta):\n    def old(self): ...\n",
        },
        "A.old", 4,
    ),
    "an object that a function of the library hands back": (
        {"m.py": "class A:\n    def old(self): ...\n\n\ndef go(x):\n    max(x).old()\n"}, "A.old", 6
    ),
    "a name that is taken in the module": ({"m.py": "def old(): ...\n\n\nanew = old()\n"}, "old", 4),
    "a name that a scope would hide": (
        {"m.py": "def old(): ...\n\n\ndef f(anew):\n    return old()\n"}, "old", 4
    ),
    "a name that would be hidden": (
        {"m.py": "def old(): ...\n\n\ndef f():\n    return anew()\n"}, "old", 5
    ),
    "a member that is taken": ({"m.py": "class A:\n    def old(self): ...\n\n    def anew(self): ...\n"}, "A.old", 4),
    "text that names it for a program": ({"m.py": "def old(): ...\n\n\ngetattr(1, 'old')\n"}, "m.py#old", 4),
    "a name that is composed": (
        {"m.py": "class A:\n    def do_old(self): ...\n\n    def f(self, x):\n        getattr(self, f'do_{x}')()\n"},
        "A.do_old", 5,
    ),
    "an entry point": (
        {"m.py": "def old(): ...\n", "pyproject.toml": "[project.scripts]\nx = 'm:old'\n"}, "m.py#old", 2
    ),
    "a file in another format": (
        {"m.ts": "export const old = 1;\n", "app.rs": "fn old() {}\n"}, "m.ts#old", 1
    ),
    "syntax that is not understood": (
        {"m.py": "def old(): ...\n", "bad.py": "from m import old\n\nx = (old(])\n"}, "m.py#old", 3
    ),
    "a member of a package of its module": (
        {"pkg/__init__.py": "", "pkg/m.py": "class old: ...\n", "use.py": "import pkg\n\nx = [pkg.n.old]\n"},
        "pkg/m.py#old", 3
    ),
    "a member of a module that is loaded by its name": (
        {
            "pkg/m.py": "class old: ...\n",
            "use.py": "import importlib\n\nm = importlib.import_module('pkg.m')\nprint(m.old)\n",
        },
        "pkg/m.py#old", 4
    ),
    "a member of a module that is passed on as a value": (
        {"m.py": "class old: ...\n", "use.py": "import m\n\nx = [y.old for y in [m]]\n"}, "m.py#old", 3
    ),
    "a type of an imported module": (
        {"m.ts": "export interface old { a: 1 }\n", "use.ts": "let x: import('./m').old;\n"}, "m.ts#old", 1
    ),
    "a member and a pattern of a module that is loaded later": (
        {
            "m.ts": "export const old = 1;\n",
            "index.ts": "export * from './m';\n",
            "use.ts": "import('./index').then((m) => m.old);\nimport('./index').then(({ old }) => 1);\n",
        },
        "m.ts#old", 2
    ),
    "an index of an imported module": (
        {"m.ts": "export const old = 1;\n", "use.ts": "import * as ns from './m';\nns['old'];\n"}, "m.ts#old", 2
    ),
    "an index of the type of an imported module": (
        {"m.ts": "export const old = 1;\n", "use.ts": "\nlet x: (typeof import('./m'))['old'];\n"}, "m.ts#old", 2
    ),
    "an index of the names of a module": (
        {"m.py": "def old(): ...\n\n\nglobals()['old']()\n"}, "m.py#old", 4
    ),
    "a member of an enum by its name": (
        {"m.py": "import enum\n\n\nclass C(enum.Enum):\n    old = 1\n\n\nC['old']\n"}, "C.old", 8
    ),
    "a member by an index": (
        {"m.ts": "export class A { old = 1; }\nfunction f(a: A) { return a['old']; }\n"}, "A.old", 2
    ),
    "a member that a type picks": (
        {"m.ts": "interface A { old: 1 }\ntype B = Pick<A, 'old'>;\n"}, "A.old", 2
    ),
    "a method of Go that the standard library may call": (
        {"m.go": "package m\n\ntype A struct{}\n\nfunc (A) Write(p []byte) (int, error) { return 0, nil }\n"},
        "A.Write", 5
    ),
    "a method of Go that a type outside of the project may have": (
        {"m.go": "package m\n\ntype A interface{ Println(v ...any) }\n"}, "A.Println", 3
    ),
    "a name that another file of the package has": (
        {"m.go": "package m\n\nfunc old() {}\n", "n.go": 'package m\n\nimport anew "os"\n\nvar x = anew.Args\n'},
        "m.go#old", 3
    ),
    "a key of Go that may be a field": (
        {"m.go": "package m\n\nconst old = 1\n\nvar x = far.M{old: 2}\n"}, "m.go#old", 5
    ),
    "a directive of Go that names it": (
        {"m.go": "package m\n\n//go:linkname old other.old\nfunc old()\n"}, "m.go#old", 3
    ),
    "assembly that defines it": (
        {"m.go": "package m\n\nfunc old()\n", "m_amd64.s": "TEXT \u00b7old(SB), 4, $0\n"}, "m.go#old", 1
    ),
    "a field of Go in a template": (
        {"m.go": "package m\n\ntype A struct{ old int }\n", "a.tmpl": "<old>\n{{ .X.old }}\n"}, "A.old", 2
    ),
    "a function in the template of a component": (
        {
            "m.ts": "export function old() {}\n",
            "A.vue": "<script setup lang='ts'>\nimport * as m from './m';\nimport { old } from './m';\n</script>\n"
            "<template>\n  <old old='old'>old</old>\n  <p :x='old()' />\n</template>\n",
        },
        "m.ts#old", 7,
    ),
    "a key that may replace it in a test": (
        {
            "a/m.ts": "export function old() {}\n",
            "b/m.ts": "export function old() {}\n",
            "t.ts": "vi.mock('@x/m', () => ({ old: 1 }));\n",
        },
        "a/m.ts#old", 1,
    ),
    "a key that replaces it beside the name": (
        {
            "m.ts": "export function old() {}\n",
            "t.ts": "import { old } from './m';\nvi.mock('./m', () => ({ old }));\n",
        },
        "m.ts#old", 2,
    ),
    "a keyword that replaces a method": (
        {"m.py": "class Box:\n    def old(self): ...\n", "t.py": "import m\n\npatch.multiple(m.Box, old=1)\n"},
        "Box.old", 3
    ),
    "a property that a template writes with hyphens": (
        {
            "m.ts": "export interface Props { oldTitle: string }\n",
            "Kid.vue": "<script setup>\nimport { Props } from './m';\ndefineProps<Props>();\n</script>\n",
            "Host.vue": "<script setup>\nimport Kid from './Kid.vue';\n</script>\n"
            "<template>\n  <Kid\n    old-title='a' />\n</template>\n",
        },
        "Props.oldTitle", 6,
    ),
    "a string that names it and is passed to anything": (
        {"m.py": "def old(): ...\n", "t.py": "ROUTES = ['m.old']\n"}, "m.py#old", 1
    ),
    "a method that templates call": ({"m.ts": "class Bag {\n  toString() {}\n}\n"}, "Bag.toString", 2),
    "a fixture, which tests name by parameter": (
        {
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef old(): ...\n",
            "tests/test_a.py": "def test_a(old):\n    assert old\n",
        },
        "tests/conftest.py#old", 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "element", "line"), REFUSED.values(), ids=REFUSED)
def test_a_doubtful_place_is_shown_and_nothing_written(tmp_path, files, element, line):
    root = write(tmp_path, files)
    reply = rename(root, element, "anew")
    assert not reply.written
    assert line in [place.line for place in reply.refused]
    assert all(place.why for place in reply.refused)
    assert contents(root) == files


LEFT: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "members of other modules, and of elements of the module": (
        "m.py#old",
        {
            "m.py": "import other\n\n\ndef §old(x): ...\n\n\nclass A:\n    old = 1\n\n\n§old(other.old)\n",
            "other.py": "def old(): ...\n",
            "use.py": (
                "import os\nimport other\nfrom m import A, §old\n\n§old(A.old)\nother.old()\nos.old()\nx['old']\n"
            ),
        },
    ),
    "several members of one name on a line, each of a known object": (
        "A.old",
        {
            "m.py": "class A:\n    def __init__(self, other: 'A'):\n        self.§old = other.§old\n\n"
            "    def f(self, other: 'A', box: 'Box'):\n        box.one.§old = self.§old + other.§old\n\n\n"
            "class Box:\n    def __init__(self, one: A):\n        self.one = one\n",
            "m.ts": "class Some {\n  old = 1;\n  f(a: Some) { return this.old + a.old; }\n}\n",
        },
    ),
    "members of a constant of the module, which makes them as they are read": (
        "old",
        {
            "pkg/__init__.py": "",
            "pkg/m.py": "class Kind:\n    def __getattr__(self, name):\n        return self\n\n\n"
            "Word = Kind()\n§old = Word.old\n",
            "pkg/n.py": "from pkg import m\n",
            "use.py": "import pkg.m\nfrom pkg import n, m as t\n\nprint(t.§old, n)\nprint(t.Word.old)\n"
            "print(pkg.m.Word.old)\n",
        },
    ),
    "markup, and the code of another language beside it": (
        "m.py#old",
        {
            "m.py": "def §old(): ...\n",
            "A.vue": "<script setup>\nconst old = 1;\n</script>\n<template>\n  <old>{{ old }}</old>\n</template>\n",
            "B.svelte": "<script>\n  let old = 1;\n</script>\n<old old={old}>old</old>\n",
            "C.astro": "---\nconst old = 1;\n---\n<old>{old}</old>\n",
            "t.html": '<old old="old">old</old>\n',
        },
    ),
    "markup and other names beside a function of TypeScript": (
        "m.ts#old",
        {
            "m.ts": "export function §old() {}\n",
            "A.vue": "<script setup lang='ts'>\nconst props = { old: 1 };\n</script>\n"
            "<template>\n  <old old='old'>old {{ props.old }}</old>\n</template>\n",
            "B.svelte": "<script>\n  export let old = 1;\n</script>\n<old title='old'>{old}</old>\n",
            "t.html": '<old old="old" class="old">old</old>\n',
        },
    ),
    "a function of Go beside a field in a template": (
        "m.go#Old",
        {"m.go": "package m\n\nfunc §Old() {}\n", "t.tmpl": "<Old>{{ .Old }}</Old>\n"},
    ),
    "a use of another member of a name that is also at the top of a module": (
        "Query.old",
        {
            "top.ts": "export function old() {}\n",
            "m.ts": "export class Query { §old() {} }\nexport interface Result { old: boolean }\n",
            "use.ts": (
                "import { Query, Result } from './m';\n"
                "export function f(q: Query, r: Result) {\n  q.§old();\n  return r.old;\n}\n"
            ),
        },
    ),
}


@pytest.mark.parametrize(("element", "files"), LEFT.values(), ids=LEFT)
def test_what_is_known_to_be_something_else_forbids_nothing(tmp_path, element, files):
    new = "Anew" if element.rpartition("#")[2][0] == "O" else "anew"
    before, after = _split(files, new)
    root = write(tmp_path, before)
    reply = rename(root, element, new)
    assert [(place.file, place.line, place.why) for place in reply.refused] == []
    assert contents(root) == after


def test_a_method_that_only_another_language_calls_by_itself_is_renamed(tmp_path):
    root = write(tmp_path, {"m.py": "class A:\n    def then(self): ...\n\n\nA().then()\n"})
    assert not rename(root, "A.then", "after").refused
    assert "A().after()" in (root / "m.py").read_text()


def test_places_are_lines_by_file_or_objects(tmp_path):
    files = {"pkg/module.py": "class A:\n    def old(self): ...\n\n\ndef f(x, y):\n    x.old()\n    y.old()\n"}
    root = write(tmp_path, {**files, "notes.md": "old\n"})
    reply = rename(root, "A.old", "anew")
    sent = reply.sent()
    assert sent["refused"][0] == "pkg/module.py"
    assert [line.partition("]")[2] for line in sent["refused"][1:]] == [" x.old()", " y.old()"]
    assert all(line.startswith((":6 [", ":7 [")) for line in sent["refused"][1:])
    assert "\n".join(["refused because of:", *sent["refused"]]) in reply.to_text()
    full = rename(root, "A.old", "anew", detail="full")
    assert full.sent()["refused"][0] == {
        "file": "pkg/module.py",
        "line": 6,
        "why": reply.refused[0].why,
        "source": "x.old()",
    }
    assert f"  pkg/module.py:6: {reply.refused[0].why}: x.old()" in full.to_text()


def test_doubtful_places_are_left_when_that_is_asked_for(tmp_path):
    files, element, _ = REFUSED["a receiver of unknown type"]
    root = write(tmp_path, files)
    assert rename(root, element, "anew", leave_unsure=True).written
    assert contents(root)["m.py"] == "class A:\n    def anew(self): ...\n\n\ndef f(x):\n    x.old()\n"


def test_strings_and_comments_only_when_asked_for(tmp_path):
    source = "def old():  # old\n    return 'old, older'\n"
    root = write(tmp_path, {"m.py": source})
    assert rename(root, "old", "anew").places == 1
    assert rename(root, "anew", "old").written
    reply = rename(root, "old", "anew", strings=True, comments=True)
    assert reply.places == 3
    assert contents(root)["m.py"] == "def anew():  # anew\n    return 'anew, older'\n"


def test_a_dry_run_writes_nothing_and_its_difference_can_be_applied(tmp_path):
    before, after = _split(RENAMED["a component"][1], "Anew")
    root = repository(tmp_path / "r", before)
    reply = rename(root, "m.tsx#Old", "Anew", dry_run=True)
    assert contents(root) == before
    assert not reply.written
    (tmp_path / "x.diff").write_text(reply.diff or "", encoding="utf-8")
    git(root, "apply", str(tmp_path / "x.diff"))
    assert contents(root) == after


@pytest.mark.parametrize("name", ["", "1a", "a b", "class", "a-b", "a.b", "old", "é\n"])
def test_a_name_that_can_not_be_is_refused(tmp_path, name):
    root = write(tmp_path, {"m.py": "def old(): ...\n"})
    with pytest.raises(InvalidInput, match="new_name"):
        rename(root, "old", name)


def test_an_element_without_a_name_of_its_own_is_refused(tmp_path):
    root = write(tmp_path, {"m.py": "class A:\n    def __init__(self): ...\n", "m.rs": "fn old_one() {}\n"})
    with pytest.raises(InvalidInput, match="element"):
        rename(root, "m.py", "anew")
    with pytest.raises(InvalidInput, match="element"):
        rename(root, "A.__init__", "anew")
    with pytest.raises(Unsupported, match="Rust"):
        rename(root, "m.rs#old_one", "anew")


def test_if_one_file_can_not_be_written_none_is(tmp_path):
    root = write(tmp_path, {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    changes = [Change("a.py", b"x = 1\n", b"z = 1\n"), Change("b.py", b"y = 1\n", b"z = 1\n")]
    (root / "b.py").write_bytes(b"y = 2\n")
    with pytest.raises(WriteFailed, match="changed"):
        write_all(root, changes, "the test")
    assert contents(root) == {"a.py": "x = 1\n", "b.py": "y = 2\n"}


@pytest.fixture
def full_disk():
    """No file may grow beyond 1,000 bytes."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    @contextmanager
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limited


def test_a_file_that_does_not_fit_the_disk_leaves_none_written(tmp_path, full_disk):
    root = write(tmp_path, {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    changes = [Change("a.py", b"x = 1\n", b"z = 1\n"), Change("b.py", b"y = 1\n", b"#" * 2000)]
    with full_disk(), pytest.raises(WriteFailed, match=r"'b\.py' can't be written"):
        write_all(root, changes, "the test")
    assert contents(root) == {"a.py": "x = 1\n", "b.py": "y = 1\n"}


def test_a_folder_that_takes_no_draft_leaves_none_written(tmp_path):
    root = write(tmp_path, {"a.py": "x = 1\n", "sub/b.py": "y = 1\n"})
    changes = [Change("a.py", b"x = 1\n", b"z = 1\n"), Change("sub/b.py", b"y = 1\n", b"z = 1\n")]
    (root / "sub").chmod(stat.S_IREAD | stat.S_IEXEC)
    try:
        if _may_write(root / "sub"):
            pytest.skip("this user may write everywhere")
        with pytest.raises(WriteFailed):
            write_all(root, changes, "the test")
    finally:
        (root / "sub").chmod(stat.S_IRWXU)
    assert contents(root) == {"a.py": "x = 1\n", "sub/b.py": "y = 1\n"}


def _may_write(folder: Path) -> bool:
    try:
        (folder / "x").write_bytes(b"")
    except OSError:
        return False
    (folder / "x").unlink()
    return True


WORDS = st.sampled_from(["old", "older", "anew", "f", "é", "x"])
LINES = st.sampled_from(
    [
        "y = old(1)\n", "z = [old for old in (1, 2)]\n", "def f(old): return old\n", "# old\n", "s = 'old'\n",
        "t = x.old\n", "u = é + old(2)\n", "class K:\n    v = old\n", "\n", "w = dict(old=old)\n", "\tbad = old(\n",
    ]
)  # fmt: skip


@pytest.mark.slow
@given(lines=st.lists(LINES, max_size=8), end=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_a_rename_and_its_reverse_leave_every_byte(tmp_path_factory, lines, end, bom):
    source = "def old(a): return a\n" + "x = é = 1\n" + "".join(lines)
    data = (b"\xef\xbb\xbf" if bom else b"") + source.replace("\n", end).encode()
    root = write(tmp_path_factory.mktemp("r"), {"m.py": data})
    if rename(root, "m.py#old", "quite_new").written:
        assert (root / "m.py").read_bytes() != data
        assert rename(root, "m.py#quite_new", "old").written
    assert (root / "m.py").read_bytes() == data
