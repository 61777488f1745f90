"""`python -m benchmarks.tasks replay [ARM…]`: the recorded calls again, on the build that is here.

What they were asked is asked anew; answers are not judged again, as nobody reads the replies. The table says what the
calls of each arm gave then and give now; with `--write`, the new sizes and times take the place of the recorded ones.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import progress, table
from benchmarks.tasks import commands, recording, server
from benchmarks.tasks.desk import Place
from benchmarks.tasks.packages import index, workplace
from benchmarks.tasks.questions import FILE, tasks
from benchmarks.tasks.recording import ARMS, Call, Recording


def replay(
    arms: Sequence[str], *, write: bool, questions: Path = FILE, kept: Path = recording.FOLDER, place: Place = workplace
) -> str:
    """The table of calls then and now."""
    known = tasks(questions)
    lines = []
    for arm in arms:
        then: list[Call] = []
        now: list[Call] = []
        for one in recording.recordings(kept):
            if one.tools == arm and one.task in known:
                progress(f"{arm} {one.task}")
                task = known[one.task]
                calls = [anew(call, arm, place(task)) for call in one.calls]
                then += one.calls
                now += calls
                if write:
                    recording.save(
                        Recording(one.arm, one.task, recording.made(), calls, one.answer, one.definitions), kept
                    )
        changed = sum(before.digest != after.digest for before, after in zip(then, now, strict=True))
        lines.append([arm, str(len(now)), str(changed), *_sums(then), *_sums(now)])
    columns = ["arm", "calls", "other replies", "characters then", "seconds then", "characters now", "seconds now"]
    return f"Replayed at {recording.made()}.\n\n" + table(columns, lines)


def anew(call: Call, arm: str, folder: Path) -> Call:
    """The call, made again."""
    if call.kind == "tool":
        reply = server.call(folder, index(folder), call.asked, call.arguments)
        text, taken, failed = reply.text, reply.seconds, reply.error
    else:
        try:
            text, taken = commands.run(call.asked, folder, index(folder), ours=arm == "shell")
            failed = False
        except commands.Refused as refused:
            text, taken, failed = str(refused), 0.0, True
    return replace(call, characters=len(text), seconds=round(taken, 3), digest=recording.digest(text), failed=failed)


def _sums(calls: Sequence[Call]) -> list[str]:
    return [str(sum(call.characters for call in calls)), f"{sum(call.seconds for call in calls):.1f}"]


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--write"]
    if given[:1] != ["replay"] or not set(given[1:]) <= set(ARMS):
        sys.exit(f"python -m benchmarks.tasks replay [{'|'.join(ARMS)}…] [--write]")
    print(replay(given[1:] or list(ARMS), write="--write" in sys.argv))
