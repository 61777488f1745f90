"""Workers change how fast files are parsed and resolved, never the result."""

import io
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.facts.packing import Packed, pack
from bearings.code.file_facts import FileFacts
from bearings.code.index.jobs import Begin, Job, Learn, Parse, PoolWorker, Resolve, Task, resolve_chunks
from bearings.code.index.work_queue import TwoEndedQueue
from bearings.code.index.worker_pool import COMMAND, WorkerPool, _Operation, _send_facts, serve
from bearings.code.models import EdgeKind, Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.file_resolver import FileResolver, ResolvedFiles
from bearings.code.resolve.file_summary import summary_of
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.resolver import Resolver
from bearings.code.resolve.stored_uses import packed_uses
from bearings.code.resolve.strategies import tables_with
from tests.code.cases import facts_of

JOBS = [
    Job(f"m{number}.py", Language.PYTHON, b"def f(): return g()\n" * (number * 2) + b"\xff((") for number in range(60)
] + [Job("a.ts", Language.TYPESCRIPT, b"export const f = () => 1\n")]
EXPECTED = {job.path: parse_file(*job) for job in JOBS}


def parsed(done: Iterable[tuple[Job, Packed[FileFacts]]]) -> dict[str, FileFacts]:
    return {job.path: facts.get() for job, facts in done}


def unpacked(found: Iterable[Mapping[str, FileUses | Packed[FileUses]]]) -> dict[str, FileUses]:
    return {path: uses.get() if isinstance(uses, Packed) else uses for part in found for path, uses in part.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "command"),
    [
        (0, COMMAND),
        (2, COMMAND),
        (2, ("no/such/program",)),
        (2, (sys.executable, "-c", "")),
        (2, (sys.executable, "-c", "print('no answer', flush=True); input()")),
        (
            2,
            (
                sys.executable,
                "-c",
                "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\1\\x90'); sys.stdout.flush()",
            ),
        ),
    ],
    ids=["none", "ours", "not there", "ends", "talks", "too few"],
)
def test_facts_are_the_same_with_any_workers(workers: int, command: tuple[str, ...]) -> None:
    pool = WorkerPool(workers, command)
    try:
        for _ in range(2):
            jobs = TwoEndedQueue(JOBS)
            done = list(pool.parse(jobs.front(), jobs.back()))
            assert parsed(done) == EXPECTED
            assert len(done) == len(JOBS), "each once"
    finally:
        pool.close()
    assert parsed(pool.parse(JOBS[:3], alone=True)) == {job.path: EXPECTED[job.path] for job in JOBS[:3]}


