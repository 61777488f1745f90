/** coderef_impact: what a change reaches, as rings around the element. */
import type { Fields } from "../../shared/host";
import { joined, type Arrow, type Box, type Picture, type Severity } from "../model";
import { counted, isFields, number, objects, remarks, text, texts } from "./fields";
import { boxOf, isTest, partsOf } from "./ids";
import { around, readLines } from "./lines";

export function readImpact(reply: Fields): Picture {
  const element = text(reply["element"]);
  const focus = boxOf(element, { tone: "focus", depth: 0 });
  const reached = affected(reply["affected"]);
  const { boxes, arrows } = joined([focus, ...reached], links([focus], reached));
  const total = number(reply["affected_total"]);
  const level = text(reply["risk_level"]);
  return {
    title: `${text(reply["operation"]) || "modify"} ${focus.label}`,
    summary: summaryOf(reply, total),
    arrangement: "rings",
    boxes,
    arrows,
    notes: [...omitted(reply), ...remarks(reply, "namesakes", "note")],
    ...(level ? { verdict: { level, text: terms(reply) } } : {}),
    next: [],
  };
}

function summaryOf(reply: Fields, total: number | undefined): string {
  const depths = isFields(reply["by_depth"]) ? Object.entries(reply["by_depth"]) : [];
  const by = depths.map(([depth, count]) => `${count} at ${depth === "1" ? "1 step" : `${depth} steps`}`).join(", ");
  const files = number(reply["affected_files_total"]);
  const tests = number(reply["affected_tests_total"]);
  const where = [files && `in ${counted(files, "file")}`, tests && `${counted(tests, "test file")} to run`].filter(Boolean);
  const what = total === undefined ? "How much it reaches is unknown" : `Reaches ${counted(total, "element")}`;
  return `${what}${by ? ` (${by})` : ""}${where.length ? `, ${where.join(", ")}` : ""}.`;
}

function terms(reply: Fields): string {
  const given = reply["risk_terms"];
  if (typeof given === "string") return given;
  return objects(given)
    .map((term) => `${text(term["name"])} ${number(term["points"]) ?? 0}`)
    .join(" + ");
}

const omitted = (reply: Fields): string[] => {
  const count = number(reply["omitted"]) ?? 0;
  const all = Object.values(isFields(reply["by_depth"]) ? reply["by_depth"] : {}).reduce((sum: number, one) => sum + (number(one) ?? 0), 0);
  const unlisted = all - (number(reply["affected_total"]) ?? all);
  return [
    ...(count ? [`${counted(count, "element")} more, which are farther, on further pages of the reply.`] : []),
    ...(unlisted > 0 ? [`${counted(unlisted, "element")} more, which are farther, are not listed.`] : []),
  ];
};

/** Reached elements from objects or lines, nearest first. */
export function affected(given: Fields[string] | undefined): Box[] {
  const full = objects(given).map((one): Box => {
    const severity = text(one["severity"]);
    const id = text(one["element"]);
    return boxOf(id, {
      ...(text(one["type"]) ? { type: text(one["type"]) } : {}),
      tone: one["test"] === true || isTest(partsOf(id)?.file ?? id) ? "test" : isSeverity(severity) ? severity : "minor",
      depth: number(one["depth"]) ?? 1,
      why: text(one["why"]),
      source: text(one["text"]),
    });
  });
  if (full.length) return full;
  return readLines(texts(given)).map((line): Box => {
    const id = around(line);
    const tone = isTest(line.file) ? "test" : line.depth === 1 ? "major" : "minor";
    const box = boxOf(id, { tone, depth: line.depth, why: line.remarks.join(", "), source: line.text });
    return { line: line.line, ...box };
  });
}

const isSeverity = (value: string): value is Severity => value === "minor" || value === "major" || value === "breaking";

/**
 * The arrow of each reached element to the one through which it is reached: the nearer one whose name stands at the end
 * of its reason (`calls hash`), or in the line of the use where that shows the reason. Without a single such one, there
 * is none, but one step leads to the middle.
 */
export function links(middle: readonly Box[], reached: readonly Box[]): Arrow[] {
  const named = new Map<string, Box[]>();
  const put = (box: Box): void => {
    const key = `${box.depth} ${lastName(box.label)}`;
    named.set(key, [...(named.get(key) ?? []), box]);
  };
  [...middle, ...reached].forEach(put);
  return reached.flatMap((box): Arrow[] => {
    const depth = (box.depth ?? 1) - 1;
    const words = box.why ? [lastName(/\S+$/.exec(box.why)?.[0] ?? "")] : new Set(box.source?.match(WORD));
    const [first, second] = [...words].flatMap((word) => named.get(`${depth} ${word}`) ?? []);
    const through = depth === 0 && middle.length === 1 ? middle[0] : second ? undefined : first;
    return through ? [{ source: box.id, target: through.id, kind: verb(box.why ?? ""), count: 1 }] : [];
  });
}

const WORD = /[\p{L}_$][\p{L}\d_$]*/gu;

const lastName = (name: string): string => name.split(".").at(-1) ?? name;

const VERBS = new Map([
  ["calls", "call"],
  ["constructs", "new"],
  ["renders", "jsx"],
  ["imports", "import"],
  ["re-exports", "export"],
  ["extends", "extends"],
  ["implements", "implements"],
  ["reads", "read"],
  ["writes", "write"],
  ["refers", "reference"],
  ["names", "type"],
  ["requests", "request"],
]);

const verb = (why: string): string => VERBS.get(/^\S+/.exec(why)?.[0] ?? "") ?? "use";
