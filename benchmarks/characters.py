"""How many characters replies and definitions take: an older commit beside this one, over packages fetched by name.

`python -m benchmarks characters`. Each call is made in both modes of output. What a client shows its model is the text
or the structured content, so both are counted.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.code.corpora import Corpus, commit, lines, tree
from benchmarks.measure import progress, revision, table

BEFORE = "76cb330"
"""The last commit whose replies listed objects."""

HERE = Path(__file__).parents[1]
SIDE = Path(__file__).with_name("characters_side.py")
TOKEN = 4
"""Characters of a token, as is usual."""

CORE = "coderef_symbol coderef_query coderef_impact coderef_changes coderef_map".split()
"""The code tools of `--toolsets core` that both sides have."""

Call = tuple[str, Mapping[str, Any]]

PYTHON = Corpus("celery 5.5.3", {".": ("celery==5.5.3", ".")})
TYPESCRIPT = Corpus("rxjs 7.8.2", {"src": ("rxjs@7.8.2", "src")})


def _query(query_type: str, target: str, depth: int = 3) -> Call:
    return "coderef_query", {"query_type": query_type, "target": target, "max_depth": depth}


CALLS: Mapping[str, tuple[str, tuple[Call, ...]]] = {
    PYTHON.name: (
        "celery/canvas.py",
        (
            _query("calls-me", "celery/canvas.py#Signature.clone", 1),
            _query("calls-me", "celery/canvas.py#Signature.clone"),
            _query("calls", "celery/app/base.py#Celery.send_task"),
            _query("depends-on-me", "celery/canvas.py#Signature", 1),
            _query("imports-me", "celery/exceptions.py", 1),
            ("coderef_symbol", {"element": "celery/canvas.py#Signature.clone"}),
            ("coderef_symbol", {"element": "celery/app/base.py#Celery.send_task"}),
            ("coderef_impact", {"element": "celery/canvas.py#Signature.clone"}),
            ("coderef_changes", {}),
            ("coderef_complexity", {"element": "celery/canvas.py"}),
            ("coderef_scan", {}),
            ("coderef_scan", {"types": ["class"]}),
            ("coderef_patterns", {}),
        ),
    ),
    TYPESCRIPT.name: (
        "src/internal/Observable.ts",
        (
            _query("calls-me", "src/internal/Observable.ts#Observable.subscribe", 1),
            _query("calls", "src/internal/Observable.ts#Observable.subscribe"),
            _query("depends-on-me", "src/internal/Subject.ts#Subject", 1),
            _query("imports-me", "src/internal/util/lift.ts", 1),
            ("coderef_symbol", {"element": "src/internal/Subject.ts#Subject.next"}),
            ("coderef_impact", {"element": "src/internal/util/lift.ts#operate"}),
            ("coderef_changes", {}),
            ("coderef_complexity", {"element": "src/internal/Subscriber.ts"}),
            ("coderef_scan", {}),
            ("coderef_scan", {"types": ["class"]}),
        ),
    ),
}


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(old), BEFORE], cwd=HERE, check=True)
        try:
            tables = [_measured(corpus, old, Path(folder)) for corpus in (PYTHON, TYPESCRIPT)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(old)], cwd=HERE, check=True)
    replies, definitions = "\n".join(rows for rows, _ in tables), tables[0][1]
    about = (
        f"{date.today().isoformat()}, Python {platform.python_version()}, 4 characters a token. Made by "
        "`python -m benchmarks characters`.\n\n"
        f"Before: {BEFORE}; now: {revision()}; both pure Python, as `make install` gives it. JSON, text: characters of "
        "the text that a client gets in each mode. Beside it a client gets structured content, before the whole JSON "
        'in both modes, now the JSON or `{"text": …}`; *both* is text and structured content together in text mode. '
        "Listed: how much of its list a reply has on its first page of at most 25,000 characters; each line has its "
        "source now.\n\n"
    )
    return f"# Characters\n\n{about}{replies}\n{definitions}"


def _measured(corpus: Corpus, old: Path, scratch: Path) -> tuple[str, str]:
    """The tables of replies about a corpus, and of definitions."""
    edited, calls = CALLS[corpus.name]
    root = scratch / corpus.name.partition(" ")[0]
    shutil.copytree(tree(corpus), root, ignore=shutil.ignore_patterns(".git"))
    commit(root)
    source = (root / edited).read_text(encoding="utf-8")
    (root / edited).write_text(source.replace("return ", "return  ", 5), encoding="utf-8")
    sides = {}
    for name, place in (("before", old), ("now", HERE)):
        progress(f"{corpus.name}: {name} …")
        sides[name] = _side(place, root, calls, scratch / f"{name}-cache")
    rows, sums = [], [0] * 6
    columns = (*(sides[name][what] for what in ("calls", "listed") for name in ("before", "now")),)
    for call, before, now, *listed in zip(calls, *columns, strict=True):
        sizes = [side[mode][0] for mode in (0, 1) for side in (before, now)]
        sizes += [sum(before[1]), sum(now[1])]
        sums = [one + other for one, other in zip(sums, sizes, strict=True)]
        rows.append([_named(call), " → ".join(map(str, listed)) if any(listed) else "", *_cells(sizes)])
    rows.append(["**all**", "", *_cells(sums)])
    titles = ["call", "listed", "JSON before", "now", "÷", "text before", "now", "÷", "both before", "now", "÷"]
    defined = _definitions(sides["before"]["definitions"], sides["now"]["definitions"])
    return f"## {corpus.name}, {lines(root)} lines\n\n{table(titles, rows)}", defined


def _named(call: Call) -> str:
    name, arguments = call
    said = [str(value) for key, value in arguments.items() if key != "max_depth"]
    depth = f" depth {arguments['max_depth']}" if "max_depth" in arguments else ""
    return f"`{name.removeprefix('coderef_')} {' '.join(said)}{depth}`"


def _cells(sizes: list[int]) -> list[str]:
    """Before, now and their ratio, for each pair."""
    pairs = zip(sizes[::2], sizes[1::2], strict=True)
    return [cell for before, now in pairs for cell in (f"{before:,}", f"{now:,}", f"{now / before:.2f}")]


def _definitions(before: Mapping[str, Mapping[str, int]], now: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        [f"`{wing}`, all", *(str(round(sum(side[wing].values()) / TOKEN)) for side in (before, now))]
        for wing in ("code", "places")
    ]
    core = [str(round(sum(side["code"][name] for name in CORE) / TOKEN)) for side in (before, now)]
    rows.insert(1, ["`code`, core", *core])
    return f"## Definitions, in tokens of {TOKEN} characters\n\n" + table(["tools", "before", "now"], rows)


def _side(place: Path, root: Path, calls: tuple[Call, ...], cache: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(SIDE)],
        env={**os.environ, "PYTHONPATH": str(place / "src"), "CODEREF_CACHE_DIR": str(cache)},
        input=json.dumps({"root": str(root), "calls": calls}),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    sizes: dict[str, Any] = json.loads(done.stdout)
    return sizes
