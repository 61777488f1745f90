"""What configuration says about where Python modules are: folders on the search path, packages kept under another name,
modules of Django's settings.

Files are read as data, never run: TOML, INI and JSON by their keys, `setup.py` and `manage.py` by patterns of literals.
A computed value is unknown.
"""

import configparser
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import filter as matching
from posixpath import dirname, join, normpath
from typing import Any, Final

from bearings.code.resolve.ecmascript.tsconfig import read_jsonc

_ROOTS: Final = re.compile(
    r"(?:.*\.)?(?:pythonpath|python_paths|mypy_path|extraPaths|extra-paths|search-path|src_paths|source-roots"
    r"|root_patterns|executionEnvironments\.root|environment\.root|packages\.find\.where)"
    r"|tool\.(?:ruff\.src|poetry\.packages\.from|maturin\.python-source|uv\.build-backend\.module-root"
    r"|pdm\.(?:build\.)?package-dir|hatch\.build\.(?:targets\.\w+\.)?(?:sources|dev-mode-dirs))"
)
"""Keys of folders on the search path: of pytest, type checkers, linters, Pants, and of what builds packages."""
_PACKAGES: Final = re.compile(r"tool\.hatch\.build\.(?:targets\.\w+\.)?packages")
"""Keys of folders of packages, whose parents are on the search path."""
_PLACED: Final = re.compile(
    r"tool\.(?:setuptools\.package-dir\.(?P<package>.*)"
    r"|hatch\.build\.(?:targets\.\w+\.)?(?:sources|force-include)\.(?P<folder>.*))"
)
"""Keys with the name of a package, and the folder as their value; or the other way round."""