def test_a_worker_does_tasks_until_its_input_ends() -> None:
    asked = msgspec.msgpack.encode(Parse(JOBS[:2]))
    incoming = io.BytesIO((len(asked).to_bytes(4, "big") + asked) * 2 + b"\0")
    outgoing = io.BytesIO()
    serve(incoming, outgoing)
    answer = outgoing.getvalue()
    assert answer[: len(answer) // 2] == answer[len(answer) // 2 :]
    facts = msgspec.msgpack.decode(answer[4 : len(answer) // 2], type=list[bytes])
    assert facts == [pack(EXPECTED[job.path]) for job in JOBS[:2]]


PACKAGE = {
    f"p/m{n}.py": f"from p.m{n // 2} import f{n // 2} as g\n\n\ndef f{n}():\n    return g()\n".encode()
    for n in range(1, 90)
}
PARSED = {path: parse_file(path, Language.PYTHON, source) for path, source in PACKAGE.items()}
PROJECT = ProjectFiles(frozenset(PACKAGE), {"pyproject.toml": b""})


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [COMMAND, (sys.executable, "-c", ""), ("no/such/program",)], ids=["ours", "ends", "not there"]
)
def test_uses_are_the_same_with_any_workers(command: tuple[str, ...]) -> None:
    pool = WorkerPool(2, command)
    alone = Resolver()
    alone.update(PARSED, PROJECT)
    modules = Modules(PROJECT)
    try:
        files = FileResolver(PARSED, PROJECT, modules)
        found = list(pool.resolve(files, list(PARSED)))
    finally:
        pool.close()
    assert unpacked(found) == alone.uses
    assert files.consulted == alone.memory().consulted
    without = ProjectFiles(PROJECT.paths - {"p/m3.py"}, PROJECT.manifests)
    assert modules.update(without, PARSED) == {"p/m6.py", "p/m7.py"}, "what workers asked for is known here"


@pytest.mark.slow
def test_what_tables_of_the_project_add_is_the_same_with_any_workers() -> None:
    struct = "package t\ntype T{0} struct{{}}\nfunc (T{0}) Open() error {{ return nil }}"
    sources = {f"go/t{n}.go": struct.format(n) for n in range(60)}
    sources["go/store.go"] = "package t\ntype Store interface { Open() error }"
    sources |= {f"J{n}.java": f"class J{n} {{ void go{n}() {{ new J{n + 1}().go{n + 1}(); }} }}" for n in range(60)}
    facts = facts_of(sources)
    project = ProjectFiles(frozenset(sources))
    alone = Resolver()
    alone.update(facts, project)
    tables = tables_with(project, {})
    for table in tables:
        table.update(facts, facts)
    for most in (1_000_000, 10):
        pool = WorkerPool(2, most_entries=most)
        try:
            assert len(list(pool.parse(JOBS))) == len(JOBS)
            found = list(pool.resolve(FileResolver(facts, project, Modules(project), tables), list(facts)))
            assert bool(pool._running) is (most > 10), "workers that have parsed get no copy of many entries"
        finally:
            pool.close()
        assert unpacked(found) == alone.uses
    assert sum(edge.kind is EdgeKind.IMPLEMENTS for uses in alone.uses.values() for edge in uses.edges) == 120
    assert any(edge.target.endswith("go7") for edge in alone.uses["J6.java"].edges)


def test_a_worker_uses_the_latest_facts_not_those_that_it_parsed() -> None:
    source = "def f3():\n    return f3()\n"
    now = {**PARSED, "p/m3.py": parse_file("p/m3.py", Language.PYTHON, source.encode())}
    incoming = framed(
        Parse([Job(path, Language.PYTHON, source) for path, source in PACKAGE.items()]),
        Begin(sorted(PACKAGE), {}, {}),
        Learn({path: pack(now[path]) if path == "p/m3.py" else b"" for path in now}),
        Resolve(list(now)),
    )
    outgoing = io.BytesIO()
    serve(io.BytesIO(incoming), outgoing)
    found = msgspec.msgpack.decode(answers(outgoing.getvalue())[-1], type=ResolvedFiles).files
    alone = FileResolver(now, ProjectFiles(frozenset(PACKAGE)))
    assert {file.path: packed_uses(file.path, file.uses).get() for file in found} == alone.uses(now)


def test_facts_that_a_worker_parsed_itself_are_not_sent_back():
    sent = []

    class RecordingWorker(PoolWorker):
        def __init__(self):
            self.parsed = {path: pack(facts) for path, facts in PARSED.items() if path != "p/m5.py"}
            self.parsed["p/m7.py"] = b"as it was"

        def send(self, task):
            sent.append(task)

        def answer(self, decoder):
            pass

    _send_facts(RecordingWorker(), FileResolver(PARSED, PROJECT))
    batches = {path: data for task in sent if isinstance(task, Learn) for path, data in task.facts.items()}
    assert list(batches) == list(PARSED)
    assert {path for path, data in batches.items() if data} == {"p/m5.py", "p/m7.py"}


def framed(*tasks: Task) -> bytes:
    """Tasks as a worker reads them."""
    texts = [msgspec.msgpack.encode(task) for task in tasks]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def answers(given: bytes) -> list[bytes]:
    """The answers that a worker wrote, in order."""
    found = []
    while given:
        size = int.from_bytes(given[:4], "big")
        found.append(given[4 : 4 + size])
        given = given[4 + size :]
    return found


def test_a_worker_resolves_the_facts_it_was_sent_and_drops_them_for_the_next_project() -> None:
    batches = [{path: pack(PARSED[path]) for path in paths} for paths in (list(PARSED)[::2], PARSED)]
    begin = Begin(sorted(PACKAGE), dict(PROJECT.manifests), {})
    paths = list(PARSED)[3:9]
    outgoing = io.BytesIO()
    serve(io.BytesIO(framed(begin, *map(Learn, batches), Resolve(paths), begin, Learn({}))), outgoing)
    begun, *learnt, resolved, again, nothing = answers(outgoing.getvalue())
    decode = msgspec.msgpack.decode
    assert (decode(begun), [decode(count) for count in learnt]) == (0, [45, 89])
    found = msgspec.msgpack.decode(resolved, type=ResolvedFiles).files
    alone = FileResolver(PARSED, PROJECT)
    uses = {file.path: packed_uses(file.path, file.uses).get() for file in found}
    assert uses == alone.uses(paths)
    assert {file.path: file.consulted for file in found} == alone.consulted
    assert all(file.summary == summary_of(PARSED[file.path], *uses[file.path]) for file in found)
    assert (decode(again), decode(nothing)) == (0, 0)


@pytest.mark.slow
def test_the_worker_command_serves_until_its_input_ends_and_logs_nothing() -> None:
    ended = subprocess.run(COMMAND, input=framed(Parse(JOBS[:2])), capture_output=True, check=True, timeout=60)
    (facts,) = answers(ended.stdout)
    assert msgspec.msgpack.decode(facts, type=list[bytes]) == [pack(EXPECTED[job.path]) for job in JOBS[:2]]
    assert ended.stderr == b""


def test_an_answer_for_other_files_than_asked_is_rejected() -> None:
    lie = msgspec.msgpack.encode(ResolvedFiles([], []))
    stranger = (
        sys.executable,
        "-c",
        "import sys\n"
        "def read(): return sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(4), 'big'))\n"
        "def say(b): sys.stdout.buffer.write(len(b).to_bytes(4, 'big') + b); sys.stdout.flush()\n"
        f"while t := read(): say({lie!r} if b'Resolve' in t else b'\\0')",
    )
    pool = WorkerPool(1, stranger)
    try:
        found = list(pool.resolve(FileResolver(PARSED, PROJECT), list(PARSED)))
    finally:
        pool.close()
    assert unpacked(found) == FileResolver(PARSED, PROJECT).uses(PARSED)


@given(st.integers(0, 3000))
def test_files_are_divided_into_chunks_that_get_smaller_towards_the_middle(count: int) -> None:
    paths = [f"{number}.py" for number in range(count)]
    parts = resolve_chunks(paths)
    assert [path for part in parts for path in part] == paths
    sizes = [len(part) for part in parts]
    middle = len(sizes) // 2
    assert sizes[:middle] == sorted(sizes[:middle], reverse=True)
    assert all(size <= max(1, count // 16) for size in sizes)


def test_the_resolver_uses_a_pool_from_300_files() -> None:
    asked: list[int] = []

    def pool(files: FileResolver, paths: Sequence[str]) -> list[dict[str, FileUses]]:
        asked.append(len(paths))
        return [files.uses(paths)]

    source = b"def f(): pass\n"
    facts = {f"m{number}.py": parse_file(f"m{number}.py", Language.PYTHON, source) for number in range(300)}
    for count in (299, 300):
        resolver = Resolver()
        resolver.update(dict(list(facts.items())[:count]), ProjectFiles(frozenset(facts)), pool)
        assert len(resolver.uses) == count
    assert asked == [300]


def test_a_pool_without_jobs_yields_nothing() -> None:
    pool = WorkerPool()
    assert not list(pool.parse([]))
    pool.close()


def test_no_result_is_lost_if_workers_are_faster_than_the_consumer():
    given, taken, found = [], [], []

    class Quick(PoolWorker):
        def __init__(self):
            pass

        def send(self, task):
            taken.append(task)

        def end(self):
            pass

    def chunks():
        for number in range(50):
            given.append(number)
            yield [number]

    def here(chunk):
        taken.append(chunk)
        return chunk

    pool = WorkerPool(0)
    pool._started, pool._running = True, [Quick()]
    for done in pool._run(
        chunks(),
        iter(()),
        _Operation(here, lambda _: Parse([]), lambda _, chunk: chunk, lambda _: None, ahead=3, waiting=3),
    ):
        found += done
        while len(taken) < len(given):
            pass  # until nothing is left to take
    assert sorted(found) == given == list(range(50))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_chunks_of_a_failed_worker_are_processed_here():
    has_some = threading.Event()

    class Ready(PoolWorker):
        def __init__(self):
            pass

        def send(self, task):
            has_some.set()

        def end(self):
            pass

    def here(chunk):
        assert has_some.wait(timeout=30)
        return chunk

    def take(worker, chunk):
        raise RuntimeError(f"nobody foresaw this: {chunk}")

    pool = WorkerPool(0)
    pool._started, pool._running = True, [Ready()]
    operation = _Operation(here, lambda _: Parse([]), take, lambda _: None, ahead=2, waiting=3)
    found = [item for done in pool._run(([number] for number in range(9)), iter(()), operation) for item in done]
    assert sorted(found) == list(range(9))
    assert pool._running == []
