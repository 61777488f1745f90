"""Calls through a protocol or an interface are told of the methods of classes that fit it without naming it."""

import pytest

from bearings.budget import ALL_ROWS
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.query import Query
from bearings.code.questions.unused import AskUnused
from tests.code.questions.snapshots import answered, snapshot_either_way, snapshot_of

FILES = {
    "ring.py": (
        "from typing import Protocol\n\n\n"
        "class Ringer(Protocol):\n    def ring(self, times: int) -> str: ...\n\n\n"
        "class Opener(Protocol):\n    name: str\n    def open(self): ...\n    def close(self): ...\n\n\n"
        "class Gong:\n    def ring(self, times, loud=False): return 'bong'\n\n\n"
        "class Choir:\n    def ring(self, times, voices): return 'la'\n\n\n"
        "class Bell(Ringer):\n    def ring(self, times): return 'ding'\n\n\n"
        "def strike(ringer: Ringer):\n    return ringer.ring(1)\n\n\n"
        "def use(opener: Opener):\n    opener.open()\n"
    ),
    "doors.py": (
        "class Base:\n    name = ''\n    def close(self): pass\n\n\n"
        "class Door(Base):\n    def open(self): pass\n\n\n"
        "class Lid:\n    def open(self): pass\n    def close(self): pass\n"
    ),
    "sink.ts": (
        "interface Sink { put(value: string): void; done?: () => void }\n"
        "type Maker = { make: (name: string) => string; size: number };\n"
        "class Pile { put(value: string) { return value } }\n"
        "class Plant { size = 1; make(name: string) { return name } }\n"
        "class Shop { make(name: string) { return name } }\n"
        "class Den { private put(value: string) { return value } }\n"
        "export function fill(sink: Sink) { sink.put('x') }\n"
        "export function run(maker: Maker) { return maker.make('x') }\n"
    ),
    "many.ts": (
        "interface Shown { show(): void }\n"
        + "".join(f"class Page{number} {{ show() {{}} }}\n" for number in range(4))
        + "export function all(shown: Shown) { shown.show() }\n"
    ),
}
_FITTING = {
    "Gong.ring": ("ring.py:27", "Gong.ring fits Ringer.ring: 1 call may mean it"),
    "Choir.ring": ("", ""),
    "Bell.ring": ("ring.py:27", "Bell.ring overrides Ringer.ring: 1 call may mean it"),
    "Door.open": ("ring.py:31", "Door.open fits Opener.open: 1 call may mean it"),
    "Lid.open": ("", ""),
    "Pile.put": ("sink.ts:7", "Pile.put fits Sink.put: 1 call may mean it"),
    "Plant.make": ("sink.ts:8", "Plant.make fits Maker.make: 1 call may mean it"),
    "Shop.make": ("", ""),
    "Den.put": ("", ""),
    "Page1.show": ("", ""),
}


@pytest.fixture(scope="module", params=[True, False], ids=["with an index", "without"])
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return snapshot_either_way(tmp_path_factory.mktemp("protocols").resolve(), FILES, indexed=request.param)


@pytest.mark.parametrize("element", _FITTING)
def test_calls_through_what_a_class_fits_may_mean_its_method(snapshot: Snapshot, element: str) -> None:
    site, note = _FITTING[element]
    reply = answered(snapshot, Query(query_type="calls-me", element=element, most=ALL_ROWS))
    assert [f"{file}:{line}" for file, line in reply.places()] == ([site] if site else [])
    assert (reply.note or "").startswith(note)
    assert note or "fits" not in (reply.note or "")


def test_a_change_reaches_what_calls_through_the_protocol(snapshot: Snapshot) -> None:
    reached = answered(snapshot, AskImpact(element="Gong.ring", max_depth=1, most=ALL_ROWS)).affected
    assert [(one.element, one.why) for one in reached] == [
        ("ring.py#strike:26", "calls Ringer.ring, which Gong.ring fits")
    ]


def test_a_method_that_fits_is_never_unused(tmp_path) -> None:
    found = answered(snapshot_of(tmp_path, FILES), AskUnused()).elements
    names = {one.element.rpartition("#")[2].rpartition(":")[0] for one in found}
    assert {"Pile", "Plant"} <= names
    assert not names & set(_FITTING)
