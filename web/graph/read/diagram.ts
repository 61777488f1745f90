/** coderef_diagram: a project or an opened folder or file as boxes, or the neighbourhood of an element. */
import type { Fields } from "../../shared/host";
import { joined, type Arrow, type Box, type Picture } from "../model";
import { counted, isFields, number, objects, remarks, text } from "./fields";
import { boxOf, folderOf, nameOf, partsOf, toneOf } from "./ids";
import { readChart } from "./chart";

export function readDiagram(reply: Fields): Picture {
  const inside = text(reply["inside"]);
  const element = text(reply["element"]);
  const read = isFields(reply["drawn"]) ? readDrawn(reply["drawn"], inside) : readChart(text(reply["diagram"]));
  const { boxes, arrows } = joined(read.boxes, read.arrows);
  if (element) place(boxes, arrows, element);
  return {
    title: titleOf(inside, element),
    summary: summaryOf(boxes, arrows, inside),
    arrangement: element ? "sides" : "layers",
    boxes,
    arrows,
    notes: [...omitted(reply), ...remarks(reply, "note")],
    next: [],
  };
}

function titleOf(inside: string, element: string): string {
  if (element) return partsOf(element)?.name ?? nameOf(element);
  return inside === "" || inside === "." ? "Project" : nameOf(inside);
}

function summaryOf(boxes: Box[], arrows: Arrow[], inside: string): string {
  const uses = arrows.reduce((sum, arrow) => sum + arrow.count, 0);
  const within = boxes.filter((box) => box.tone !== "outside").length;
  const beside = boxes.length - within;
  const what = counted(within, "box", "boxes") + (inside && beside ? `, ${beside} outside` : "");
  return `${what}; ${counted(uses, "use")} between them.`;
}

const omitted = (reply: Fields): string[] => {
  const boxes = number(reply["omitted_boxes"]) ?? 0;
  const arrows = number(reply["omitted_arrows"]) ?? 0;
  const parts = [boxes && counted(boxes, "box", "boxes"), arrows && counted(arrows, "weaker arrow")].filter(Boolean);
  return parts.length ? [`Not drawn: ${parts.join(" and ")}.`] : [];
};

function readDrawn(drawn: Fields, inside: string): { boxes: Box[]; arrows: Arrow[] } {
  const opened = inside === "" || inside === "." ? "" : inside.replace(/^\.\//, "").replace(/\/$/, "");
  const boxes = objects(drawn["boxes"]).map((given) => drawnBox(given, opened));
  const arrows = objects(drawn["arrows"]).flatMap((given): Arrow[] => {
    const source = boxes[number(given["source"]) ?? -1];
    const target = boxes[number(given["target"]) ?? -1];
    if (!source || !target) return [];
    return [{ source: source.id, target: target.id, kind: text(given["kind"]) || "use", count: number(given["count"]) ?? 1 }];
  });
  return { boxes, arrows };
}

function drawnBox(given: Fields, opened: string): Box {
  const id = text(given["id"]);
  const look = text(given["look"]);
  const files = number(given["files"]) ?? 0;
  const elements = number(given["elements"]) ?? 0;
  const box = boxOf(id);
  const isOutside = opened !== "" && id !== opened && !id.startsWith(`${opened}/`) && !id.startsWith(`${opened}#`);
  const where = box.look === "element" ? "" : inFolder(id, isOutside ? "" : opened).replace(/\/$/, "");
  const size = [
    files > 1 ? counted(files, "file") : "",
    elements ? counted(elements, box.look === "element" ? "part" : "element") : "",
  ];
  const type = text(given["type"]);
  const isTests = id.startsWith("//");
  return {
    ...box,
    ...(isTests ? { label: text(given["label"]) } : {}),
    note: (isTests ? [] : type ? [opened === box.file ? type : box.note] : [where, ...size]).filter(Boolean).join(" · "),
    tone: look === "focus" ? "focus" : isOutside ? "outside" : look === "test" ? "test" : toneOf(id),
    ...(type ? { type } : {}),
  };
}

/** The folders between an opened one and a place in it, since one level may hold boxes of several. */
function inFolder(id: string, opened: string): string {
  const folder = folderOf(id);
  const above = opened ? `${opened}/` : "";
  return folder.startsWith(above) ? folder.slice(above.length) : folder;
}

/** Steps of each box from the focus: users on one side, what is used on the other. */
export function place(boxes: readonly Box[], arrows: readonly Arrow[], element: string): void {
  const bare = element.replace(/:\d+$/, "");
  const focus = boxes.filter((box) => box.tone === "focus" || box.id === element || box.id.replace(/:\d+$/, "") === bare);
  const known = new Map(boxes.map((box) => [box.id, box]));
  for (const box of focus) {
    box.depth = 0;
    box.tone = "focus";
  }
  const walk = (from: "source" | "target", to: "source" | "target", sign: 1 | -1): void => {
    let level = focus.map((box) => box.id);
    const next = new Map<string, string[]>();
    for (const arrow of arrows) next.set(arrow[from], [...(next.get(arrow[from]) ?? []), arrow[to]]);
    for (let step = 1; level.length > 0; step++) {
      level = level.flatMap((id) => next.get(id) ?? []).filter((id) => {
        const box = known.get(id)!;
        if (box.depth !== undefined) return false;
        box.depth = sign * step;
        return true;
      });
    }
  };
  walk("source", "target", 1);
  walk("target", "source", -1);
  settle(boxes, arrows);
}

/** Boxes that neither lead to the focus nor come from it stand beside a neighbour. */
function settle(boxes: readonly Box[], arrows: readonly Arrow[]): void {
  const depth = new Map(boxes.flatMap((box) => (box.depth === undefined ? [] : [[box.id, box.depth] as const])));
  for (const box of boxes) {
    if (box.depth !== undefined) continue;
    const to = arrows.find((arrow) => arrow.source === box.id && depth.has(arrow.target));
    const from = arrows.find((arrow) => arrow.target === box.id && depth.has(arrow.source));
    box.depth = to ? depth.get(to.target)! - 1 : from ? depth.get(from.source)! + 1 : 1;
    if (box.depth === 0) box.depth = to ? -1 : 1;
    depth.set(box.id, box.depth);
  }
}
