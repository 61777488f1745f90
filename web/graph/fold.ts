/**
 * Folds boxes until few enough are left: those of one column (or ring) by file, then by ever shorter folders.
 *
 * Boxes of different tones stay apart, so that a colour tells the truth about all that it stands for. What still does
 * not fit becomes one box, `n more`.
 */
import { grouped } from "./grouped";
import { joined, type Arrow, type Box } from "./model";
import { counted } from "./read/fields";
import { folderOf, nameOf } from "./read/ids";

/** The most boxes in a picture, whatever was asked for. */
export const MOST_BOXES = 300;

export interface Folded {
  boxes: Box[];
  arrows: Arrow[];
}

/** At most `most` boxes for each depth, beside those in `open`, which are not folded; and MOST_BOXES in all. */
export function fold(boxes: readonly Box[], arrows: readonly Arrow[], most: number, open: ReadonlySet<string>): Folded {
  const columns = grouped(boxes, (box) => box.depth);
  const kept = [...columns.values()].flatMap((column) => [
    ...column.filter((box) => open.has(box.id)),
    ...foldColumn(column.filter((box) => !open.has(box.id)), most),
  ]);
  if (kept.length > MOST_BOXES) return fold(boxes, arrows, Math.max(2, Math.floor(MOST_BOXES / columns.size)), new Set());
  return joined(kept, moved(kept, arrows));
}

/** The arrows between the boxes that stand for their ends. */
function moved(kept: readonly Box[], arrows: readonly Arrow[]): Arrow[] {
  const stands = new Map<string, string>();
  const note = (box: Box, id: string): void => {
    stands.set(box.id, id);
    box.members?.forEach((member) => note(member, id));
  };
  for (const box of kept) note(box, box.id);
  return arrows.map((arrow) => ({
    ...arrow,
    source: stands.get(arrow.source) ?? arrow.source,
    target: stands.get(arrow.target) ?? arrow.target,
  }));
}

function foldColumn(column: readonly Box[], most: number): Box[] {
  if (column.length <= most) return [...column];
  const deepest = Math.max(...column.map((box) => pathOf(box).split("/").length));
  let grouped: Box[] = [...column];
  for (let level = deepest; level > 0 && grouped.length > most; level--) {
    grouped = groups(column, (box) => pathOf(box).split("/").slice(0, level).join("/"));
  }
  if (grouped.length <= most) return grouped;
  const bySize = [...grouped].sort((one, other) => weight(other) - weight(one));
  const shown = new Set(bySize.slice(0, most - 1));
  const rest = bySize.slice(most - 1).flatMap((box) => box.members ?? [box]);
  return [...grouped.filter((box) => shown.has(box)), group(`more ${rest[0]!.depth ?? ""}`, `${rest.length} more`, rest)];
}

const weight = (box: Box): number => (box.tone === "focus" ? Infinity : (box.members?.length ?? 1));

const pathOf = (box: Box): string => box.file ?? box.id;

function groups(column: readonly Box[], keyOf: (box: Box) => string): Box[] {
  const found = grouped(column, (box) => (box.tone === "focus" ? box.id : `${keyOf(box)}\n${box.tone}`));
  return [...found].flatMap(([key, members]) => {
    const path = key.split("\n")[0]!;
    if (members.length === 1) return members;
    const isFile = members.every((box) => pathOf(box) === path);
    return [group(`more ${members[0]!.depth ?? ""} ${key}`, isFile ? nameOf(path) : `${nameOf(path)}/`, members, path)];
  });
}

function group(id: string, label: string, members: Box[], path = ""): Box {
  const [first] = members;
  const isFile = path !== "" && members.every((box) => box.file === path);
  return {
    id,
    label,
    note: [counted(members.length, members.every((box) => box.look === "file") ? "file" : "element"), path && folderOf(path)].filter(Boolean).join(" · "),
    look: "more",
    tone: first!.tone,
    ...(first!.depth === undefined ? {} : { depth: first!.depth }),
    ...(isFile ? { file: path } : {}),
    place: isFile || path === "" ? path : `${path}/`,
    members,
  };
}
