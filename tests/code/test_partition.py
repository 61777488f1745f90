"""A file's edges are the same in any process; types of callback parameters and loop variables."""

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed, pack, unpack_facts
from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.file_resolver import FileResolver

SOURCE = b"""
export class Bird { sing(): void {} get(): Nest { return new Nest() } }
export class Nest { warm(): void {} constructor(cb?: (b: Bird) => void) {} }
interface Fn { (cb: (b: Bird) => void): void; new (cb: (n: Nest) => void): Nest }
type Either = ((cb: (b: Bird) => void) => void) | ((cb: (n: Nest) => void) => void)
type Both = { birds: Bird[] } & { extra: number }
declare const fn: Fn, either: Either, both: Both, make: new (cb: (n: Nest) => void) => Nest
declare const pair: [Bird, Nest], byName: Map<string, Bird>, table: Record<string, Nest>
declare function each(...cbs: Array<(b: Bird) => void>): void
declare function args(...given: Parameters<typeof take>): void
function take(b: Bird, cb: (n: Nest) => void) {}
class Later { [name: string]: Bird }
declare const later: Later, index: { [name: string]: Nest }, maybe: Bird[] | undefined
export function all() {
  fn(b => b.sing()); either(b => b.sing()); new make(n => n.warm()); new fn(n => n.warm())
  new Nest(b => b.sing()); each(b => b.sing(), b => b.sing()); take(new Bird(), n => n.warm())
  pair[0].sing(); pair[1].warm(); later["x"].sing(); index["x"].warm(); both.birds[0].sing()
  for (const [name, bird] of byName) bird.sing()
  for (const b of byName.values()) b.sing()
  table["a"].warm(); table.a.warm(); maybe![0].sing(); pair.toString()
  both.birds.map(b => b.get()).forEach(n => n.warm())
}
"""
PYTHON = b"""
class Door:
    def __enter__(self) -> "Door": return self
    def __exit__(self, *a): pass
    def __iter__(self) -> "Iterator[Door]": ...
    def __getitem__(self, i) -> "Door": ...
    def shut(self): pass
def run(d: Door, t: tuple[Door, int], many: tuple[Door, ...], named: dict[str, Door]):
    with d as one: one.shut()
    d[0].shut()
    for each in d: each.shut()
    t[0].shut()
    many[2].shut()
    named.get("a").shut()
    for v in named.values(): v.shut()
    for k, v in named.items(): v.shut()
"""
FACTS = {
    "a.ts": parse_file("a.ts", Language.TYPESCRIPT, SOURCE),
    "b.py": parse_file("b.py", Language.PYTHON, PYTHON),
}
PROJECT = ProjectFiles(frozenset(FACTS))


def test_packed_facts_resolve_as_unpacked_ones() -> None:
    stored: PackedMap[FileFacts] = PackedMap()
    stored.update({path: Packed(pack(facts), unpack_facts) for path, facts in FACTS.items()})
    files = FileResolver(FACTS, PROJECT)
    accepted = files.accept(FileResolver(stored, PROJECT).resolved(FACTS))
    consulted = dict(files.consulted)
    assert {path: uses.get() for path, uses in accepted.items()} == files.uses(FACTS)
    assert consulted == files.consulted


def test_types_of_callback_parameters_items_and_loop_variables_are_followed() -> None:
    uses = FileResolver(FACTS, PROJECT).uses(FACTS)
    lines = {(edge.target.replace("\0", "#"), edge.line) for edge in uses["a.ts"].edges if edge.kind == "call"}
    assert {("a.ts#Bird.sing", line) for line in (15, 16, 17, 18, 19, 20)} <= lines
    assert {("a.ts#Nest.warm", line) for line in (15, 16, 17, 20, 21)} <= lines
    shut = {edge.line for edge in uses["b.py"].edges if edge.target == "b.py\0Door.shut"}
    assert shut == set(range(9, 17))


def test_only_facts_that_are_consulted_repeatedly_stay_unpacked() -> None:
    sources = {"hub.py": b"class Hub:\n    def go(self): ...\n"}
    sources |= {f"{name}.py": b"from hub import Hub\ndef run(h: Hub): h.go()\n" for name in "abcdefgh"}
    facts = {path: parse_file(path, Language.PYTHON, source) for path, source in sources.items()}
    packed = {path: Packed(pack(file), unpack_facts) for path, file in facts.items()}
    stored: PackedMap[FileFacts] = PackedMap()
    stored.update(packed)
    files, whole = (
        FileResolver(stored, ProjectFiles(frozenset(facts))),
        FileResolver(facts, ProjectFiles(frozenset(facts))),
    )
    for name in "abcdefgh":
        assert files.uses_sparingly([f"{name}.py"]) == whole.uses([f"{name}.py"])
    unpacked = {path for path, row in packed.items() if row.get(keep=False) is row.get(keep=False)}
    assert unpacked == {"hub.py"}
