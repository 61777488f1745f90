// Bundles each view into one HTML file: src/bearings/explore/static/NAME.html, and the licences of what is in it.
// With --check, writes nothing and fails if a file differs from a fresh build.
//
// The page may run its own script and style, known by their hashes, and ask nobody. The server lets a page that it
// serves itself ask it: it replaces connect-src 'none' (bearings.explore.pages).
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/bearings/explore/static");
const largest = 900_000;

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The script, the style and the packages of a view. */
async function bundled(name) {
  const made = await build({
    absWorkingDir: here,
    entryPoints: [`${name}/main.ts`],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outdir: "out",
    write: false,
    metafile: true,
    legalComments: "none",
    charset: "utf8",
  });
  const text = (end) => made.outputFiles.find((file) => file.path.endsWith(end))?.text.trim() ?? "";
  const packages = Object.keys(made.metafile.inputs)
    .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((name) => name !== undefined);
  // A script element ends at the first </script, wherever it stands.
  return { script: text(".js").replaceAll("</script", "<\\/script"), style: text(".css"), packages: new Set(packages) };
}

function page(title, { script, style }) {
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<script type="application/json" id="given">{}</script>
<main></main>
<script>${script}</script>
</body>
</html>
`;
}

function licences(packages) {
  const parts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].find((file) => existsSync(join(folder, file)));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return parts.join(`\n${"-".repeat(80)}\n\n`);
}

const views = { map: "Map – bearings", graph: "Graph – bearings" };
const files = {};
const packages = new Set();
for (const [name, title] of Object.entries(views)) {
  const parts = await bundled(name);
  files[`${name}.html`] = page(title, parts);
  for (const used of parts.packages) packages.add(used);
}
if (packages.size === 0) throw new Error("no package was bundled from web/node_modules: run npm ci there");
files["LICENSES.txt"] = licences(packages);

let wrong = 0;
for (const [name, text] of Object.entries(files)) {
  const path = join(target, name);
  const size = Buffer.byteLength(text);
  if (process.argv.includes("--check")) {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
      console.error(`${name} differs from a fresh build. Run: make views`);
      wrong = 1;
    }
  } else {
    writeFileSync(path, text);
    console.log(`${name}: ${(size / 1000).toFixed(0)} kB`);
  }
  if (size > largest) {
    console.error(`${name} is larger than ${largest / 1000} kB.`);
    wrong = 1;
  }
}
process.exit(wrong);
