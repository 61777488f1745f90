"""Where a reader works: `python -m benchmarks.tasks.desk ARM TASK question|tools|call|sh|answer …`.

    desk ARM tasks                      the tasks, and which of them are answered
    desk ARM TASK question              the question and the form of its answer
    desk ARM TASK tools                 the tools' definitions (arms tools, both)
    desk ARM TASK call TOOL '{…}'       a tool's reply (arms tools, both)
    desk ARM TASK sh 'COMMAND'          what a command prints (arms grep, shell, both)
    desk ARM TASK answer 'TEXT'         ends the task

ARM is `grep`, or `grep.2` for a second reader of that arm.

It prints what a model would read and nothing else, and keeps each call with its size and time. Answers are not shown.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.tasks import commands, recording, server
from benchmarks.tasks.packages import index, workplace
from benchmarks.tasks.questions import FILE, Task, tasks
from benchmarks.tasks.recording import ARMS, Call, Recording, tools_of

_CALLS, _COMMANDS = frozenset({"tools", "both"}), frozenset({"grep", "shell", "both"})

Place = Callable[[Task], Path]


class Mistake(Exception):
    """The reader asked for what the desk has not; the text says what it has."""


def desk(
    arguments: Sequence[str], *, questions: Path = FILE, kept: Path = recording.FOLDER, place: Place = workplace
) -> str:
    """The output of one call of the desk."""
    arm, name, verb, *rest = [*arguments, "", "", ""][: max(3, len(arguments))]
    known = tasks(questions)
    if tools_of(arm) not in ARMS:
        raise Mistake(f"ARM is one of {', '.join(ARMS)}, or one with its reader: shell.2")
    if name == "tasks":
        return _list(arm, known, kept)
    if name not in known:
        raise Mistake(f"no task {name!r}: `desk {arm} tasks` lists them")
    return Desk(arm, known[name], kept, place).do(verb, rest)


def _list(arm: str, known: dict[str, Task], kept: Path) -> str:
    def state(name: str) -> str:
        found = recording.load(arm, name, kept)
        return "open" if found is None or found.answer is None else "answered"

    return "\n".join(f"{name}  {state(name)}" for name in known)


class Desk:
    """One task for one arm."""

    def __init__(self, arm: str, task: Task, kept: Path, place: Place) -> None:
        self._arm, self._task, self._kept, self._place = arm, task, kept, place
        self._tools = tools_of(arm)

    def do(self, verb: str, rest: Sequence[str]) -> str:
        """Does what a reader asks for."""
        if verb == "question":
            return f"{self._task.question}\n\nAnswer: {self._task.form}, and nothing else. Paths are relative."
        if verb == "tools" and self._tools in _CALLS:
            note = "The project is the working directory: project_path may be left out.\n"
            return note + server.definitions(folder := self._folder(), index(folder))
        if verb == "call" and self._tools in _CALLS and rest:
            return self._call(rest[0], rest[1] if len(rest) > 1 else "{}")
        if verb == "sh" and self._tools in _COMMANDS and len(rest) == 1:
            return self._command(rest[0])
        if verb == "answer" and rest:
            return self._answer("\n".join(rest))
        has = [*(["tools", "call TOOL '{…}'"] if self._tools in _CALLS else []),
               *(["sh 'COMMAND'"] if self._tools in _COMMANDS else [])]  # fmt: skip
        raise Mistake(f"the arm {self._arm} has: question, {', '.join(has)}, answer 'TEXT'")

    def _folder(self) -> Path:
        return self._place(self._task)

    def _open(self) -> Recording:
        found = recording.load(self._arm, self._task.id, self._kept)
        if found is not None and found.answer is not None:
            raise Mistake(f"{self._task.id} is answered; nothing more is recorded")
        return found or Recording(self._arm, self._task.id, recording.made())

    def _call(self, tool: str, text: str) -> str:
        open_ = self._open()
        try:
            arguments = json.loads(text)
        except ValueError as error:
            raise Mistake(f"the arguments are no JSON: {error}") from error
        if not isinstance(arguments, dict):
            raise Mistake("the arguments are no JSON object")
        folder = self._folder()
        reply = server.call(folder, index(folder), tool, arguments)
        open_.definitions = reply.definitions
        self._keep(open_, Call("tool", tool, *_size(reply.text, reply.seconds), arguments, reply.error))
        return reply.text

    def _command(self, command: str) -> str:
        open_, folder = self._open(), self._folder()
        try:
            text, taken = commands.run(command, folder, index(folder), ours=self._tools == "shell")
        except commands.Refused as refused:
            self._keep(open_, Call("command", command, *_size(str(refused), 0.0), failed=True))
            return f"refused: {refused}"
        self._keep(open_, Call("command", command, *_size(text, taken)))
        return text

    def _keep(self, open_: Recording, call: Call) -> None:
        open_.calls.append(call)
        recording.save(open_, self._kept)

    def _answer(self, text: str) -> str:
        open_ = self._open()
        open_.answer = text.replace(str(self._folder()) + "/", "")
        recording.save(open_, self._kept)
        return f"{self._task.id}: {len(open_.calls)} calls, answered."


def _size(text: str, taken: float) -> tuple[int, float, str]:
    return len(text), round(taken, 3), recording.digest(text)


if __name__ == "__main__":
    try:
        print(desk(sys.argv[1:]))
    except Mistake as mistake:
        sys.exit(str(mistake))
