"""Imports of which scip-python says nothing, settled by a second judge: jedi, which knows neither pyright nor us."""

import json
import sys
from pathlib import Path, PurePosixPath
from typing import Any

from benchmarks.truth.checkout import CACHE
from benchmarks.truth.processes import run

JEDI = "jedi==0.20.1"
_SCRIPT = Path(__file__).with_name("jedi_goto.py")


def settle(root: Path, imports: list[dict[str, Any]], files: set[str], python: str = "") -> None:
    """Adds `settled` to each row without a target that may mean the project: the files that jedi leads to, or none.

    `python` is the interpreter whose packages the project uses, by default that of the environment beside it. Both what
    a name is at last and the module that it is taken from are right: either is what the statement imports.
    """
    owned = {part for file in files for part in PurePosixPath(file).with_suffix("").parts}
    asked = [row for row in imports if not row["to"] and _top(row["spec"]) in owned | {""}]
    questions = [[row["from"], *place] for row in asked for place in row["places"]]
    answers = iter(_goto(root, questions, python) if questions else [])
    for row in asked:
        row["settled"] = sorted({file for _ in row["places"] for file in next(answers)} - {row["from"]})
    for row in imports:
        del row["places"]


def _top(spec: str) -> str:
    return spec.partition(":")[0].partition(".")[0]


def _goto(root: Path, questions: list[list[Any]], python: str) -> list[list[str]]:
    folder = CACHE / "tools" / JEDI
    if not (folder / "jedi").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        run(folder, sys.executable, "-m", "pip", "--quiet", "install", "--target", str(folder), JEDI)
    python = python or str(root.parent / "environment" / "bin" / "python")
    said = run(
        root,
        sys.executable,
        str(_SCRIPT),
        str(root),
        python,
        env={"PYTHONPATH": str(folder)},
        given=json.dumps(questions),
    )
    answers: list[list[str]] = json.loads(said)
    return answers
