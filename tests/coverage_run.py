"""The whole suite under coverage, and at least 90 % of every file of the package, branches included: `make test-all`.

With `rest`, only what `make test` leaves out, untraced, and of it two tests of three, each with a third of its values:
tracing doubles the time of a command's process, and CI has twenty-five minutes. Which ones is drawn by the commit.
Lines that subprocesses run (servers, workers, commands) count too: coverage's `subprocess` patch is on.
"""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import coverage

LEAST = 90
SLOW = re.compile(r"mark\.slow|mostly_slow")
SOURCE = Path(__file__).parents[1] / "src"


def main() -> int:
    """0 if the tests pass and every file is covered."""
    if sys.argv[1:] == ["rest"]:
        os.environ.setdefault("BEARINGS_TEST_SHARE", "3")
        os.environ.setdefault("BEARINGS_TEST_DRAW", commit())
        # Three workers a core of the two that CI has: they wait for servers, deadlines and kills.
        return tests("-m", "slow and not live", "-n", "6", *files_with_slow_tests())
    subprocess.run([sys.executable, "-m", "coverage", "erase"], check=True)
    status = tests("-m", "not live", *sys.argv[1:], "--cov", "--cov-report=")
    if status:
        return status
    low = files_below(LEAST)
    for name, percent in low:
        print(f"{name}: {percent:.1f} % covered, less than {LEAST}")  # noqa: T201 - the result
    return 1 if low else 0


def tests(*words: str) -> int:
    """The exit status of the tests that these words choose."""
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", "--durations=15", *words]
    return subprocess.run(command, check=False).returncode


def commit() -> str:
    """The commit that is checked out, or nothing."""
    return subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()


def files_with_slow_tests() -> list[str]:
    """The files that mark a test as slow, or whose folder's fixtures do; workers import no others."""
    return [
        str(path)
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        if any(SLOW.search(text.read_text("utf-8")) for text in (path, *path.parent.glob("conftest.py")))
    ]


def files_below(least: int) -> list[tuple[str, float]]:
    """The files of the package with too little coverage; the whole table is printed."""
    data = coverage.Coverage()
    data.load()
    data.report(file=sys.stdout, include=[str(SOURCE / "*")])
    low = []
    for measured in data.get_data().measured_files():
        if not Path(measured).is_relative_to(SOURCE):  # a tree of a test, that has a package of our name
            continue
        text = io.StringIO()
        percent = data.report(morfs=[measured], file=text, skip_covered=False)
        if percent < least:
            low.append((measured, percent))
    return sorted(low)


if __name__ == "__main__":
    sys.exit(main())
