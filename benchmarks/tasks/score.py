"""The tables of what is recorded: who answers what rightly, for how many calls, characters and seconds."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measure import table
from benchmarks.tasks import recording
from benchmarks.tasks.answers import PARTIAL, RIGHT, WRONG, Verdict, judge
from benchmarks.tasks.questions import FILE, Task, tasks
from benchmarks.tasks.recording import ARMS, Call, Recording

RELATIONS = frozenset({"callers", "extends", "impact"})
"""Kinds that ask who calls, extends, implements, or what a change reaches."""
LIST = 60
"""A list of so many sites has to come with one call."""
_PAGING = frozenset({"cursor", "limit", "offset", "page"})


@dataclass(frozen=True, slots=True)
class Row:
    """A recorded task with its verdict."""

    task: Task
    recording: Recording
    verdict: Verdict

    @property
    def characters(self) -> int:
        return sum(call.characters for call in self.recording.calls)

    @property
    def seconds(self) -> float:
        return sum(call.seconds for call in self.recording.calls)


def rows(questions: Path = FILE, kept: Path = recording.FOLDER) -> list[Row]:
    """Every recording of a task that is still asked."""
    known = tasks(questions)
    found = [one for one in recording.recordings(kept) if one.task in known]
    return [Row(known[one.task], one, judge(known[one.task], one.answer)) for one in found]


def report(questions: Path = FILE, kept: Path = recording.FOLDER) -> str:
    """The page."""
    asked, every = tasks(questions), rows(questions, kept)
    known = {name: task for name, task in asked.items() if task.set == "first"}
    scored = [row for row in every if row.task.set == "first"]
    badly = sum(task.grep == "badly" for task in known.values())
    parts = [
        "# Tasks on unknown packages\n\nMade by `python -m benchmarks tasks` of the recordings in "
        f"`benchmarks/tasks/recordings`. {len(known)} tasks on {len({task.package for task in known.values()})} "
        f"packages, {badly} of kinds that text search answers badly. Readers see the question and the "
        "tools or commands of their arm alone. An answer is *right* with every required item and none that is not "
        "allowed, *partial* with at least half of the items and half of its own right, else *wrong*. *Characters* are "
        "those that a model reads of replies; the tools' definitions, read once a session, are not in them.\n"
    ]
    if not every:
        return parts[0] + "\nNothing is recorded yet.\n"
    made = sorted({one.recording.made for one in scored})
    parts.append("Recorded at " + "; ".join(made) + ".\n")
    sizes = sorted({one.recording.definitions for one in scored} - {0})
    if sizes:
        parts.append(f"The tools' definitions: {', '.join(map(str, sizes))} characters.\n")
    parts += [_arms(known, scored), _both(scored), _paged(scored), _misses(scored)]
    second = [task for task in asked.values() if task.set == "second"]
    if second:
        parts.append(_second(second, [row for row in every if row.task.set == "second"]))
    return "\n".join(parts)


def _arms(known: dict[str, Task], scored: Sequence[Row]) -> str:
    kinds = sorted({task.kind for task in known.values()})
    groups: list[tuple[str, Callable[[Task], bool]]] = [
        *((kind, lambda task, kind=kind: task.kind == kind) for kind in kinds),
        ("grep answers badly", lambda task: task.grep == "badly"),
        ("grep answers well", lambda task: task.grep == "well"),
        ("all", lambda _: True),
    ]
    lines = []
    for name, belongs in groups:
        for arm in ARMS:
            mine = [row for row in scored if row.recording.arm == arm and belongs(row.task)]
            if mine:
                lines.append([name, arm, *_figures(mine)])
    columns = ["kind", "arm", "tasks", "right", "partial", "wrong", "calls", "characters", "seconds"]
    return "## By kind\n\n" + table(columns, lines)


def _figures(mine: Sequence[Row]) -> list[str]:
    words = [row.verdict.word for row in mine]
    return [
        str(len(mine)), *(str(words.count(word)) for word in (RIGHT, PARTIAL, WRONG)),
        str(sum(len(row.recording.calls) for row in mine)), str(sum(row.characters for row in mine)),
        f"{sum(row.seconds for row in mine):.1f}",
    ]  # fmt: skip


def _both(scored: Sequence[Row]) -> str:
    """Each arm beside grep, on the tasks that both answer rightly."""
    right = {(row.recording.arm, row.task.id): row for row in scored if row.verdict.word == RIGHT}
    lines = []
    for arm in ARMS:
        pairs = [(row, right["grep", name]) for (other, name), row in right.items() if other == arm != "grep"
                 and ("grep", name) in right]  # fmt: skip
        for name, chosen in (
            ("all", pairs),
            ("who calls, extends, is reached", [pair for pair in pairs if pair[0].task.kind in RELATIONS]),
        ):
            if chosen:
                lines.append([arm, name, *_ratio(chosen)])
    columns = ["arm", "tasks of kind", "tasks", "calls", "grep's", "characters", "grep's", "ratio", "median of ratios"]
    return "## Beside grep, on tasks that both answer rightly\n\n" + (
        table(columns, lines) if lines else "No task is answered rightly by two arms.\n"
    )


def _ratio(pairs: Sequence[tuple[Row, Row]]) -> list[str]:
    ours, theirs = (sum(pair[side].characters for pair in pairs) for side in (0, 1))
    calls = [sum(len(pair[side].recording.calls) for pair in pairs) for side in (0, 1)]
    each = median(mine.characters / max(1, other.characters) for mine, other in pairs)
    return [str(len(pairs)), *map(str, calls), str(ours), str(theirs), f"{ours / max(1, theirs):.2f}", f"{each:.2f}"]


def _second(known: Sequence[Task], scored: Sequence[Row]) -> str:
    """The tasks in plain words. Readers of one arm count together; what they read is the mean of them."""
    head = (
        f"## Second set: {len(known)} tasks as agents are given them\n\n"
        f"On {len({task.package for task in known})} packages: symptoms without names of the code, changes that "
        "reach further, flows, tests. Verdicts are those of all readers of an arm; calls and characters are sums over "
        "readers, divided by readers. *Ours*: calls of the tools or of `bearings`, and the answers that have any.\n\n"
    )
    lines = []
    for name in (*sorted({task.kind for task in known}), "all"):
        chosen = [row for row in scored if name in (row.task.kind, "all")]
        grep = _mean([row for row in chosen if row.recording.tools == "grep"])[1]
        for arm in ARMS:
            mine = [row for row in chosen if row.recording.tools == arm]
            if mine:
                words, ours = [row.verdict.word for row in mine], [_ours(row) for row in mine]
                calls, characters = _mean(mine)
                lines.append([
                    name, arm, str(len({row.recording.arm for row in mine})), str(len(mine)),
                    *(str(words.count(word)) for word in (RIGHT, PARTIAL, WRONG)), f"{calls:.1f}", f"{characters:.0f}",
                    f"{characters / grep:.2f}" if grep else "–", str(sum(ours)), str(sum(map(bool, ours))),
                ])  # fmt: skip
    columns = [
        "kind", "arm", "readers", "answers", "right", "partial", "wrong", "calls", "characters", "of grep's",
        "ours", "answers with ours",
    ]  # fmt: skip
    return head + (table(columns, lines) + "\n" + _misses(scored, "###") if lines else "Nothing is recorded yet.\n")


def _mean(mine: Sequence[Row]) -> tuple[float, float]:
    """Calls and characters of one reader."""
    readers = max(1, len({row.recording.arm for row in mine}))
    return sum(len(row.recording.calls) for row in mine) / readers, sum(row.characters for row in mine) / readers


def _ours(row: Row) -> int:
    """The calls of our tools or commands."""
    return sum(call.kind == "tool" or call.asked.startswith("bearings") for call in row.recording.calls)


def _paged(scored: Iterable[Row]) -> str:
    """Tasks whose list is short, and that took another call to come to the end of a reply."""
    found = [
        f"{row.recording.arm}/{row.task.id}"
        for row in scored
        if len(row.task.required) <= LIST and again(row.recording.calls)
    ]
    return f"Lists of at most {LIST} sites that took a second call to finish: {', '.join(found) or 'none'}.\n"


def again(calls: Sequence[Call]) -> bool:
    """Whether a call of one of our tools asks for more of what an earlier call gave."""
    seen: set[str] = set()
    for call in calls:
        if call.kind == "command":
            if call.asked.startswith("bearings") and "--cursor" in call.asked:
                return True
            continue
        kept = {name: value for name, value in call.arguments.items() if name not in _PAGING}
        key = json.dumps([call.asked, kept], sort_keys=True)
        if key in seen:
            return True
        seen.add(key)
    return False


def _misses(scored: Sequence[Row], mark: str = "##") -> str:
    lines = [
        [row.task.id, row.recording.arm, row.verdict.word, _some(row.verdict.missing), _some(row.verdict.extra)]
        for row in scored
        if row.verdict.word != RIGHT
    ]
    return f"{mark} Not right\n\n" + (
        table(["task", "arm", "verdict", "missing", "too much"], lines) if lines else "Every answer is right.\n"
    )


def _some(items: Sequence[str]) -> str:
    shown = ", ".join(f"`{item}`".replace("|", " or ") for item in items[:4])
    return shown + (f" and {len(items) - 4} more" if len(items) > 4 else "")
