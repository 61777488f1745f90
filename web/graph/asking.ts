/** Which call opens what, and asking again for objects where a chat gave lines. */
import type { Answer, Fields, Host } from "../shared/host";
import type { Box } from "./model";
import { list, number } from "./read/fields";
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

/** As many pages are asked for at a time: a person has the patience, and a chat's host gives leave. */
const pagesFor = (host: Host): number => (host.isInline ? 2 : 12);

/** The reply to a question, of one in objects with the next pages. */
export async function whole(host: Host, tool: string, given: Fields): Promise<Fields> {
  const reply = await host.call(tool, given);
  return given["detail"] === "full" ? followed(host, { tool, arguments: given, reply }, pagesFor(host) - 1) : reply;
}

/** The reply of an answer with the pages that follow. */
export const more = (host: Host, answer: Answer): Promise<Fields> => followed(host, answer, pagesFor(host));

/** How many rows stand on further pages of an answer. */
export function left({ tool, reply }: Answer): number {
  const isList = Array.isArray(reply[LISTS.get(tool) ?? ""]);
  return isList && typeof reply["next_cursor"] === "string" ? (number(reply["omitted"]) ?? 0) : 0;
}

async function followed(host: Host, answer: Answer, most: number): Promise<Fields> {
  const { tool, arguments: given, reply } = answer;
  const name = LISTS.get(tool) ?? "";
  const rows = [...list(reply[name])];
  let last = reply;
  for (let page = 0; page < most && left({ ...answer, reply: last }) > 0; page++) {
    last = await host.call(tool, { ...given, cursor: last["next_cursor"]! });
    rows.push(...list(last[name]));
  }
  if (last === reply) return reply;
  return { ...reply, [name]: rows, omitted: last["omitted"] ?? 0, next_cursor: last["next_cursor"] ?? null };
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
