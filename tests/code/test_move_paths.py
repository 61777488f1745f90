"""coderef_move of files and folders: all that names them follows, or the move is refused with the place."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.code.questions.move import Move, MoveReply
from bearings.code.refactoring.edits import Edit, difference, edited
from bearings.errors import InvalidInput, Unsupported
from tests.code.test_rename import ask, contents
from tests.code.trees import git, repository, write


def move(root: Path, element: str, target: str, **arguments: Any) -> MoveReply:
    reply: MoveReply = ask(root, Move(element=element, target=target, **{"dry_run": False, **arguments}))
    return reply


Files = Mapping[str, str]

MOVED: Mapping[str, tuple[str, str, Files, Files]] = {
    "a module of Python, whatever imports it": (
        "pkg/a.py",
        "pkg/sub/b.py",
        {
            "pkg/__init__.py": "from .a import f\n",
            "pkg/sub/__init__.py": "",
            "pkg/c.py": "def h():\n    return 1\n",
            "pkg/a.py": "from . import c\nfrom .c import h\n\n\ndef f():\n    return h() + c.h()\n",
            "pkg/use.py": (
                "import pkg.a\nfrom pkg import a, c\nfrom . import a as other, c as d\nfrom pkg.a import (\n"
                "    f,\n)\n\n\n"
                "def use():\n    return pkg.a.f() + a.f() + c.h() + d.h() + f() + other.f()  # @Fn/pkg/a.py#f:5\n"
            ),
            "test_a.py": (
                "from importlib import import_module\nfrom unittest.mock import patch\n\n\n"
                "@patch('pkg.a.f')\ndef test_f(f):\n    import_module('pkg.a')\n"
            ),
            "pyproject.toml": '[project]\nname = "pkg"\nscripts = { x = "pkg.a:f" }\n[tool.x]\nomit = ["pkg/a.py"]\n',
            "README.md": "See [a](pkg/a.py) and @Fn/pkg/a.py#f.\n",
        },
        {
            "pkg/__init__.py": "from .sub.b import f\n",
            "pkg/sub/b.py": "from .. import c\nfrom ..c import h\n\n\ndef f():\n    return h() + c.h()\n",
            "pkg/use.py": (
                "import pkg.sub.b\nfrom pkg.sub import b as a\nfrom pkg import c\nfrom .sub import b as other\n"
                "from . import c as d\nfrom pkg.sub.b import (\n    f,\n)\n\n\n"
                "def use():\n    return pkg.sub.b.f() + a.f() + c.h() + d.h() + f() + other.f()  "
                "# @Fn/pkg/sub/b.py#f:5\n"
            ),
            "test_a.py": (
                "from importlib import import_module\nfrom unittest.mock import patch\n\n\n"
                "@patch('pkg.sub.b.f')\ndef test_f(f):\n    import_module('pkg.sub.b')\n"
            ),
            "pyproject.toml": (
                '[project]\nname = "pkg"\nscripts = { x = "pkg.sub.b:f" }\n[tool.x]\nomit = ["pkg/sub/b.py"]\n'
            ),
            "README.md": "See [a](pkg/a.py) and @Fn/pkg/sub/b.py#f.\n",
        },
    ),
    "a package of Python": (
        "src/shop",
        "src/store",
        {
            "src/shop/__init__.py": "",
            "src/shop/cart.py": "from shop.row import Row\nfrom . import row\nfrom .row import Row as Other\n",
            "src/shop/row.py": "class Row:\n    pass\n",
            "src/shop/data.txt": "1\n",
            "tests/test_row.py": "import shop.row as r\nimport shop\n\nshop.row.Row(r.Row)\nx = [shop.row]\n",
        },
        {
            "src/store/__init__.py": "",
            "src/store/cart.py": "from store.row import Row\nfrom . import row\nfrom .row import Row as Other\n",
            "src/store/row.py": "class Row:\n    pass\n",
            "src/store/data.txt": "1\n",
            "tests/test_row.py": "import store.row as r\nimport store as shop\n\nshop.row.Row(r.Row)\nx = [shop.row]\n",
        },
    ),
    "a package whose name a file has from an import of a module in it": (
        "src/shop",
        "src/store",
        {
            "src/shop/__init__.py": "RATE = 1\nclass Any: ...\n",
            "src/shop/row.py": "class Row: ...\n",
            "t.py": "import shop.row\n\nprint(shop.RATE, shop.row, vars(shop), a.shop, f(shop=1))\n",
            "u.py": "import shop\nimport shop.row\n\nprint(shop.RATE, shop.row, vars(shop))\n",
            "v.py": "import shop\n\n\ndef f(x: 'shop.Any', y: list['shop.row.Row']) -> 'shop.Any': ...\n",
            "w.py": "import shop.row\n\nx: 'list[shop.Any | shop.row.Row]'\n",
        },
        {
            "src/store/__init__.py": "RATE = 1\nclass Any: ...\n",
            "src/store/row.py": "class Row: ...\n",
            "t.py": "import store.row\n\nprint(store.RATE, store.row, vars(store), a.shop, f(shop=1))\n",
            "u.py": "import store as shop\nimport store.row\n\nprint(shop.RATE, shop.row, vars(shop))\n",
            "v.py": "import store as shop\n\n\ndef f(x: 'shop.Any', y: list['shop.row.Row']) -> 'shop.Any': ...\n",
            "w.py": "import store.row\n\nx: 'list[store.Any | store.row.Row]'\n",
        },
    ),
    "a module at the top, of which a file uses anything": (
        "a.py",
        "lib/b.py",
        {"a.py": "f = 1\n", "lib/__init__.py": "", "u.py": "import a, lib\n\nprint(a.f, lib)\n"},
        {"lib/b.py": "f = 1\n", "u.py": "import lib.b as a, lib\n\nprint(a.f, lib)\n"},
    ),
    "a module to a new folder, which becomes a package as those around it": (
        "pkg/a.py",
        "pkg/new/deep/a.py",
        {"pkg/__init__.py": "", "pkg/a.py": "f = 1\n", "pkg/b.py": "from pkg.a import f\n"},
        {
            "pkg/new/__init__.py": "",
            "pkg/new/deep/__init__.py": "",
            "pkg/new/deep/a.py": "f = 1\n",
            "pkg/b.py": "from pkg.new.deep.a import f\n",
        },
    ),
    "a module that becomes a package": (
        "pkg/a.py",
        "pkg/a/__init__.py",
        {
            "pkg/__init__.py": "",
            "pkg/c.py": "g = 1\n",
            "pkg/a.py": "from .c import g\n",
            "pkg/b.py": "from .a import g\n",
        },
        {"pkg/a/__init__.py": "from ..c import g\n", "pkg/b.py": "from .a import g\n"},
    ),
    "a module of TypeScript, whatever imports it": (
        "src/a.ts",
        "src/lib/b.ts",
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, "files": ["src/a.ts"]}\n',
            "package.json": '{"name": "x", "main": "./src/a.ts", "scripts": {"s": "node src/a.ts"}}\n',
            "src/c.ts": "export const h = 1;\n",
            "src/a.ts": 'import { h } from "./c";\nexport * from "./c.js";\nexport const f = () => h + "./";\n',
            "src/index.ts": 'export * from "./a";\n',
            "src/use.ts": (
                "import { f } from '@/a';\nimport type { F } from \"./a.js\";\nconst a = require('./a');\n"
                "const b = () => import(`./a`);\nvi.mock(\"./a\", () => ({}));\nlet t: import('./a').T;\n"
                "const u = new URL('./a.ts', import.meta.url);\n/** @type {import('./a').T} */\n"
                "export * as d from './a';\n"
            ),
            "src/V.vue": '<script setup lang="ts">\nimport { f } from "./a";\n</script>\n',
        },
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, "files": ["src/lib/b.ts"]}\n',
            "package.json": '{"name": "x", "main": "./src/lib/b.ts", "scripts": {"s": "node src/lib/b.ts"}}\n',
            "src/lib/b.ts": 'import { h } from "../c";\nexport * from "../c.js";\nexport const f = () => h + "./";\n',
            "src/index.ts": 'export * from "./lib/b";\n',
            "src/use.ts": (
                "import { f } from '@/lib/b';\nimport type { F } from \"./lib/b.js\";\nconst a = require('./lib/b');\n"
                "const b = () => import(`./lib/b`);\nvi.mock(\"./lib/b\", () => ({}));\nlet t: import('./lib/b').T;\n"
                "const u = new URL('./lib/b.ts', import.meta.url);\n/** @type {import('./lib/b').T} */\n"
                "export * as d from './lib/b';\n"
            ),
            "src/V.vue": '<script setup lang="ts">\nimport { f } from "./lib/b";\n</script>\n',
        },
    ),
    "a folder that an alias means": (
        "src",
        "app",
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}\n',
            "src/a/index.ts": "export const f = 1;\n",
            "src/b.ts": "import { f } from '@/a';\nimport { f as g } from './a';\n",
            "test/b.test.ts": "import '../src/b';\n",
        },
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./app/*"]}}}\n',
            "app/a/index.ts": "export const f = 1;\n",
            "app/b.ts": "import { f } from '@/a';\nimport { f as g } from './a';\n",
            "test/b.test.ts": "import '../app/b';\n",
        },
    ),
    "a file with a byte order mark and line ends of two characters": (
        "pkg/a.py",
        "pkg/sub/a.py",
        {
            "pkg/__init__.py": "",
            "pkg/sub/__init__.py": "",
            "pkg/c.py": "",
            "pkg/a.py": "\ufeffimport os\r\nfrom . import c",
            "b.py": "x = 1\r\nfrom pkg import a, c\r\n",
        },
        {
            "pkg/sub/a.py": "\ufeffimport os\r\nfrom .. import c",
            "b.py": "x = 1\r\nfrom pkg.sub import a\r\nfrom pkg import c\r\n",
        },
    ),
}


def new_contents(old: str, new: str, before: Files, after: Files) -> dict[str, str]:
    kept = {path: text for path, text in before.items() if path != old and not path.startswith(f"{old}/")}
    return {**kept, **after}


@pytest.mark.parametrize("case", MOVED)
def test_all_that_names_it_follows_and_the_reversed_diff_restores_every_byte(tmp_path: Path, case: str) -> None:
    old, new, before, after = MOVED[case]
    write(tmp_path, {path: text.encode() for path, text in before.items()})
    os.chmod(tmp_path / next(path for path in sorted(before) if path.startswith(old)), 0o755)  # noqa: PTH101
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "core.autocrlf", "false")
    shown = move(tmp_path, old, new, dry_run=True)
    assert move(tmp_path, old, new).refused == []
    assert contents(tmp_path) == new_contents(old, new, before, after)
    assert not (tmp_path / old).exists()
    moved = min(path for path in after if path.startswith(new))
    assert os.access(tmp_path / moved, os.X_OK) or moved.endswith("__init__.py")
    is_plain = "\r\n" not in "".join(before.values())
    assert is_plain is ("CR LF" not in (shown.note or ""))
    if not is_plain:
        return
    patch = (shown.diff or "").encode()
    subprocess.run(["git", "apply", "-R", "-"], input=patch, cwd=tmp_path, check=True, capture_output=True)
    assert contents(tmp_path) == dict(before)
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True, capture_output=True)
    assert contents(tmp_path) == new_contents(old, new, before, after)


PACKAGE = {
    "pkg/__init__.py": "",
    "pkg/sub/__init__.py": "",
    "pkg/a.py": "f = 1\n",
    "go.mod": "module x\n",
    "m/m.go": "package m\n",
}
REFUSED: Mapping[str, tuple[str, str, Files, str]] = {
    "a composed name of a module": ("pkg/a.py", "pkg/sub/a.py", {"u.py": "x = f'pkg.{name}'\n"}, "u.py:1"),
    "a composed path": ("s/a.ts", "s/t/a.ts", {"s/u.ts": "import(`./${n}`);\n"}, "s/u.ts:1"),
    "a pattern of files": ("s/a.ts", "s/t/a.ts", {"s/u.ts": "import.meta.glob('./*.ts');\n"}, "s/u.ts:1"),
    "a scan of the folder": ("pkg/a.py", "pkg/b.py", {"pkg/__init__.py": "import pkgutil\n"}, "pkg/__init__.py:1"),
    "a path in a string": ("s/a.ts", "s/b.ts", {"s/u.ts": "run('./a.ts');\n"}, "s/u.ts:1"),
    "a name that is read by a tool": ("conftest.py", "fixtures.py", {"conftest.py": "x = 1\n"}, "conftest.py:1"),
    "a test that is no longer one": ("tests/test_a.py", "test_a2/x.py", {"tests/test_a.py": ""}, "tests/test_a.py:1"),
    "code that uses its own place": ("pkg/b.py", "pkg/sub/b.py", {"pkg/b.py": "\nx = __file__\n"}, "pkg/b.py:2"),
    "a stub beside it": ("pkg/a.py", "pkg/b.py", {"pkg/a.pyi": "f: int\n"}, "pkg/a.pyi:1"),
    "a name that an import means already": (
        "a.py", "json.py", {"a.py": "f = 1\n", "u.py": "import a\nimport json\n"}, "u.py:2",
    ),
    "a page": ("pages/a.tsx", "pages/b.tsx", {"pages/a.tsx": "export default 1;\n"}, "pages/a.tsx:1"),
    "a notebook that imports it": (
        "pkg/a.py", "pkg/b.py",
        {"n.ipynb": '{"cells": [{"cell_type": "code", "source": ["import pkg.a"]}], "metadata": {}}\n'}, "n.ipynb:1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_with_the_place(tmp_path: Path, case: str) -> None:
    old, new, files, place = REFUSED[case]
    write(tmp_path, {**PACKAGE, "s/a.ts": "export const f = 1;\n", **files})
    before = contents(tmp_path)
    reply = move(tmp_path, old, new)
    assert not reply.written
    assert place in [f"{one.file}:{one.line}" for one in reply.refused]
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "target",
    [
        "/pkg/b.py", "../b.py", "pkg/../../b.py", "pkg/b.ts", "pkg/sub/__init__.py", "pkg/a.py", "link/b.py",
        "gone", "gone/b.py", "m/m.go/b.py", "node_modules/b.py", "out/b.py", "pkg\\b.py", ".git/b.py",
    ],
)  # fmt: skip
def test_such_a_target_is_refused(tmp_path: Path, target: str) -> None:
    write(tmp_path, {**PACKAGE, ".gitignore": "out/\n"})
    (tmp_path / "link").symlink_to(tmp_path / "pkg", target_is_directory=True)
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    with pytest.raises(InvalidInput):
        move(tmp_path, "pkg/a.py", target)


def test_files_of_a_language_whose_imports_can_not_be_named_anew_are_unsupported(tmp_path: Path) -> None:
    write(tmp_path, PACKAGE)
    with pytest.raises(Unsupported):
        move(tmp_path, "m/m.go", "m/n.go")


def test_a_folder_of_the_project_as_the_target_gets_the_file(tmp_path: Path) -> None:
    root = repository(tmp_path, PACKAGE)
    assert move(root, "pkg/a.py", "pkg/sub/").target == "pkg/sub/a.py"
    assert (root / "pkg/sub/a.py").exists()


def test_a_diff_counts_lines_as_git_does() -> None:
    change = edited("a.py", b"a = '\r'\nb = 1\n", [Edit(8, 9, b"c")])
    assert difference(change) == "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a = '\r'\n-b = 1\n+c = 1\n"


def test_a_folder_of_ignored_files_alone_is_no_hindrance(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, ".gitignore": "*.log\n", "new/__pycache__/a.pyc": "", "new/x.log": "", "other/a": ""})
    with pytest.raises(InvalidInput, match="is there already"):
        move(tmp_path, "pkg", "other")
    assert move(tmp_path, "pkg", "new").written
    assert {"new/a.py", "new/x.log"} <= contents(tmp_path).keys()


def test_texts_in_sources_that_name_it_are_listed(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "u.py": "from pkg import a\n\nx = 'x = pkg.a:f'  # pkg.about\n# pkg.about\n"})
    assert [(one.file, one.line) for one in move(tmp_path, "pkg/a.py", "pkg/b.py").left] == [("u.py", 3)]


def test_a_user_in_another_encoding_forbids_the_move(tmp_path: Path) -> None:
    write(tmp_path, {**PACKAGE, "u.py": b"# coding: latin-1\nfrom pkg import a  # \xe9\n"})
    assert [one.file for one in move(tmp_path, "pkg/a.py", "pkg/b.py").refused] == ["u.py"]


def test_a_file_of_another_kind_beside_it_stays(tmp_path: Path) -> None:
    write(tmp_path, {"s/a.ts": "import './a.css';\n", "s/a.css": ""})
    assert move(tmp_path, "s/a.ts", "s/t/a.ts").refused == []
    assert contents(tmp_path)["s/t/a.ts"] == "import '../a.css';\n"
