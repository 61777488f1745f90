"""Properties of files and directories by name, at any place below the root."""

import re
from collections.abc import Iterable
from functools import lru_cache

from bearings.code.languages import SPECS, language_of, spec_of
from bearings.untrusted import escape_line, is_clean

EXCLUDED_DIRECTORIES = frozenset(
    {
        ".bzr", ".cache", ".eggs", ".git", ".gradle", ".hg", ".hypothesis", ".idea", ".jj", ".mypy_cache", ".next",
        ".nox", ".nuxt", ".output", ".parcel-cache", ".pnpm-store", ".pytest_cache", ".ruff_cache", ".svelte-kit",
        ".svn", ".tox", ".turbo", ".venv", ".vscode", ".yarn", "__pycache__", "__pypackages__", "bower_components",
        "build", "coverage", "dist", "htmlcov", "jspm_packages", "node_modules", "site-packages", "vendor", "venv",
    }
)  # fmt: skip
"""Names of directories, at any depth below the root, with installed or generated files."""

_PACKAGE_NAMES = ("build", "coverage", "dist")
"""Excluded names that projects also give to packages of their own, such as coverage.py's `coverage/`."""

QUIET = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})
"""Directories that are skipped without a report, because they never hold sources."""

_SHOWING = re.compile(
    r"(?:^|/)(?:benchmarks?|bench|perf[^/]*|examples?|demos?|docs?|samples?|playgrounds?|scripts|templates)/"
)
_TESTING = re.compile(
    r"(?:^|/)(?:(?:__)?fixtures(?:__)?|mocks|__mocks__|stories"
    r"|test[-_]?(?i:data|files|helpers?|lib|support|tsd|utils?|workspace)|[^/]*-tests)/"
)
"""Folders beside the code: of what shows or runs it, whose names a program may also give its parts, and of tests."""


def _any(patterns: Iterable[str]) -> str:
    """A regular expression for what any of the patterns matches; specs leave theirs empty where there is none."""
    return "|".join(dict.fromkeys(filter(None, patterns)))


_TOOLING = re.compile(_any(spec.tooling_paths for spec in SPECS.values()))
_MINIFIED = re.compile(f"(?:{_any(spec.minified for spec in SPECS.values())})$")
_WRITTEN = re.compile(r"(?<!\.d)\.(?:[cm]?tsx?|vue|svelte)$")
"""Files that tools read and don't generate."""
_IMPORT_SETTINGS = re.compile(f"(?:^|/)(?:{_any(spec.import_settings for spec in SPECS.values())})$")

_INDEX = re.compile(r"(?:^|/)(?:[^/]*\.coderef-index\.json$|\.coderef/)")


@lru_cache(maxsize=1 << 14)
def is_aside(path: str) -> bool:
    """Whether the file is beside the project's own code: examples, benchmarks, scripts, settings of tools."""
    spec = spec_of(path)
    folders = _up_to(spec.package_roots, path) if spec is not None else path
    outer = _up_to(spec.source_roots, folders) if spec is not None else path
    return any((_SHOWING.search(outer), _TESTING.search(folders), _TOOLING.search(path)))


def _up_to(roots: str, path: str) -> str:
    """A path up to the first of some folders, or whole."""
    root = re.search(rf"(?:^|/)(?:{roots})/", path) if roots else None
    return path if root is None else path[: root.end()]


def is_manifest(path: str) -> bool:
    """Whether the file configures how imports resolve, such as package.json or go.mod."""
    return _IMPORT_SETTINGS.search(path) is not None


def is_index(path: str) -> bool:
    """Whether the file is an index of elements, which holds every name without using it."""
    return _INDEX.search(path) is not None


def is_counted(path: str) -> bool:
    """Whether the file is indexed: it is in a supported language, or a manifest."""
    return language_of(path) is not None or is_manifest(path)


def is_package(directory: str, files: Iterable[str]) -> bool:
    """Whether a directory with an excluded name is a package of the project, by the names of the files directly in it.

    Only a package has an `__init__.py` there, or a file of Go or TypeScript: tools generate neither.
    """
    return directory.rpartition("/")[2] in _PACKAGE_NAMES and any(
        name == spec.package_file or spec.imports_folders or _WRITTEN.search(name)
        for name in files
        if (spec := spec_of(name)) is not None
    )


def packages_in(paths: Iterable[str]) -> frozenset[str]:
    """The directories with an excluded name that are packages of the project, which has the files `paths`."""
    packages: set[str] = set()
    for path in paths:
        directory, _, name = path.rpartition("/")
        if directory.endswith(_PACKAGE_NAMES) and is_package(directory, (name,)):
            packages.add(directory)
    return frozenset(packages)


def excluded_at(path: str, packages: frozenset[str] = frozenset()) -> str | None:
    """The excluded directory (with `/`) that is or contains `path`, or `path` itself if its name is excluded.

    `packages` are directories that are not excluded despite their name.
    """
    parts = path.split("/")
    for depth, part in enumerate(parts[:-1], 1):
        if part in EXCLUDED_DIRECTORIES and (above := "/".join(parts[:depth])) not in packages:
            return f"{above}/"
    return path if has_minified_name(path) else None


def has_minified_name(path: str) -> bool:
    """Whether the name is that of a minified file."""
    return _MINIFIED.search(path) is not None


def is_cache(directory: str) -> bool:
    """Whether an excluded directory (with `/`) belongs to a tool, such as `.git/`, and never holds sources."""
    name = directory.rstrip("/").rpartition("/")[2]
    return name.startswith(".") or name == "__pycache__"


def printable(path: str) -> str:
    """The path, with escapes for characters that replies can't contain."""
    if is_clean(path):
        return path
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return escape_line(text)
