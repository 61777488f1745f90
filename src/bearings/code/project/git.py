"""Asking git which files a tree has, without letting the tree's own settings run anything."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT_S = 10.0
"""git lists hundreds of thousands of files in a second; on a tree where it takes longer, walking is no worse."""

SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.quotePath=false",
    "-c", "core.untrackedCache=false",
    "-c", "core.pager=cat",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""A repository's config may name programs (CVE-2022-24765, fsmonitor); these take precedence over it."""

_FILES = ("--cached", "--others", "--exclude-standard", "--stage")
_IGNORED = ("--others", "--ignored", "--exclude-standard", "--directory")

_TRACKED = re.compile(rb"(1\d{5}) [0-9a-f]{40,64} [0-3]\t(.+)", re.DOTALL)
"""An entry of the index, its mode first, as `--stage` shows it; what is not tracked is a path alone."""

_FILE, _SUBMODULE, _UNKNOWN = b"10", b"16", b""
"""How modes begin."""

_CLOSED_DIRECTORY = re.compile(rb"^warning: could not open directory '(.*)': [^':]*$", re.MULTILINE)


class GitHangs(Exception):
    """git did not answer in time, and was stopped."""


@dataclass(slots=True)
class GitListing:
    """What git says of a tree: paths as bytes relative to its root, directories with a `/` at the end; unsorted."""

    files: list[bytes] = field(default_factory=list)
    unreadable: list[bytes] = field(default_factory=list)
    links: list[bytes] = field(default_factory=list)
    """Symbolic links to directories."""
    absent: list[bytes] = field(default_factory=list)
    """Submodules that are not checked out."""
    nested: list[bytes] = field(default_factory=list)
    """Submodules and other repositories in the tree whose files are listed."""
    broken: list[bytes] = field(default_factory=list)
    """Those that git can't list."""

    @property
    def says_anything(self) -> bool:
        """Whether there is anything in the tree that git knows of."""
        return bool(self.files or self.unreadable or self.links or self.absent or self.nested or self.broken)


def _nothing() -> None:
    """What is done meanwhile where there is nothing to do."""


def git_files(
    root: Path, timeout_s: float = TIMEOUT_S, meanwhile: Callable[[], object] = _nothing
) -> GitListing | None:
    """The files below `root` that are tracked, or new and not ignored; None if git can't say. Raises GitHangs.

    Submodules, and repositories nested in the tree, are listed with their own files. `meanwhile` is called once, while
    git works.
    """
    git = shutil.which("git")
    if git is None:
        return None
    found = GitListing()
    pending = [b""]
    seen: set[bytes] = set()
    base = os.fsencode(root)
    while pending:
        prefix = pending.pop()
        listed = _listed(git, base, prefix, _FILES, timeout_s, meanwhile)
        meanwhile = _nothing
        if listed is None and prefix == b"":
            return None
        if listed is None:
            found.broken.append(prefix)
            continue
        if prefix:
            found.nested.append(prefix)
        found.unreadable += listed.unreadable
        for path, mode in listed.modes.items():
            if path not in seen:
                seen.add(path)
                if mode == _FILE:
                    found.files.append(path)
                else:
                    _put(base, path, mode, found, pending)
    return found


def git_ignored(root: Path, repositories: Sequence[bytes], timeout_s: float = TIMEOUT_S) -> list[bytes]:
    """What ignore rules leave out of repositories at or below `root`: files, and whole directories. Raises GitHangs."""
    git = shutil.which("git")
    if git is None:
        return []
    answers = (_listed(git, os.fsencode(root), prefix, _IGNORED, timeout_s) for prefix in repositories)
    return [path for listed in answers if listed for path in listed.modes]


@dataclass(frozen=True, slots=True)
class _Listed:
    """Paths, each with how its mode begins where the index says so; directories that git could not open."""

    modes: dict[bytes, bytes]
    unreadable: list[bytes]


def _listed(
    git: str,
    base: bytes,
    prefix: bytes,
    what: tuple[str, ...],
    timeout_s: float,
    meanwhile: Callable[[], object] = _nothing,
) -> _Listed | None:
    """What one repository says, its paths relative to `base`."""
    directory = base + b"/" + prefix
    # A repository may say that its work tree lies elsewhere; ours is here.
    here = ["--work-tree=."] if os.path.lexists(directory + b"/.git") else []
    done = _run([git, *SAFE, *here, "ls-files", *what, "-z"], directory, timeout_s, meanwhile)
    if done is None:
        return None
    out, err = done
    modes: dict[bytes, bytes] = {}
    for entry in out.split(b"\0"):
        tracked = _TRACKED.fullmatch(entry)
        if tracked:
            modes[prefix + tracked[2]] = tracked[1][:2]
        elif entry:
            modes[prefix + entry] = _UNKNOWN
    return _Listed(modes, [prefix + path for path in _CLOSED_DIRECTORY.findall(err)])


def _run(
    command: list[str], directory: bytes, timeout_s: float, meanwhile: Callable[[], object]
) -> tuple[bytes, bytes] | None:
    """What a command writes; None if it fails. Raises GitHangs.

    Unlike subprocess.run, it waits for nobody who holds the pipes when the command itself has been killed.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - a list, with nothing of the project's in it
            command,
            cwd=directory,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError:
        return None
    try:
        meanwhile()
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise GitHangs from None
    finally:
        _end(process)
    return (out, err) if process.returncode == 0 else None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the process, if it has not ended by itself; what it started ends with this process's group."""
    if process.returncode is None:
        process.kill()
        process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _put(root: bytes, path: bytes, mode: bytes, found: GitListing, pending: list[bytes]) -> None:
    """Puts a listed path where it belongs: it may be a file, a link, a submodule, or a clone in the tree."""
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


def environment() -> dict[str, str]:
    """Ours without what would point git at another repository, and without any reason to wait or to write."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }
