/** Which call opens what, and asking again for objects where a chat gave lines. */
import type { Answer, Fields, Host } from "../shared/host";
import type { Box } from "./model";
import { partsOf } from "./read/ids";
import { DETAILED } from "./read/index";

const FOLDER_BOXES = 60;
const NEAR_BOXES = 64;

export interface Question {
  tool: string;
  arguments: Fields;
}

/** The project of an answer, for the next questions about it. */
export function projectOf({ arguments: given }: Answer): Fields {
  const path = given["project_path"];
  return typeof path === "string" ? { project_path: path } : {};
}

export const folder = (inside: string, most = FOLDER_BOXES): Question => ({
  tool: "coderef_diagram",
  arguments: { format: "json", diagram_type: "all", inside, max_boxes: most },
});

export const neighbourhood = (element: string, depth = 2): Question => ({
  tool: "coderef_diagram",
  arguments: { format: "json", diagram_type: "all", element, depth, max_boxes: NEAR_BOXES },
});

export const impact = (element: string): Question => ({
  tool: "coderef_impact",
  arguments: { element, detail: "full", limit: 1000 },
});

export const search = (words: string): Question => ({ tool: "coderef_explore", arguments: { question: words } });

export const routes = (): Question => ({
  tool: "coderef_scan",
  arguments: { types: ["endpoint"], detail: "full", limit: 1000 },
});

export const changes = (): Question => ({ tool: "coderef_changes", arguments: { detail: "full", limit: 1000 } });

/** What a box opens into; undefined for one that only stands for others. */
export function opening(box: Box): Question | undefined {
  if (box.look === "more") return undefined;
  if (box.look === "folder" || box.look === "file") return folder(box.id);
  return neighbourhood(nameable(box));
}

/** The element of a box in a spelling that every tool takes. */
export function nameable({ id, file, line, look }: Box): string {
  if (look === "route" && file && line) return `${file}:${line}`;
  return partsOf(id) || !file || !line ? id : `${file}:${line}`;
}

/** What each tool lists, page by page. */
const LISTS = new Map([
  ["coderef_impact", "affected"],
  ["coderef_changes", "changed"],
  ["coderef_query", "results"],
  ["coderef_scan", "elements"],
]);

/** A reply with its next pages, as far as a person has the patience and a chat's host the leave. */
export async function whole(host: Host, tool: string, given: Fields): Promise<Fields> {
  const reply = await host.call(tool, given);
  const name = LISTS.get(tool);
  const rows = name === undefined ? undefined : reply[name];
  if (name === undefined || !Array.isArray(rows) || given["detail"] !== "full") return reply;
  let [last, all] = [reply, rows];
  for (let page = 1; page < (host.isInline ? 2 : 12) && typeof last["next_cursor"] === "string"; page++) {
    last = await host.call(tool, { ...given, cursor: last["next_cursor"] });
    const more = last[name];
    if (Array.isArray(more)) all = [...all, ...more];
  }
  return { ...reply, [name]: all, omitted: last["omitted"] ?? 0 };
}

/** The question again, if its answer would tell more: objects instead of lines, boxes instead of a text. */
export function again(answer: Answer, host: Host): Question | undefined {
  if (!host.canCall || answer.reply["success"] === false) return undefined;
  const given = { ...answer.arguments };
  delete given["output_mode"];
  if (DETAILED.has(answer.tool) && given["detail"] !== "full") {
    return { tool: answer.tool, arguments: { ...given, detail: "full" } };
  }
  if (answer.tool === "coderef_diagram" && typeof answer.reply["diagram"] === "string") {
    const whole: Fields = given["element"] === undefined ? { inside: given["inside"] ?? ".", max_boxes: FOLDER_BOXES } : {};
    return { tool: answer.tool, arguments: { ...given, format: "json", diagram_type: "all", ...whole } };
  }
  return undefined;
}
