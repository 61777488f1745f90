/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fields } from "../shared/host";
import { around, readLines } from "./read/lines";
import { partsOf } from "./read/ids";
import { read } from "./read/index";

const picture = (tool: string, reply: Fields) => read({ tool, arguments: {}, reply });
const uses = (made: ReturnType<typeof picture>) => made.arrows.map(({ source, target, kind, count }) => `${source} ${kind} ${target} ${count}`);

test("lines are read with their file, their enclosing element and their depth", () => {
  const lines = readLines([
    "src/auth.ts",
    ":24 [in AuthService.login] return hash(password)",
    ":31-40 [in items[string].get, strong] x[1]",
    "depth 2",
    "src/app.ts:3 start()",
    "«a b.ts»:7 [in «c d»] d()",
  ]);
  assert.deepEqual(
    lines.map((line) => [line.file, line.line, around(line), line.text, line.depth]),
    [
      ["src/auth.ts", 24, "src/auth.ts#AuthService.login", "return hash(password)", 1],
      ["src/auth.ts", 31, "src/auth.ts#items[string].get", "x[1]", 1],
      ["src/app.ts", 3, "src/app.ts", "start()", 2],
      ["a b.ts", 7, "a b.ts#c d", "d()", 2],
    ],
  );
  assert.deepEqual(lines[1]!.remarks, ["strong"]);
});

test("lines that never end or name nothing do no harm", () => {
  assert.deepEqual(readLines(["[".repeat(20_000), "", ":", "depth x"]), []);
  assert.equal(readLines([`a.ts:1 [in ${"[".repeat(9_000)}`])[0]!.file, "a.ts");
});

test("ids have parts, also where paths and names hold a hash", () => {
  assert.deepEqual(partsOf("src/a#b.ts#C.#d:3"), { file: "src/a#b.ts", name: "C.#d", line: 3 });
  assert.deepEqual(partsOf("src/a.ts#f"), { file: "src/a.ts", name: "f", line: undefined });
  assert.equal(partsOf("src/a.ts"), undefined);
});

const DRAWN: Fields = {
  boxes: [
    { id: "lib/a/", label: "a/", look: "folder", files: 2, elements: 9 },
    { id: "lib/b.ts", label: "b.ts", look: "plain", elements: 1 },
    { id: "app/", label: "app/", look: "folder", files: 1, elements: 1 },
  ],
  arrows: [
    { source: 0, target: 1, kind: "call", count: 3 },
    { source: 2, target: 0, kind: "import" },
    { source: 9, target: 0, kind: "import", count: 1 },
  ],
};

test("an opened folder is drawn with what is outside of it", () => {
  const made = picture("coderef_diagram", { success: true, inside: "lib/", drawn: DRAWN, omitted_arrows: 2 });
  assert.deepEqual(made.boxes.map((box) => [box.label, box.note, box.tone]), [
    ["a/", "2 files · 9 elements", "plain"],
    ["b.ts", "1 element", "plain"],
    ["app/", "1 element", "outside"],
  ]);
  assert.deepEqual(uses(made), ["lib/a/ call lib/b.ts 3", "app/ import lib/a/ 1"]);
  assert.deepEqual(made.notes, ["Not drawn: 2 weaker arrows."]);
});

test("a chart is read where the reply has no lists", () => {
  const diagram = [
    "%% bearings code graph", "flowchart LR", '  subgraph g0["shop/a.py"]', "    direction LR",
    '    n0(["f#35;"])', '    n1["g"]', "  end", '  n2[["lib/"]]', '  n0 -->|"call ×2"| n1', "  n1 -.-> n2",
  ].join("\n"); // prettier-ignore
  const made = picture("coderef_diagram", { success: true, element: "shop/a.py#f#:3", diagram });
  assert.deepEqual(uses(made), ["shop/a.py#f# call shop/a.py#g 2", "shop/a.py#g use lib/ 1"]);
  assert.deepEqual(made.boxes.map((box) => [box.tone, box.depth]), [["focus", 0], ["plain", 1], ["plain", 2]]);
});

const IMPACT: Fields = {
  success: true, element: "a.py#f:1", operation: "delete", risk_level: "HIGH", risk_terms: "direct users 5", affected_total: 3,
  by_depth: { "1": 2, "2": 1 },
}; // prettier-ignore

test("an impact is read from objects, each linked to what it is reached through", () => {
  const affected = [
    { element: "b.py#g:1", type: "function", file: "b.py", line: 2, depth: 1, why: "calls f", severity: "breaking", test: false },
    { element: "tests/test_b.py#test_g:4", type: "function", file: "tests/test_b.py", line: 5, depth: 2, why: "calls g", severity: "minor", test: true },
  ];
  const made = picture("coderef_impact", { ...IMPACT, affected });
  assert.deepEqual(made.boxes.map((box) => [box.label, box.tone, box.depth]), [["f", "focus", 0], ["g", "breaking", 1], ["test_g", "test", 2]]);
  assert.deepEqual(uses(made), ["b.py#g:1 call a.py#f:1 1", "tests/test_b.py#test_g:4 call b.py#g:1 1"]);
  assert.deepEqual(made.verdict, { level: "HIGH", text: "direct users 5" });
});

