/** Where boxes stand, and how arrows run between them. Coordinates are of centres, in pixels. */
import type { Arrangement, Arrow, Box } from "../model";

export interface Point {
  x: number;
  y: number;
}

export interface Spot extends Point {
  width: number;
  height: number;
  /** In rings: the direction of the label, in radians. */
  angle?: number;
}

export interface Ring {
  radius: number;
  label: string;
}

export interface Layout {
  spots: Map<string, Spot>;
  rings: Ring[];
}

/** One line from box to box, for all kinds of use that are shown. */
export interface Line {
  id: string;
  source: string;
  target: string;
  count: number;
  kinds: [kind: string, count: number][];
}

/** The lines of arrows of some kinds, strongest first. */
export function linesOf(arrows: readonly Arrow[], isShown: (kind: string) => boolean): Line[] {
  const lines = new Map<string, Line>();
  for (const { source, target, kind, count } of arrows) {
    if (!isShown(kind)) continue;
    const id = JSON.stringify([source, target]);
    const line = lines.get(id) ?? { id, source, target, count: 0, kinds: [] };
    line.count += count;
    line.kinds.push([kind, count]);
    lines.set(id, line);
  }
  return [...lines.values()].sort((one, other) => other.count - one.count || (one.id < other.id ? -1 : 1));
}

/** The start, two control points, the end. The curve is of two quadratic pieces that meet between the control points. */
export type Curve = readonly [Point, Point, Point, Point];

const REACH = 46;

/** How far below the middle of a box an arrow against the order ends, so that one the other way is seen. */
const LOWER = 7;

/** An arrow leaves a box on the side of the other and enters there; in one column it bends round on the right. */
export function curve(from: Spot, to: Spot, isBack = false): Curve {
  const gap = to.x - to.width / 2 - (from.x + from.width / 2);
  const back = from.x - from.width / 2 - (to.x + to.width / 2);
  const [start, end] = [(side: 1 | -1) => edge(from, side), (side: 1 | -1) => edge(to, side)];
  if (gap > 0) return bent(start(1), end(-1), gap / 2);
  if (back > 0) return bent(lowered(start(-1), isBack), lowered(end(1), isBack), -back / 2);
  const [one, other] = [start(1), end(1)];
  const x = Math.max(one.x, other.x) + REACH;
  return [one, { x, y: one.y }, { x, y: other.y }, other];
}

const edge = ({ x, y, width }: Spot, side: 1 | -1): Point => ({ x: x + (side * width) / 2, y });

const lowered = ({ x, y }: Point, isBack: boolean): Point => ({ x, y: isBack ? y + LOWER : y });

const bent = (start: Point, end: Point, by: number): Curve => [
  start,
  { x: start.x + by, y: start.y },
  { x: end.x - by, y: end.y },
  end,
];

/** Whether an arrow runs against the order of layers, and so belongs to a cycle. */
export const isBack = (kind: Arrangement, from: Spot, to: Spot): boolean =>
  kind === "layers" && to.x + to.width / 2 < from.x - from.width / 2;

/** The box around all spots. */
export function extent(spots: Iterable<Spot>): { left: number; top: number; right: number; bottom: number } {
  const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of spots) {
    found.left = Math.min(found.left, x - width / 2);
    found.right = Math.max(found.right, x + width / 2);
    found.top = Math.min(found.top, y - height / 2);
    found.bottom = Math.max(found.bottom, y + height / 2);
  }
  return found.left === Infinity ? { left: 0, top: 0, right: 0, bottom: 0 } : found;
}

export interface Size {
  width: number;
  height: number;
}

export type Measure = (box: Box) => Size;
