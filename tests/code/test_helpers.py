"""Helpers change how fast files are read and resolved, never what is found in them."""

import io
import sys
from collections.abc import Sequence

import msgspec
import pytest

from bearings.code.helpers import COMMAND, Helpers, Job, Parse, serve
from bearings.code.models import FileFacts, Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve import FileUses, Resolver
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.share import Share

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
    crew = Helpers(helpers, command)
    try:
        for _ in range(2):
            found = crew.parse(JOBS)
            assert list(found.items()) == list(EXPECTED.items())
    finally:
        crew.close()
    assert crew.parse(JOBS[:3], alone=True) == {job.path: EXPECTED[job.path] for job in JOBS[:3]}


def test_a_helper_does_tasks_until_its_input_ends() -> None:
    asked = msgspec.msgpack.encode(Parse(JOBS[:2]))
    incoming = io.BytesIO((len(asked).to_bytes(4, "big") + asked) * 2 + b"\0")
    outgoing = io.BytesIO()
    serve(incoming, outgoing)
    answer = outgoing.getvalue()
    assert answer[: len(answer) // 2] == answer[len(answer) // 2 :]
    facts = msgspec.msgpack.decode(answer[4 : len(answer) // 2], type=list[FileFacts])
    assert facts == [EXPECTED[job.path] for job in JOBS[:2]]


PACKAGE = {
    f"p/m{n}.py": f"from p.m{n // 2} import f{n // 2} as g\n\n\ndef f{n}():\n    return g()\n".encode()
    for n in range(1, 90)
}
PARSED = {path: parse_file(path, Language.PYTHON, source) for path, source in PACKAGE.items()}
PROJECT = ProjectFiles(frozenset(PACKAGE), {"pyproject.toml": b""})


@pytest.mark.parametrize(
    "command", [COMMAND, (sys.executable, "-c", ""), ("no/such/program",)], ids=["ours", "ends", "not there"]
)
def test_uses_are_the_same_with_any_help(command: tuple[str, ...]) -> None:
    crew = Helpers(2, command)
    alone = Resolver()
    alone.update(PARSED, PROJECT)
    modules = Modules(PROJECT)
    try:
        found = crew.resolve(Share(PARSED, PROJECT, modules), list(PARSED))
    finally:
        crew.close()
    assert found == alone.uses
    without = ProjectFiles(PROJECT.paths - {"p/m3.py"}, PROJECT.manifests)
    assert modules.update(without, PARSED) == {"p/m6.py", "p/m7.py"}, "what helpers asked for is known here"


def test_a_crew_is_asked_where_there_is_much_to_do() -> None:
    asked: list[int] = []

    def crew(share: Share, paths: Sequence[str]) -> dict[str, FileUses]:
        asked.append(len(paths))
        return share.uses(paths)

    source = b"def f(): pass\n"
    facts = {f"m{number}.py": parse_file(f"m{number}.py", Language.PYTHON, source) for number in range(300)}
    for count in (299, 300):
        resolver = Resolver()
        resolver.update(dict(list(facts.items())[:count]), ProjectFiles(frozenset(facts)), crew)
        assert len(resolver.uses) == count
    assert asked == [300]


def test_as_many_helpers_as_there_are_processors_and_one_less() -> None:
    crew = Helpers()
    assert crew.parse([]) == {}
    crew.close()
