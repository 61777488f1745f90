/** coderef_changes: changed elements by kind of change, and what they reach. */
import type { Fields } from "../../shared/host";
import { joined, type Box, type Picture, type Status } from "../model";
import { counted, number, objects, remarks, text, texts } from "./fields";
import { boxOf } from "./ids";
import { affected, links } from "./impact";
import { readLines } from "./lines";

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
    notes: [...omitted(total, changed.length), ...untested(reply), ...remarks(reply, "note")],
    next: [],
  };
}

const omitted = (total: number, shown: number): string[] =>
  total > shown ? [`${counted(total - shown, "changed element")} more on further pages of the reply.`] : [];

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
  return readLines(texts(given)).flatMap((line): Box[] => {
    const found = /^(\S+) (.+) \((.*)\)$/s.exec(line.text);
    if (!found) return [];
    const facts = found[3]!;
    const status = STATUSES.find((name) => facts.startsWith(name)) ?? "modified";
    const id = `${line.file}#${found[2]}:${line.line}`;
    return [boxOf(id, { tone: status, depth: 0, why: facts, type: found[1]! })];
  });
}
