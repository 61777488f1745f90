"""What the hook adds to recorded work: the searches and readings of the tasks' readers, and the tasks as prompts.

Each command that a reader of benchmarks/tasks ran with the shell's programs runs again in the task's folder, and the
hook gets it with its output as Claude Code reports it. Each question goes to it as a prompt. `--say` prints all that
it says, to be read by hand.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bearings.cli.hook.entry import answer_to
from bearings.code.defaults import MAX_FILE_BYTES
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from benchmarks.hook import CLIENT, spread
from benchmarks.measure import progress, revision, table
from benchmarks.tasks import commands, recording
from benchmarks.tasks.packages import index, workplace
from benchmarks.tasks.questions import Task, tasks

ARMS = ("grep", "grep.2", "shell", "shell.2")
_PLACE = re.compile(r"(\S+?):(\d+) (\S+?)(?:;|$)")


@dataclass
class Said:
    """What the hook said to one kind of event."""

    asked: int = 0
    characters: list[int] = field(default_factory=list)
    hits: int = 0
    """Prompts: those where an element of the answer is among the places."""
    files: int = 0
    """Prompts: those where a file of the answer is."""


def main(*, say: bool = False) -> str:
    """The table."""
    said: dict[str, Said] = {}
    indexed: set[Path] = set()
    for task in tasks().values():
        progress(f"{task.id} …")
        folder = workplace(task)
        environ = {**os.environ, "CODEREF_CACHE_DIR": str(index(folder))}
        if folder not in indexed:
            indexed.add(folder)
            _index(folder)
        for kind, shown, payload in _events(task, folder):
            kept = said.setdefault(kind, Said())
            kept.asked += 1
            text = _addition(payload, environ)
            if not text:
                continue
            kept.characters.append(len(text))
            if kind == "prompt":
                places = {(path, name) for path, _, name in _PLACE.findall(text)}
                wanted = [one.partition("#") for item in task.required for one in item.split("|")]
                kept.hits += any((path, name) in places for path, _, name in wanted if name)
                kept.files += any(path in {file for file, _ in places} for path, _, _ in wanted)
            if say:
                print(f"{task.id} {kind}: {shown}\n    → {text}\n", flush=True)
    return _report(said)


def _index(folder: Path) -> None:
    cache = index(folder)
    kept = Index(folder, SqliteFacts(cache), MAX_FILE_BYTES, graphs=GraphStore(cache))
    kept.refresh()
    kept.keep()


def _events(task: Task, folder: Path) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Each event's kind, its command or question, and its payload."""
    base = {"session_id": "s", "cwd": str(folder)}
    yield "prompt", task.question, {**base, "hook_event_name": "UserPromptSubmit", "prompt": task.question}
    for arm in ARMS:
        found = recording.load(arm, task.id)
        for call in found.calls if found else ():
            if call.failed or "bearings" in call.asked:
                continue
            shown, _ = commands.run(call.asked, folder, index(folder), ours=False)
            program = call.asked.split()[0]
            response = {"stdout": shown, "stderr": "", "interrupted": False}
            yield (
                "search" if program in ("rg", "grep", "git") else "reading",
                call.asked,
                {
                    **base,
                    "hook_event_name": "PostToolUse",
                    "tool_name": "Bash",
                    "tool_input": {"command": call.asked},
                    "tool_response": response,
                },
            )


def _addition(payload: dict[str, object], environ: dict[str, str]) -> str:
    answer = answer_to(CLIENT, json.dumps(payload).encode(), environ)
    return json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""


def _report(said: dict[str, Said]) -> str:
    columns = ["event", "asked", "spoke", "characters p50 / p95", "an element of the answer named", "a file of it"]
    rows = []
    for kind, one in sorted(said.items()):
        hits = [f"{one.hits} of {one.asked}", f"{one.files} of {one.asked}"] if kind == "prompt" else ["", ""]
        rows.append([kind, str(one.asked), str(len(one.characters)), spread(one.characters or [0]), *hits])
    about = " ".join((__doc__ or "").split())
    made = f"Made by `python -m benchmarks.hook_transcripts` at {revision()}. {about}"
    return f"# The hook in recorded work\n\n{made}\n\n{table(columns, rows)}"


if __name__ == "__main__":
    text = main(say="--say" in sys.argv)
    print(text)
