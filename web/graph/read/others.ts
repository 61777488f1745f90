/** coderef_explore, coderef_map, coderef_scan: what answers words, the most central files, routes and their handlers. */
import type { Fields } from "../../shared/host";
import { joined, type Arrow, type Box, type Call, type Picture } from "../model";
import { counted, isFields, number, objects, remarks, text, texts } from "./fields";
import { boxOf, partsOf, toneOf } from "./ids";
import { around, readLines } from "./lines";

export function readExplore(reply: Fields): Picture {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  for (const one of objects(reply["elements"])) {
    const id = text(one["element"]);
    boxes.push(
      boxOf(id, {
        type: text(one["type"]),
        tone: "focus",
        depth: 0,
        why: text(one["why"]),
        source: text(one["source"]) || text(one["signature"]),
      }),
    );
    for (const line of readLines(texts(one["used_by"]))) {
      const user = around(line);
      boxes.push({ ...boxOf(user, { tone: toneOf(user), depth: -1, source: line.text }), line: line.line });
      arrows.push({ source: user, target: id, kind: "use", count: 1 });
    }
    for (const test of texts(one["tests"])) {
      boxes.push(boxOf(test, { tone: "test", depth: -1 }));
      arrows.push({ source: test, target: id, kind: "test", count: 1 });
    }
  }
  const spots = readLines(texts(reply["lines"]));
  boxes.push(...spots.map((line) => ({ ...boxOf(around(line), { depth: 1, source: line.text }), line: line.line })));
  const total = number(reply["elements_total"]) ?? 0;
  const lines = number(reply["lines_total"]) ?? 0;
  const drawn = joined(firstOfNames(boxes, arrows), arrows);
  return {
    title: boxes.length ? "Answer" : "Nothing found",
    summary: `Understood as ${text(reply["understood_as"]).replace(/\.?$/, ".")} ${counted(total, "element")}, ${counted(lines, "line")} of text.`,
    arrangement: "sides",
    ...drawn,
    notes: [...remarks(reply, "note"), ...alike(reply)],
    next: objects(reply["next"]).flatMap(proposed),
  };
}

/** Users are written without their line, answers with it: boxes of one element become the first. */
function firstOfNames(boxes: readonly Box[], arrows: Arrow[]): Box[] {
  const bare = (id: string): string => id.replace(/:\d+$/, "");
  const first = new Map<string, string>();
  for (const { id } of boxes) if (id.includes("#") && partsOf(id)?.line !== undefined && !first.has(bare(id))) first.set(bare(id), id);
  const known = (id: string): string => first.get(id) ?? id;
  for (const arrow of arrows) {
    arrow.source = known(arrow.source);
    arrow.target = known(arrow.target);
  }
  return boxes.map((box) => ({ ...box, id: known(box.id) }));
}

const alike = (reply: Fields): string[] => {
  const near = texts(reply["near"]);
  return near.length ? [`Spelled alike: ${near.join(", ")}.`] : [];
};

function proposed(given: Fields): Call[] {
  const why = text(given["why"]);
  return isFields(given["arguments"]) ? [{ tool: text(given["tool"]), arguments: given["arguments"], name: why }] : [];
}

/** Files, and below each ` line: head` of its elements. */
export function readMap(reply: Fields): Picture {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  let file = "";
  for (const line of text(reply["skeleton"]).split("\n")) {
    const head = /^ +(\d+): (.+)$/.exec(line);
    if (head && file) {
      const id = `${file}:${head[1]}`;
      boxes.push({ ...boxOf(id, { source: head[2]!, depth: 1, look: "element" }), ...headed(head[2]!), file, line: Number(head[1]) });
      arrows.push({ source: file, target: id, kind: "contains", count: 1 });
    } else if (line.trim() && !line.startsWith(" ")) {
      file = line.trim();
      boxes.push(boxOf(file, { depth: 0 }));
    }
  }
  const shown = `${number(reply["files_shown"]) ?? 0} of ${counted(number(reply["files"]) ?? 0, "file")}`;
  const parts = `${number(reply["elements_shown"]) ?? 0} of ${counted(number(reply["elements"]) ?? 0, "element")}`;
  const focus = text(reply["focus"]);
  return {
    title: focus ? `Around ${partsOf(focus)?.name ?? focus}` : "Most central files",
    summary: `The most central: ${shown}, ${parts}.`,
    arrangement: "sides",
    ...joined(boxes, arrows),
    notes: remarks(reply, "note"),
    next: [],
  };
}

const KEYWORD = /(?:^|\s)(class|def|function|interface|type|struct|enum|func|fn)\s+\*?([\p{L}_$][\p{L}\d_$.]*)/u;
const MEMBER = /([\p{L}_$#][\p{L}\d_$.]*)\s*(?:[(:=<?]|$)/u;

/** The name and the kind that the head of an element tells: after a keyword, else before its parameters or its type. */
function headed(head: string): { label: string; type: string; note: string } {
  const [, word, name] = KEYWORD.exec(head) ?? [];
  const type = word === "def" || word === "func" || word === "fn" ? "function" : (word ?? "");
  return { label: name ?? MEMBER.exec(head)?.[1] ?? head, type, note: type };
}

/** Elements; endpoints with an arrow to their handlers. */
export function readScan(reply: Fields): Picture {
  const full = objects(reply["elements"]);
  const elements = full.length ? full.map(scanned) : readLines(texts(reply["elements"])).flatMap(lined);
  const routes = elements.filter((one) => one.box.look === "route");
  const boxes = elements.map((one) => one.box);
  const arrows: Arrow[] = [];
  for (const { box, handler } of routes) {
    if (!handler) continue;
    const id = `${box.file}#${handler}`;
    boxes.push({ ...boxOf(id, { depth: 1, type: "handler" }), note: box.note });
    arrows.push({ source: box.id, target: id, kind: "handles", count: 1 });
  }
  const total = number(reply["elements_found"]) ?? elements.length;
  const omitted = number(reply["omitted"]) ?? 0;
  return {
    title: routes.length ? "Routes and their handlers" : "Elements",
    summary: routes.length ? `${counted(routes.length, "route")}.` : `${counted(total, "element")}.`,
    arrangement: "sides",
    ...joined(boxes, arrows),
    notes: [...(omitted ? [`${counted(omitted, "element")} more on further pages.`] : []), ...remarks(reply, "note")],
    next: [],
  };
}

interface Scanned {
  box: Box;
  handler: string;
}

function scanned(one: Fields): Scanned {
  const [file, name, line] = [text(one["file"]), text(one["qualified_name"]), number(one["line"]) ?? 1];
  const type = text(one["type"]);
  return element(file, name, line, type, text(one["handler"]), text(one["detail"]));
}

function lined({ file, line, text: rest }: ReturnType<typeof readLines>[number]): Scanned[] {
  const found = /^(?:local )?([a-z]+) (.*?)(?: \((.*)\))?$/s.exec(rest);
  if (!found) return [];
  const [by, handler] = (found[3] ?? "").split(" → ");
  return [element(file, found[2]!, line, found[1]!, handler ?? "", by ?? "")];
}

function element(file: string, name: string, line: number, type: string, handler: string, by: string): Scanned {
  const isRoute = type === "endpoint";
  const box = boxOf(`${file}#${name}:${line}`, { type, depth: 0, look: isRoute ? "route" : "element", tone: toneOf(file) });
  return { box: by ? { ...box, why: by } : box, handler };
}
