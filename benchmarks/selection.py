"""Test selection on real commits: are the test files that fail without a change among those that `changes` proposes?

    python -m benchmarks.selection PLACE [NAME…] > benchmarks/results/selection.md

PLACE holds a clone of each repository of `selection.toml` (`PLACE/click`), the environment that runs their tests
(`PLACE/py`, with the last release of each Python project, and `node_modules` inside the clones), and the truths found
so far (`PLACE/truths`), which are found once. Clones are changed: their commits are checked out.

A commit counts that changes sources and tests, and whose tests fail in part once its sources are those of its parent
again: the files whose tests fail then, and pass at the commit, are the truth. `changes HEAD` is asked in that tree.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from benchmarks.measure import progress, revision, table

_MOST_CHANGED = 30
_TRIES = 4
_DEADLINE = 600
_NAMED = 4

_ABOUT = """`python -m benchmarks.selection PLACE`: {commits} commits of {repositories} repositories, the newest of each
that fit; what is missed in those marked `no` is never looked into. Each commit's sources are those of its parent again,
in the commit's tree with its tests. Truth: the test files that fail then and pass at the commit, by a run of the whole
suite (ours: of the folders that selection.toml names); a file of pytest's only if it fails by itself, too. Found:
truths among the files that `changes HEAD` proposes. List: the proposed share of all test files, median. Whole: commits
with each truth found. None, all: commits for which it proposes no file, or every file."""


class Suite(NamedTuple):
    """A repository: how its tests run, which files hold them, and how many commits are asked."""

    name: str
    seen: bool
    runner: str
    tests: str
    folders: tuple[str, ...] = ("tests",)
    sources: str = "src"
    only: str = ""
    commits: int = 4


class Case(NamedTuple):
    """A commit with its sources reverted."""

    commit: str
    sources: tuple[str, ...]
    truth: frozenset[str]


class Outcome(NamedTuple):
    """What was proposed for a case, and how many test files there are."""

    case: Case
    proposed: frozenset[str]
    files: frozenset[str]

    @property
    def missed(self) -> frozenset[str]:
        """The truths that are not proposed."""
        return self.case.truth - self.proposed

    @property
    def share(self) -> float:
        """The proposed share of all test files."""
        return len(self.proposed & self.files) / max(1, len(self.files))


def main(arguments: Sequence[str]) -> str:
    """The table, and under it each case with what it misses."""
    place, names = Path(arguments[0]).resolve(), arguments[1:]
    rows = tomllib.loads((Path(__file__).parent / "selection.toml").read_text(encoding="utf-8"))["repository"]
    suites = [Suite(**{**row, "folders": tuple(row.get("folders", ["tests"]))}) for row in rows]
    done = {suite: _asked(place, suite) for suite in suites if not names or suite.name in names}
    heads = ["repository", "looked into", "commits", "whole", "truths", "found", "list", "none", "all"]
    cells = [[suite.name, "yes" if suite.seen else "no", *_figures(outcomes)] for suite, outcomes in done.items()]
    for seen in (True, False):
        both = [one for suite, outcomes in done.items() if suite.seen is seen for one in outcomes]
        cells.append(["together", "yes" if seen else "no", *_figures(both)])
    every = [one for outcomes in done.values() for one in outcomes]
    cells.append(["all", "", *_figures(every)])
    about = _ABOUT.format(commits=len(every), repositories=len(done))
    missed = [
        f"- {suite.name} {one.case.commit[:10]}: {', '.join(sorted(one.missed)[:_NAMED])} (of {len(one.case.truth)})"
        for suite, outcomes in done.items()
        for one in outcomes
        if one.missed
    ]
    return "\n".join(
        ["# Test selection", "", about, "", revision(), "", table(heads, cells), "Missed:", "", *missed, ""]
    )


def _figures(outcomes: Sequence[Outcome]) -> list[str]:
    truths = sum(len(one.case.truth) for one in outcomes)
    found = truths - sum(len(one.missed) for one in outcomes)
    share = statistics.median(one.share for one in outcomes) if outcomes else 0
    whole = sum(not one.missed for one in outcomes)
    none, every = sum(not one.proposed for one in outcomes), sum(one.share == 1 for one in outcomes)
    ratio = f"{found} ({found / max(1, truths):.3f})"
    return [*map(str, (len(outcomes), whole, truths)), ratio, f"{share:.2f}", str(none), str(every)]


def _asked(place: Path, suite: Suite) -> list[Outcome]:
    return [_proposed(place / suite.name, suite, case) for case in _cases(place, suite)]


def _proposed(clone: Path, suite: Suite, case: Case) -> Outcome:
    """What `changes HEAD` proposes in the tree with the sources of the parent."""
    _revert(clone, case)
    command = (sys.executable, "-m", "bearings", "code", "changes", "HEAD", "--json", "--project", str(clone))
    reply = json.loads(_run(clone, command).stdout)
    files = frozenset(_git(clone, "ls-files").split("\n"))
    held = frozenset(path for path in files if re.search(suite.tests, path))
    proposed = frozenset(row["file"] for row in reply["tests"])
    progress(
        f"{suite.name} {case.commit[:10]} {len(case.truth - proposed)} of {len(case.truth)} missed, {len(proposed)}"
    )
    return Outcome(case, proposed, held)


def _cases(place: Path, suite: Suite) -> list[Case]:
    """The cases of a repository: those found before, or found now."""
    path = place / "truths" / f"{suite.name}.json"
    path.parent.mkdir(exist_ok=True)
    known: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    clone, cases = place / suite.name, list[Case]()
    for commit, sources in islice(_candidates(clone, suite), _TRIES * suite.commits):
        if commit not in known:
            known[commit] = sorted(_truth(place, suite, Case(commit, sources, frozenset())))
            progress(f"{suite.name} {commit[:10]} {known[commit]}")
            path.write_text(json.dumps(known, indent=1))
        if known[commit]:
            cases.append(Case(commit, sources, frozenset(known[commit])))
        if len(cases) == suite.commits:
            break
    return cases


def _candidates(clone: Path, suite: Suite) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Commits that change sources and tests that are run, the newest first, with the sources."""
    branch = _git(clone, "rev-parse", "--abbrev-ref", "origin/HEAD")
    for commit in _git(clone, "rev-list", "--no-merges", "--max-count=3000", branch).split():
        changed = _git(clone, "diff-tree", "--no-commit-id", "--name-only", "--no-renames", "-r", commit).split("\n")
        inside = [path for path in changed if not suite.folders or path.startswith(suite.folders)]
        tests = [path for path in inside if re.search(suite.tests, path)]
        sources = tuple(path for path in changed if language_of(path) and not is_test(path))
        own = [path for path in sources if re.match(suite.only or suite.sources.removesuffix("."), path)]
        if tests and own and len(changed) <= _MOST_CHANGED:
            yield commit, sources


