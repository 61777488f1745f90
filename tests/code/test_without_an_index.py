"""A large project that is not indexed yet: the first answers come from the files that may hold them."""

from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import get_args

import anyio
import pytest
from msgspec.structs import replace

from bearings.budget import ALL_ROWS
from bearings.code.engine.native import NativeEngine
from bearings.code.engine.session import Session
from bearings.code.facts.packing import Packed
from bearings.code.file_facts import FileFacts
from bearings.code.index.demand import FEWEST
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.question import Answer
from bearings.code.questions.explore import Explore
from bearings.code.questions.impact import AskImpact, Operation
from bearings.code.questions.query import Query, QueryReply
from bearings.code.questions.scan import Scan
from bearings.code.questions.symbol import Describe, ReachList
from bearings.errors import DeadlineExceeded, ElementNotFound
from bearings.progress import NoProgress
from tests.code.in_process import MemoryFacts
from tests.code.test_engine import children, needs_proc, until
from tests.code.trees import SHOP, write

MAX = 10_000_000
LARGE = {
    **SHOP,
    **{f"rooms/r{number}.py": f"def sweep{number}(room):\n    return room.clean()\n" for number in range(FEWEST)},
    "rooms/kinds.py": "class Kitchen:\n    def clean(self):\n        return 1\n",
    "rooms/house.py": "from rooms.kinds import Kitchen\n\ndef air():\n    return Kitchen().clean()\n",
    "rooms/all.py": "from rooms.r1 import sweep1\n\ndef sweep_all(rooms):\n    return [sweep1(one) for one in rooms]\n",
}
CALLERS = Query(query_type="calls-me", element="with_tax", max_depth=3)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def large(tmp_path: Path) -> Path:
    return write(tmp_path.resolve() / "large", LARGE)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NativeEngine]:
    """The engine of a server, which indexes behind its first answers."""
    engine = NativeEngine(timeout_s=60, cache_dir=tmp_path / "cache", max_file_bytes=MAX, index_behind=True)
    yield engine
    await engine.aclose()


def ask(session: Session, question: Query = CALLERS) -> Answer[QueryReply]:
    return session.answer(question, NoProgress())


@pytest.mark.slow
def test_a_few_files_are_read_and_the_answer_is_that_of_the_index(large: Path) -> None:
    first, indexed = ask(Session(large, MemoryFacts(), MAX)), Session(large, MemoryFacts(), MAX)
    assert first.index.read is not None
    assert 0 < first.index.read < 10
    assert first.index.files == len(LARGE)
    assert "no index, read" in first.as_reply().index.to_text()
    indexed.answer(Scan(), NoProgress())
    second = ask(indexed)
    assert second.index.read is None
    assert second.index.elements == second.as_reply().index.elements != 0
    assert first.as_reply().index.elements is None
    assert first.value == second.value
    assert first.index.revision == second.index.revision  # so that a cursor goes on from one to the other
    assert first.value.results_found == 3


POPULAR = Query(query_type="calls-me", element="rooms/kinds.py#Kitchen.clean", max_depth=1)


@pytest.mark.slow
def test_some_users_of_a_common_word_come_first_and_the_cursor_leads_to_all(large: Path) -> None:
    session = Session(large, MemoryFacts(), MAX)
    first = POPULAR.reply(ask(session, POPULAR))
    assert first.complete is False
    assert first.results_found is None
    assert [(one.file, one.line, one.confidence) for one in first.results] == [("rooms/house.py", 4, "strong")]
    assert first.note is not None
    assert first.note.startswith(f"{FEWEST} more files may use it")
    assert "some results [no index" in first.to_text()
    second = POPULAR.reply(ask(session, replace(POPULAR, cursor=first.next_cursor)))
    assert (second.complete, second.results_found) == (None, 1)
    assert second.results == first.results
    assert second.index.read is None


@pytest.mark.slow
def test_of_a_method_that_operators_call_the_uses_beside_its_class_come_first(large: Path) -> None:
    write(large, {"rooms/kinds.py": "class Kitchen:\n    def __len__(self):\n        return 1\n"})
    write(large, {"rooms/house.py": "from rooms.kinds import Kitchen\n\ndef size():\n    return len(Kitchen())\n"})
    question = replace(POPULAR, element="Kitchen.__len__")
    session = Session(large, MemoryFacts(), MAX)
    first = question.reply(ask(session, question))
    assert (first.complete, [(one.file, one.line) for one in first.results]) == (False, [("rooms/house.py", 4)])
    assert "more files may use it" in str(first.note)
    second = ask(session, replace(question, cursor=first.next_cursor))
    assert (second.value.complete, second.value.results_found, second.index.read) == (None, 1, None)


