"""Whether an answer is right: sets of places are compared, and both what is missing and what is too much count.

Right is an answer with every required item and none beyond those that are allowed. It is partly right where it has at
least half of the required items and at least half of its own items are right, else wrong.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.tasks.questions import Task

RIGHT, PARTIAL, WRONG = "right", "partial", "wrong"
_LEADING = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+)")
_LINE = re.compile(r"^([^\s:]+):L?(\d+)")
_NAME = re.compile(r"^([^\s#]+)#(\S+)")
_TAIL = re.compile(r"(?:\(\S*\))?[,;.]*$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The score of an answer, and the lines that it misses or adds."""

    word: str
    hit: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def judge(task: Task, answer: str | None, folder: str = "") -> Verdict:
    """The verdict on an answer; `folder` is cut off from the paths in it. None: there is no answer."""
    given = items(answer or "", task.form, folder)
    found: set[str] = set()
    extra = []
    for item in given:
        wanted = _wanted(item, task.required, task.allowed)
        if wanted is None:
            extra.append(item)
        else:
            found.add(wanted)
    hits = [item for item in task.required if item in found]
    missing = tuple(item for item in task.required if item not in found)
    enough = 2 * len(hits) >= len(task.required) and 2 * len(extra) <= len(given)
    word = RIGHT if not missing and not extra else PARTIAL if hits and enough else WRONG
    return Verdict(word, len(hits), missing, tuple(extra))


def items(answer: str, form: str, folder: str = "") -> list[str]:
    """The items of an answer in the form that was asked for, each once, in one spelling; other lines as they are."""
    found: dict[str, None] = {}
    for line in answer.replace(folder.rstrip("/") + "/" if folder else "\0", "").splitlines():
        for part in line.split(", "):
            text = _LEADING.sub("", part.strip()).strip("`'\"* ")
            if text and not text.startswith("```"):
                found[_spelling(text, form)] = None
    return list(found)


def _spelling(text: str, form: str) -> str:
    text = text.removeprefix("./")
    if "path:line" in form and (line := _LINE.match(text)):
        return f"{line[1]}:{line[2]}"
    if "path#" in form and (name := _NAME.match(text)):
        return f"{name[1]}#{_TAIL.sub('', name[2]).strip('`').replace('::', '.').replace('.#', '.')}"
    return _TAIL.sub("", text.split()[0]) if form != "one word" else text.lower().rstrip(".")


def _wanted(item: str, *lists: Sequence[str]) -> str | None:
    """The item of the lists that is meant; one by the end of its name only where it is the only one."""
    every = [wanted for group in lists for wanted in group]
    exact = [wanted for wanted in every if item in _spellings(wanted)]
    near = exact or [wanted for wanted in every if any(_same(item, one) for one in _spellings(wanted))]
    return near[0] if len(near) == 1 or exact else None


def _spellings(wanted: str) -> Iterable[str]:
    return [one.replace(".#", ".") for one in wanted.split("|")]


def _same(item: str, wanted: str) -> bool:
    """Whether two names in one file are one, of which one says more of the classes around it."""
    (path, mark, name), (place, _, known) = item.partition("#"), wanted.partition("#")
    return bool(mark) and path == place and (name.endswith(f".{known}") or known.endswith(f".{name}"))
