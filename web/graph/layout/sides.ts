/** Sides: users on the left of the middle, what is used on the right, one column a step. */
import { grouped } from "../grouped";
import type { Box } from "../model";
import { columns } from "./columns";
import type { Layout, Line, Measure } from "./geometry";

const ROWS = 24;

export function sides(boxes: readonly Box[], lines: readonly Line[], measure: Measure): Layout {
  const byDepth = grouped(boxes, (box) => box.depth ?? 0);
  const depths = [...byDepth.keys()].sort((one, other) => one - other);
  const given = depths.map((depth) => byDepth.get(depth)!.map((box) => box.id));
  const sizes = new Map(boxes.map((box) => [box.id, measure(box)]));
  return { spots: columns(given, lines, sizes, ROWS), rings: [] };
}
