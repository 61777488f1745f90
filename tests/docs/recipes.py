"""The code of a recipe's page as modules, and the names that the page says are in a file."""

import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
_MODULE = re.compile(r"^```python\n# (?P<path>\S+\.py)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"((?:`\w+`(?:, | and )?)+) in `([\w./-]+\.\w+)`")


def modules(page: Path) -> dict[str, str]:
    """The page's modules in its order: path → source."""
    return {found["path"]: found["code"] for found in _MODULE.finditer(page.read_text("utf-8"))}


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
