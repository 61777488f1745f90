"""Tells where a file or a folder may move to."""

import re
from itertools import islice
from pathlib import PurePosixPath
from posixpath import basename, join

from bearings.code.languages import language_of, spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.project.ignore import IgnoreRules
from bearings.code.project.names import excluded_at
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput, Unsupported

_MOST_IGNORED = 50
"""Entries of a folder that are looked at."""


def target_of(view: WholeGraph, old: str, given: str) -> str:
    """Return the new path. Raises InvalidInput if it can't be, Unsupported for a language whose files can't move."""
    text, snapshot = given.strip().removeprefix("./"), view.snapshot
    paths = snapshot.project.paths
    new = str(PurePosixPath(text))
    if text.endswith("/") or (old in paths and any(one.startswith(f"{new}/") for one in paths)):
        new = join(new, basename(old))
    problem = problem_of(view, old, new if text else "", is_folder=old not in paths)
    if not problem and old in paths and (language_of(old) != language_of(new) or is_embedded(old) != is_embedded(new)):
        problem = "is a file of another kind"
    if problem:
        raise InvalidInput("target", given, problem, "Pass a new path in the project, such as src/prices.ts.")
    for path in sorted(paths):
        spec = spec_of(path) if path == old or path.startswith(f"{old}/") else None
        if spec is not None and spec.respelled is None:
            raise Unsupported(f"files of {spec.label} can't be moved", "Move Python, TypeScript or JavaScript only.")
    return new


def problem_of(view: WholeGraph, old: str, new: str, *, is_folder: bool = False) -> str:
    """What forbids that something at the path `old` goes to a new path; empty for nothing."""
    parts = PurePosixPath(new).parts
    if PurePosixPath(new).is_absolute() or {"..", ".git"} & {*parts} or not new.isprintable() or "\\" in new:
        return "is no path below the project's root"
    if new in ("", ".", old) or new.startswith(f"{old}/"):
        return "is the path that it has, or one in it"
    with SafeDirectory(view.snapshot.root) as tree:
        return _blocked(tree, new, is_folder=is_folder)


def _blocked(tree: SafeDirectory, path: str, *, is_folder: bool) -> str:
    """What is wrong with a new path and the folders around it; empty for nothing."""
    parts = path.split("/")
    for folder in ("/".join(parts[:count]) for count in range(1, len(parts))):
        try:
            with tree.scan(folder):
                pass
        except FileNotFoundError:
            break
        except OSError:
            return f"leads through {folder}, which is a link or no folder"
    if _is_ignored(tree, f"{path}/" if is_folder else path):
        return "is ignored, or in a folder for what is installed or generated"
    try:
        with tree.scan(path) as entries:
            inside = [f"{path}/{one.name}{'/' * one.is_dir()}" for one in islice(entries, _MOST_IGNORED + 1)]
    except FileNotFoundError:
        return ""
    except OSError:
        return "is there already"
    # What a folder of the name left behind, such as __pycache__, is in nobody's way.
    is_free = is_folder and len(inside) <= _MOST_IGNORED and all(_is_ignored(tree, one) for one in inside)
    return "" if is_free else "is there already"


def _is_ignored(tree: SafeDirectory, path: str) -> bool:
    """Whether the project leaves a file, or a folder with a slash, out."""
    rules = IgnoreRules(tree)
    around = ["", *(path[: match.end()] for match in re.finditer("/", path.rstrip("/")))]
    for one in around:
        rules.enter(one)
    return excluded_at(f"{path}_" if path.endswith("/") else path) is not None or any(
        map(rules.ignores, (*around[1:], path))
    )
