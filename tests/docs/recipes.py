"""The code of a recipe's page as modules, and the names that the page says are in a file."""

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
_MODULE = re.compile(r"^```python\n# (?P<path>\S+\.py)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_SNIPPET = re.compile(r"^```python\n(?!# \S+\.py\n)(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"((?:`\w+`(?:, | and )?)+) in `([\w./-]+\.\w+)`")


def modules(page: Path) -> dict[str, str]:
    """The page's modules in its order: path → source."""
    return {found["path"]: found["code"] for found in _MODULE.finditer(page.read_text("utf-8"))}


def snippets(page: Path) -> list[str]:
    """The page's other pieces of Python, in its order."""
    return _SNIPPET.findall(page.read_text("utf-8"))


def write(page: Path, directory: Path) -> None:
    """Write the page's modules below the directory."""
    for path, code in modules(page).items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, encoding="utf-8")


def in_style(directory: Path) -> subprocess.CompletedProcess[str]:
    """Checks the modules in the directory by the project's rules for format and lint."""
    ours = "lint.isort.known-first-party=['bearings']"
    settings = ["--config", str(ROOT / "pyproject.toml"), "--config", ours, "--no-cache", str(directory)]
    ruff = [sys.executable, "-m", "ruff"]
    checked = subprocess.run(
        [*ruff, "check", "--ignore", "ARG002", *settings],  # a protocol names the arguments
        capture_output=True,
        text=True,
    )
    if checked.returncode:
        return checked
    return subprocess.run([*ruff, "format", "--check", *settings], capture_output=True, text=True)


def names(page: Path) -> list[tuple[str, str]]:
    """Each "`name` in `path`" of the page."""
    found = _NAMED.findall(" ".join(page.read_text("utf-8").split()))
    return [(name, path) for together, path in found for name in re.findall(r"\w+(?=`)", together)]


@contextmanager
def grown(package: ModuleType, directory: Path) -> Iterator[None]:
    """Lets the package import modules from the directory too, until the end of the block."""
    before = set(sys.modules)
    package.__path__.append(str(directory))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        package.__path__.remove(str(directory))
        for name in set(sys.modules) - before:
            if name.startswith(package.__name__) and str(directory) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
                parent, _, child = name.rpartition(".")
                vars(sys.modules.get(parent, package)).pop(child, None)
