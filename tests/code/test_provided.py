"""What a container gives for a class, an interface or a token has their callers, as guesses."""

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.project.working_tree import WorkingTree
from bearings.code.search.provided import provided
from tests.code.asked import tools_about
from tests.code.trees import repository

FILES = {
    "store.ts": (
        "import { InjectionToken } from '@angular/core';\n"
        "export interface Clock { now(): number; later(): void; }\n"
        "export const CLOCK = new InjectionToken<Clock>('clock');\n"
        "export abstract class Store { abstract save(n: number): void; }\n"
        "export class Disk { save(n: number) {} drop() {} }\n"
        "export class Sun { now() { return 1; } }\n"
        "export class Apart { save(n: number) {} }\n"
    ),
    "other.ts": "export class Disk { save(n: number) {} }\n",
    "module.ts": (
        "import { CLOCK, Disk, Store, Sun } from './store';\n"
        "import * as other from './other';\n"
        "export const providers = [\n"
        "  { provide: Store, useClass: Disk },\n"
        "  {\n    provide: CLOCK,\n    multi: true,\n    useExisting: Sun,\n  },\n"
        "  { provide: Store, useFactory: () => new other.Disk() },\n"
        "];\n"
    ),
    "app.ts": (
        "import { inject } from '@angular/core';\nimport { CLOCK, Store } from './store';\n"
        "export class App {\n"
        "  clock = inject(CLOCK);\n"
        "  constructor(private store: Store) {}\n"
        "  go() {\n    this.store.save(1);\n    this.clock.now();\n  }\n"
        "}\n"
    ),
}
_MAX = 1_000_000
PROVIDED = {"store.ts#Disk.save": ["Store.save"], "store.ts#Sun.now": ["Clock.now"]}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return repository(tmp_path_factory.mktemp("provided").resolve() / "app", FILES)


@pytest.fixture(scope="module")
def asked(root):
    """A function that asks a tool about the project, and returns the reply."""
    with tools_about(root) as ask:
        yield ask


@pytest.mark.slow
@pytest.mark.parametrize(
    ("element", "base", "line"), [("store.ts#Disk.save", "Store.save", 7), ("Sun.now", "Clock.now", 8)]
)
def test_calls_of_what_a_class_is_provided_for_may_run_its_method(asked, element, base, line):
    reply = asked("coderef_query", query_type="calls-me", element=element)
    assert reply.note.startswith(f"{element.partition('#')[2] or element} is provided for {base}: 1 call may mean it")
    assert [(one.file, one.line, one.why) for one in reply.unresolved.sites] == [("app.ts", line, f"through {base}")]


def test_a_change_of_the_method_reaches_the_callers(asked):
    affected = asked("coderef_impact", element="store.ts#Disk.save").affected
    assert [one.why for one in affected] == ["calls Store.save, for which Disk.save is provided"]


@pytest.mark.parametrize("is_whole", [True, False])
def test_with_and_without_an_index_the_same_methods_are_provided(root, is_whole):
    project = (
        Index(root, NoFacts(), _MAX) if is_whole else UnindexedProject(WorkingTree(root), NoFacts(), _MAX, fewest=0)
    )
    snapshot = project.refresh()
    methods = [one for path in snapshot.facts for one in snapshot.graph.outline(path)]
    found = {one.id.rpartition(":")[0]: [base.qualified_name for base in provided(snapshot, one)] for one in methods}
    assert {name: bases for name, bases in found.items() if bases} == PROVIDED
