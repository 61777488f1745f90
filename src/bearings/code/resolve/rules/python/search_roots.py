"""Reads from configuration where Python modules are.

It names folders on the search path, packages whose folders have another name, and modules of Django's settings.
Files are read as data, never run: TOML, INI and JSON by their keys, `setup.py` and `manage.py` by patterns of literals.
A computed value is unknown.
"""

import configparser
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import filter as matching
from functools import partial
from posixpath import dirname, join, normpath
from typing import Any, Final

from bearings import parsing
from bearings.code.resolve.modules.jsonc import read_jsonc

_ROOTS: Final = re.compile(
    r"(?:.*\.)?(?:pythonpath|python_paths|mypy_path|extraPaths|extra-paths|search-path|src_paths|source-roots"
    r"|root_patterns|executionEnvironments\.root|environment\.root)|tool\.ruff\.src"
)
"""Keys of folders on the search path: of pytest, type checkers, linters and Pants."""
_SOURCES: Final = re.compile(
    r"(?:tool\.setuptools|options)\.packages\.find\.where|tool\.(?:poetry\.packages\.from|maturin\.python-source"
    r"|uv\.build-backend\.module-root|pdm\.(?:build\.)?package-dir"
    r"|hatch\.build\.(?:targets\.\w+\.)?(?:sources|dev-mode-dirs))"
)
"""Keys of folders of which packages are built: they are on the search path, and no folder inside them is."""
_PACKAGES: Final = re.compile(r"tool\.hatch\.build\.(?:targets\.\w+\.)?packages")
"""Keys of packages that are built, whose parents are on the search path."""
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
"""Folders that one file may add, and texts of it that may name some."""
_LONGEST_KEY: Final = 500


@dataclass(slots=True)
class Configured:
    """The settings of the files of one folder.

    `roots` are folders on the search path, `closed` folders inside which there is no other one, `packages` paths of
    packages with the folders that hold their modules, `settings` names of modules.
    """

    roots: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    packages: list[tuple[str, str]] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)


def configured(manifests: Mapping[str, bytes], folders: Collection[str]) -> dict[str, Configured]:
    """The settings of each folder with configuration; `folders` are all of the project. `manage.py` goes first."""
    by_folder: dict[str, Configured] = {}
    for path in sorted(manifests, key=lambda path: (not path.endswith("manage.py"), path)):
        if path.endswith((".toml", ".cfg", ".ini", ".py", "pyrightconfig.json")):
            settings = by_folder.setdefault(dirname(path), Configured())
            text = manifests[path].decode("utf-8-sig", "replace")
            left = iter(range(_MOST))
            _read(path.rpartition("/")[2], text, settings, partial(_within, folders, dirname(path), left))
            for rows in (settings.roots, settings.closed, settings.packages, settings.settings):
                del rows[_MOST:]
    return by_folder


def by_convention(paths: Collection[str]) -> Configured:
    """The settings that follow from names of folders: Airflow's, layers of AWS Lambda, Odoo's addons."""
    settings = Configured()
    for path in sorted(paths):
        layer = _LAYER.match(path) if "layer" in path.lower() else None
        if layer is not None and f"{layer[1] or layer[2]}/__init__.py" not in paths:
            settings.roots.append(layer[0])
        dags = _DAGS.match(path) if "dags/" in path else None
        if dags is not None:
            settings.roots += [f"{dags[1] or ''}{name}" for name in ("dags", "plugins", "include", "config")]
        if _ADDON.search(path):
            settings.packages += [(prefix, dirname(dirname(path))) for prefix in ("odoo/addons", "openerp/addons")]
    return settings


def _read(name: str, text: str, settings: Configured, within: Callable[[str], Sequence[str]]) -> None:
    """Adds the settings of one file; `within` gives the folders that a path in it means."""
    placed: list[tuple[str, str]] = []
    settings.settings += _SETTINGS.findall(text)
    if name.endswith(".py"):
        settings.roots += [root for pair in _SETUP.findall(text) for root in within("".join(pair))]
        placed += [pair for table in _PACKAGE_DIR.findall(text) for pair in _PAIR.findall(table)]
    else:
        settings.roots += [
            root for value in _VARIABLE.findall(text) for part in _PART.findall(value) for root in within(part)
        ]
    for key, value in _leaves(_parsed(name, text)):
        table = _PLACED.fullmatch(key)
        if table is not None:
            placed.append((value, table["folder"]) if table["package"] is None else (table["package"], value))
        elif key == "options.package_dir":
            placed += _LINE.findall(value)
        elif _PACKAGES.fullmatch(key):
            settings.roots += within(dirname(value) or ".")
            settings.closed += within(value)
        elif (is_source := _SOURCES.fullmatch(key)) or _ROOTS.fullmatch(key):
            roots = [root for part in _PART.findall(value) for root in within(part)]
            settings.roots += roots
            settings.closed += roots if is_source else []
    for package, value in placed:
        settings.packages += [(package.replace(".", "/"), folder) for folder in within(value) if package]
        settings.roots += within(value) if not package else []


def _parsed(name: str, text: str) -> Mapping[str, Any]:
    """The content of a TOML, INI or JSON file; empty if it is none."""
    try:
        if name.endswith(".toml"):
            return parsing.toml(text)
        if name.endswith(".json"):
            return read_jsonc(text.encode())
        if name.endswith(".py"):
            return {}
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        parser.read_string(text)
        return {section: dict(parser[section]) for section in parser.sections()}
    except (ValueError, configparser.Error):
        return {}


def _leaves(content: Any) -> Iterator[tuple[str, str]]:
    """The texts of a tree of tables and arrays, each with its dotted key."""
    stack: list[tuple[str, Any]] = [("", content)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, str):
            yield key[1:], value
        elif isinstance(value, Mapping):
            if len(key) < _LONGEST_KEY:
                stack += [(f"{key}.{name}", inner) for name, inner in reversed(list(value.items()))]
        elif isinstance(value, list):
            stack += [(key, inner) for inner in reversed(value)]


def _within(folders: Collection[str], here: str, left: Iterator[int], value: str) -> Sequence[str]:
    """The folders of the project that a path in the folder `here` means, with its patterns filled in.

    `left` ends before too many are asked for.
    """
    if next(left, None) is None:
        return ()
    folder = normpath(join(here, _HERE.sub("", value, count=1) or "."))
    if folder.startswith("..") or "$" in folder or "{" in folder:
        return ()
    return sorted(matching(folders, folder)) if "*" in folder else ("" if folder == "." else folder,)
