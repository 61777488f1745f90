/** The picture of a tool's reply. */
import type { Answer, Fields } from "../../shared/host";
import { noPicture, type Picture } from "../model";
import { readChanges } from "./changes";
import { readDiagram } from "./diagram";
import { objects, text } from "./fields";
import { readImpact } from "./impact";
import { readExplore, readMap, readScan } from "./others";
import { readQuery } from "./query";

const READERS = new Map<string, (reply: Fields) => Picture>(Object.entries({
  coderef_diagram: readDiagram,
  coderef_impact: readImpact,
  coderef_changes: readChanges,
  coderef_explore: readExplore,
  coderef_map: readMap,
  coderef_query: readQuery,
  coderef_scan: readScan,
}));

/** What lists as objects: these are asked again with `detail: "full"`. */
export const DETAILED = new Set(["coderef_impact", "coderef_changes", "coderef_query", "coderef_scan"]);

export function read({ tool, reply }: Answer): Picture {
  if (reply["success"] === false) {
    const picture = noPicture("No picture", text(reply["error"]) || "The tool gave an error.");
    return { ...picture, notes: [text(reply["hint"])].filter(Boolean) };
  }
  const several = objects(reply["answers"]);
  const one = several[0] ?? reply;
  const reader = READERS.get(tool) ?? guessed(one);
  if (!reader) return noPicture("No picture", `This view can't draw a reply of ${tool || "an unnamed tool"}.`);
  const picture = reader(one);
  if (several.length > 1) picture.notes.push(`The reply has ${several.length} answers; the first is drawn.`);
  return picture;
}

/** A chat may not name the tool: then a field that only one of the replies has tells. */
function guessed(reply: Fields): ((reply: Fields) => Picture) | undefined {
  const signs: Record<string, string> = {
    diagram_type: "coderef_diagram",
    affected: "coderef_impact",
    changed: "coderef_changes",
    understood_as: "coderef_explore",
    skeleton: "coderef_map",
    query_type: "coderef_query",
    elements_found: "coderef_scan",
  };
  const sign = Object.keys(signs).find((name) => name in reply);
  return sign === undefined ? undefined : READERS.get(signs[sign]!);
}