test("an impact is read from lines", () => {
  const made = picture("coderef_impact", { ...IMPACT, affected: ["b.py", ":2 [in g, calls f] f()", "depth 2", "c.py:9 h()"] });
  assert.deepEqual(made.boxes.map((box) => [box.id, box.depth, box.source]), [["a.py#f:1", 0, undefined], ["b.py#g", 1, "f()"], ["c.py", 2, "h()"]]);
});

test("what was left out is said: on other pages, and beyond the tool's own bound", () => {
  const made = picture("coderef_impact", { ...IMPACT, affected: ["b.py:2 [in g] f()"], affected_total: 3, omitted: 2, by_depth: { 1: 1, 2: 4 } });
  assert.deepEqual(made.notes, ["2 elements more, which are farther, on further pages of the reply.", "2 elements more, which are farther, are not listed."]);
});

test("a line of source tells through what it is reached, if a single name in it can", () => {
  const affected = ["b.py:2 [in g] f()", "b.py:5 [in h] f()", "depth 2", "c.py:9 [in k] print(g())", "c.py:12 [in m] g(h())"];
  const made = picture("coderef_impact", { ...IMPACT, affected });
  assert.deepEqual(uses(made), ["b.py#g use a.py#f:1 1", "b.py#h use a.py#f:1 1", "c.py#k use b.py#g 1"]);
});

test("changes have their kind, in objects and in lines", () => {
  const full = [{ element: "a.py#f:1", type: "function", status: "renamed", lines: 2, was: "g", signature_changed: true, tests: 0 }];
  const [one] = picture("coderef_changes", { success: true, base: "main", changed: full, reached: [] }).boxes;
  assert.deepEqual([one!.tone, one!.why], ["renamed", "renamed: 2 lines, new signature, was g, 0 tests"]);
  const lines = ["module a.py (added, 12 lines, 0 tests)", "a.py:1 function f (added, 3 lines, 1 tests)", "a.py:9 class C (2 lines, unknown tests)"];
  const made = picture("coderef_changes", { success: true, base: "main", changed: lines, reached: [], breaking_total: 1 });
  const [file, ...elements] = made.boxes;
  assert.deepEqual([file!.id, file!.tone, file!.look], ["a.py", "added", "file"]);
  assert.deepEqual(elements.map((box) => [box.id, box.tone, box.type]), [["a.py#f:1", "added", "function"], ["a.py#C:9", "modified", "class"]]);
  assert.deepEqual(made.notes, ["1 change breaks callers that were not adapted."]);
});

test("routes lead to their handlers, in objects and in lines", () => {
  const route = { type: "endpoint", name: "GET /x", qualified_name: "GET /x", file: "r.ts", line: 3, end_line: 3, detail: "express", handler: "show" };
  for (const elements of [[route], ["r.ts:3 local endpoint GET /x (express → show)"]]) {
    const made = picture("coderef_scan", { success: true, elements_found: 1, elements });
    assert.deepEqual(uses(made), ["r.ts#GET /x:3 handles r.ts#show 1"]);
    assert.deepEqual(made.boxes.map((box) => box.look), ["route", "element"]);
  }
});

test("an answer to words has its users on the left", () => {
  const elements = [{ element: "a.py#f:1", type: "function", used_by: ["b.py:2 [in g] f()"], tests: ["tests/test_a.py#test_f:3"] }];
  const made = picture("coderef_explore", { success: true, understood_as: "words", elements, lines: ["c.md:1 f is"], elements_total: 1, lines_total: 1 });
  assert.deepEqual(made.boxes.map((box) => [box.id, box.depth]), [["a.py#f:1", 0], ["b.py#g", -1], ["tests/test_a.py#test_f:3", -1], ["c.md", 1]]);
  assert.equal(made.summary, "Understood as words. 1 element, 1 line of text.");
});

test("a skeleton is read as files with their elements", () => {
  const made = picture("coderef_map", { success: true, skeleton: "a.py\n 1: class C(B)\n   2: async def f(x)\nb.ts\n 4: abstract next(after: string): D\n", files: 1, files_shown: 1, elements: 2, elements_shown: 2 });
  assert.deepEqual(uses(made), ["a.py contains a.py:1 1", "a.py contains a.py:2 1", "b.ts contains b.ts:4 1"]);
  assert.deepEqual(made.boxes.filter((box) => box.look === "element").map((box) => [box.label, box.type]), [["C", "class"], ["f", "function"], ["next", ""]]);
});

test("an error says its hint, and an unknown reply that it can't be drawn", () => {
  const error = picture("coderef_impact", { success: false, error: "no f", hint: "Did you mean g?" });
  assert.deepEqual([error.summary, error.notes, error.boxes], ["no f", ["Did you mean g?"], []]);
  assert.match(picture("constructor", { success: true }).summary, /can't draw a reply of constructor/);
});
