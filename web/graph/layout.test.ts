/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { fold, MOST_BOXES } from "./fold";
import { arrange } from "./layout/index";
import { curve, isBack, linesOf, type Layout, type Spot } from "./layout/geometry";
import { COLOURS, type Palette } from "./looks";
import type { Arrangement, Arrow, Box } from "./model";
import { boxOf, placeOf } from "./read/ids";
import { mermaid } from "./write/mermaid";
import { svg } from "./write/svg";

const size = () => ({ width: 120, height: 40 });
const all = () => true;
const use = (source: string, target: string, count = 1, kind = "call"): Arrow => ({ source, target, kind, count });

/** Boxes and arrows by a fixed rule that looks random. */
function many(boxes: number, arrows: number): { boxes: Box[]; arrows: Arrow[] } {
  let state = 1;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const made = Array.from({ length: boxes }, (_, at) => boxOf(`p${at % 9}/q${at % 40}/m${at}.ts`, { depth: at % 4 }));
  const pick = (): string => made[next(boxes)]!.id;
  return { boxes: made, arrows: Array.from({ length: arrows }, () => use(pick(), pick(), 1 + next(50))) };
}

function overlaps({ spots }: Layout): number {
  const found = [...spots.values()];
  const meet = (one: Spot, other: Spot): boolean =>
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 - 0.01 && Math.abs(one.y - other.y) < (one.height + other.height) / 2 - 0.01;
  return found.flatMap((one, at) => found.slice(at + 1).filter((other) => meet(one, other))).length;
}

test("300 boxes and 1,800 arrows have places without overlaps, always the same", () => {
  const { boxes, arrows } = many(300, 1_800);
  const lines = linesOf(arrows.filter((arrow) => arrow.source !== arrow.target), all);
  for (const kind of ["layers", "sides", "rings"] as Arrangement[]) {
    const layout = arrange(kind, boxes, lines, size);
    assert.equal(layout.spots.size, 300, kind);
    if (kind !== "rings") assert.equal(overlaps(layout), 0, kind);
    assert.deepEqual(arrange(kind, boxes, lines, size), layout, kind);
    assert.ok([...layout.spots.values()].every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)), kind);
  }
});

test("layers go from users to what they use, and only a cycle runs back", () => {
  const boxes = ["a", "b", "c", "d"].map((id) => boxOf(id));
  const lines = linesOf([use("a", "b", 5), use("b", "c", 5), use("c", "a", 1)], all);
  const { spots } = arrange("layers", boxes, lines, size);
  const back = lines.filter((line) => isBack("layers", spots.get(line.source)!, spots.get(line.target)!));
  assert.deepEqual(back.map((line) => [line.source, line.target]), [["c", "a"]]);
  assert.ok(spots.get("a")!.x < spots.get("b")!.x && spots.get("b")!.x < spots.get("c")!.x);
  assert.ok(spots.get("d")!.y > spots.get("a")!.y, "a box without arrows stands below");
});

test("what is outside stands beside what was opened", () => {
  const boxes = [boxOf("in/a.ts"), boxOf("in/b.ts"), boxOf("user.ts", { tone: "outside" }), boxOf("used.ts", { tone: "outside" })];
  const lines = linesOf([use("in/a.ts", "in/b.ts"), use("user.ts", "in/b.ts"), use("in/a.ts", "used.ts")], all);
  const { spots } = arrange("layers", boxes, lines, size);
  const order = [...spots].sort(([, one], [, other]) => one.x - other.x).map(([id]) => id);
  assert.deepEqual(order, ["user.ts", "in/a.ts", "in/b.ts", "used.ts"]);
});

test("arrows of several kinds between two boxes are one line", () => {
  const lines = linesOf([use("a", "b", 2), use("a", "b", 3, "import"), use("b", "a", 1)], all);
  assert.deepEqual(lines.map(({ source, count, kinds }) => [source, count, kinds.length]), [["a", 5, 2], ["b", 1, 1]]);
  assert.deepEqual(linesOf([use("a", "b"), use("a", "b", 1, "import")], (kind) => kind === "import")[0]!.kinds, [["import", 1]]);
});

