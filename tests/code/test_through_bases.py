"""Calls through a base class or an interface are told of the member that they may run."""

from typing import Any

import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.code.facts.store import NoFacts
from bearings.code.questions.query import Query
from bearings.code.service import CodeService
from tests.code.asked import tools_about
from tests.code.in_process import InProcessEngine
from tests.code.trees import repository

FILES = {
    "sinks.py": (
        "class Sink:\n"
        "    def put(self, x):\n"
        "        raise NotImplementedError\n\n"
        "    def close(self):\n"
        "        self.put(None)\n\n\n"
        "class FileSink(Sink):\n"
        "    def put(self, x):\n"
        "        super().put(x)\n\n\n"
        "class Plain:\n"
        "    def put(self, x):\n"
        "        return x\n"
    ),
    "use.py": "from sinks import Sink\n\n\ndef use(s: Sink):\n    s.put(1)\n    return s.put\n",
    "sinks.ts": (
        "export interface Store {\n"
        "  save(n: number): void;\n"
        "}\n\n"
        "export class DiskStore implements Store {\n"
        "  save(n: number): void {}\n"
        "}\n\n"
        "export function keep(store: Store): void {\n"
        "  store.save(1);\n"
        "}\n"
    ),
    "depot/depot.go": (
        "package depot\n\n"
        "type Loader interface{ Load(n int) int }\n\n"
        "type Disk struct{}\n\n"
        "func (d Disk) Load(n int) int { return n }\n\n"
        "func Use(l Loader) int { return l.Load(1) }\n"
    ),
    "depot/shut.go": (
        "package depot\n\n"
        "type Conn struct{}\n\n"
        "func (c *Conn) Shut() error { return nil }\n\n"
        "type Door struct{ Conn }\n\n"
        "func (d Door) Lock(n int) {}\n\n"
        "type Half struct{}\n\n"
        "func (h Half) Lock(n int) {}\n\n"
        "func shut(x interface{ Shut() error }) { x.Shut() }\n\n"
        "func try(v any) {\n\tif x, ok := v.(interface{ Shut() error }); ok {\n\t\tx.Shut()\n\t}\n}\n\n"
        "type Held struct {\n\tdoor interface {\n\t\tShut() error\n\t\tLock(n int)\n\t}\n}\n\n"
        "func (h Held) turn() { h.door.Lock(1) }\n"
    ),
    "greets.py": (
        "class Greets:\n"
        "    def hello(self):\n"
        "        self.person()\n"
        "        return [self.place() for _ in range(2)]\n\n\n"
        "class Base:\n"
        "    def place(self):\n"
        "        return 1\n\n\n"
        "class Loud(Greets, Base):\n"
        "    def person(self):\n"
        "        return 1\n\n\n"
        "class Stranger:\n"
        "    def person(self):\n"
        "        return 2\n"
    ),
    "shape.js": (
        "class Shape {\n  paint() { this.fill(); }\n}\nclass Disk extends Shape {\n  fill() { return 1; }\n}\n"
    ),
    "stores.py": (
        "class Base: ...\n\n\nclass Disk(Base):\n    def fetch(self, ids): ...\n\n\n"
        "class Apart:\n    def fetch(self, ids): ...\n"
    ),
    "readers.py": (
        "from dataclasses import dataclass\nfrom typing import Optional\n\nimport stores\nfrom stores import Base\n\n\n"
        "class Reader:\n"
        "    def __init__(self, store: Base):\n"
        "        self.store = store\n\n"
        "    def go(self, pool):\n"
        "        pool.submit(self.store.fetch, [1])\n\n\n"
        "@dataclass\n"
        "class Held:\n"
        "    store: Optional[Base] = None\n\n"
        "    def go(self):\n"
        "        return self.store.fetch([2])\n\n\n"
        "def direct(store: 'stores.Base', other: Reader):\n"
        "    local = store\n"
        "    local.fetch([3])\n"
        "    other.fetch([4])\n"
    ),
    "go.mod": "module example.org/depots\n\ngo 1.22\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A function that asks a tool about the project, and returns the reply."""
    root = repository(tmp_path_factory.mktemp("through").resolve() / "sinks", FILES)
    with tools_about(root) as ask:
        yield ask


def callers(asked, element: str, **others: Any) -> Any:
    return asked("coderef_query", **{"query_type": "calls-me", "element": element, **others})


@pytest.mark.slow
def test_calls_through_a_base_are_told_and_listed(asked):
    reply = callers(asked, "FileSink.put")
    assert reply.results == []
    assert reply.note.startswith(
        "FileSink.put overrides Sink.put: 2 calls may mean it (ask for Sink.put). No other call"
    )
    assert reply.unresolved.heuristic == 2
    assert [(site.file, site.line, site.why) for site in reply.unresolved.sites] == [
        ("sinks.py", 6, "through Sink.put"), ("use.py", 5, "through Sink.put"),
    ]  # fmt: skip
    assert ":5 [through Sink.put] s.put(1)" in reply.to_text()
    assert list(reply.places()) == [("sinks.py", 6), ("use.py", 5)]


@pytest.mark.parametrize(
    ("element", "owner", "site"),
    [
        ("Loud.person", "Greets", "greets.py:3"),
        ("Base.place", "Greets", "greets.py:4"),
        ("Disk.fill", "Shape", "shape.js:2"),
    ],
)
def test_what_a_base_or_a_mixin_expects_of_itself_may_mean_the_member_of_another(asked, element, owner, site):
    reply = callers(asked, element)
    assert reply.note.startswith(f"{owner} expects {element}: 1 call may mean it. No other call")
    assert (reply.unresolved.heuristic, reply.unresolved.unresolved) == (1, 0)
    assert [f"{file}:{line}" for file, line in reply.places()] == [site]


@pytest.mark.parametrize(("query_type", "lines"), [("calls-me", [21, 26]), ("depends-on-me", [13, 21, 26])])
def test_a_value_that_is_typed_as_a_class_above_may_have_the_member(asked, query_type, lines):
    reply = callers(asked, "Disk.fetch", query_type=query_type)
    assert reply.note.startswith("Disk.fetch is used on values typed as Base: ")
    sites = [(site.file, site.line) for site in reply.unresolved.sites if site.why == "through Base"]
    assert sites == [("readers.py", line) for line in lines]


@pytest.mark.parametrize(("element", "lines"), [("Conn.Shut", [15, 19]), ("Door.Lock", [30]), ("Half.Lock", [])])
def test_calls_through_an_interface_without_a_name_may_mean_what_fits_it(asked, element, lines):
    reply = callers(asked, element)
    sites = [(site.file, site.line) for site in reply.unresolved.sites if site.why.startswith("through")]
    assert sites == [("depot/shut.go", line) for line in lines]
    assert reply.unresolved.unresolved == (1 if element == "Half.Lock" else 0)
    assert (f"{element} fits an interface in" in reply.note) == bool(lines)


def test_what_no_class_above_or_beside_has_is_not_meant(asked):
    reply = callers(asked, "Stranger.person")
    assert "expects" not in (reply.note or "")
    assert reply.unresolved.unresolved == 1


def test_every_use_counts_where_users_are_asked_for(asked):
    reply = callers(asked, "FileSink.put", query_type="depends-on-me")
    assert reply.note.startswith("FileSink.put overrides Sink.put: 3 uses may mean it")


def test_a_class_has_the_calls_of_what_its_members_override(asked):
    assert callers(asked, "FileSink").note.startswith("FileSink.put overrides Sink.put: 2 calls may mean it")


def test_the_filter_of_files_applies(asked):
    assert "1 call may mean it" in callers(asked, "FileSink.put", path="use.py").note


@pytest.mark.parametrize(
    ("element", "base", "site"),
    [("DiskStore.save", "Store.save", "sinks.ts:10"), ("Disk.Load", "Loader.Load", "depot/depot.go:9")],
)
def test_interfaces_of_typescript_and_go(asked, element, base, site):
    reply = callers(asked, element)
    assert reply.note.startswith(f"{element} overrides {base}: 1 call may mean it (ask for {base})")
    assert [f"{one.file}:{one.line}" for one in reply.unresolved.sites] == [site]
    assert not reply.elsewhere.unused
    shown = asked("coderef_symbol", element=element)
    assert f"{element} overrides {base}: 1 use may mean it" in shown.note
    assert [f"{one.file}:{one.line}" for one in shown.through_bases] == [site]


def test_a_symbol_lists_the_uses_with_their_source(asked):
    reply = asked("coderef_symbol", element="FileSink.put")
    assert "FileSink.put overrides Sink.put: 3 uses may mean it" in reply.note
    assert reply.sent()["through_bases"][0] == "sinks.py:6 [through Sink.put] self.put(None)"
    full = asked("coderef_symbol", element="FileSink.put", detail="full")
    assert "Sink.put at use.py:5 (through Sink.put) s.put(1)" in full.to_text()
    assert ":5 [through Sink.put] s.put(1)" in rendered("coderef_symbol", full, Console(width=200))


@pytest.mark.parametrize("element", ["Plain.put", "Sink.put", "use", "sinks.py", "Apart.fetch"])
def test_nothing_is_told_of_what_overrides_nothing(asked, element):
    assert "overrides" not in (callers(asked, element).note or "")


def test_a_class_that_may_run_through_its_base_is_never_unused(asked):
    found = callers(asked, "FileSink", query_type="depends-on-me").elsewhere
    assert found.places == 0
    assert not found.unused


@pytest.mark.anyio
async def test_a_call_that_leads_to_the_member_itself_is_told_once(tmp_path):
    pytest.importorskip("tree_sitter_kotlin")
    kotlin = (
        "interface Sink {\n    fun put(n: Int)\n}\n"
        "class FileSink : Sink {\n    override fun put(n: Int) {}\n}\n"
        "class Use {\n    fun use(s: Sink) { s.put(1) }\n}\n"
    )
    reply = await callers_of(tmp_path, "Sink.kt", kotlin)
    assert [(one.file, one.line) for one in reply.results] == [("Sink.kt", 8)]
    assert "overrides" not in (reply.note or "")


@pytest.mark.anyio
async def test_a_call_of_a_declared_interface_is_told_of_what_implements_it(tmp_path):
    pytest.importorskip("tree_sitter_java")
    java = (
        "interface Sink { void put(int n); }\n"
        "class FileSink implements Sink { public void put(int n) {} }\n"
        "class Use { void use(Sink s) { s.put(1); } }\n"
    )
    reply = await callers_of(tmp_path, "Sink.java", java)
    assert not reply.results
    assert "FileSink.put overrides Sink.put: 1 call may mean it" in (reply.note or "")


async def callers_of(tmp_path, name, source):
    root = repository(tmp_path / "tree", {name: source})
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000))
    return await service.reply_to(str(root), Query(query_type="calls-me", element="FileSink.put"))
