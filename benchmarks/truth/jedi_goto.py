"""Runs beside jedi, outside this package: answers on standard output where names at places of a project are defined.

`python jedi_goto.py ROOT PYTHON`; questions and answers are JSON: [[path, line, column], …] → [[path, …], …], lines
from 1, columns from 0, paths relative to ROOT, those outside it left out.
"""

import json
import sys
from pathlib import Path

import jedi


def main(root: Path, python: str) -> None:
    """Answers every question in the order asked."""
    project = jedi.Project(root, added_sys_path=[str(root / "src")], smart_sys_path=True)
    environment = jedi.create_environment(python, safe=False)
    scripts: dict[str, jedi.Script] = {}
    answers = []
    for path, line, column in json.load(sys.stdin):
        if path not in scripts:
            scripts[path] = jedi.Script(path=root / path, project=project, environment=environment)
        answers.append(_files(root, scripts[path], line, column))
    json.dump(answers, sys.stdout)


def _files(root: Path, script: jedi.Script, line: int, column: int) -> list[str]:
    found = set()
    for follow in (True, False):
        try:
            names = script.goto(line, column, follow_imports=follow)
        except Exception:  # noqa: BLE001 - jedi fails on some sources in its own ways; then it says nothing
            continue
        for name in names:
            path = name.module_path
            if path is not None and Path(path).is_relative_to(root):
                found.add(Path(path).relative_to(root).as_posix())
    return sorted(found)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2])
