"""The packages whose tests are run, by name and version, and how a run is made.

Those of `HELD` are measured alone: who looks at a miss in one moves it to `READ`, and another takes its place.
`BEARINGS_ORACLE_PYTHON` names the interpreter, 3.12 or later, that runs the tests.
"""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from benchmarks.code.corpora import commit
from benchmarks.measure import progress
from benchmarks.truth.checkout import CACHE, unpack
from benchmarks.truth.processes import Failed, run

PYTHON = os.environ.get("BEARINGS_ORACLE_PYTHON", "python3.12")
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Package:
    """A package of PyPI whose source archive has its tests, what they need, and pytest's arguments."""

    spec: str
    needs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("tests",)

    @property
    def name(self) -> str:
        """Its name without the version."""
        return self.spec.partition("==")[0]


READ = (
    Package("click==8.3.0"),
    Package("attrs==26.1.0", ("hypothesis", "cloudpickle")),
    Package("pluggy==1.7.0", (), ("testing",)),
    Package("jinja2==3.1.6", ("trio",)),
    Package("werkzeug==3.1.3", ("ephemeral-port-reserve",), ("tests", "--ignore=tests/test_serving.py")),
    Package("traitlets==5.16.1", ("pytest-mock", "argcomplete"), ("tests", "--ignore=tests/test_typing.py")),
    Package("lark==1.3.1", ("regex", "js2py"), ("tests",)),
    Package("jsonschema==4.26.0", (), ("jsonschema/tests",)),
)
HELD = (
    Package("marshmallow==4.4.0", ("simplejson",)),
    Package("boltons==26.2.0"),
    Package("wtforms==3.3.2", ("email_validator",)),
    Package("sqlparse==0.6.1"),
    Package("markdown==3.11.3", ("pyyaml",)),
    Package("transitions==0.9.3", ("mock", "dill", "graphviz")),
)


def traced(package: Package) -> tuple[Path, Path, str]:
    """A package's project, the lines that oracle_trace.py wrote when its tests ran, and pytest's last line.

    What stands in the cache is not made again.
    """
    folder = CACHE / "oracle" / package.spec
    project, calls, said = folder / "project", folder / "calls.jsonl", folder / "said.txt"
    if not (folder / ".done").exists():
        progress(f"{package.spec}: installing it …")
        _install(package, folder, project)
        (folder / ".done").touch()
    if not said.exists():
        progress(f"{package.spec}: running its tests …")
        said.write_text(_tested(project, calls, _python(folder), package.tests), encoding="utf-8")
    return project, calls, said.read_text(encoding="utf-8").strip()


def _install(package: Package, folder: Path, project: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "sdist").mkdir(parents=True)
    pip = (PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(folder, *pip, "download", "--no-deps", "--no-binary", package.name, "--dest", "sdist", package.spec)
    (archive,) = (folder / "sdist").iterdir()
    unpack(archive, folder / "unpacked")
    (top,) = (folder / "unpacked").iterdir()
    top.rename(project)
    commit(project)
    run(folder, PYTHON, "-m", "venv", "--without-pip", "environment")
    run(folder, *pip, "--python", _python(folder), "install", "--editable", "project", "pytest==8.4.2", *package.needs)


def _python(folder: Path) -> str:
    return str(folder / "environment" / "bin" / "python")


def _tested(project: Path, calls: Path, python: str, tests: tuple[str, ...]) -> str:
    """Runs the tests; those that fail on this machine have run too."""
    asked = {"ORACLE_ROOT": str(project), "ORACLE_FILE": str(calls), "PYTHONPATH": str(_HERE)}
    options = "-q --tb=no --continue-on-collection-errors -p oracle_trace -p no:cacheprovider -o addopts=".split()
    try:
        printed = run(project, python, "-m", "pytest", *options, *tests, env={**os.environ, **asked})
    except Failed as failed:
        if not calls.exists():
            raise
        printed = str(failed)
    return next(
        line for line in reversed(printed.splitlines()) if re.search(r"\d (?:passed|failed|error).* in \d", line)
    )
