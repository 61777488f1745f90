"""Trees of source files to read, written from tables."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

SHOP: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/prices.py": (
        "RATE = 0.2\n\n\n"
        "def with_tax(amount):\n"
        '    """The amount with tax."""\n'
        "    return amount * (1 + RATE)\n"
    ),
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\n"
        "class Basket:\n"
        '    """What a customer wants."""\n\n'
        "    def __init__(self):\n"
        "        self.items = []\n\n"
        "    def add(self, price):\n"
        "        self.items.append(with_tax(price))\n\n"
        "    def total(self):\n"
        "        return sum(self.items)\n\n\n"
        "def fill(prices) -> Basket:\n"
        "    basket = Basket()\n"
        "    for price in prices:\n"
        "        basket.add(price)\n"
        "    return basket\n"
    ),
    "tests/test_basket.py": (
        "from shop.basket import fill\n\n\n"
        "def test_total():\n"
        "    assert fill([1]).total() == 1.2\n"
    ),
}  # fmt: skip
"""A small project of which every edge is known."""


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files below `root`, which is made."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


OWN_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_TEMPLATE_DIR": "",  # no sample hooks: a run makes hundreds of repositories, each of which is deleted again
}
"""No settings and no templates of the machine's."""


def git(root: Path, *arguments: str) -> None:
    """Runs git in a repository, with no settings of the machine's."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always", *arguments],
        cwd=root,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**environment, **OWN_GIT},
    )


def repository(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """The same, committed to a new git repository."""
    write(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root