def _truth(place: Path, suite: Suite, case: Case) -> set[str]:
    """The test files that fail without the change alone; none where all fail, or the suite can't start.

    A file of pytest's fails if it does so by itself: a test that leaves a context open fails all that run after it.
    """
    clone = place / suite.name
    _revert(clone, case)
    failing = _failing(place, suite, suite.folders)
    if not failing:
        return set()
    files = sorted({test.partition("::")[0] for test in failing})
    if suite.runner == "pytest" and len(files) > 1:
        failing = {test for file in files for test in _failing(place, suite, [file]) or ()}
    _checkout(clone, case.commit)
    again = files if suite.runner != "go" else suite.folders
    before = _failing(place, suite, again)
    if before is None:
        return set()
    return {test.partition("::")[0] for test in failing - before}


def _checkout(clone: Path, commit: str) -> None:
    _git(clone, "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit)
    _git(clone, "clean", "-q", "-ffd")


def _revert(clone: Path, case: Case) -> None:
    _checkout(clone, case.commit)
    for path in case.sources:
        data = subprocess.run(("git", "show", f"{case.commit}^:{path}"), cwd=clone, capture_output=True)
        if data.returncode:
            (clone / path).unlink(missing_ok=True)
        else:
            (clone / path).parent.mkdir(parents=True, exist_ok=True)
            (clone / path).write_bytes(data.stdout)


def _failing(place: Path, suite: Suite, paths: Sequence[str]) -> set[str] | None:
    """Failing tests, `file::name` each, or the file alone; None if the suite can't start."""
    clone = place / suite.name
    if suite.runner == "pytest":
        options = "-q --tb=no -rfE --color=no -o filterwarnings= -p no:cacheprovider --continue-on-collection-errors"
        own = place / f"py-{suite.name}"
        python = (own if own.exists() else place / "py") / "bin" / "python"
        out = _run(
            clone, (str(python), "-m", "pytest", *options.split(), *paths), {"PYTHONPATH": str(clone / suite.sources)}
        )
        found = re.findall(r"^(?:FAILED|ERROR) (\S+?\.py(?:::\S+)?)", out.stdout, re.MULTILINE)
        return set(found) if out.returncode in (0, 1) else None
    if suite.runner == "go":
        out = _run(clone, ("go", "test", "-json", "./..."))
        events = [json.loads(line) for line in out.stdout.splitlines() if line.startswith("{")]
        if any(event.get("FailedBuild") for event in events):
            return None
        return {
            f"{file}::{event['Test']}"
            for event in events
            if event["Action"] == "fail" and "Test" in event
            for file in _go_files(clone, event["Test"].partition("/")[0])
        }
    if suite.runner == "node":
        out = _run(clone, ("node", "--test", "--test-reporter=tap", *paths))
        places = re.findall(r"^ *not ok .*?location: '(.+?):\d+:\d+'", out.stdout, re.MULTILINE | re.DOTALL)
        return {os.path.relpath(path, clone) for path in places} if "TAP version" in out.stdout else None
    reporter = ("--json",) if suite.runner == "jest" else ("run", "--reporter=json", "--typecheck.enabled=false")
    out = _run(clone, ("node_modules/.bin/" + suite.runner, *reporter, *paths))
    lines = [line for line in out.stdout.splitlines() if line.startswith("{")]
    return _failing_of_json(json.loads(lines[-1]), clone) if lines else None


def _failing_of_json(report: Mapping[str, Any], clone: Path) -> set[str]:
    failing = set()
    for one in report["testResults"]:
        if one["status"] == "failed":
            file = os.path.relpath(one["name"], clone)
            bad = [test["fullName"] for test in one["assertionResults"] if test["status"] == "failed"]
            failing |= {f"{file}::{name}" for name in bad} or {file}
    return failing


def _go_files(clone: Path, test: str) -> list[str]:
    out = _git(clone, "grep", "-lw", f"func {test}", "--", "*_test.go")
    return out.split("\n") if out else []


def _run(folder: Path, command: Sequence[str], environment: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
    own = {**os.environ, "CI": "1", **environment}
    try:
        return subprocess.run(
            command, cwd=folder, env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_DEADLINE
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "")


def _git(clone: Path, *arguments: str) -> str:
    return subprocess.run(("git", *arguments), cwd=clone, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    print(main(sys.argv[1:]))