@pytest.mark.slow
@pytest.mark.parametrize(("question", "first"), [("routes", "GET /tidy"), ("most complex functions", "tidy")])
def test_a_question_about_the_elements_of_all_files_waits_for_the_index(large: Path, question: str, first: str) -> None:
    app = "import flask\napp = flask.Flask(__name__)\n\n@app.get('/tidy')\ndef tidy(x):\n    return 1 if x else 2\n"
    write(large, {"app.py": app})
    answer = Session(large, MemoryFacts(), MAX).answer(Explore(question=question), NoProgress())
    assert answer.index.read is None
    assert answer.value.elements[0].symbol.name == first


@pytest.mark.slow
def test_an_element_of_a_common_name_is_the_likeliest_and_the_answer_says_so(large: Path) -> None:
    tidying = {f"rooms/r{number}.py": f"def sweep{number}(room):\n    room.air()\n" for number in range(FEWEST)}
    write(large, {**tidying, "rooms/kinds.py": "class Kitchen:\n    def air(self):\n        return 1\n"})
    write(large, {"rooms/house.py": "from rooms.kinds import Kitchen\n\ndef open_all():\n    Kitchen().air()\n"})
    question = Query(query_type="calls-me", element="Kitchen.air", max_depth=1)
    session = Session(large, MemoryFacts(), MAX)
    for each in (question, replace(question, element="air"), question):
        answer = ask(session, each)
        assert answer.index.read is not None
        assert answer.value.complete is False
        assert [(one.file, one.line) for one in answer.value.results] == [("rooms/house.py", 4)]
    assert ask(session, replace(question, element="air", most=ALL_ROWS)).index.read is None


@pytest.mark.slow
def test_some_users_are_no_answer_where_all_rows_are_asked_for(large: Path) -> None:
    answer = ask(Session(large, MemoryFacts(), MAX), replace(POPULAR, most=ALL_ROWS))
    assert (answer.value.complete, answer.value.results_found, answer.index.read) == (None, 1, None)


@pytest.mark.slow
def test_a_zero_is_told_of_all_files_alone(large: Path) -> None:
    write(large, {"rooms/house.py": "from rooms.kinds import Kitchen\n"})
    session = Session(large, MemoryFacts(), MAX)
    first = POPULAR.reply(ask(session, POPULAR))
    assert (first.complete, first.results_found) == (False, None)
    assert "no known results [no index" in first.to_text()
    assert f"{FEWEST} more files may use it" in str(first.note)
    answer = ask(session, replace(POPULAR, cursor=first.next_cursor))
    assert (answer.value.complete, answer.value.results_found, answer.index.read) == (None, 0, None)


@pytest.mark.slow
def test_explore_shows_what_a_name_means_and_its_users(large: Path) -> None:
    first, indexed = Session(large, MemoryFacts(), MAX), Session(large, MemoryFacts(), MAX)
    indexed.index()
    question = Explore(question="with_tax")
    on_demand, whole = first.answer(question, NoProgress()), indexed.answer(question, NoProgress())
    assert on_demand.index.read is not None
    assert whole.index.read is None
    assert len(on_demand.value.elements) == len(whole.value.elements) == 1
    assert on_demand.value.elements[0].used_by == whole.value.elements[0].used_by != ()
    assert on_demand.value.elements[0].used_by_total == whole.value.elements[0].used_by_total


@pytest.mark.slow
@pytest.mark.parametrize("element", ["with_tax", "Basket", "Basket.total", "rooms/all.py#sweep_all"])
def test_all_about_an_element_is_that_of_the_index_but_for_far_tests(large: Path, element: str) -> None:
    first, indexed = Session(large, MemoryFacts(), MAX), Session(large, MemoryFacts(), MAX)
    indexed.index()
    question = Describe(element=element)
    on_demand, whole = first.answer(question, NoProgress()), indexed.answer(question, NoProgress())
    assert (on_demand.index.read is None, whole.index.read is None) == (False, True)
    direct = [hit for hit in whole.value.tests.items if hit.depth == 1]
    assert on_demand.value.tests == ReachList(total=None, items=direct)
    assert replace(on_demand.value, tests=whole.value.tests) == whole.value


def test_all_about_a_common_word_says_that_users_may_be_missing(large: Path) -> None:
    answer = Session(large, MemoryFacts(), MAX).answer(Describe(element="rooms/kinds.py#Kitchen.clean"), NoProgress())
    assert answer.index.read is not None
    assert (answer.value.callers.total, len(answer.value.callers.items)) == (None, 1)
    assert f"{FEWEST} more files may use it" in str(answer.value.note)


