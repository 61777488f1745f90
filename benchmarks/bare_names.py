"""How many bare names of an application's elements are answered, and whether the drawn element comes first.

    python -m benchmarks.bare_names ~/langfuse ~/saleor …

From each folder, names of functions, classes, methods, hooks and components are drawn, without those of tests and
generated files, and names with their class. Each is asked as `users NAME` asks it.
"""

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bearings.code.engine.native import NativeEngine
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import Symbol, SymbolKind
from bearings.code.replies.lines import LinedReply
from bearings.code.replies.many import ManyReply
from bearings.code.search.candidates import rank
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import BearingsError
from benchmarks.measure import progress, revision, table

SEED = 44
NAMES, QUALIFIED = 50, 17
"""Names, and names with their class, of each folder."""
_LARGEST = 1_000_000
_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_COLUMNS = ("Application", "Commit", "Drawn", "Asked", "Answered", "With places", "One element", "Drawn first", "Found")


def main(folders: Sequence[Path]) -> str:
    """The table."""
    rows = [row for folder in folders for row in asyncio.run(_folder(folder))]
    totals = [
        ["all", "", drawn, *(str(sum(int(row[at]) for row in rows if row[2] == drawn)) for at in range(3, 9))]
        for drawn in ("names", "Class.member")
    ]
    return (
        "# Bare names\n\n"
        f"Made by `python -m benchmarks.bare_names` at {revision()}, seed {SEED}. Answered: the reply is no error; "
        "with places: it has a use; one element: the name means one. Drawn first: the first answer is about the "
        "element whose name was drawn (of namesakes the most used comes first). Found: it is answered, or a note names "
        "it.\n\n" + table(list(_COLUMNS), [*rows, *totals])
    )


async def _folder(folder: Path) -> list[list[str]]:
    progress(f"{folder.name} …")
    snapshot = Index(folder.resolve(), NoFacts(), _LARGEST).refresh()
    symbols = sorted(snapshot.graph.symbols.values(), key=lambda one: one.id)
    own = [one for one in symbols if one.kind in _KINDS and rank(snapshot, one) == 0]
    members = [one for one in own if one.kind is SymbolKind.METHOD and one.qualified_name.count(".") == 1]
    drawn = random.Random(SEED)
    names = {one: one.name for one in drawn.sample(own, min(NAMES, len(own)))}
    qualified = {one: one.qualified_name for one in drawn.sample(members, min(QUALIFIED, len(members)))}
    service = CodeService(NativeEngine(timeout_s=600, cache_dir=None, max_file_bytes=_LARGEST))
    commit = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    try:
        return [
            [folder.name, commit, what, *map(str, await _counts(service, folder, asked))]
            for what, asked in (("names", names), ("Class.member", qualified))
        ]
    finally:
        await service.aclose()


async def _counts(service: CodeService, folder: Path, asked: dict[Symbol, str]) -> list[int]:
    query = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_query")
    counts, root = [len(asked), 0, 0, 0, 0, 0], str(folder.resolve())
    for symbol, name in asked.items():
        start = time.perf_counter()
        try:
            reply: Any = (
                await query.run({"project_path": root, "query_type": "depends-on-me", "max_depth": 1, "element": name})
            )[0]
        except BearingsError as error:
            print(f"error\t{folder.name}\t{name}\t{symbol.id}\t{error.error}", file=sys.stderr)
            continue
        answers = list(_answers(reply))
        ids = [answer.target for answer in answers]  # type: ignore[attr-defined]
        counts[1] += bool(answers)
        counts[2] += any(list(answer.places()) for answer in answers)
        counts[3] += len(answers) == 1
        counts[4] += ids[:1] == [symbol.id]
        counts[5] += symbol.id in ids or symbol.id in (reply.namesakes or "")
        if "--read" in sys.argv:
            took = time.perf_counter() - start
            print(f"{name}\t{symbol.id}\t{took:.1f}\t{ids}\t{reply.namesakes}", file=sys.stderr)
    return counts


def _answers(reply: Any) -> Iterator[LinedReply]:
    found = reply.leaves() if isinstance(reply, ManyReply) else (reply,)
    return (answer for answer in found if isinstance(answer, LinedReply))


if __name__ == "__main__":
    text = main([Path(one) for one in sys.argv[1:] if not one.startswith("-")])
    print(text)
    (Path(__file__).parent / "results" / "bare_names.md").write_text(text, encoding="utf-8")
