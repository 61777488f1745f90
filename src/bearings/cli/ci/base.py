"""The commit to compare with: as given, or as the CI's environment tells; fetched if a shallow clone lacks it."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bearings.errors import DeadlineExceeded, InvalidInput, Unsupported
from bearings.programs import find_program, search_path
from bearings.regular import read_regular

_READ_S = 60
_FETCH_S = 300
_MAX_EVENT = 32 * 1024 * 1024
"""Bytes of a CI's event; GitHub's webhooks have 25 MB at most."""

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NONE = re.compile(r"0{40}|0{64}")
"""What stands for the former commit of a new branch."""

_VARIABLES = (
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",  # GitLab, in a merge request
    "CI_COMMIT_BEFORE_SHA",  # GitLab, after a push
    "CHANGE_TARGET",  # Jenkins, in a pull request: a branch
    "GIT_PREVIOUS_SUCCESSFUL_COMMIT",  # Jenkins, after a push
)
"""The variables that name what was before a change; GitHub tells it in an event instead."""

_DEEPER = "Check out with fetch-depth: 0 (GitLab: GIT_DEPTH=0), pass --fetch, or name another commit with --base."
_SHALLOW = (
    "The common ancestor is beyond the end of this shallow clone, so changes of the base branch may be counted, too. "
    "Check out with fetch-depth: 0."
)


class Base(NamedTuple):
    """A commit by its full name; `note` says how the comparison may differ from the one that was meant."""

    commit: str
    note: str = ""


class Reported(NamedTuple):
    """A CI's report: the commit or branch before the change, and a pull request's own last commit."""

    base: str
    head: str = ""
    default_branch: str = ""


class Git:
    """Runs git in a project, without prompts and hooks. Raises InvalidInput, or Unsupported without git."""

    def __init__(self, project: Path) -> None:
        if not project.is_dir():
            raise InvalidInput("project_path", str(project), "is no directory", "Name the project's directory.")
        program = find_program("git", project)
        if program is None:
            raise Unsupported("git is not on PATH", "Install git.")
        self._line = [program, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]
        self._project = project
        self._environment = {**os.environ, "PATH": search_path(project), "GIT_TERMINAL_PROMPT": "0"}

    def read(self, *arguments: str, deadline: int = _READ_S) -> str | None:
        """The output without its last newline; None if git fails. Raises DeadlineExceeded."""
        try:
            done = subprocess.run(  # noqa: S603 - git's absolute path, words as a list
                [*self._line, *arguments], cwd=self._project, env=self._environment, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=deadline, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise DeadlineExceeded(f"git {arguments[0]} took more than {deadline} s", "Try again.") from None
        except ValueError:  # a null byte, or half of a surrogate pair
            return None
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n") if done.returncode == 0 else None

    def commit(self, ref: str) -> str | None:
        """The full name of a commit that is here."""
        if not ref:
            return None
        return self.read("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")

    def prefix(self) -> str:
        """The project's path in its repository, with a slash at its end; empty for the repository itself."""
        return self.read("rev-parse", "--show-prefix") or ""

    def parents(self) -> list[str]:
        """The parents of HEAD as it was made, whether they are here or not."""
        head = (self.read("cat-file", "commit", "HEAD") or "").partition("\n\n")[0]
        return re.findall(r"^parent ([0-9a-f]{40,64})$", head, re.MULTILINE)

    def fetched(self, ref: str) -> str | None:
        """The full name of a commit or branch, fetched from `origin`; None if that has none."""
        if not _NAME.fullmatch(ref):
            ref = f"refs/heads/{ref}"
            if self.read("check-ref-format", ref) is None:
                return None
        depth = ["--depth=1"] if self.read("rev-parse", "--is-shallow-repository") == "true" else []
        words = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", *depth, "--", "origin", ref]
        if self.read(*words, deadline=_FETCH_S) is None:
            return None
        return self.commit("FETCH_HEAD")


def base_of(git: Git, given: str | None, environment: Mapping[str, str], *, fetches: bool) -> Base:
    """The common ancestor of HEAD and the base that is given or told; without either HEAD, for uncommitted changes.

    Raises InvalidInput for a base that is not here and, if it `fetches`, not in `origin` either.
    """
    source = Reported(given) if given else reported_by(environment)
    parents = git.parents() if source.head else []
    if source.head and parents[1:] == [source.head]:  # the merge that GitHub made to test it
        return Base(_present(git, parents[0], fetches=fetches))
    base = source.base
    if _NONE.fullmatch(base):
        base = source.default_branch or "HEAD"
    commit = _present(git, base, fetches=fetches)
    ancestor = git.read("merge-base", commit, "HEAD")
    if ancestor is not None:
        return Base(ancestor)
    return Base(commit, _SHALLOW if git.read("rev-parse", "--is-shallow-repository") == "true" else "")


def _present(git: Git, ref: str, *, fetches: bool) -> str:
    """The full name of a commit that is here now. Raises InvalidInput."""
    commit = git.commit(ref) or git.commit(f"refs/remotes/origin/{ref}") or (git.fetched(ref) if fetches else None)
    if commit is None:
        raise InvalidInput("base", ref, "is no commit of this clone", _DEEPER)
    return commit


def reported_by(environment: Mapping[str, str]) -> Reported:
    """What GitHub's, GitLab's or Jenkins's variables tell; HEAD if there are none."""
    if path := environment.get("GITHUB_EVENT_PATH"):
        return _reported_in(event_of(Path(path)))
    for name in _VARIABLES:
        if value := environment.get(name):
            return Reported(value, default_branch=environment.get("CI_DEFAULT_BRANCH", ""))
    return Reported("HEAD")


def event_of(path: Path) -> Mapping[str, Any]:
    """GitHub's event. Raises InvalidInput."""
    remedy = "Pass --base."
    try:
        data = read_regular(path, _MAX_EVENT)[0]
        if len(data) > _MAX_EVENT:
            raise InvalidInput("GITHUB_EVENT_PATH", str(path), "is too large for an event", remedy)
        event = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput("GITHUB_EVENT_PATH", str(path), f"can't be read: {error}", remedy) from None
    return event if isinstance(event, dict) else {}


def _reported_in(event: Mapping[str, Any]) -> Reported:
    default_branch = _text(event, "repository", "default_branch")
    if base := _text(event, "pull_request", "base", "sha"):
        return Reported(base, _text(event, "pull_request", "head", "sha"), default_branch)
    return Reported(_text(event, "merge_group", "base_sha") or _text(event, "before") or "HEAD", "", default_branch)


def _text(value: Any, *names: str) -> str:
    """A string inside an event; empty if it is not there."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