@pytest.mark.slow
def test_what_an_element_calls_is_told_but_for_names_that_many_files_declare(tmp_path: Path) -> None:
    halls = {f"Hall{number}.cs": f"class Hall{number} {{ public void Clean() {{ }} }}\n" for number in range(1_500)}
    tidy = "class Tidy {\n  void All(dynamic hall) {\n    hall.Clean();\n    House.Air();\n  }\n}\n"
    house = "static class House { public static void Air() { } }\n"
    root = write(tmp_path.resolve(), {**halls, "Tidy.cs": tidy, "House.cs": house})
    session, question = Session(root, MemoryFacts(), MAX), Describe(element="Tidy")
    answer = session.answer(question, NoProgress())
    assert answer.index.read is not None
    assert [(use.element, use.line) for use in answer.value.callees.items] == [("House.cs#House.Air:1", 4)]
    assert answer.value.callees.total is None
    assert "not followed before there is an index, so ask again later: Clean" in str(answer.value.note)
    session.index()
    whole = session.answer(question, NoProgress()).value
    assert (whole.callees.total, whole.callees.items) == (1, answer.value.callees.items)
    assert whole.note is None or "not followed" not in whole.note


def padded(large: Path) -> Path:
    """The project with the bytes from which the reach of a change is answered without an index."""
    padding = f"\n# {'x' * (AskImpact.on_demand_bytes // FEWEST)}\n"
    return write(large, {path: text + padding for path, text in LARGE.items() if path.startswith("rooms/r")})


@pytest.mark.slow
def test_the_reach_of_a_change_waits_for_an_index_that_is_quick(large: Path) -> None:
    answer = Session(large, MemoryFacts(), MAX).answer(AskImpact(element="with_tax"), NoProgress())
    assert (answer.index.read, answer.value.complete) == (None, None)


@pytest.mark.slow
def test_the_reach_of_a_change_is_that_of_the_index(large: Path) -> None:
    padded(large)
    first, indexed = Session(large, MemoryFacts(), MAX), Session(large, MemoryFacts(), MAX)
    indexed.index()
    for operation in get_args(Operation):
        question = AskImpact(element="with_tax", operation=operation)
        on_demand, whole = first.answer(question, NoProgress()), indexed.answer(question, NoProgress())
        assert (on_demand.index.read is None, whole.index.read is None) == (False, True)
        assert on_demand.value == whole.value
        assert on_demand.value.affected_total


@pytest.mark.slow
def test_the_nearest_of_a_large_reach_comes_first_and_the_cursor_leads_to_all(large: Path) -> None:
    padded(large)
    session = Session(large, MemoryFacts(), MAX)
    question = AskImpact(element="rooms/kinds.py#Kitchen.clean", operation="delete")
    first = question.reply(session.answer(question, NoProgress()))
    assert (first.complete, first.risk_level, first.affected_total) == (False, "UNKNOWN", None)
    assert [one.element for one in first.affected] == ["rooms/house.py#air:3"]
    assert str(first.note).startswith(f"{FEWEST} more files may belong to its reach")
    second = question.reply(session.answer(replace(question, cursor=first.next_cursor), NoProgress()))
    assert (second.complete, second.affected_total, second.index.read) == (None, 1, None)
    assert second.risk_level != "UNKNOWN"


def test_explore_by_words_reads_the_files_that_hold_them(large: Path) -> None:
    answer = Session(large, MemoryFacts(), MAX).answer(Explore(question="who cleans the kitchen"), NoProgress())
    assert answer.index.read is not None
    assert answer.index.read < FEWEST
    assert answer.value.elements[0].symbol.file == "rooms/kinds.py"
    assert answer.value.elements[0].tests_total is None  # only those that run it directly are looked for


def test_explore_tells_when_users_may_be_missing(large: Path) -> None:
    answer = Session(large, MemoryFacts(), MAX).answer(Explore(question="rooms/kinds.py#Kitchen.clean"), NoProgress())
    shown = Explore(question="").reply(answer).elements[0]
    assert (answer.index.read is not None, shown.used_by_total, len(shown.used_by)) == (True, None, 1)
    assert "used by: unknown (1 shown)" in shown.to_text()
    assert "some uses: others may be in files that were not read" in shown.to_text()


def test_a_small_project_is_indexed_at_once(tmp_path: Path) -> None:
    assert ask(Session(write(tmp_path.resolve(), SHOP), MemoryFacts(), MAX)).index.read is None


def test_an_edit_is_seen(large: Path) -> None:
    session = Session(large, MemoryFacts(), MAX)
    before = ask(session)
    write(
        large, {"rooms/r7.py": "from shop.prices import with_tax\n\n\ndef sweep7(room):\n    return with_tax(room)\n"}
    )
    after = ask(session)
    assert after.index.read is not None
    assert (before.value.results_found, after.value.results_found) == (3, 4)
    (large / "shop/prices.py").unlink()
    with pytest.raises(ElementNotFound):
        ask(session)


