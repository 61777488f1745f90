"""Asking git which files a tree has, without letting the tree's own settings run anything."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

_TIMEOUT_S = 30.0

_SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.quotePath=false",
    "-c", "core.untrackedCache=false",
    "-c", "core.pager=cat",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""A repository's config may name programs (CVE-2022-24765, fsmonitor); these take precedence over it."""


def git_files(root: Path) -> list[bytes] | None:
    """The files below `root` that are tracked, or new and not ignored, unsorted; None if git can't say.

    Submodules, and repositories nested in the tree, are listed with their own files.
    """
    git = shutil.which("git")
    if git is None:
        return None
    found: list[bytes] = []
    pending = [b""]
    seen: set[bytes] = set()
    base = os.fsencode(root)
    while pending:
        prefix = pending.pop()
        listed = _listed(git, root, prefix)
        if listed is None and prefix == b"":
            return None
        for path in listed or ():
            if path not in seen:
                seen.add(path)
                (pending if _is_repository(base, path) else found).append(path)
    return found


def _listed(git: str, root: Path, prefix: bytes) -> list[bytes] | None:
    """One repository's files, their paths relative to `root`."""
    directory = os.path.join(os.fsencode(root), prefix)  # noqa: PTH118 - bytes
    # A repository may say that its work tree lies elsewhere; ours is here.
    here = ["--work-tree=."] if os.path.lexists(os.path.join(directory, b".git")) else []  # noqa: PTH118 - bytes
    command = [git, *_SAFE, *here, "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(  # noqa: S603 - a list, with nothing of the project's in it
            command,
            cwd=directory,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode != 0:
        return None
    lead = prefix.rstrip(b"/") + b"/" if prefix else b""
    return [lead + path for path in done.stdout.split(b"\0") if path]


def _is_repository(root: bytes, path: bytes) -> bool:
    """Whether a listed path is a directory with a repository of its own: a submodule, or a clone in the tree."""
    full = root + b"/" + path.rstrip(b"/")
    try:
        return stat.S_ISDIR(os.lstat(full).st_mode) and os.path.lexists(full + b"/.git")
    except (OSError, ValueError):
        return False


def _environment() -> dict[str, str]:
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
