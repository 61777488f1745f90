// Runs the tests of the views' pure parts: bundles each *.test.ts for Node, and runs them there.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = mkdtempSync(join(tmpdir(), "bearings-views-"));
const entryPoints = ["map", "graph", "shared"].flatMap((folder) =>
  readdirSync(join(here, folder)).filter((name) => name.endsWith(".test.ts")).map((name) => join(here, folder, name)),
);
await build({ entryPoints, bundle: true, platform: "node", format: "esm", target: "es2022", outdir, outExtension: { ".js": ".mjs" }, logLevel: "warning" });
const files = readdirSync(outdir, { recursive: true }).filter((name) => name.endsWith(".mjs")).map((name) => join(outdir, name));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(outdir, { recursive: true });
process.exit(status ?? 1);
