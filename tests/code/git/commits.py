"""A repository with the commits that are hard to read: links, submodules, deletions, names, sizes."""

import os
from pathlib import Path

from tests.code.trees import SHOP, git, write


def history(root: Path) -> Path:
    """A repository of fourteen commits, each tagged `c1` … `c14`, with a submodule beside it."""
    other = write(root.parent / "other", {"lib.py": "def lib():\n    return 1\n"})
    git(other, "init", "-q")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "lib")
    write(root, SHOP)
    git(root, "init", "-q", "-b", "main")
    for number, step in enumerate(_STEPS, 1):
        step(root)
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", f"commit {number}")
        git(root, "tag", f"c{number}")
    return root


COMMITS = 14


def _nothing(root: Path) -> None:
    """The shop as it is."""


def _edited(root: Path) -> None:
    path = root / "shop/prices.py"
    path.write_text(path.read_text() + "\n\ndef discount(amount, rate=RATE):\n    return with_tax(amount) - rate\n")


def _renamed(root: Path) -> None:
    git(root, "mv", "shop/prices.py", "shop/money.py")
    path = root / "shop/basket.py"
    path.write_text(path.read_text().replace("shop.prices", "shop.money"))


def _web(root: Path) -> None:
    write(root, {
        "package.json": '{"name": "shop", "main": "web/index.js"}',
        "web/index.js": "export { one } from './one'\n",
        "web/one.js": "export function one() { return two() }\nfunction two() { return 2 }\n",
        "web/app.min.js": "x",
        "node_modules/left/index.js": "module.exports = 1\n",
    })  # fmt: skip


def _ignored(root: Path) -> None:
    write(root, {".gitignore": "*.log\nweb/\n", "a.log": "ignored", "web/late.js": "export const late = 1\n"})


def _unignored(root: Path) -> None:
    write(root, {".gitignore": "*.log\n"})


def _links(root: Path) -> None:
    (root / "linked").symlink_to("shop")
    (root / "again").symlink_to("linked")
    (root / "alias.py").symlink_to("shop/money.py")
    (root / "shop/up").symlink_to("../web")
    (root / "round.py").symlink_to("round.py")
    (root / "gone.py").symlink_to("nowhere.py")
    (root / "out.py").symlink_to("../../../../elsewhere.py")


def _large(root: Path) -> None:
    write(root, {
        "big.py": "x = 1\n" * 4_000, "binary.py": b"a\0b", "wide.py": "x = 1\n".encode("utf-16"),
        "packed.js": "function a(){return b(c,d)};" * 200, "empty.py": "", "crlf.py": "def f():\r\n    return 1\r\n",
    })  # fmt: skip


def _names(root: Path) -> None:
    folder = os.fsencode(root)
    for name in (b"caf\xe9.py", b"tab\there.py", b"line\nfeed.py", "größe.py".encode()):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(b"def odd():\n    return 1\n")
    write(root, {"-x.py": "y = 1\n", "sp ace/:(glob).py": "def z():\n    return y\n", "caf\u200be.py": "w = 1\n"})


def _submodule(root: Path) -> None:
    git(root, "submodule", "add", "-q", "../other", "deps/other")
    (root / "to_module").symlink_to("deps/other")


def _packages(root: Path) -> None:
    write(root, {
        "build/__init__.py": "", "build/steps.py": "def step():\n    return 1\n", "dist/out.js": "export const o = 1\n",
        "vendor/v.py": "v = 1\n", ".venv/lib.py": "l = 1\n",
    })  # fmt: skip


def _deleted(root: Path) -> None:
    for name in ("shop/basket.py", "tests/test_basket.py", "big.py", "alias.py"):
        (root / name).unlink()


def _swapped(root: Path) -> None:
    """A file becomes a folder, a folder a link, and a link a file."""
    (root / "web/one.js").unlink()
    write(root, {"web/one.js/index.js": "export function one() { return 1 }\n"})
    (root / "linked").unlink()
    write(
        root,
        {"linked": "a file\n", "gomod/go.mod": "module example.org/m\n", "gomod/a.go": "package m\n\nfunc A() {}\n"},
    )


def _back(root: Path) -> None:
    git(root, "checkout", "-q", "c8", "--", ".")


_STEPS = (
    _nothing, _edited, _renamed, _web, _ignored, _unignored, _links, _large, _names, _submodule, _packages, _deleted,
    _swapped, _back,
)  # fmt: skip
