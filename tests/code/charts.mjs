// Reads charts with Mermaid's own parser, Graphviz itself and a JSON-LD processor: one line of JSON for each file.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, ...files] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${packages}/`));
const { JSDOM } = require("jsdom");
globalThis.window = new JSDOM("<!doctype html><body></body>").window;
globalThis.document = window.document;
const imported = async (name) => import(pathToFileURL(require.resolve(name)));
const mermaid = (await import(pathToFileURL(`${packages}/node_modules/mermaid/dist/mermaid.core.mjs`))).default;
const { Graphviz } = await imported("@hpcc-js/wasm-graphviz");
const jsonld = (await imported("jsonld")).default;
const graphviz = await Graphviz.load();

const readers = {
  async mmd(text) {
    await mermaid.parse(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    const frames = new Set(db.getSubGraphs().map((frame) => frame.id)); // a style makes a vertex of each, too
    const boxes = [...db.getVertices().keys()].filter((id) => !frames.has(id));
    return { boxes: boxes.length, arrows: db.getEdges().length };
  },
  async dot(text) {
    const drawn = JSON.parse(graphviz.layout(text, "json", "dot"));
    const boxes = (drawn.objects ?? []).filter((object) => !object.name.startsWith("cluster"));
    return { boxes: boxes.length, arrows: (drawn.edges ?? []).length };
  },
  async jsonld(text) {
    const quads = await jsonld.toRDF(JSON.parse(text));
    const type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    const typed = quads.filter((quad) => quad.predicate.value === type).map((quad) => quad.object.value);
    const uses = typed.filter((value) => value.endsWith("#Use")).length;
    return { boxes: typed.length - uses, arrows: uses };
  },
};
for (const file of files) {
  try {
    console.log(JSON.stringify(await readers[file.split(".").pop()](readFileSync(file, "utf8"))));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
