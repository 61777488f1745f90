"""Calls of what is handed on without a type: of a field that holds a function, on a parameter, in a template."""

import pytest

from bearings.budget import ALL_ROWS
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.query import Query
from tests.code.questions.snapshots import answered, snapshot_either_way

FILES = {
    "go.mod": "module example.com/m\n\ngo 1.22\n",
    "hooks.go": (
        "package m\n\ntype hooks struct {\n\tbefore func()\n\tafter func()\n}\n\n"
        "func one() {}\n\nfunc two() {}\n\nfunc three() int { return 1 }\n\n"
        "func Run() {\n\th := hooks{before: one, after: two}\n\th.before()\n\tif h.after != nil {\n\t\th.after()\n\t}\n"
        "\tcount := counts{size: three()}\n\tprintln(count.size)\n}\n\ntype counts struct{ size int }\n"
    ),
    "app.ts": (
        "export type Api = { reset: () => void; stop: () => void };\n"
        "export class App {\n  api(): Api {\n    return { reset: this.clear, stop: () => this.halt() };\n  }\n"
        "  clear = () => {};\n  halt = () => {};\n}\n"
        "export const use = (api: Api) => { api.reset(); api.stop() };\n"
    ),
    "cart/cart.component.ts": (
        "import { Component } from '@angular/core';\n"
        "@Component({ /* templateUrl: './old.html', */ templateUrl: './cart.component.html' })\n"
        "export class CartComponent {\n  save(item: number) { return item; }\n  get isOpen() { return true; }\n"
        "  total() { return 1; }\n}\nexport class Basket { save() {} }\n"
    ),
    "cart/cart.component.html": (
        '<p (click)="save(1)">save</p>\n@if (isOpen) {\n  <p *ngFor="let total of totals">{{ total }}</p>\n}\n'
        "<p [ngClass]=\"{\n  'a':\n    isOpen\n}\"></p>\n"
    ),
    "hall.py": (
        "class Voice:\n    def say(self): return 'la'\n    def hum(self): return 'mm'\n    def cry(self): pass\n\n\n"
        "class Stage:\n    def __init__(self, size, speaker):\n        self.speaker = speaker\n\n"
        "    def start(self):\n        return self.speaker.say()\n\n\n"
        "def hear(one, other=None):\n    it = other\n    return it.hum()\n\n\n"
        "def often(voice):\n    return voice.cry()\n"
    ),
    "main.py": (
        "from hall import Stage, Voice, hear, often\n\nvoice = Voice()\n\n\n"
        "def main():\n    Stage(1, voice).start()\n    hear(1, other=Voice())\n    often(Voice())\n    often(2)\n"
    ),
}
_CALLED = {
    "one": ("hooks.go:16", "one is held in hooks.before: 1 call may mean it"),
    "two": ("hooks.go:18", "two is held in hooks.after: 1 call may mean it"),
    "App.clear": ("app.ts:9", "App.clear is held in Api.reset: 1 call may mean it"),
    "App.halt": ("app.ts:4", ""),
    "three": ("hooks.go:20", ""),
    "CartComponent.save": (
        "cart/cart.component.html:1",
        "CartComponent.save is named in the template of CartComponent: 1 call may mean it",
    ),
    "CartComponent.total": ("", ""),
    "Basket.save": ("", ""),
    "Voice.say": ("hall.py:12", "Voice.say belongs to an object handed to Stage.__init__: 1 call may mean it"),
    "Voice.hum": ("hall.py:17", "Voice.hum belongs to an object handed to hear: 1 call may mean it"),
    "Voice.cry": ("", ""),
}


@pytest.fixture(scope="module", params=[True, False], ids=["with an index", "without"])
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return snapshot_either_way(tmp_path_factory.mktemp("handed").resolve(), FILES, indexed=request.param)


@pytest.mark.parametrize("element", _CALLED)
def test_a_call_of_what_was_handed_on_may_mean_it(snapshot: Snapshot, element: str) -> None:
    site, note = _CALLED[element]
    reply = answered(snapshot, Query(query_type="calls-me", element=element, most=ALL_ROWS))
    assert [f"{file}:{line}" for file, line in reply.places()] == ([site] if site else [])
    assert (reply.note or "").startswith(note)
    assert note or "may mean it" not in (reply.note or "")


def test_a_template_reads_members_of_its_component(snapshot: Snapshot) -> None:
    reply = answered(snapshot, Query(query_type="depends-on-me", element="CartComponent.isOpen", most=ALL_ROWS))
    assert list(reply.places()) == [("cart/cart.component.html", 2), ("cart/cart.component.html", 7)]


def test_impact_shows_what_may_use_a_member_in_the_template(snapshot: Snapshot) -> None:
    reply = answered(snapshot, AskImpact(element="CartComponent.save"))
    assert [f"{site.file}:{site.line} {site.why}" for site in reply.unresolved_sites] == [
        "cart/cart.component.html:1 in the template"
    ]