def test_a_name_that_nothing_has_is_said_without_an_index(large: Path) -> None:
    session = Session(large, MemoryFacts(), MAX)
    for wrong, meant in (("with_tox", "with_tax"), ("Basket.totl", "total"), ("fil", "fill")):
        with pytest.raises(ElementNotFound) as raised:
            ask(session, Query(query_type="calls-me", element=wrong))
        assert meant in raised.value.hint
    assert ask(session).index.read is not None


@pytest.mark.slow
def test_what_many_files_hold_needs_the_index(large: Path) -> None:
    everywhere = {f"rooms/r{number}.py": f"from b import tidy\ndef sweep{number}(): tidy()\n" for number in range(99)}
    write(large, {**everywhere, "b.py": "def tidy(): pass\n"})
    answer = ask(Session(large, MemoryFacts(), MAX), Query(query_type="calls-me", element="tidy", most=ALL_ROWS))
    assert answer.index.read is None
    assert answer.value.results_found == 99


@pytest.mark.slow
def test_a_stored_index_is_used(large: Path, tmp_path: Path) -> None:
    graphs = GraphStore(tmp_path / "cache")
    first = Session(large, MemoryFacts(), MAX, graphs)
    assert ask(first).index.read is not None
    first.index()
    assert ask(Session(large, MemoryFacts(), MAX, GraphStore(tmp_path / "cache"))).index.read is None
    assert ask(first).index.read is None


class CountedFacts(MemoryFacts):
    """Counts the files that are parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed = 0

    def put(self, facts: Mapping[bytes, FileFacts | Packed[FileFacts]]) -> None:
        self.parsed += len(facts)
        super().put(facts)


class Noted:
    """Progress that notes when a message comes."""

    def __init__(self, words: str) -> None:
        self._words = words
        self.came = Event()

    def update(self, done: float, total: float | None, message: str) -> None:
        if self._words in message:
            self.came.set()


@pytest.mark.slow
def test_one_process_indexes_and_the_others_wait_for_it(large: Path, tmp_path: Path) -> None:
    facts, cache = CountedFacts(), tmp_path / "cache"
    first = Session(large, facts, MAX, GraphStore(cache))
    second = Session(large, facts, MAX, GraphStore(cache))
    indexed = first.answer(Scan(), NoProgress())
    parsed, waits = facts.parsed, Noted("another process")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(second.answer, Scan(), waits)
        assert waits.came.wait(60)
        assert not answer.done()
        first.keep(if_awaited=True)
        assert answer.result(60).value == indexed.value
    assert facts.parsed == parsed >= FEWEST


@pytest.mark.slow
def test_who_waits_for_a_process_that_fails_indexes_itself(large: Path, tmp_path: Path) -> None:
    turn, waits = GraphStore(tmp_path / "cache").turn(large), Noted("another process")
    assert turn.take()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(Session(large, MemoryFacts(), MAX, GraphStore(tmp_path / "cache")).answer, Scan(), waits)
        assert waits.came.wait(60)
        turn.end()
        assert answer.result(60).index.files == len(LARGE)


@pytest.mark.slow
@pytest.mark.anyio
async def test_indexing_goes_on_after_the_deadline(large: Path, tmp_path: Path) -> None:
    engine = NativeEngine(timeout_s=0.01, cache_dir=tmp_path / "cache", max_file_bytes=MAX, index_behind=True)
    try:
        with pytest.raises(DeadlineExceeded, match="indexing the project goes on"):
            await engine.ask(large, Scan())
        await until(lambda: GraphStore(tmp_path / "cache").has(large))
    finally:
        await engine.aclose()


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_server_indexes_behind_its_first_answer(server: NativeEngine, large: Path) -> None:
    first = await server.ask(large, CALLERS)
    assert first.index.read is not None
    with anyio.fail_after(60):
        while (later := await server.ask(large, CALLERS)).index.read is not None:
            await anyio.lowlevel.checkpoint()
    assert later.value == first.value


@pytest.mark.slow
@needs_proc
@pytest.mark.anyio
async def test_nothing_outlives_the_engine(server: NativeEngine, large: Path) -> None:
    before = children()
    assert (await server.ask(large, CALLERS)).index.read is not None
    await server.aclose()
    await until(lambda: not children() - before)


def test_a_private_name_needs_no_index_beside_other_languages(large: Path) -> None:
    write(
        large,
        {
            "web/till.ts": "export class Till {\n  #coins = 1\n  count() { return this.#coins }\n}\n",
            "native/till.c": "int till(void) { return 0; }\n",
        },
    )
    question = Query(query_type="depends-on-me", element="web/till.ts#Till.#coins", max_depth=1)
    answer = ask(Session(large, MemoryFacts(), MAX), question)
    assert (answer.index.read is None, answer.value.results_found) == (False, 1)