test("too many boxes are folded by file and folder, and no use is lost", () => {
  const { boxes, arrows } = many(2_000, 500);
  const before = arrows.filter((arrow) => arrow.source !== arrow.target).reduce((sum, arrow) => sum + arrow.count, 0);
  const folded = fold(boxes, arrows, 30, new Set());
  assert.ok(folded.boxes.length <= 4 * 30, String(folded.boxes.length));
  const stood = folded.boxes.reduce((sum, box) => sum + (box.members?.length ?? 1), 0);
  assert.equal(stood, 2_000);
  assert.ok(folded.arrows.reduce((sum, arrow) => sum + arrow.count, 0) <= before);
  assert.ok(fold(boxes, arrows, 5_000, new Set()).boxes.length <= MOST_BOXES);
});

test("boxes of different tones stay apart, and an opened group is not folded", () => {
  const members = Array.from({ length: 20 }, (_, at) => boxOf(`a.ts#f${at}:${at}`, { depth: 0, tone: at % 2 ? "added" : "removed" }));
  const { boxes } = fold(members, [], 5, new Set());
  assert.deepEqual(boxes.map((box) => [box.tone, box.members?.length]), [["removed", 10], ["added", 10]]);
  assert.equal(placeOf(boxes[0]!), "a.ts");
  const open = new Set(boxes[0]!.members!.map((box) => box.id));
  assert.equal(fold(members, [], 5, open).boxes.length, 11);
});

test("a curve starts and ends at the sides of its boxes", () => {
  const [from, to] = [{ x: 0, y: 0, ...size() }, { x: 300, y: 100, ...size() }];
  assert.deepEqual([curve(from, to)[0], curve(from, to)[3]], [{ x: 60, y: 0 }, { x: 240, y: 100 }]);
  assert.deepEqual([curve(to, from)[0], curve(to, from)[3]], [{ x: 240, y: 100 }, { x: 60, y: 0 }]);
});

const HOSTILE = `</text><script>alert(1)</script>&"'\u202e\u0007${"x".repeat(10_000)}`;

test("an SVG holds all boxes and lines, and hostile names as text", () => {
  const boxes = [boxOf("a.ts#f:1", { label: HOSTILE, note: HOSTILE }), boxOf("b/")];
  const lines = linesOf([use("a.ts#f:1", "b/", 3)], all);
  const palette = Object.fromEntries(COLOURS.map((name) => [name, "#123456"])) as Palette;
  for (const arrangement of ["layers", "rings"] as Arrangement[]) {
    const picture = { title: HOSTILE, summary: "", arrangement, boxes, arrows: [], notes: [], next: [] };
    const layout = arrange(arrangement, boxes, lines, size);
    const drawn = svg({ picture, boxes: new Map(boxes.map((box) => [box.id, box])), lines, layout, font: "sans-serif" }, palette);
    assert.ok(!/<script|\u202e|\u0007/.test(drawn));
    assert.ok(drawn.length < 8_000, String(drawn.length));
    assert.equal(drawn.match(/<g>|<g transform="translate\([^)]*\)"><(?:circle|rect|path)/g)!.length >= 2, true);
    assert.equal(drawn.split("<text").length, drawn.split("</text>").length);
  }
});

test("Mermaid's text has no signs of its own in names", () => {
  const boxes = [boxOf("a", { label: 'x"] --> %%{init' }), boxOf("b/")];
  const chart = mermaid(boxes, linesOf([use("a", "b/", 2)], all));
  assert.deepEqual(chart.split("\n"), ["flowchart LR", '  n0["x#34;] --#62; #37;#37;{init"]', '  n1[["b/"]]', '  n0 -->|"call ×2"| n1', ""]);
});
