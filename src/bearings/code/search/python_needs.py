"""Requirements of Python projects beside pyproject.toml: requirements*.txt, Pipfile, setup.cfg, setup.py.

They don't change how imports resolve, so they are no part of a snapshot: they are read when they are asked for.
"""

import ast
import configparser
import re
from collections.abc import Callable, Iterator, Mapping

from bearings import parsing
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.project.names import is_aside
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_with

_MOST_BYTES = 200_000
_MOST_FILES = 50
_FILE = re.compile(
    r"(?:^|/)(?:requirements?[^/]*\.(?:txt|in)|requirements/[^/]+\.(?:txt|in)|Pipfile|setup\.cfg|setup\.py)$"
)
_LINE = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?(?:[<>=!~;@#,(]|$)")
_ARGUMENTS = ("install_requires", "extras_require", "tests_require")


def requirement_files(snapshot: Snapshot) -> dict[str, bytes]:
    """The contents of such files, the outermost first, without those of tests, examples and documentation."""
    paths = [path for path in snapshot.project.paths if _FILE.search(path) and not is_aside(_folder(path))]
    chosen = sorted((path for path in paths if not is_test(path)), key=lambda path: (path.count("/"), path))
    files = {}
    with snapshot.tree.reading() as reader:
        for path in chosen[:_MOST_FILES]:
            source = read_with(reader, path, _MOST_BYTES)
            if isinstance(source, Source):
                files[path] = source.data
    return files


def _folder(path: str) -> str:
    return f"{path.rpartition('/')[0]}/"


def is_requirement_file(path: str) -> bool:
    """Whether the file lists requirements of a Python project."""
    return _FILE.search(path) is not None


def requirements_in(path: str, data: bytes) -> list[str]:
    """The requirements of a file as written; empty for one that can't be read."""
    name = path.rpartition("/")[2]
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return list(_READERS.get(name, _of_lines)(text))


def _of_lines(text: str) -> Iterator[str]:
    """One requirement a line; options (`-r`, `--hash`), URLs and comments are none."""
    for line in text.splitlines():
        if match := _LINE.match(line):
            yield match[1]


def _of_pipfile(text: str) -> Iterator[str]:
    try:
        pipfile = parsing.toml(text)
    except ValueError:
        return
    for table in ("packages", "dev-packages"):
        names = pipfile.get(table)
        yield from names if isinstance(names, dict) else ()


def _of_setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    options = dict(parser["options"]) if parser.has_section("options") else {}
    extras = dict(parser["options.extras_require"]) if parser.has_section("options.extras_require") else {}
    for value in (*(options.get(name, "") for name in _ARGUMENTS), *extras.values()):
        # `requests; python_version > '3'`: a marker of the environment is no requirement.
        yield from _of_lines((value or "").replace(";", "\n;"))


def _of_setup_py(text: str) -> Iterator[str]:
    """The strings in the arguments of `setup(…)`, or in lists of the module that they name."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assigned = {
        target.id: node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in _ARGUMENTS:
                    yield from _of_lines("\n".join(_strings(keyword.value, assigned)))


def _strings(value: ast.expr, assigned: Mapping[str, ast.expr]) -> Iterator[str]:
    """The strings in an expression, and in what its names are assigned."""
    unread = dict(assigned)  # each name's value is read once
    for node in ast.walk(value):
        assigned_value = unread.pop(node.id, None) if isinstance(node, ast.Name) else None
        for part in (node,) if assigned_value is None else ast.walk(assigned_value):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


_READERS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "Pipfile": _of_pipfile,
    "setup.cfg": _of_setup_cfg,
    "setup.py": _of_setup_py,
}
"""By name; the others have a requirement a line."""
