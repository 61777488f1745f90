"""Modules are spelled in the style of the import that names them, and each spelling resolves to its file."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.refactoring.specifiers import Specifiers

PYTHON = {
    "pyproject.toml": "",
    "src/pkg/__init__.py": "",
    "src/pkg/cart.py": "",
    "src/pkg/till.py": "",
    "src/pkg/sub/__init__.py": "",
    "src/pkg/sub/row.py": "",
    "tests/test_cart.py": "",
    "tests/helpers.py": "",
}
ECMASCRIPT = {
    "tsconfig.json": json.dumps({"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"], "@ui/*": ["ui/*"]}}}),
    "package.json": json.dumps({"name": "shop", "imports": {"#lib/*": "./src/lib/*.ts"}, "workspaces": ["packages/*"]}),
    "src/app.ts": "",
    "src/cart.ts": "",
    "src/lib/row.ts": "",
    "src/lib/index.ts": "",
    "src/view.tsx": "",
    "src/old.mjs": "",
    "ui/button.ts": "",
    "ui/field.ts": "",
    "packages/api/package.json": json.dumps(
        {"name": "@shop/api", "exports": {".": "./src/index.ts", "./*": "./src/*.ts"}}
    ),
    "packages/api/src/index.ts": "",
    "packages/api/src/user.ts": "",
    "packages/api/src/order.ts": "",
    "packages/api/other/hidden.ts": "",
}

CASES = [
    (PYTHON, "src/pkg/till.py", "src/pkg/sub/row.py", "pkg.cart", "pkg.sub.row"),
    (PYTHON, "src/pkg/till.py", "src/pkg/sub/row.py", ".cart", ".sub.row"),
    (PYTHON, "src/pkg/sub/row.py", "src/pkg/till.py", "..cart", "..till"),
    (PYTHON, "src/pkg/sub/row.py", "src/pkg/sub/__init__.py", "..cart", "."),
    (PYTHON, "src/pkg/sub/row.py", "src/pkg/__init__.py", "..cart", ".."),
    (PYTHON, "src/pkg/till.py", "src/pkg/__init__.py", "pkg.cart", "pkg"),
    (PYTHON, "tests/test_cart.py", "tests/helpers.py", "pkg.cart", "helpers"),
    (PYTHON, "src/pkg/till.py", "src/pkg/cart.py", "", "pkg.cart"),
    (ECMASCRIPT, "src/app.ts", "src/lib/row.ts", "./cart", "./lib/row"),
    (ECMASCRIPT, "src/app.ts", "src/lib/row.ts", "./cart.js", "./lib/row.js"),
    (ECMASCRIPT, "src/app.ts", "src/lib/row.ts", "./cart.ts", "./lib/row.ts"),
    (ECMASCRIPT, "src/app.ts", "src/lib/index.ts", "./cart", "./lib"),
    (ECMASCRIPT, "src/app.ts", "src/lib/index.ts", "./cart.js", "./lib/index.js"),
    (ECMASCRIPT, "src/app.ts", "src/lib/index.ts", "", "./lib"),
    (ECMASCRIPT, "src/lib/row.ts", "src/lib/index.ts", "../cart", "."),
    (ECMASCRIPT, "src/lib/row.ts", "src/cart.ts", ".", "../cart"),
    (ECMASCRIPT, "src/app.ts", "src/view.tsx", "./cart.js", "./view.js"),
    (ECMASCRIPT, "src/app.ts", "src/old.mjs", "./cart", "./old.mjs"),
    (ECMASCRIPT, "src/app.ts", "src/lib/row.ts", "@/cart", "@/lib/row"),
    (ECMASCRIPT, "src/app.ts", "ui/button.ts", "@/cart", "../ui/button"),
    (ECMASCRIPT, "ui/button.ts", "src/lib/row.ts", "src/cart", "src/lib/row"),
    (ECMASCRIPT, "src/app.ts", "ui/button.ts", "@ui/field", "@ui/button"),
    (ECMASCRIPT, "src/app.ts", "src/lib/index.ts", "#lib/row", "#lib/index"),
    (ECMASCRIPT, "src/app.ts", "src/cart.ts", "#lib/row", "./cart"),
    (ECMASCRIPT, "src/app.ts", "packages/api/src/order.ts", "@shop/api/user", "@shop/api/order"),
    (ECMASCRIPT, "src/app.ts", "packages/api/other/hidden.ts", "@shop/api/user", None),
    (ECMASCRIPT, "src/app.ts", "src/lib/row.ts", "./cart?worker", "./lib/row?worker"),
    (ECMASCRIPT, "src/app.ts", "packages/api/src/order.ts", "./cart", None),
]  # fmt: skip
"""The files, the importer, the target, an import of the importer, and the target in its style."""


@pytest.mark.parametrize(("files", "importer", "target", "like", "spelling"), CASES)
def test_a_file_is_spelled_as(
    tmp_path: Path, files: Mapping[str, str], importer: str, target: str, like: str, spelling: str | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    specifiers = Specifiers(Index(tmp_path, NoFacts(), 2_000_000).refresh())
    assert specifiers.to(importer, target, like) == spelling
    assert spelling is None or specifiers.meant(importer, spelling) == target


def test_without_a_style_the_imports_of_the_project_give_one(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    for name, text in {"__init__": "", "cart": "", "till": "from . import cart\n", "row": ""}.items():
        (tmp_path / "pkg" / f"{name}.py").write_text(text, encoding="utf-8")
    specifiers = Specifiers(Index(tmp_path, NoFacts(), 2_000_000).refresh())
    assert specifiers.to("pkg/till.py", "pkg/row.py") == ".row"
    assert specifiers.to("pkg/row.py", "pkg/till.py") == ".till"
