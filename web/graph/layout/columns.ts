/** Places boxes in columns: orders each so that arrows cross seldom, and moves boxes towards what they are linked to. */
import type { Line, Size, Spot } from "./geometry";

const COLUMN_GAP = 84;
const SUB_GAP = 26;
const ROW_GAP = 12;
const SWEEPS = 8;

/** Columns of ids from left to right become spots. A column of more than `rows` boxes is several side by side. */
export function columns(
  given: readonly (readonly string[])[],
  lines: readonly Line[],
  sizes: ReadonlyMap<string, Size>,
  rows: number,
): Map<string, Spot> {
  const near = neighbours(lines);
  const ordered = order(given.filter((column) => column.length > 0), near);
  const spots = new Map<string, Spot>();
  let left = 0;
  for (const column of ordered) {
    const parts = Math.ceil(column.length / rows);
    const each = Math.ceil(column.length / parts);
    for (let part = 0; part < parts; part++) {
      const ids = column.slice(part * each, (part + 1) * each);
      const width = Math.max(...ids.map((id) => sizes.get(id)!.width));
      stack(ids, left + width / 2, sizes, spots);
      left += width + (part === parts - 1 ? COLUMN_GAP : SUB_GAP);
    }
  }
  align(ordered, near, spots, rows);
  return spots;
}

type Near = ReadonlyMap<string, ReadonlyMap<string, number>>;

function neighbours(lines: readonly Line[]): Near {
  const near = new Map<string, Map<string, number>>();
  const note = (one: string, other: string, weight: number): void => {
    const known = near.get(one) ?? new Map<string, number>();
    known.set(other, (known.get(other) ?? 0) + weight);
    near.set(one, known);
  };
  for (const { source, target, count } of lines) {
    const weight = 1 + Math.log2(count);
    note(source, target, weight);
    note(target, source, weight);
  }
  return near;
}

/** Sweeps right and left, each column sorted by the mean place of its neighbours in the columns before. */
function order(given: readonly (readonly string[])[], near: Near): string[][] {
  const ordered = given.map((column) => [...column]);
  const place = new Map<string, number>();
  const note = (column: readonly string[]): void =>
    column.forEach((id, row) => place.set(id, (row + 0.5) / column.length));
  ordered.forEach(note);
  const columnOf = new Map(ordered.flatMap((column, at) => column.map((id) => [id, at] as const)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (let step = 1; step < ordered.length; step++) {
      const at = forward ? step : ordered.length - 1 - step;
      const means = new Map(
        ordered[at]!.map((id) => {
          const before = [...(near.get(id) ?? [])].filter(([other]) => (columnOf.get(other)! < at) === forward);
          return [id, mean(before, place) ?? place.get(id)!] as const;
        }),
      );
      ordered[at]!.sort((one, other) => means.get(one)! - means.get(other)! || place.get(one)! - place.get(other)!);
      note(ordered[at]!);
    }
  }
  return ordered;
}

function mean(near: readonly (readonly [string, number])[], place: ReadonlyMap<string, number>): number | undefined {
  let [sum, weights] = [0, 0];
  for (const [id, weight] of near) {
    const at = place.get(id);
    if (at === undefined) continue;
    sum += at * weight;
    weights += weight;
  }
  return weights ? sum / weights : undefined;
}

function stack(ids: readonly string[], x: number, sizes: ReadonlyMap<string, Size>, spots: Map<string, Spot>): void {
  const height = ids.reduce((sum, id) => sum + sizes.get(id)!.height + ROW_GAP, -ROW_GAP);
  let top = -height / 2;
  const width = Math.max(...ids.map((id) => sizes.get(id)!.width));
  for (const id of ids) {
    const { height } = sizes.get(id)!;
    spots.set(id, { x, y: top + height / 2, width, height });
    top += height + ROW_GAP;
  }
}

/** Moves the boxes of short columns towards the mean of their neighbours, in their order and without overlaps. */
function align(ordered: readonly (readonly string[])[], near: Near, spots: Map<string, Spot>, rows: number): void {
  const tallest = Math.max(...ordered.map((column) => Math.min(column.length, rows)));
  for (let pass = 0; pass < 4; pass++) {
    for (const column of ordered) {
      if (column.length === tallest || column.length > rows) continue;
      const wanted = column.map((id) => {
        const known = [...(near.get(id) ?? [])];
        const heights = new Map(known.map(([other]) => [other, spots.get(other)!.y] as const));
        return mean(known, heights) ?? spots.get(id)!.y;
      });
      settle(column, wanted, spots);
    }
  }
}

/** Gives each box its wanted height as far as the order allows: runs that would overlap share the mean of their wishes. */
function settle(column: readonly string[], wanted: readonly number[], spots: Map<string, Spot>): void {
  const runs: { ids: string[]; offsets: number[]; top: number; height: number }[] = [];
  column.forEach((id, at) => {
    const { height } = spots.get(id)!;
    runs.push({ ids: [id], offsets: [0], top: wanted[at]! - height / 2, height });
    for (;;) {
      const [before, last] = runs.slice(-2);
      if (runs.length < 2 || before!.top + before!.height + ROW_GAP <= last!.top) break;
      const shift = before!.height + ROW_GAP;
      const [many, more] = [before!.ids.length, last!.ids.length];
      const top = (before!.top * many + (last!.top - shift) * more) / (many + more);
      runs.splice(-2, 2, {
        ids: [...before!.ids, ...last!.ids],
        offsets: [...before!.offsets, ...last!.offsets.map((offset) => offset + shift)],
        top,
        height: shift + last!.height,
      });
    }
  });
  for (const { ids, offsets, top } of runs) {
    ids.forEach((id, at) => {
      const spot = spots.get(id)!;
      spot.y = top + offsets[at]! + spot.height / 2;
    });
  }
}
