/** Reads the Mermaid and dot texts that coderef_diagram writes, for replies without lists. */
import type { Arrow, Box } from "../model";
import { boxOf } from "./ids";

const FRAME = /^ *subgraph \w+\["(.*)"\]$/;
const END = /^ *end$/;
const BOX = /^ +(n\d+)(\[\[|\(\[|\[)"(.*)"(?:\]\]|\]\)|\])$/;
const ARROW = /^ +(n\d+) (?:-->|-\.->|==>)(?:\|"(.*)"\|)? (n\d+)$/;
const ENTITY = /#(\d+);/g;

const plain = (label: string): string => label.replace(ENTITY, (_, code: string) => String.fromCodePoint(Number(code)));

export function readChart(chart: string): { boxes: Box[]; arrows: Arrow[] } {
  const boxes = new Map<string, Box>();
  const arrows: Arrow[] = [];
  let frame = "";
  for (const line of chart.split("\n")) {
    const [opened, box, arrow] = [FRAME.exec(line), BOX.exec(line), ARROW.exec(line)];
    if (opened) frame = plain(opened[1]!);
    else if (END.test(line)) frame = "";
    else if (box) boxes.set(box[1]!, charted(frame, plain(box[3]!), box[2] === "(["));
    else if (arrow) {
      const [source, target] = [boxes.get(arrow[1]!), boxes.get(arrow[3]!)];
      if (source && target) arrows.push({ source: source.id, target: target.id, ...labelled(plain(arrow[2] ?? "")) });
    }
  }
  return { boxes: [...boxes.values()], arrows };
}

/** The frame is a folder (with a slash) around files and folders, or the file of elements. */
function charted(frame: string, label: string, isFocus: boolean): Box {
  const id = frame === "" || frame.endsWith("/") ? frame + label : `${frame}#${label}`;
  return boxOf(id, isFocus ? { tone: "focus" } : {});
}

function labelled(label: string): { kind: string; count: number } {
  const found = /^(\w*) ?(?:×(\d+))?$/.exec(label);
  return { kind: found?.[1] || "use", count: Number(found?.[2] ?? 1) };
}