_SETUP: Final = re.compile(
    r"find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?[\"']([^\"'\n]+)[\"']"
    r"|sys\.path\.(?:insert\(\s*\d+\s*,|append\()[^\"'\n]{0,200}[\"']([^\"'\n]+)[\"'][\s)]*$",
    re.MULTILINE,
)
_PACKAGE_DIR: Final = re.compile(r"package_dir\s*=\s*\{([^{}]{0,2000})\}")
_PAIR: Final = re.compile(r"[\"']([\w.]*)[\"']\s*:\s*[\"']([^\"'\n]+)[\"']")
_LINE: Final = re.compile(r"^[ \t]*([\w.]*)[ \t]*=[ \t]*(\S+)", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\b(?:PYTHONPATH|MYPYPATH)[\"']?\s*[=:]\s*[\"']?([^\"'\s]+)")
_SETTINGS: Final = re.compile(
    r"(?:DJANGO_SETTINGS_MODULE\b[\"')\]]*\s*[=,:]\s*|--ds[= ])[\"']?([a-z_][\w.]*)", re.IGNORECASE
)
_PART: Final = re.compile(r"[^\s,:;]+")
_HERE: Final = re.compile(r"^(?:\{(?:toxinidir|tox_root|root)\}|\$\{?(?:MYPY_CONFIG_FILE_DIR|PWD)\}?|\^)?/*")
_LAYER: Final = re.compile(
    r"((?:.*/)?(?:[^/]*?(?:[-_.]|(?<=[a-z])(?=L)))?[Ll]ayers?(?:[-_.\dA-Z][^/]*)?)/(?:[^/]+/)*?python(?=/)"
    r"|((?:.*/)?(?:lambda[-_])?layers?)/[^/]+(?=/)"
)
_DAGS: Final = re.compile(r"(.*/)?dags(?=/)")
_ADDON: Final = re.compile(r"(?:^|/)__(?:manifest|openerp)__\.py$")
_MOST: Final = 200
"""Folders that one file may add."""


@dataclass(frozen=True, slots=True)
class Configured:
    """What the files of one folder say.

    `roots` are folders on the search path, `packages` paths of packages with the folders that hold their modules,
    `settings` names of modules.
    """

    roots: tuple[str, ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    settings: tuple[str, ...] = ()


def configured(manifests: Mapping[str, bytes], folders: Collection[str]) -> dict[str, Configured]:
    """What configuration says, by the folder that it is in; `folders` are those of the project. `manage.py` goes first."""
    found: dict[str, Configured] = {}
    for path in sorted(manifests, key=lambda path: (not path.endswith("manage.py"), path)):
        name = path.rpartition("/")[2]
        if name.endswith((".toml", ".cfg", ".ini", ".py")) or name == "pyrightconfig.json":
            here, said = dirname(path), _read(name, manifests[path].decode("utf-8-sig", "replace"))
            known = found.get(here, Configured())
            roots = [root for value in said.roots for root in _within(here, value, folders)]
            placed = [
                (package.replace(".", "/"), inner)
                for package, value in said.packages
                for inner in _within(here, value, folders)
            ]
            roots += [inner for package, inner in placed if not package]
            found[here] = Configured(
                tuple(dict.fromkeys([*known.roots, *roots]))[:_MOST],
                tuple(dict.fromkeys([*known.packages, *placed]))[:_MOST],
                tuple(dict.fromkeys([*known.settings, *said.settings]))[:_MOST],
            )
    return found


def by_convention(paths: Collection[str]) -> Configured:
    """What names of folders say: Airflow's, layers of AWS Lambda, Odoo's addons."""
    roots: dict[str, None] = {}
    addons: dict[str, None] = {}
    for path in sorted(paths):
        layer = _LAYER.match(path) if "layer" in path.lower() else None
        if layer is not None and f"{layer[1] or layer[2]}/__init__.py" not in paths:
            roots[layer[0]] = None
        dags = _DAGS.match(path) if "dags/" in path else None
        if dags is not None:
            roots |= dict.fromkeys([dags[0], *(f"{dags[1] or ''}{name}" for name in ("plugins", "include", "config"))])
        if _ADDON.search(path):
            addons[dirname(dirname(path))] = None
    placed = tuple((prefix, folder) for prefix in ("odoo/addons", "openerp/addons") for folder in addons)
    return Configured(tuple(roots), placed)


def _read(name: str, text: str) -> Configured:
    """What one file says, with paths as written."""
    roots: list[str] = []
    packages: list[tuple[str, str]] = []
    if name.endswith(".py"):
        roots += [folder for pair in _SETUP.findall(text) for folder in pair if folder]
        packages += [pair for table in _PACKAGE_DIR.findall(text) for pair in _PAIR.findall(table)]
    else:
        for key, value in _leaves(_parsed(name, text)):
            placed = _PLACED.fullmatch(key)
            if placed is not None:
                packages.append((value, placed["folder"]) if placed["package"] is None else (placed["package"], value))
            elif key == "options.package_dir":
                packages += _LINE.findall(value)
            elif _ROOTS.fullmatch(key):
                roots += _PART.findall(value)
            elif _PACKAGES.fullmatch(key):
                roots.append(dirname(value) or ".")
        roots += [part for value in _VARIABLE.findall(text) for part in _PART.findall(value)]
    return Configured(tuple(roots), tuple(packages), tuple(_SETTINGS.findall(text)))


def _parsed(name: str, text: str) -> Mapping[str, Any]:
    """The content of a TOML, INI or JSON file; empty if it is none."""
    try:
        if name.endswith(".toml"):
            return tomllib.loads(text)
        if name.endswith(".json"):
            return read_jsonc(text.encode())
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        parser.read_string(text)
        return {section: dict(parser[section]) for section in parser.sections()}
    except (ValueError, RecursionError, configparser.Error):
        return {}


def _leaves(content: Any) -> Iterator[tuple[str, str]]:
    """The texts of a tree of tables and arrays, each with its dotted key."""
    stack: list[tuple[str, Any]] = [("", content)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, str):
            yield key[1:], value
        elif isinstance(value, Mapping):
            stack += [(f"{key}.{name}", inner) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            stack += [(key, inner) for inner in reversed(value)]


def _within(here: str, value: str, folders: Collection[str]) -> Iterable[str]:
    """The folders of the project that a path in the folder `here` means, with its patterns filled in."""
    folder = normpath(join(here, _HERE.sub("", value, count=1) or "."))
    if folder.startswith("..") or "$" in folder or "{" in folder:
        return ()
    return sorted(matching(folders, folder)) if "*" in folder else ("" if folder == "." else folder,)
