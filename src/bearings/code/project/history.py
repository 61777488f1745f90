"""What git says of a tree's past: how it differs from a commit, and what files held then. Only reads."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.git import SAFE, environment
from bearings.errors import InvalidInput, Unsupported

_TIMEOUT_S = 60.0
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules", "--relative", "-M", "-U0")


class Hunk(NamedTuple):
    """Lines that differ: `old_count` from `old_start` became `new_count` from `new_start`; 1-based."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class FileChange(NamedTuple):
    """A file that differs. `old` is empty for a new one, `new` for one that is gone; both differ for a renamed one."""

    old: str
    new: str
    hunks: tuple[Hunk, ...]


class History:
    """The commits of the repository that a project lies in; paths are relative to the project."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def commit(self, ref: str) -> str:
        """The commit that a ref names, in full. Raises InvalidInput, or Unsupported where there is no repository."""
        if self._run("rev-parse", "--git-dir") is None:
            raise Unsupported("the project is in no git repository", "Its history is needed: run git init and commit.")
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if not found:
            remedy = "Pass a commit, branch or tag of the project's repository, such as HEAD~1 or main."
            raise InvalidInput("base", ref, "names no commit", remedy)
        return found.decode("ascii", "replace").strip()

    def changes(self, commit: str) -> list[FileChange]:
        """How the working tree differs from a commit; files that git doesn't know yet are new."""
        output = self._run(*_DIFF, "--raw", "-z", "-p", commit, "--")
        if output is None:
            raise Unsupported("git could not compare the working tree", "Run git status there to see why.")
        names, patch = _raw(output)
        patches = re.split(rb"^(?=diff --git )", patch, flags=re.MULTILINE)[1:]
        found = [
            FileChange(*pair, tuple(_hunks(patches[index])) if index < len(patches) else ())
            for index, pair in enumerate(names)
        ]
        untracked = self._run("ls-files", "--others", "--exclude-standard", "-z") or b""
        return found + [FileChange("", _text(path), ()) for path in untracked.split(b"\0") if path]

    def contents(self, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
        """What files held in a commit; those that it lacks are left out."""
        asked = [path for path in paths if "\n" not in path]
        lines = b"".join(f"{commit}:./{path}\n".encode("utf-8", "surrogateescape") for path in asked)
        output = self._run("cat-file", "--batch", stdin=lines) if asked else b""
        found: dict[str, bytes] = {}
        position = 0
        for path in asked:
            header, _, _ = (output or b"")[position:].partition(b"\n")
            position += len(header) + 1
            fields = header.split(b" ")
            if len(fields) == 3 and fields[1] == b"blob" and fields[2].isdigit():
                size = int(fields[2])
                found[path] = (output or b"")[position : position + size]
                position += size + 1
        return found

    def _run(self, *arguments: str, stdin: bytes | None = None) -> bytes | None:
        """What git prints; None if it can't."""
        git = shutil.which("git")
        if git is None:
            raise Unsupported("git is not installed", "Install git, so that changes can be told.")
        try:
            done = subprocess.run(  # noqa: S603 - a list; a ref stands behind --end-of-options, a path behind a colon
                [git, *SAFE, *arguments],
                cwd=self._root,
                env=environment(),
                input=stdin or b"",
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return done.stdout if done.returncode == 0 else None


def _raw(output: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """Old and new path of each changed file (`:modes ids status`, NUL, paths, each with NUL), and the patch."""
    names: list[tuple[str, str]] = []
    position = 0
    while output[position : position + 1] == b":":
        head, _, _ = output[position:].partition(b"\0")
        position += len(head) + 1
        status = head.rpartition(b" ")[2][:1]
        paths = []
        for _ in range(2 if status in (b"R", b"C") else 1):
            path, _, _ = output[position:].partition(b"\0")
            position += len(path) + 1
            paths.append(_text(path))
        names.append(("" if status == b"A" else paths[0], "" if status == b"D" else paths[-1]))
    return names, output[position:].lstrip(b"\0")


def _hunks(patch: bytes) -> Iterable[Hunk]:
    for match in _HUNK.finditer(patch):
        old_start, old_count, new_start, new_count = (int(group) if group else 1 for group in match.groups())
        yield Hunk(old_start, old_count, new_start, new_count)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
