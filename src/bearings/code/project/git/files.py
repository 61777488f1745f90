"""The files of a tree, listed by git."""

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bearings.caller import Roots
from bearings.code.project.git.object_store import check_objects
from bearings.code.project.git.plumbing import GitFails, is_extended, ls_files, nothing
from bearings.code.project.git.repository import Refused, Repository, at, find
from bearings.code.project.safe_directory import SafeDirectory

TIMEOUT_S = 10.0
"""git lists hundreds of thousands of files in a second. If it takes longer, walking the tree is no slower."""

_FILES = ("--cached", "--others", "--stage", "-z")
_IGNORED = ("--others", "--ignored", "--directory", "-z")

_TRACKED = re.compile(rb"(1\d{5}) [0-9a-f]{40,64} [0-3]\t(.+)", re.DOTALL)
"""An entry of the index as `--stage` prints it, the mode first; an untracked file is a bare path."""

_FILE, _SUBMODULE, _UNKNOWN = b"10", b"16", b""
"""How modes begin."""

_CLOSED_DIRECTORY = re.compile(rb"^warning: could not open directory '(.*)': [^':]*$", re.MULTILINE)


@dataclass(slots=True)
class GitListing:
    """git's listing of a tree: unsorted paths in bytes relative to the root; directories end in `/`."""

    files: list[bytes] = field(default_factory=list)
    unreadable: list[bytes] = field(default_factory=list)
    links: list[bytes] = field(default_factory=list)
    """Symbolic links to directories."""
    absent: list[bytes] = field(default_factory=list)
    """Submodules that are not checked out."""
    nested: list[bytes] = field(default_factory=list)
    """Submodules and nested repositories whose files are listed."""
    broken: list[bytes] = field(default_factory=list)
    """Submodules and nested repositories that git can't list."""

    @property
    def says_anything(self) -> bool:
        """Whether git lists anything in the tree."""
        return bool(self.files or self.unreadable or self.links or self.absent or self.nested or self.broken)


def git_files(
    root: Path, timeout_s: float = TIMEOUT_S, meanwhile: Callable[[], object] = nothing, roots: Roots = None
) -> GitListing | None:
    """The files below `root` that are tracked, or new and not ignored; None if git can't say. Raises GitHangs.

    Submodules, and repositories nested in the tree, are listed with their own files. `meanwhile` is called once, while
    git works. No git directory outside `roots` is read.
    """
    listing = GitListing()
    pending = [b""]
    seen: set[bytes] = set()
    base = os.fsencode(root)
    with SafeDirectory(root) as tree:
        while pending:
            prefix = pending.pop()
            listed = _listed(root, prefix, _FILES, timeout_s, roots, meanwhile)
            meanwhile = nothing
            if listed is None and prefix == b"":
                return None
            if listed is None:
                listing.broken.append(prefix)
                continue
            if prefix:
                listing.nested.append(prefix)
            listing.unreadable += [path for path in listed.unreadable if _is_there(tree, path)]
            for path, mode in listed.modes.items():
                if path not in seen and (mode != _UNKNOWN or _is_there(tree, path)):
                    seen.add(path)
                    if mode == _FILE:
                        listing.files.append(path)
                    else:
                        _classify(base, path, mode, listing, pending)
    return listing


def git_ignored(
    root: Path, repositories: Sequence[bytes], timeout_s: float = TIMEOUT_S, roots: Roots = None
) -> list[bytes]:
    """Files and whole directories that ignore rules leave out of repositories at or below `root`. Raises GitHangs."""
    answers = (_listed(root, prefix, _IGNORED, timeout_s, roots) for prefix in repositories)
    with SafeDirectory(root) as tree:
        return [path for listed in answers if listed for path in listed.modes if _is_there(tree, path)]


@dataclass(frozen=True, slots=True)
class _Listed:
    """Paths, each with how its mode begins where the index says so; directories that git could not open."""

    modes: dict[bytes, bytes]
    unreadable: list[bytes]


def _listed(
    root: Path,
    prefix: bytes,
    arguments: tuple[str, ...],
    timeout_s: float,
    roots: Roots,
    meanwhile: Callable[[], object] = nothing,
) -> _Listed | None:
    """The listing of one repository, with paths relative to `root`."""
    directory = root / os.fsdecode(prefix)
    try:
        repository: Repository | None = at(directory, roots) if prefix else find(directory, roots)
        if repository is None:
            return None
        with_objects = is_extended(repository)
        if with_objects:
            check_objects(repository, roots)
        output = ls_files(repository, directory, arguments, timeout_s, meanwhile, with_objects=with_objects)
    except (Refused, GitFails):
        return None
    modes: dict[bytes, bytes] = {}
    for entry in output.out.split(b"\0"):
        tracked = _TRACKED.fullmatch(entry)
        if tracked:
            modes[prefix + tracked[2]] = tracked[1][:2]
        elif entry:
            modes[prefix + entry] = _UNKNOWN
    return _Listed(modes, [prefix + path for path in _CLOSED_DIRECTORY.findall(output.err)])


def _is_there(tree: SafeDirectory, path: bytes) -> bool:
    """Whether a listed path exists and is reached without a link.

    git follows a directory that is replaced by a link while it is being listed; names found there are not in the tree.
    """
    try:
        tree.stat(os.fsdecode(path.rstrip(b"/")))
    except (OSError, ValueError):
        return False
    return True


def _classify(root: bytes, path: bytes, mode: bytes, found: GitListing, pending: list[bytes]) -> None:
    """Sort a listed path by its kind: file, link, submodule, or nested repository."""
    full = root + b"/" + path.rstrip(b"/")
    try:
        real = os.lstat(full).st_mode
        leads_to_directory = stat.S_ISLNK(real) and stat.S_ISDIR(os.stat(full).st_mode)  # noqa: PTH116 - bytes
    except (OSError, ValueError):
        real, leads_to_directory = 0, False
    if leads_to_directory:
        found.links.append(path + b"/")
    elif stat.S_ISDIR(real) and os.path.lexists(full + b"/.git"):
        pending.append(path.rstrip(b"/") + b"/")
    elif mode == _SUBMODULE:
        found.absent.append(path.rstrip(b"/") + b"/")
    else:
        found.files.append(path)
