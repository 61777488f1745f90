"""coderef_move of elements: their code, what it needs, and all that names them; or the places that forbid it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.code.questions.move import Move, MoveReply
from bearings.errors import InvalidInput, Unsupported
from tests.code.test_rename import ask, contents
from tests.code.trees import write

Files = Mapping[str, str]


def move(root: Path, element: str | list[str], target: str, **arguments: Any) -> MoveReply:
    reply: MoveReply = ask(root, Move(element=element, target=target, **{"dry_run": False, **arguments}))
    return reply


def undo(root: Path, reply: MoveReply) -> None:
    command = ["git", "apply", "-R", "--unsafe-paths", "--directory", str(root), "-"]
    subprocess.run(command, input=(reply.diff or "").encode(), check=True, cwd=root)


MOVED: Mapping[str, tuple[str | list[str], str, Files, Files]] = {
    "a function with its imports, to a new file": (
        "pkg/a.py#f",
        "pkg/b.py",
        {
            "pkg/__init__.py": "from .a import f, g\n",
            "pkg/util.py": "def helper(x): ...\n\n\ndef other(): ...\n",
            "pkg/a.py": (
                "import os\nimport sys\n\nfrom . import util\nfrom .util import helper\n\n\n"
                "def g():\n    return sys.path\n\n\n# What f does.\ndef f(x):\n"
                "    return os.getcwd() + helper(x) + util.other()\n"
            ),
            "use.py": "import pkg.a\nfrom pkg.a import f as k, g\n\n\ndef run():\n    return k(1), pkg.a.f(2), g()\n",
        },
        {
            "pkg/__init__.py": "from .a import g\nfrom .b import f\n",
            "pkg/a.py": "import sys\n\n\ndef g():\n    return sys.path\n",
            "pkg/b.py": (
                "import os\n\nfrom . import util\nfrom .util import helper\n\n\n# What f does.\ndef f(x):\n"
                "    return os.getcwd() + helper(x) + util.other()\n"
            ),
            "use.py": (
                "import pkg.a\nfrom pkg.a import g\nimport pkg.b\nfrom pkg.b import f as k\n\n\n"
                "def run():\n    return k(1), pkg.b.f(2), g()\n"
            ),
        },
    ),
    "a member of a package": (
        "pkg/a.py#f",
        "pkg/b.py",
        {
            "pkg/__init__.py": "from . import a\n",
            "pkg/a.py": "def f(): ...\n\n\ndef g(): ...\n",
            "use.py": "import pkg\n\npkg.a.f(pkg.a.g)\n",
        },
        {
            "pkg/a.py": "def g(): ...\n",
            "pkg/b.py": "def f(): ...\n",
            "use.py": "import pkg\nimport pkg.b\n\npkg.b.f(pkg.a.g)\n",
        },
    ),
    "a function with a module of a package, to a file with another one": (
        "a.py#f",
        "b.py",
        {
            "a.py": "import xml.dom\n\n\ndef f():\n    return xml.dom\n",
            "b.py": "import xml.sax\n\n\ndef g():\n    return xml.sax\n",
        },
        {
            "a.py": "",
            "b.py": (
                "import xml.sax\nimport xml.dom\n\n\ndef g():\n    return xml.sax\n\n\ndef f():\n    return xml.dom\n"
            ),
        },
    ),
    "elements that use each other, to a file that uses one": (
        ["a.py#f", "a.py#LIMIT"],
        "b.py",
        {
            "a.py": "LIMIT = 3\n\n\ndef g():\n    return f(1)\n\n\ndef f(x):\n    return x < LIMIT\n",
            "b.py": "from a import f\n\n\ndef k():\n    return f(2)\n",
        },
        {
            "a.py": "from b import f\n\n\ndef g():\n    return f(1)\n",
            "b.py": "def k():\n    return f(2)\n\n\nLIMIT = 3\n\n\ndef f(x):\n    return x < LIMIT\n",
        },
    ),
    "a mock by its path, an entry point and references": (
        "pkg/a.py#f",
        "pkg/b.py",
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "def g(): ...\n\n\ndef f(): ...  # f\n",
            "pkg/b.py": "x = 1\n",
            "pyproject.toml": '[project.scripts]\nrun = "pkg.a:f"\n',
            "deploy/app.ini": "[server]\napp = pkg.a:f\n",
            "README.md": "See @Fn/pkg/a.py#f:4 and @Fn/pkg/a#g:1.\n",
            "tests/test_a.py": (
                "from unittest.mock import patch\n\nfrom pkg.a import f\n\n\n"
                '@patch("pkg.a.f")\ndef test_f(mock):\n    f()\n'
            ),
        },
        {
            "pkg/a.py": "def g(): ...\n",
            "pkg/b.py": "x = 1\n\n\ndef f(): ...  # f\n",
            "pyproject.toml": '[project.scripts]\nrun = "pkg.b:f"\n',
            "deploy/app.ini": "[server]\napp = pkg.b:f\n",
            "README.md": "See @Fn/pkg/b.py#f:4 and @Fn/pkg/a#g:1.\n",
            "tests/test_a.py": (
                "from unittest.mock import patch\n\nfrom pkg.b import f\n\n\n"
                '@patch("pkg.b.f")\ndef test_f(mock):\n    f()\n'
            ),
        },
    ),
    "an element of __all__, of which the file stays the one that offers it": (
        "a.py#f",
        "b.py",
        {"a.py": '__all__ = ["f"]\n\n\ndef f(): ...\n', "c.py": "from a import *\n\nf()\n"},
        {"a.py": 'from b import f\n\n\n__all__ = ["f"]\n', "b.py": "def f(): ...\n"},
    ),
    "an element of a file that another one imports with a star": (
        "a.py#f",
        "b.py",
        {"a.py": "def f(): ...\n\n\ndef g(): ...\n", "c.py": "from a import *\n\nf()\n"},
        {"a.py": "def g(): ...\n", "b.py": "def f(): ...\n", "c.py": "from a import *\nfrom b import f\n\nf()\n"},
    ),
    "an element that a package exports by an alias, beside names of the same spelling": (
        "pkg/a.py#F",
        "pkg/b.py",
        {
            "pkg/__init__.py": "from .a import F as F\nfrom .a import G as G\n",
            "pkg/a.py": "class G: ...\n\n\nclass F: ...\n",
            "pkg/c.py": (
                "import decimal\n\nfrom . import a\nfrom .a import F\n\n\n"
                'def g(a: a.F, x: list["F"]) -> None:\n    decimal.F(x)\n'
            ),
            "pkg/d.py": "from pkg.a import (\n    F as F,\n    G as G,\n)\n",
            "pkg/__main__.py": "from pkg.a import F\n\nF()\n",
            "pyproject.toml": '[project.scripts]\nrun = "pkg.__main__:F"\n',
            "make.bat": "REM F\n",
        },
        {
            "pkg/__init__.py": "from .b import F as F\nfrom .a import G as G\n",
            "pkg/a.py": "class G: ...\n",
            "pkg/b.py": "class F: ...\n",
            "pkg/c.py": (
                "import decimal\n\nfrom . import a, b\nfrom .b import F\n\n\n"
                'def g(a: b.F, x: list["F"]) -> None:\n    decimal.F(x)\n'
            ),
            "pkg/d.py": "from pkg.a import (\n    G as G,\n)\nfrom pkg.b import F as F\n",
            "pkg/__main__.py": "from pkg.b import F\n\nF()\n",
            "pyproject.toml": '[project.scripts]\nrun = "pkg.__main__:F"\n',
            "make.bat": "REM F\n",
        },
    ),
    "code that calls what the target has by another name, and a type variable": (
        ["a.py#f", "a.py#T"],
        "b.py",
        {
            "a.py": (
                "from typing import Generic, TypeVar\n\nfrom b import limit as most\n\n"
                "X = 1\nT = TypeVar('T', str, bytes)\n\n\n"
                "class Box(Generic[T]):\n    def get(self, x: T) -> T:\n        return x.strip()\n\n\n"
                "def f(x):\n    return x < most\n"
            ),
            "b.py": "limit = 3\n",
        },
        {
            "a.py": (
                "from typing import Generic\n\nfrom b import T\n\nX = 1\n\n\n"
                "class Box(Generic[T]):\n    def get(self, x: T) -> T:\n        return x.strip()\n"
            ),
            "b.py": (
                "from typing import TypeVar\n\n\nlimit = 3\n\n\nT = TypeVar('T', str, bytes)\n\n\n"
                "def f(x):\n    return x < limit\n"
            ),
        },
    ),
    "a member of a module, in a file that has the target's name": (
        "pkg/a.py#f",
        "pkg/b.py",
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "def f(): ...\n\n\ndef g(): ...\n",
            "pkg/c.py": "from pkg import a\n\nb = a.f()\na.g()\n",
        },
        {
            "pkg/a.py": "def g(): ...\n",
            "pkg/b.py": "def f(): ...\n",
            "pkg/c.py": "from pkg import a\nfrom pkg.b import f\n\nb = f()\na.g()\n",
        },
    ),
    "code that runs what the target imports for types": (
        "a.py#f",
        "b.py",
        {
            "a.py": "import c\nfrom c import A\n\n\ndef f(x: A):\n    return A(x)\n\n\nprint(c.A)\n",
            "b.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from c import A\n\nx: 'A'\n",
            "c.py": "class A: ...\n",
        },
        {
            "a.py": "import c\n\n\nprint(c.A)\n",
            "b.py": (
                "from typing import TYPE_CHECKING\n\nfrom c import A\n\nif TYPE_CHECKING:\n    from c import A\n\n"
                "x: 'A'\n\n\ndef f(x: A):\n    return A(x)\n"
            ),
        },
    ),
    "an element that is imported beside a default export": (
        "a.ts#f",
        "b.ts",
        {
            "a.ts": "export const f = 1;\nexport const g = 2;\nexport default g;\n",
            "c.ts": 'import d, { f, g } from "./a";\nconsole.log(d, f, g);\n',
        },
        {
            "a.ts": "export const g = 2;\nexport default g;\n",
            "b.ts": "export const f = 1;\n",
            "c.ts": 'import d, { g } from "./a";\nimport { f } from "./b";\nconsole.log(d, f, g);\n',
        },
    ),
    "a function of TypeScript, its lists, namespaces, re-exports and calls that import it": (
        "src/a.ts#f",
        "src/lib/b.ts",
        {
            "src/a.ts": (
                "import type { T } from './x';\nimport * as y from './y';\n\nconst K = 1;\n\nexport const g = 2;\n\n"
                "/** F. */\nexport function f(t: T): number {\n  return y.z + K;\n}\n"
            ),
            "src/x.ts": "export type T = number;\n",
            "src/y.ts": "export const z = 1;\n",
            "src/index.ts": "export * from './a';\n",
            "src/some.ts": "export { f, g as h } from './a';\n",
            "src/use.ts": "import { f, g } from './a';\nimport * as a from './a';\n\nf(1), g, a.f(2);\n",
            "src/late.js": "const run = async () => { const { f } = await import('./a'); f(1); };\n",
            "src/lib/b.ts": "import type { T } from '../x';\n\nexport const b: T = 1;\n",
        },
        {
            "src/a.ts": "export const K = 1;\n\nexport const g = 2;\n",
            "src/index.ts": "export * from './a';\nexport { f } from './lib/b';\n",
            "src/some.ts": "export { g as h } from './a';\nexport { f } from './lib/b';\n",
            "src/use.ts": (
                "import { g } from './a';\nimport * as a from './a';\nimport * as b from './lib/b';\n"
                "import { f } from './lib/b';\n\nf(1), g, b.f(2);\n"
            ),
            "src/late.js": "const run = async () => { const { f } = await import('./lib/b'); f(1); };\n",
            "src/lib/b.ts": (
                "import type { T } from '../x';\nimport * as y from '../y';\nimport { K } from '../a';\n\n"
                "export const b: T = 1;\n\n/** F. */\nexport function f(t: T): number {\n  return y.z + K;\n}\n"
            ),
        },
    ),
}


@pytest.mark.parametrize(("element", "target", "before", "after"), MOVED.values(), ids=MOVED)
def test_an_element_moves_with_all_that_names_it_and_back(tmp_path, element, target, before, after):
    root = write(tmp_path, before)
    shown = move(root, element, target, dry_run=True)
    reply = move(root, element, target)
    assert reply.refused == []
    assert (reply.written, reply.diff) == (True, None)  # which the dry run has shown
    assert contents(root) == {**before, **after}
    undo(root, shown)
    assert contents(root) == before


def test_a_file_keeps_the_line_ends_of_windows(tmp_path):
    root = write(
        tmp_path,
        {"a.py": "import os\r\n\r\n\r\ndef f():\r\n    return os\r\n\r\n\r\nx = 1\r\n", "b.py": "y = 1\r\n"},
    )
    assert move(root, "a.py#f", "b.py").written
    assert contents(root) == {
        "a.py": "x = 1\r\n",
        "b.py": "import os\r\n\r\n\r\ny = 1\r\n\r\n\r\ndef f():\r\n    return os\r\n",
    }


REFUSED: Mapping[str, tuple[Files, str, str, int, str]] = {
    "a circle of imports": (
        {"a.py": "def g():\n    return f()\n\n\ndef h(): ...\n\n\ndef f():\n    return h()\n"}, "f", "b.py", 9, "circle"
    ),
    "a constant of TypeScript that would not be there yet": (
        {"a.ts": "export const K = 1;\nexport const f = K + 1;\nexport const g = () => f;\n"}, "f", "b.ts", 2, "circle"
    ),
    "a name that the target has": (
        {"a.py": "def f(): ...\n", "b.py": "\ndef f(): ...\n"}, "a.py#f", "b.py", 2, "declared here already"
    ),
    "an import that means something else in the target": (
        {"a.py": "from x import k\n\n\ndef f():\n    return k\n", "b.py": "k = 1\n"},
        "a.py#f", "b.py", 5, "something else",
    ),
    "a module whose name the target has for something in it": (
        {"a.py": "import copy\n\n\ndef f(x):\n    return copy.copy(x)\n", "b.py": "from copy import copy\n"},
        "a.py#f", "b.py", 5, "something else",
    ),
    "a module whose name the target gives to another one": (
        {"a.py": "import json as js\n\n\ndef f(x):\n    return js.dumps(x)\n", "b.py": "import jsonpickle as js\n"},
        "a.py#f", "b.py", 5, "something else",
    ),
    "a value that the target imports as a type": (
        {
            "a.ts": "import { T } from './c';\n\nexport function f() { return new T(); }\n",
            "b.ts": "import type { T } from './c';\n\nexport function k(t: T) {}\n",
            "c.ts": "export class T {}\n",
        },
        "a.ts#f", "b.ts", 3, "for types alone",
    ),
    "code that reads the names of its file": (
        {"a.py": "X = 1\n\n\ndef f():\n    return globals()['X']\n"}, "a.py#f", "b.py", 5, "globals()"
    ),
    "state that functions assign": (
        {"a.py": "f = 0\n\n\ndef g():\n    global f\n    f = 1\n"}, "a.py#f", "b.py", 5, "assigned"
    ),
    "code that reads its file's path": (
        {"a.py": "def f():\n    return __file__\n"}, "f", "b.py", 2, "__file__"
    ),
    "a function that an object gets as its file is loaded": (
        {"a.py": "app = make()\n\n\n@app.route('/')\ndef f(): ...\n"}, "a.py#f", "b.py", 4, "registered"
    ),
    "a test that replaces what the code uses": (
        {
            "a.py": "import time\n\n\ndef f():\n    return time.time()\n",
            "test_a.py": "from unittest.mock import patch\n\nimport a\n\nwith patch('a.time'):\n    a.f()\n",
        },
        "a.py#f", "b.py", 5, "no longer looks it up",
    ),
    "a test that replaces the module": (
        {
            "a.ts": "export const f = () => 1;\n",
            "a.test.ts": "import { f } from './a';\nvi.mock('./a');\ntest('f', () => { f(); });\n",
        },
        "a.ts#f", "b.ts", 2, "replaces the module",
    ),
    "one of two variables of an assignment": (
        {"a.py": "a, f = 1, 2\n"}, "a.py#f", "b.py", 1, "shares a statement"
    ),
    "a default export": (
        {"a.ts": "export default function f() {}\n"}, "f", "b.ts", 1, "default export"
    ),
    "a target that loads on some systems alone": (
        {"a.py": "def f(): ...\n", "b.py": "import sys\n\nassert sys.platform == 'win32'\n"}, "f", "b.py", 3, "load"
    ),
    "a class that loads before its metaclass is changed": (
        {"a.py": "class M(type): ...\n\n\nclass A(metaclass=M): ...\n\n\nclass F(A): ...\n\n\nM.__new__ = None\n"},
        "F", "b.py", 10, "loaded"
    ),
    "a definition under a condition": (
        {"a.py": "import os\n\nif os.name == 'nt':\n    def f(): ...\n    x = 1\n"}, "f", "b.py", 4, "condition"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "element", "target", "line", "why"), REFUSED.values(), ids=REFUSED)
def test_a_move_that_would_break_something_is_refused_with_the_place(tmp_path, files, element, target, line, why):
    root = write(tmp_path, files)
    reply = move(root, element, target)
    assert not reply.written
    assert line in [place.line for place in reply.refused if why in place.why]
    assert contents(root) == files


def test_the_remedy_for_a_circle_is_a_list_of_elements(tmp_path):
    files, *_ = REFUSED["a circle of imports"]
    root = write(tmp_path, files)
    reply = move(root, "f", "b.py")
    assert "Move what it needs, too: h." in (reply.note or "")
    assert move(root, ["f", "h"], "b.py").written


def test_the_remedy_is_the_smaller_of_what_an_element_needs_and_what_uses_it(tmp_path):
    source = "class A: ...\n\n\nclass B(A): ...\n\n\nclass F(B): ...\n\n\n@F\nclass G(F): ...\n"
    root = write(tmp_path, {"a.py": source})
    reply = move(root, "F", "b.py")
    assert "Move what uses it, too: G." in (reply.note or "")
    assert move(root, ["F", "G"], "b.py").written
    assert (root / "b.py").read_text().startswith("from a import B\n")


@pytest.mark.parametrize(
    ("element", "target", "field"),
    [
        ("A.m", "b.py", "element"),
        (["f", "b.py#g"], "c.py", "element"),
        ([], "b.py", "element"),
        ("f", "a.py", "target"),
        ("f", "../b.py", "target"),
        ("f", "/tmp/b.py", "target"),
        ("f", "nowhere/b.py", "target"),
        ("f", "b.ts", "target"),
        ("f", "notes.py", "target"),
    ],
)
def test_an_argument_that_can_not_be_names_its_field(tmp_path, element, target, field):
    files = {"a.py": "def f(): ...\n\n\nclass A:\n    def m(self): ...\n", "b.py": "def g(): ...\n"}
    root = write(tmp_path, {**files, "notes.py": "", ".gitignore": "notes.py\n"})
    with pytest.raises(InvalidInput) as raised:
        move(root, element, target)
    assert raised.value.field == field


def test_what_a_language_can_not_is_said_at_once(tmp_path):
    with pytest.raises(Unsupported, match="Ruby"):
        move(write(tmp_path, {"a.rb": "def f\nend\n"}), "f", "b.rb")


def test_an_import_under_a_condition_is_copied_whole(tmp_path):
    block = "if sys.version_info >= (3, 11):\n    from typing import Self\nelse:  # older\n    from other import Self\n"
    root = write(
        tmp_path,
        {"a.py": f"import sys\n\n{block}\n\ndef g(x: Self):\n    return f(x)\n\n\ndef f(x: Self): ...\n"},
    )
    assert move(root, "a.py#f", "b.py").refused == []
    assert contents(root)["b.py"] == f"import sys\n\n\n{block}\n\ndef f(x: Self): ...\n"


def test_imports_of_types_move_from_block_to_block(tmp_path):
    block = "if TYPE_CHECKING:\n    from c import T\n    from d import U\n"
    root = write(
        tmp_path,
        {"a.py": f"from typing import TYPE_CHECKING\n\n{block}\n\ndef g(): ...\n\n\ndef f(t: 'T', u: 'U'): ...\n"},
    )
    assert move(root, "a.py#f", "b.py").written
    assert contents(root) == {
        "a.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    pass\n\n\ndef g(): ...\n",
        "b.py": f"from typing import TYPE_CHECKING\n\n{block}\n\ndef f(t: 'T', u: 'U'): ...\n",
    }


def test_an_import_of_a_user_stands_beside_the_former_one(tmp_path):
    files = {"a.py": "def f(): ...\n\n\ndef g(): ...\n", "u.py": "from a import f, g\nfrom z import q\n\nf(g, q)\n"}
    root = write(tmp_path, files)
    assert move(root, "a.py#f", "b.py").written
    assert contents(root)["u.py"] == "from a import g\nfrom b import f\nfrom z import q\n\nf(g, q)\n"


@pytest.mark.parametrize(
    ("name", "rest"),
    [("c", "    a,  # about a\n"), ("a", "    # for c\n    b as c,  # about b\n")],
)
def test_comments_in_a_list_stay_with_their_names(tmp_path, name, rest):
    head, listed = "from x import (\n", "    a,  # about a\n    # for c\n    b as c,  # about b\n"
    other = {"a": "c", "c": "a"}[name]
    code = f")\n\n\ndef g(): return {other}\n"
    root = write(tmp_path, {"a.py": f"{head}{listed}{code}\n\ndef f(): return {name}\n"})
    assert move(root, "a.py#f", "b.py").written
    assert contents(root)["a.py"] == head + rest + code


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "from __future__ import annotations\n\nimport os\n\n\ndef f(x: os.PathLike): ...\n"),
        (
            '"""B."""\n\nimport sys\n',
            '"""B."""\n\nfrom __future__ import annotations\n\nimport sys\nimport os\n\n\ndef f(x: os.PathLike): ...\n',
        ),
    ],
)
def test_annotations_are_read_as_in_the_source(tmp_path, before, after):
    source = "from __future__ import annotations\n\nimport os\n\n\ndef f(x: os.PathLike): ...\n\n\ny = 1\n"
    root = write(tmp_path, {"a.py": source} | ({"b.py": before} if before else {}))
    assert move(root, "a.py#f", "b.py").written
    assert contents(root)["b.py"] == after
    compile(after, "b.py", "exec")
