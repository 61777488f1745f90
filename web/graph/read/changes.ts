/** coderef_changes: changed elements by kind of change, and what they reach. */
import type { Fields } from "../../shared/host";
import { joined, type Box, type Picture, type Status } from "../model";
import { counted, list, number, objects, remarks, text, texts } from "./fields";
import { boxOf, partsOf } from "./ids";
import { affected, links } from "./impact";
import { readLines, type Line } from "./lines";

const STATUSES: readonly Status[] = ["added", "modified", "removed", "renamed", "moved"];

export function readChanges(reply: Fields): Picture {
  const changed = changes(reply["changed"]);
  const reached = affected(reply["reached"]);
  const { boxes, arrows } = joined([...changed, ...reached], links(changed, reached));
  const base = text(reply["base"]) || "HEAD";
  const kinds = STATUSES.map((status) => [status, changed.filter((box) => box.tone === status).length] as const);
  const by = kinds.flatMap(([status, count]) => (count ? [`${count} ${status}`] : [])).join(", ");
  const tests = number(reply["tests_total"]) ?? texts(reply["tests"]).length;
  const total = number(reply["changed_total"]) ?? changed.length;
  const far = number(reply["reached_total"]) ?? reached.length;
  return {
    title: `Changes since ${base}`,
    summary: `${counted(total, "element")} changed${by ? ` (${by})` : ""}, ${far} reached, ${counted(tests, "test file")} to run.`,
    arrangement: "sides",
    boxes,
    arrows,
    notes: [...omitted(total, changed.length), ...unlisted(far, reached.length), ...broken(reply), ...untested(reply), ...remarks(reply, "note")],
    next: [],
  };
}

const omitted = (total: number, shown: number): string[] =>
  total > shown ? [`${counted(total - shown, "changed element")} more on further pages of the reply.`] : [];

const unlisted = (total: number, shown: number): string[] =>
  total > shown ? [`${counted(total - shown, "reached element")} more, which are farther, are not in the reply.`] : [];

/** What the change breaks or leaves behind. */
const broken = (reply: Fields): string[] => {
  const breaking = number(reply["breaking_total"]) ?? 0;
  const cycles = list(reply["new_cycles"]).length;
  const lost = number(reply["lost_users_total"]) ?? 0;
  return [
    ...(breaking ? [`${counted(breaking, "change")} ${breaking === 1 ? "breaks" : "break"} callers that were not adapted.`] : []),
    ...(cycles ? [`${counted(cycles, "new circle")} of imports between folders.`] : []),
    ...(lost ? [`${counted(lost, "element")} lost the last known user.`] : []),
  ];
};

const untested = (reply: Fields): string[] => {
  const total = number(reply["untested_total"]) ?? texts(reply["untested"]).length;
  return total ? [`No known test reaches ${counted(total, "changed element")}.`] : [];
};

function changes(given: Fields[string] | undefined): Box[] {
  const full = objects(given).map((one): Box => {
    const status = STATUSES.find((name) => name === text(one["status"])) ?? "modified";
    const tests = number(one["tests"]);
    const lines = number(one["lines"]) ?? 0;
    const was = text(one["was"]);
    const facts = [
      lines ? counted(lines, "line") : "",
      one["signature_changed"] === true ? "new signature" : "",
      was ? `was ${was}` : "",
      tests === undefined ? "tests unknown" : counted(tests, "test"),
    ];
    const type = text(one["type"]);
    return boxOf(text(one["element"]), {
      tone: status,
      depth: 0,
      why: `${status}: ${facts.filter(Boolean).join(", ")}`,
      ...(type ? { type } : {}),
    });
  });
  if (full.length) return full;
  const lines = texts(given);
  return [...lines.flatMap(changedFile), ...readLines(lines).flatMap(changedElement)];
}

/** `module src/a.ts (added, 3 lines)`: a file has no line. */
function changedFile(line: string): Box[] {
  const found = /^(\w+) (\S.*) \(([^()]* tests)\)$/s.exec(line);
  return found && partsOf(found[2]!) === undefined ? [changedBox(found[2]!, found[1]!, found[3]!)] : [];
}

function changedElement(line: Line): Box[] {
  const found = /^(\S+) (.+) \((.*)\)$/s.exec(line.text);
  return found ? [changedBox(`${line.file}#${found[2]}:${line.line}`, found[1]!, found[3]!)] : [];
}

function changedBox(id: string, type: string, facts: string): Box {
  const status = STATUSES.find((name) => facts.startsWith(name)) ?? "modified";
  return boxOf(id, { tone: status, depth: 0, why: facts, type });
}
