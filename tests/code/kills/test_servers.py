"""Several servers on one project and one store; several projects in one server. All processes are real."""

import random
import sys
import threading
from pathlib import Path

import pytest

from bearings.code.engine.native import MAX_IDLE
from bearings.code.facts.blobs import FACTS_FILE, stored_bytes
from bearings.code.index.snapshot_file import GRAPHS_FOLDER
from tests.code.kills.siege import source
from tests.code.servers import Server
from tests.code.trees import SHOP, repository, write

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

ROUNDS = 8


def in_threads(*work: object) -> list[Exception]:
    """Runs each at the same time as the others; what went wrong."""
    failures: list[Exception] = []

    def run(one: object) -> None:
        try:
            one()  # type: ignore[operator]
        except Exception as error:  # noqa: BLE001 - told by the caller
            failures.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    return failures


def test_three_servers_on_one_project_and_store_answer_right_while_all_of_them_edit(tmp_path):
    """Each sees its own edit at once, whatever the others do, and in the end all have the same graph."""
    root = repository(tmp_path.resolve() / "project", {**SHOP, **source(2, 0), **source(1, 0)})
    servers = [Server(tmp_path / "cache") for _ in range(3)]

    def work(number: int) -> None:
        server, chance = servers[number], random.Random(number)
        for version in range(ROUNDS):
            write(root, {f"own{number}.py": f"from shop.basket import fill\n\n\ndef v{version}(): fill([])\n"})
            write(root, source(chance.randrange(40), version))
            seen = server.ask("coderef_scan", project_path=str(root), path=f"own{number}.py", detail="full")
            assert [element["name"] for element in seen["elements"]] == [f"v{version}"]
            edges = server.ask(
                "coderef_query", project_path=str(root), query_type="calls-me", target="fill", detail="full"
            )
            assert "results" in edges, edges
            assert f"own{number}.py#v{version}:4" in {edge["from"] for edge in edges["results"]}

    try:
        assert in_threads(*(lambda n=n: work(n) for n in range(3))) == []
        graphs = set()
        for server in servers:
            assert server.ask("coderef_export", project_path=str(root), output_path="graph.json")["success"]
            graphs.add((root / "graph.json").read_bytes())
        assert len(graphs) == 1
    finally:
        for server in servers:
            server.close()
    assert {path.name for path in (tmp_path / "cache").iterdir()} == {FACTS_FILE, GRAPHS_FOLDER}


def test_a_server_keeps_few_projects_in_memory_and_lets_none_wait_for_another(tmp_path):
    names = [f"n{number}" for number in range(6)]
    roots = [write(tmp_path.resolve() / n, {**SHOP, "n.py": f"def {n}(): pass\n"}) for n in names]
    slow = write(tmp_path.resolve() / "slow", {f"{n}.py": "x = [" + "(1, 'a'), " * 40_000 + "]\n" for n in range(12)})
    server = Server(tmp_path / "cache")
    try:
        first = server.call("coderef_scan", project_path=str(slow), detail="full", limit=1)
        order = [server.call("coderef_scan", project_path=str(root), path="n.py", detail="full") for root in roots]
        arrived = []
        for _ in range(len(order) + 1):
            message = server.next_message()
            while "id" not in message:
                message = server.next_message()
            arrived.append(message)
        assert arrived[-1]["id"] == first, "the slow one is last"
        found = {answer["id"]: answer["result"]["structuredContent"]["elements"][0]["name"] for answer in arrived[:-1]}
        assert found == dict(zip(order, names, strict=True))
        assert list(server.processes().values()).count("worker") <= MAX_IDLE
        again = server.ask("coderef_scan", project_path=str(roots[0]), detail="full", path="n.py")
        assert again["index"]["files"] == len(SHOP) + 1
        assert list(server.processes().values()).count("worker") <= MAX_IDLE
    finally:
        server.close()


def test_a_cancelled_call_stops_its_work_and_the_next_is_answered(tmp_path):
    slow = write(tmp_path.resolve(), {f"{n}.py": "x = [" + "(1, 'a'), " * 40_000 + "]\n" for n in range(40)})
    server = Server(tmp_path / "cache")
    try:
        call = server.call("coderef_scan", project_path=str(slow), detail="full", meta={"progressToken": "p"})
        while not server.notices:
            server.next_message()
        [worker] = [pid for pid, role in server.processes().items() if role == "worker"]
        server.cancel(call)
        pause = threading.Event().wait
        for _ in range(1000):
            if worker not in server.processes():
                break
            pause(0.02)
        assert worker not in server.processes()
        for path in slow.glob("*.py"):
            path.unlink()
        assert server.ask("coderef_scan", project_path=str(slow), detail="full")["index"]["files"] == 0
    finally:
        server.close()


def test_a_call_that_takes_too_long_says_so_and_the_next_goes_on_where_it_was(tmp_path):
    """Asked again and again it gets to the end; more time is given only where a call was too short to get anywhere."""
    files = {f"{n}.py": f"def f{n}(): pass\nx = [" + "(1, 'a'), " * 6_000 + "]\n" for n in range(10)}
    root = write(tmp_path.resolve() / "project", files)
    time_s, late, stored = 0.25, 0, 0
    while True:
        server = Server(tmp_path / "cache", CODEREF_TIMEOUT=str(time_s))
        try:
            reply = server.ask("coderef_scan", project_path=str(root), detail="full", limit=1)
        finally:
            server.close()
        if reply["success"]:
            break
        assert (reply["code"], reply["retryable"]) == ("timeout", True)
        assert reply["hint"].startswith("Ask again: ")  # the worker stopped in time, or it was killed
        late += 1
        before, stored = stored, stored_bytes(tmp_path / "cache")
        assert stored >= before
        time_s *= 1 if stored > before else 4
    assert late
    assert (reply["index"]["files"], reply["elements_found"]) == (len(files), 2 * len(files))


def test_progress_grows_from_step_to_step_through_a_real_server(tmp_path):
    root = write(tmp_path.resolve() / "project", {f"{n}.py": f"def f{n}(): pass\n" * 400 for n in range(600)})
    server = Server(tmp_path / "cache")
    try:
        for version in range(2):
            server.notices.clear()
            server.answer(
                server.call(
                    "coderef_scan", project_path=str(root), detail="full", limit=1, meta={"progressToken": version}
                )
            )
            told = [notice["params"] for notice in server.notices if notice["method"] == "notifications/progress"]
            steps = [params["progress"] for params in told]
            assert steps == sorted(set(steps)), "each is more than the last"
            assert all(params["progress"] <= params["total"] for params in told if "total" in params)
            assert version or 600 <= steps[-1] <= told[-1]["total"]
            write(root, {"1.py": "def g(): pass\n", "2.py": "def h(): pass\n"})
    finally:
        server.close()


def test_a_tree_of_several_projects_is_one_or_many_as_it_is_asked(tmp_path):
    """A project inside another: each has a worker of its own, and neither sees the other's graph."""
    outer = repository(tmp_path.resolve() / "outer", {**SHOP, **{f"inner/{name}": text for name, text in SHOP.items()}})
    server = Server(tmp_path / "cache")
    try:
        whole = server.ask("coderef_scan", project_path=str(outer), detail="full")
        part = server.ask("coderef_scan", project_path=str(Path(outer) / "inner"), detail="full")
        assert (whole["index"]["files"], part["index"]["files"]) == (2 * len(SHOP), len(SHOP))
    finally:
        server.close()
