"""Helpers change how fast files are parsed, never what is read in them."""

import io
import sys

import msgspec
import pytest

from bearings.code.helpers import COMMAND, Job, Parsers, serve
from bearings.code.models import FileFacts, Language
from bearings.code.parse import parse_file

JOBS = [
    Job(f"m{number}.py", Language.PYTHON, b"def f(): return g()\n" * (number * 8) + b"\xff((") for number in range(60)
] + [Job("a.ts", Language.TYPESCRIPT, b"export const f = () => 1\n")]
EXPECTED = {job.path: parse_file(*job) for job in JOBS}


@pytest.mark.parametrize(
    "command",
    [
        COMMAND,
        ("no/such/program",),
        (sys.executable, "-c", ""),
        (sys.executable, "-c", "print('no answer', flush=True); input()"),
        (
            sys.executable,
            "-c",
            "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\1\\x90'); sys.stdout.flush()",
        ),
    ],
    ids=["ours", "not there", "ends", "talks", "too few"],
)
@pytest.mark.parametrize("helpers", [0, 2])
def test_facts_are_the_same_with_any_help(command: tuple[str, ...], helpers: int) -> None:
    parsers = Parsers(helpers, command)
    try:
        for _ in range(2):
            found = parsers.parse(JOBS)
            assert list(found.items()) == list(EXPECTED.items())
    finally:
        parsers.close()
    assert parsers.parse(JOBS[:3], alone=True) == {job.path: EXPECTED[job.path] for job in JOBS[:3]}


def test_a_helper_answers_until_its_input_ends() -> None:
    asked = msgspec.msgpack.encode(JOBS[:2])
    incoming = io.BytesIO((len(asked).to_bytes(4, "big") + asked) * 2 + b"\0")
    outgoing = io.BytesIO()
    serve(incoming, outgoing)
    answer = outgoing.getvalue()
    assert answer[: len(answer) // 2] == answer[len(answer) // 2 :]
    facts = msgspec.msgpack.decode(answer[4 : len(answer) // 2], type=list[FileFacts])
    assert facts == [EXPECTED[job.path] for job in JOBS[:2]]


def test_as_many_helpers_as_there_are_processors_and_one_less() -> None:
    parsers = Parsers()
    assert parsers.parse([]) == {}
    parsers.close()
