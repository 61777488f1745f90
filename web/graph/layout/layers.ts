/** Layers: what uses others stands on the left of what it uses, as far as cycles allow. */
import { grouped } from "../grouped";
import type { Box } from "../model";
import { columns } from "./columns";
import { extent, type Layout, type Line, type Measure, type Size, type Spot } from "./geometry";

const GRID_GAP = 12;
const BELOW = 56;

export function layers(boxes: readonly Box[], lines: readonly Line[], measure: Measure): Layout {
  const sizes = new Map(boxes.map((box) => [box.id, measure(box)]));
  const linked = new Set(lines.flatMap(({ source, target }) => [source, target]));
  const { left, ids, right } = apart(boxes.filter((box) => linked.has(box.id)), lines);
  const rows = Math.max(6, Math.ceil(Math.sqrt(linked.size) * 1.8));
  const among = new Set(ids);
  const own = lines.filter(({ source, target }) => among.has(source) && among.has(target));
  const spots = columns([left, ...inColumns(ids, own, rows), right], lines, sizes, rows);
  const rest = boxes.filter((box) => !linked.has(box.id)).map((box) => box.id);
  grid(rest, sizes, spots);
  return { spots, rings: [] };
}

/** What stands outside of an opened folder: its users on the left, what it uses on the right. */
function apart(boxes: readonly Box[], lines: readonly Line[]): { left: string[]; ids: string[]; right: string[] } {
  const balance = new Map<string, number>();
  for (const { source, target, count } of lines) {
    balance.set(source, (balance.get(source) ?? 0) + count);
    balance.set(target, (balance.get(target) ?? 0) - count);
  }
  const outside = boxes.filter((box) => box.tone === "outside").map((box) => box.id);
  return {
    left: outside.filter((id) => (balance.get(id) ?? 0) > 0),
    ids: boxes.filter((box) => box.tone !== "outside").map((box) => box.id),
    right: outside.filter((id) => (balance.get(id) ?? 0) <= 0),
  };
}

/** About as many columns as the picture has room for; ranks that do not fill one share it. */
function inColumns(ids: readonly string[], lines: readonly Line[], rows: number): string[][] {
  const rank = ranks(ids, lines);
  const byRank = [...grouped([...ids].sort((one, other) => rank.get(one)! - rank.get(other)!), (id) => rank.get(id)!)];
  const most = Math.max(3, Math.ceil(ids.length / rows) + 1);
  if (byRank.length <= most) return byRank.map(([, column]) => column);
  const found: string[][] = [[]];
  let left = ids.length;
  for (const [, column] of byRank) {
    const last = found.at(-1)!;
    const share = (left + last.length) / (most - found.length + 1);
    if (last.length > 0 && found.length < most && last.length + column.length / 2 > share) found.push([...column]);
    else last.push(...column);
    left -= column.length;
  }
  return found;
}

/** The longest way to each box along lines that agree with an order without cycles. */
function ranks(ids: readonly string[], lines: readonly Line[]): Map<string, number> {
  const order = acyclic(ids, lines);
  const at = new Map(order.map((id, place) => [id, place]));
  const forward = lines.filter(({ source, target }) => at.get(source)! < at.get(target)!);
  const out = grouped(forward, (line) => line.source);
  const rank = new Map(order.map((id) => [id, 0]));
  for (const id of order) {
    for (const { target } of out.get(id) ?? []) rank.set(target, Math.max(rank.get(target)!, rank.get(id)! + 1));
  }
  // A box that nothing leads to stands just before the first that it uses.
  const entered = new Set(forward.map((line) => line.target));
  for (const id of order) {
    const used = out.get(id);
    if (!entered.has(id) && used) rank.set(id, Math.min(...used.map((line) => rank.get(line.target)!)) - 1);
  }
  return rank;
}

/** An order that few uses run against (Eades, Lin and Smyth 1993): sinks last, sources first, then the most outgoing. */
function acyclic(ids: readonly string[], lines: readonly Line[]): string[] {
  const out = new Map<string, Map<string, number>>(ids.map((id) => [id, new Map()]));
  const into = new Map<string, Map<string, number>>(ids.map((id) => [id, new Map()]));
  for (const { source, target, count } of lines) {
    out.get(source)!.set(target, count);
    into.get(target)!.set(source, count);
  }
  const sum = (uses: ReadonlyMap<string, number>): number => [...uses.values()].reduce((all, count) => all + count, 0);
  const left = new Set(ids);
  const [first, last]: [string[], string[]] = [[], []];
  const take = (id: string, to: string[]): void => {
    to.push(id);
    left.delete(id);
    for (const other of out.get(id)!.keys()) into.get(other)!.delete(id);
    for (const other of into.get(id)!.keys()) out.get(other)!.delete(id);
  };
  while (left.size > 0) {
    const sink = [...left].find((id) => out.get(id)!.size === 0);
    const source = sink ?? [...left].find((id) => into.get(id)!.size === 0);
    if (sink !== undefined) take(sink, last);
    else if (source !== undefined) take(source, first);
    else {
      const balance = (id: string): number => sum(out.get(id)!) - sum(into.get(id)!);
      take([...left].reduce((best, id) => (balance(id) > balance(best) ? id : best)), first);
    }
  }
  return [...first, ...last.reverse()];
}

/** Boxes without arrows, in rows below the others. */
function grid(ids: readonly string[], sizes: ReadonlyMap<string, Size>, spots: Map<string, Spot>): void {
  if (ids.length === 0) return;
  const above = extent(spots.values());
  const widest = Math.max(...ids.map((id) => sizes.get(id)!.width));
  const width = Math.max(above.right - above.left, widest, Math.sqrt(ids.length) * (widest + GRID_GAP));
  let [x, y] = [above.left, spots.size ? above.bottom + BELOW : 0];
  let tallest = 0;
  for (const id of ids) {
    const size = sizes.get(id)!;
    if (x > above.left && x + size.width > above.left + width) {
      [x, y, tallest] = [above.left, y + tallest + GRID_GAP, 0];
    }
    spots.set(id, { x: x + size.width / 2, y: y + size.height / 2, ...size });
    x += size.width + GRID_GAP;
    tallest = Math.max(tallest, size.height);
  }
}
