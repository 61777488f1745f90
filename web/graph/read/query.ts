/** coderef_query: edges around an element, or the path between two. */
import type { Fields } from "../../shared/host";
import { joined, type Arrow, type Box, type Picture } from "../model";
import { place } from "./diagram";
import { counted, number, objects, remarks, text, texts } from "./fields";
import { boxOf, partsOf, toneOf } from "./ids";
import { around, readLines } from "./lines";

export function readQuery(reply: Fields): Picture {
  const target = text(reply["target"]);
  const full = objects(reply["results"]);
  const read = full.length ? readRelations(full) : readUses(reply, target);
  const { boxes, arrows } = joined([boxOf(target, { tone: "focus" }), ...read.boxes], read.arrows);
  place(boxes, arrows, target);
  const found = number(reply["results_found"]);
  const omitted = number(reply["omitted"]) ?? 0;
  return {
    title: `${text(reply["query_type"])} ${partsOf(target)?.name ?? target}`,
    summary: `${found === undefined ? "An unknown number of" : found.toLocaleString("en")} results.`,
    arrangement: "sides",
    boxes,
    arrows,
    notes: [...(omitted ? [`${counted(omitted, "result")} more on further pages.`] : []), ...remarks(reply, "namesakes", "note")],
    next: [],
  };
}

function readRelations(full: Fields[]): { boxes: Box[]; arrows: Arrow[] } {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  for (const one of full) {
    const [from, to] = [text(one["from"]), text(one["to"])];
    boxes.push(boxOf(from, { tone: toneOf(from), source: text(one["text"]) }), boxOf(to, { tone: toneOf(to) }));
    arrows.push({ source: from, target: to, kind: text(one["type"]) || "use", count: 1 });
  }
  return { boxes, arrows };
}

/** From lines: at one step users lead to the target; of others the line tells no other end, so they hang on none. */
function readUses(reply: Fields, target: string): { boxes: Box[]; arrows: Arrow[] } {
  const isUsers = text(reply["query_type"]).endsWith("-me");
  const kind = text(reply["common"]).split(",")[0] || "use";
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  for (const line of readLines(texts(reply["results"]))) {
    const other = /→ (\S+)/.exec(line.remarks.join(" "))?.[1];
    const user = around(line);
    boxes.push(boxOf(user, { tone: toneOf(user), source: line.text }));
    if (other) boxes.push(boxOf(other));
    const end = other ?? (line.depth === 1 && isUsers ? target : "");
    if (end) arrows.push({ source: user, target: end, kind, count: 1 });
  }
  return { boxes, arrows };
}
