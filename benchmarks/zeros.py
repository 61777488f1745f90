"""How often "nobody uses it" is said of what another file names: of 200 exported names and 200 fields, drawn at random.

Packages are fetched by name. Whether a word stands in another file is decided by grep, in the files that the project
has. A use is denied where a reply lists no user, and says of no other line that it holds the word.
"""

import random
import re
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio
from tests.code.asked import query
from tests.code.in_process import InProcessEngine

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.listing import Lister
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.symbol import Describe
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.service import CodeService
from benchmarks.code.corpora import package
from benchmarks.measure import progress, revision, table

PACKAGES = ("celery==5.5.3", "scrapy==2.13.3", "rxjs@7.8.2", "element-ui@2.15.14", "svelte@5.38.0")
EACH = 200
SEED = 17
MAX_FILE_BYTES = 2_000_000
TOOLS = ("query", "symbol", "impact")

_NAMED = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.INTERFACE,
        SymbolKind.TYPE, SymbolKind.ENUM, SymbolKind.COMPONENT, SymbolKind.HOOK, SymbolKind.METHOD,
    }
)  # fmt: skip
_WORD = re.compile(r"\w+")


@dataclass
class Score:
    """Of some elements: how many, and for each tool how many got no user though another file has the word."""

    asked: int = 0
    elsewhere: int = 0
    """Elements whose word stands in another file."""
    empty: int = 0
    """Questions about those that no user was listed for."""
    denied: int = 0
    """Of these, those that were told of no other line."""
    called_unused: int = 0


@dataclass
class Told:
    """An element's users in one reply."""

    users: int
    elsewhere: Elsewhere | None


def main() -> str:
    """The table."""
    rows, total = [], Score()
    for spec in PACKAGES:
        for what, score, median_ms in anyio.run(_package, package(spec), spec):
            shown = [score.asked, score.elsewhere, score.empty, score.denied, score.called_unused]
            rows.append([spec, what, *map(str, shown), f"{median_ms:.0f}"])
            for name in vars(total):
                setattr(total, name, getattr(total, name) + getattr(score, name))
    shown = [total.asked, total.elsewhere, total.empty, total.denied, total.called_unused]
    rows.append(["all", "", *map(str, shown), ""])
    columns = [
        "package",
        "drawn",
        "elements",
        "word in another file",
        "replies without a user",
        "denied",
        "called unused",
        "ms",
    ]
    return (
        "# Uses that are denied\n\n"
        f"Made by `python -m benchmarks zeros` at {revision()}, drawn with seed {SEED}. Each element is asked about by "
        f"{', '.join(TOOLS)}. *Replies without a user*: of elements whose word stands in another file by `grep -w`; "
        "before there was evidence, each of these denied a use. *Denied*: those that name no other line with the word. "
        "*ms*: the median of a question to the graph and the search together.\n\n" + table(columns, rows)
    )


async def _package(root: Path, spec: str) -> list[tuple[str, Score, float]]:
    """Scores of a package's names and of its fields."""
    progress(f"{spec} …")
    root = root.resolve()
    symbols = [one for one in _symbols(root) if not is_test(one.file) and _WORD.fullmatch(one.name)]
    names = [one for one in symbols if one.exported and one.kind in _NAMED]
    fields = [one for one in symbols if one.kind is SymbolKind.PROPERTY]
    engine = InProcessEngine(store=NoFacts(), max_file_bytes=MAX_FILE_BYTES)
    service = CodeService(engine)
    share = EACH // len(PACKAGES)
    found = []
    for what, drawn in (("names", names), ("fields", fields)):
        chosen = random.Random(SEED).sample(drawn, min(share, len(drawn)))
        found.append((what, *await _scored(service, root, chosen)))
    await engine.aclose()
    return found


def _symbols(root: Path) -> list[Symbol]:
    snapshot = Index(root, NoFacts(), MAX_FILE_BYTES).refresh()
    return sorted(snapshot.graph.symbols.values(), key=lambda one: one.id)


async def _scored(service: CodeService, root: Path, drawn: Sequence[Symbol]) -> tuple[Score, float]:
    score, taken = Score(), []
    for symbol in drawn:
        others = _files_with(root, symbol.name) - {symbol.file}
        score.asked += 1
        score.elsewhere += bool(others)
        for tool in TOOLS:
            started = time.perf_counter()
            told = await _told(service, str(root), tool, symbol.id)
            taken.append((time.perf_counter() - started) * 1000)
            if others and not told.users:
                score.empty += 1
                score.denied += told.elsewhere is None or not told.elsewhere.places
            score.called_unused += bool(others) and told.elsewhere is not None and told.elsewhere.unused
    taken.sort()
    return score, taken[len(taken) // 2] if taken else 0.0


async def _told(service: CodeService, root: str, tool: str, element: str) -> Told:
    if tool == "query":
        answer = await query(service, root, "depends-on-me", element)
        return Told(answer.results_found or 0, answer.elsewhere)
    if tool == "symbol":
        detail = await service.reply_to(root, Describe(element=element, detail="full"))
        return Told((detail.callers.total or 0) + (detail.references.total or 0), detail.elsewhere)
    impact = await service.reply_to(root, AskImpact(element=element, detail="full"))
    return Told(impact.affected_total or 0, impact.elsewhere)


def _files_with(root: Path, word: str) -> set[str]:
    """The project's files that hold a word, by grep: text alone, whole words."""
    done = subprocess.run(
        ("grep", "-rIlwF", "--", word, "."), cwd=root, capture_output=True, text=True, check=False, timeout=120
    )
    return {line.removeprefix("./") for line in done.stdout.splitlines()} & _listed(root)


_LISTED: dict[Path, frozenset[str]] = {}


def _listed(root: Path) -> frozenset[str]:
    if root not in _LISTED:
        _LISTED[root] = frozenset(_small(root, Lister(root).list().paths))
    return _LISTED[root]


def _small(root: Path, paths: Iterable[str]) -> Iterable[str]:
    """The paths that are neither links nor too large to be searched."""
    return (path for path in paths if not (root / path).is_symlink() and (root / path).stat().st_size < 8_000_000)
