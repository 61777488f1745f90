/** Rings: the middle, and around it what one step reaches, two steps …; labels point away from it. */
import { grouped } from "../grouped";
import type { Box } from "../model";
import { counted } from "../read/fields";
import type { Layout, Line, Measure, Ring, Spot } from "./geometry";

const FIRST = 115;
/** Room for a label between rings. */
const GAP = 165;
/** Room between the box in the middle and the first ring. */
const AROUND = 30;
/** Room along a ring for one label. */
const PITCH = 22;
/** The length of a ring that its caption takes, at the top. */
const CAPTION = 130;
const DOT = 13;

export function rings(boxes: readonly Box[], lines: readonly Line[], measure: Measure): Layout {
  const spots = new Map<string, Spot>();
  const byDepth = grouped(boxes, (box) => Math.abs(box.depth ?? 1));
  for (const box of byDepth.get(0) ?? []) spots.set(box.id, { x: 0, y: 0, ...measure(box) });
  const through = new Map(lines.map((line) => [line.source, line.target]));
  const drawn: Ring[] = [];
  const middle = Math.max(0, ...[...spots.values()].map(({ width }) => width / 2 + AROUND));
  let radius = Math.max(FIRST, middle) - GAP;
  for (const depth of [...byDepth.keys()].filter((depth) => depth > 0).sort((one, other) => one - other)) {
    const boxesOfRing = byDepth.get(depth)!;
    radius = Math.max(radius + GAP, (boxesOfRing.length * PITCH + CAPTION) / (2 * Math.PI));
    const ring = inOrder(boxesOfRing, through, spots, radius);
    ring.forEach((box, place) => {
      const angle = angleOf(place, ring.length, radius);
      spots.set(box.id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle), width: DOT, height: DOT, angle });
    });
    const count = ring.reduce((sum, box) => sum + (box.members?.length ?? 1), 0);
    drawn.push({ radius, label: `${depth === 1 ? "1 step" : `${depth} steps`} · ${counted(count, "element")}` });
  }
  return { spots, rings: drawn };
}

/** Places go round clockwise, from the caption to the caption. */
const angleOf = (place: number, all: number, radius: number): number =>
  ((place + 0.5) / all) * (2 * Math.PI - CAPTION / radius) + CAPTION / radius / 2 - Math.PI / 2;

/** Near what it is reached through, else by place in the project, so that neighbours belong together. */
function inOrder(
  ring: readonly Box[],
  through: ReadonlyMap<string, string>,
  spots: ReadonlyMap<string, Spot>,
  radius: number,
): Box[] {
  const sorted = [...ring].sort((one, other) => ((one.file ?? one.id) < (other.file ?? other.id) ? -1 : 1));
  const own = new Map(sorted.map((box, place) => [box.id, angleOf(place, sorted.length, radius)]));
  const wanted = (box: Box): number => spots.get(through.get(box.id) ?? "")?.angle ?? own.get(box.id)!;
  return sorted.sort((one, other) => wanted(one) - wanted(other));
}
